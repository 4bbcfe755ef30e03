import { JAPANESE_LIBRARY } from "../../db/lexicon.ts";
import type { Span } from "./text.ts";

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

const forms = JAPANESE_LIBRARY.flatMap(({ heads: [head = ""], forms }) =>
  forms.map((form) => ({ head, form })),
).toSorted((a, b) => b.form.length - a.form.length);

/** Finds the words about the library in a Japanese text, by their heads in the lexicon, the longest first. */
export function japaneseWords(text: string): (Span & { head: string })[] {
  const found: (Span & { head: string })[] = [];
  if (!JAPANESE.test(text)) return found;
  for (const { head, form } of forms)
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
      const end = start + form.length;
      if (!found.some((other) => other.start < end && start < other.end)) found.push({ start, end, head });
    }
  return found.toSorted((a, b) => a.start - b.start);
}
