import { OAuthError, type OAuthErrorCode } from "./oauth-error.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Reads a request's body of a media type, at most 64 KB of it.
 *
 * @throws OAuthError `refusal` for another type, or more.
 */
export async function readBody(
  request: Request,
  mediaType: "application/json" | "application/x-www-form-urlencoded",
  refusal: OAuthErrorCode,
): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== mediaType) throw new OAuthError(refusal, `The body must be ${mediaType}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new OAuthError(refusal, `The body may have at most ${MAX_BYTES / 1024} KB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
