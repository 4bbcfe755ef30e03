/**
 * Returns `text` as it is compared and sorted: compatibility forms and case folded, diacritics dropped
 * (`"Éclair Ⅱ"` becomes `"eclair ii"`).
 */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .normalize("NFC");
}
