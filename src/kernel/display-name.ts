const MAX_CHARACTERS = 255;
const UNTITLED = "untitled";

/** An extension with its dot. It is short and has no spaces, so "Mr. Sandman (final)" has no extension. */
const EXTENSION = /\.[\p{L}\p{N}_-]{1,12}$/u;

/**
 * Returns a client's file name in a form that is safe to show: the last segment of a path, well-formed, without
 * control characters, invisible characters or marks that reverse the reading order. It keeps at most 255
 * characters, including the extension; everything else stays as it is. Never use it as a path. An empty result
 * becomes `untitled`.
 */
export function displayName(raw: string): string {
  const shortened = shorten(oneLine(raw.toWellFormed().replace(/^.*[/\\]/s, "")));
  return /^\.*$/.test(shortened) ? UNTITLED : shortened;
}

/**
 * Returns a text on one line, well-formed, without the white space around it, control characters, invisible characters or
 * marks that reverse the reading order.
 */
export function oneLine(text: string): string {
  return (
    text
      .toWellFormed()
      // Line separators become spaces. Other control characters, bidirectional embeddings, overrides and isolates,
      // zero-width spaces and byte order marks are removed. Joiners stay: Persian and emoji need them.
      .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
      .replace(/[\p{Cc}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, "")
      .trim()
  );
}

function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? "";
  const kept = characters.slice(0, MAX_CHARACTERS - Array.from(extension).length);
  return kept.join("").trimEnd() + extension;
}
