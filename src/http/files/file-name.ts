export { displayName } from "../../kernel/display-name.ts";

/**
 * Returns the Content-Disposition of a download: the name in ASCII for old clients, and the full name in
 * `filename*`.
 *
 * @see RFC 6266, section 4.3, and RFC 8187.
 */
export function attachment(filename: string): string {
  const ascii = filename
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    // Some clients would decode a percent sign.
    .replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(filename.toWellFormed())}`;
}

/** Percent-encodes all but the `attr-char` of RFC 8187. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
