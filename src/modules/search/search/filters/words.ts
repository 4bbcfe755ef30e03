import { fold } from "../../../../kernel/text.ts";

/** Returns the words of a text, folded; an apostrophe stays inside its word. */
export function plainWords(text: string): string[] {
  return (
    fold(text)
      .replace(/[’ʼ]/g, "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? []
  );
}
