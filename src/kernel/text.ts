import { invalidField } from "./errors.ts";

/**
 * Returns `text` in the form used to compare and sort: compatibility forms and case folded, diacritics removed
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

/** True for a text that shows nothing: only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/**
 * Returns a required text without the white space around it.
 *
 * @throws DomainError `validation_failed` when it is blank.
 */
export function requireText(path: string, text: string): string {
  if (isBlank(text)) throw invalidField(path, "blank", "must not be blank");
  return text.trim();
}

/** True when nothing is left to fold but the case. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
