import { intoEnglish } from "./glossary.ts";
import { meaningOf } from "./lexicon.ts";
import { begins, readingOf } from "./reading.ts";
import { plainOf } from "./text.ts";
import { isSmallWord } from "./unread.ts";

const MOST_WORDS = 6;
const MOST_WORDS_OF_NAME = 3;

/** True for a text that begins with a style, or with music of some kind: " dark techno with pads", " piano music". */
export function beginsWithStyle(text: string): boolean {
  const words = wordsOf(/^ [\p{L}\p{N}'& -]+/u.exec(text)?.[0] ?? "").slice(0, MOST_WORDS);
  for (let at = 0; at < words.length; ) {
    const run = runAt(words, at);
    if (run?.isStyle || (at > 0 && isThing(words[at] ?? ""))) return true;
    if (!run) return false;
    at += run.length;
  }
  return false;
}

/** True for a text that says nothing but what music it is, the style last: "some dark techno ", "techno oscuro". */
export function isStyle(text: string): boolean {
  const words = wordsOf(text);
  let isLast = false;
  for (let at = 0; at < words.length; ) {
    const run = runAt(words, at);
    if (!run && !isSmallWord(words[at] ?? "")) return false;
    // "Techno oscuro" has its mood behind.
    isLast = run?.isStyle === true || (isLast && run?.isMood === true);
    at += run?.length ?? 1;
  }
  return isLast;
}

const wordsOf = (text: string): string[] =>
  plainOf(intoEnglish(text.trim(), true).text).match(/[\p{L}\p{N}'&-]+/gu) ?? [];

type Run = { length: number; isStyle: boolean; isMood: boolean };

/** Returns the longest name of tags at a place, and whether it is a style or a mood. */
function runAt(words: readonly string[], at: number): Run | undefined {
  for (let length = Math.min(MOST_WORDS_OF_NAME, words.length - at); length > 0; length--) {
    const run = words.slice(at, at + length);
    const tags = meaningOf(run.join(" "))?.tags ?? [];
    if (tags.length === 0) continue;
    return {
      length,
      isStyle: tags.some(({ category }) => category === "genres") || run.slice(1).some(isThing),
      isMood: tags.some(({ category }) => category === "moods"),
    };
  }
  return undefined;
}

const isThing = (word: string): boolean => begins(readingOf(word), "library.thing", 0);
