const MAX_CHARACTERS = 255;
const UNTITLED = "untitled";

/** Extension with its dot: short, and without spaces, so that "Mr. Sandman (final)" has none. */
const EXTENSION = /\.[\p{L}\p{N}_-]{1,12}$/u;

/**
 * Returns a client's file name as it may be shown: the last segment of a path, well-formed, without control characters
 * and without marks that turn the reading order around or cannot be seen; at most 255 characters, the extension kept.
 * Everything else stays as it is. It is never used as a path. A name of which nothing is left becomes `untitled`.
 */
export function displayName(raw: string): string {
  const name = raw
    .toWellFormed()
    .replace(/^.*[/\\]/s, "")
    // Separators of lines become spaces; other control characters, bidirectional embeddings, overrides and isolates,
    // zero-width spaces and byte order marks go. Joiners stay: Persian and emoji are spelt with them.
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, "")
    .trim();
  const shortened = shorten(name);
  return /^\.*$/.test(shortened) ? UNTITLED : shortened;
}

function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? "";
  const kept = characters.slice(0, MAX_CHARACTERS - Array.from(extension).length);
  return kept.join("").trimEnd() + extension;
}
