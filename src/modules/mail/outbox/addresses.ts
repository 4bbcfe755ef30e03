import { invalidField } from "../../../kernel/errors.ts";
import { normaliseEmail } from "../../people/people/service.ts";

/** One address and nothing else: no name, no second one, and nothing that could begin another header. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\r\t]/u;

/** True for one address that mails can go to. */
export const isAddress = (text: string): boolean => ADDRESS.test(text.trim());

/** Returns an address in its stored form. @throws DomainError `validation_failed`. */
export function readAddress(path: string, text: string): string {
  if (isAddress(text)) return normaliseEmail(text);
  throw invalidField(path, "invalid_email", "must be one e-mail address, such as bo@example.com");
}

/** Returns words that stand in a header. @throws DomainError `validation_failed` for control characters. */
export function readWords(path: string, text: string): string {
  if (!CONTROL.test(text)) return text;
  throw invalidField(path, "control_character", "must not have line breaks or control characters");
}

/** Returns what a sender writes, without the white space around it; null when that is nothing. @throws DomainError as {@link readWords}. */
export function readMessage(text: string | null | undefined, path = "mail.message"): string | null {
  const trimmed = text?.trim() ?? "";
  if (CONTROL_BUT_LINES.test(trimmed))
    throw invalidField(path, "control_character", "must not have control characters");
  return trimmed === "" ? null : trimmed.replace(/\r\n?/g, "\n");
}

/** Returns words of the library, such as a title from a file's tags, as a header can hold them. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
