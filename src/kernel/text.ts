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

/** Returns a limit in words, in the largest unit that divides it: `1 GB`, `15 MB`, `16 kB`. Units are powers of 1024. */
export function sizeInWords(bytes: number): string {
  const [name, unit] = SIZES.find(([, size]) => bytes % size === 0) ?? ["bytes", 1];
  return `${bytes / unit} ${name}`;
}

const SIZES = [
  ["GB", 2 ** 30],
  ["MB", 2 ** 20],
  ["kB", 2 ** 10],
] as const;

/** Returns a count as prose has it: up to ten in letters. */
export const spelt = (count: number): string => LETTERS[count] ?? String(count);

const LETTERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** True when nothing is left to fold but the case. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
