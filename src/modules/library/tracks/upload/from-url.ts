import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { MAX_FILE_BYTES } from "../../../../kernel/limits.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import { openUrl } from "../../../../net/fetch.ts";
import { stageTrackFile } from "./create.ts";
import type { StagedTrackFile } from "./track-file.ts";

const SLOWEST_BYTES_PER_SEC = 600_000;
const DOWNLOAD_TIMEOUT_MS = (MAX_FILE_BYTES / SLOWEST_BYTES_PER_SEC) * SECOND_MS;
/** Media types that storage services and web servers give to audio, besides `audio/*`. */
const AUDIO_TYPES: readonly string[] = ["application/octet-stream", "binary/octet-stream", "application/ogg"];
const UNNAMED = "untitled";

/**
 * Downloads one audio file of at most {@link MAX_FILE_BYTES}. If anything fails, the partial file is removed.
 *
 * @throws DomainError `url_not_allowed`, `download_failed`, `file_too_large`, `insufficient_storage`;
 *   `invalid_file_type` when the declared type or the content is not audio. The signal's reason when it is aborted.
 */
export async function stageFromUrl(
  deps: Pick<Deps, "settings">,
  url: string,
  signal: AbortSignal,
): Promise<StagedTrackFile> {
  const opened = await openUrl(deps, url, {
    maxBytes: MAX_FILE_BYTES,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    signal,
  });
  const { contentType, filename, body } = opened;
  if (!isAudioType(contentType)) {
    opened.close();
    throw new DomainError("invalid_file_type", "This address does not serve audio");
  }
  return await stageTrackFile(deps, { filename: filename ?? UNNAMED, bytes: body });
}

/** Without a declared type, the content decides (RFC 9110, section 8.3). */
function isAudioType(type: string | null): boolean {
  return type === null || type.startsWith("audio/") || AUDIO_TYPES.includes(type);
}
