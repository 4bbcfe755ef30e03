import { OAuthError, type OAuthErrorCode } from "./oauth-error.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Reads the body of a request: of one media type, and 64 KB at most.
 *
 * @throws OAuthError `refusal` when the body has another type or is larger.
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
    if (size > MAX_BYTES) throw new OAuthError(refusal, `The body may be at most ${MAX_BYTES / 1024} KB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
