/**
 * Returns `text` as it is compared and sorted: compatibility forms and case folded, diacritics dropped
 * (`"Éclair Ⅱ"` becomes `"eclair ii"`).
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

/** True when nothing is left to fold but the case. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
