import { franc } from "franc-min";
import { languageCode } from "./languages.ts";
import { plainWords } from "./words.ts";

/** Fewer different words than this in a Latin script are "la la la" as often as a language. */
const MIN_LATIN_WORDS = 9;
const MIN_CHARACTERS = 10;

/**
 * Returns the ISO 639-1 code of the language that lyrics are in, by their script and trigrams. Undefined for words that
 * are too few to tell. Each word counts once: a refrain says no more about the language than its first line.
 */
export function detectLanguage(lyrics: string): string | undefined {
  const words = [...new Set(plainWords(lyrics))];
  const isLatin = /\p{Script=Latin}/u.test(lyrics);
  if (isLatin && words.length < MIN_LATIN_WORDS) return undefined;
  const code = franc(words.join(" "), { minLength: MIN_CHARACTERS });
  return code === "und" ? undefined : languageCode(code);
}
