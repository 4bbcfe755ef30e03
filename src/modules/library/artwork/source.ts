import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, type ErrorCode } from "../../../kernel/errors.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { sniffPicture } from "../../../media/pictures/picture.ts";
import { openUrl } from "../../../net/fetch.ts";
import { MAX_PICTURE_BYTES } from "./shapes.ts";

/** The source of a picture. */
export type ArtworkSource = { url: string } | { bytes: Uint8Array };

const DOWNLOAD_TIMEOUT_MS = 30 * SECOND_MS;

/** The errors for a picture that correspond to refusals of the outbound client (decision 4.16). */
const PICTURE_REFUSALS: Partial<Record<ErrorCode, ErrorCode>> = {
  url_not_allowed: "invalid_image_url",
  download_failed: "image_download_failed",
  file_too_large: "image_download_failed",
};

/**
 * Reads an http(s) address or a data URI.
 *
 * @throws DomainError `invalid_image_url` for anything else, and `invalid_image_type` as {@link base64Picture} does.
 */
export function pictureAt(text: string): ArtworkSource {
  return /^data:/i.test(text) ? base64Picture(text) : addressedPicture(text);
}

/** Reads an http(s) address. @throws DomainError `invalid_image_url` for anything else. */
export function addressedPicture(url: string): ArtworkSource {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { url };
  throw new DomainError("invalid_image_url", "The picture's address must begin with http:// or https://");
}

/**
 * Reads base64 (either alphabet, with or without padding and line breaks) or a data URI. The URI's declared type is
 * ignored; only its content counts.
 *
 * @throws DomainError `invalid_image_type` unless the bytes are a JPEG, PNG, WebP or GIF.
 */
export function base64Picture(text: string): { bytes: Uint8Array } {
  const [, parameters, content] = /^data:([^,]*),(.*)$/is.exec(text) ?? [];
  const isBase64 = parameters === undefined || /;\s*base64\s*$/i.test(parameters);
  const bytes = isBase64 ? decodeBase64(content ?? text) : undefined;
  if (bytes && sniffPicture(bytes)) return { bytes };
  throw notAPicture();
}

/**
 * Opens a picture and yields at most {@link MAX_PICTURE_BYTES} of it.
 *
 * @throws DomainError `invalid_image_url`, `image_download_failed`, also during iteration; the signal's reason when it
 *   is aborted.
 */
export async function* openPicture(
  deps: Pick<Deps, "settings">,
  source: ArtworkSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if ("bytes" in source) return yield source.bytes;
  try {
    const limits = { maxBytes: MAX_PICTURE_BYTES, timeoutMs: DOWNLOAD_TIMEOUT_MS, signal };
    yield* (await openUrl(deps, source.url, limits)).body;
  } catch (error) {
    const code = error instanceof DomainError ? PICTURE_REFUSALS[error.code] : undefined;
    throw code && error instanceof Error ? new DomainError(code, error.message, { cause: error }) : error;
  }
}

/** Returns the error for bytes that are not a readable picture. */
export function notAPicture(cause?: unknown): DomainError {
  const message = "A cover must be a complete JPEG, PNG, WebP or GIF picture of at most 50 megapixels";
  return new DomainError("invalid_image_type", message, { cause });
}

function decodeBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/\s+/g, "");
  return /^[\w+/-]*={0,2}$/.test(compact) ? Buffer.from(compact, "base64") : undefined;
}
