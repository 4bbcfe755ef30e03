import { isUnchanged } from "./range.ts";

type Picture = { path: string; sizeBytes: number; mediaType: string; lastModifiedAt: number };

/**
 * Sends a picture, or says that the client has it already. Opened directly, it is only ever a picture.
 *
 * @param name Another picture has another name.
 * @param audience Who may keep it and show it: more headers.
 */
export function sendPicture(
  request: Request,
  { path, sizeBytes, mediaType, lastModifiedAt }: Picture,
  name: string,
  audience: Readonly<Record<string, string>>,
): Response {
  const etag = `"${name}"`;
  const headers = new Headers({
    ...audience,
    "content-type": mediaType,
    etag,
    "last-modified": new Date(lastModifiedAt).toUTCString(),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  if (isUnchanged(request.headers, { etag, lastModifiedAt }))
    return new Response(null, { status: 304, headers });
  headers.set("content-length", String(sizeBytes));
  return new Response(Bun.file(path), { headers });
}
