import { GLOSSARIES, SHORTHAND, TYPED_WORDS } from "../../db/lexicon.ts";
import { findMeasures } from "./digits.ts";
import {
  englishOfPhrase,
  englishOfWord,
  type Glossary,
  glossaryOf,
  nearestForm,
  opensPhrase,
  spelled,
} from "./glossary-build.ts";
import { isJapanese, japaneseInEnglish } from "./japanese.ts";
import { meaningOf } from "./lexicon.ts";
import { isParticle, nameEnd } from "./name.ts";
import { headsOf } from "./phrases.ts";
import { isWithin, type Span } from "./text.ts";

const MAX_WORDS = 5;
/** The fewest words of a language that make a brief foreign: its short words may mean other things in English. */
const LEAST_WORDS = 2;
/** Shorter foreign words are never corrected. */
const LEAST_LETTERS = 6;

const words = headsOf("tongue");
const is = (type: string, word: string) => words.get(word)?.includes(type) ?? false;
const shorthand = glossaryOf(SHORTHAND);
const englishWords = new Set(
  Object.values(TYPED_WORDS.english).flatMap((lines) => lines.flatMap(({ forms }) => [...forms])),
);
const languages: readonly Glossary[] = Object.entries(GLOSSARIES).map(([language, lines]) =>
  glossaryOf(lines, language),
);

/**
 * Returns the brief with shorthand written out and, where the brief is in another language of the lexicon, its words
 * about music translated. Names and unknown words stay as they are.
 *
 * @param isPart Other words of the brief were read before: a single word of music may be all that is left.
 */
export function intoEnglish(text: string, isPart = false): { text: string; isForeign: boolean } {
  const written = replaceForms(isJapanese(text) ? japaneseInEnglish(text) : text, shorthand);
  const language = languageOf(written, isPart);
  if (!language) return { text: written, isForeign: isJapanese(text) };
  const corrected = withoutSlips(written, language);
  const translated = replaceForms(corrected, language, findMeasures(corrected));
  return { text: inEnglishOrder(joinedToNouns(translated)), isForeign: true };
}

const PAIR = /(?<![\p{L}-])(\p{L}+) (\p{L}+)(?![\p{L}-])/gu;

/** "techno melodic": puts two words in the order in which they name a genre. */
function inEnglishOrder(text: string): string {
  const isGenre = (words: string) => meaningOf(words)?.tags.some(({ category }) => category === "genres");
  return text.replace(PAIR, (all, first: string, second: string) => {
    const turned = `${second} ${first}`;
    return isGenre(first) && !isGenre(all) && isGenre(turned) ? turned : all;
  });
}

const NOUN_FIRST = /(?<!\p{L})(music|track|song) (?=(\p{L}+))/gu;

/** "song folk": in English an ordinary word counts before such a noun, and after "of". */
function joinedToNouns(text: string): string {
  return text.replace(NOUN_FIRST, (all, _noun: string, next: string) => {
    const meaning = meaningOf(next);
    return meaning?.care && meaning.tags.length > 0 ? `${all}of ` : all;
  });
}

/** Returns the language with the most words in the brief, if they are enough. */
function languageOf(text: string, isPart: boolean): Glossary | undefined {
  const all = wordsOf(text).flatMap(splitElision);
  const words = [...new Set(all.map(({ word }) => word))];
  let best: Match | undefined;
  for (const glossary of languages) {
    const known = knownTo(glossary, text, all);
    const found = { glossary, known, telling: [...known].filter(isTelling).length };
    const isBetter = found.telling === best?.telling && known.size > best.known.size;
    if (found.telling > (best?.telling ?? 0) || isBetter) best = found;
  }
  return best && isForeign(words, best, isPart) ? best.glossary : undefined;
}

/** A language that a brief may be in, with the words of the brief that its forms cover. */
type Match = { glossary: Glossary; known: ReadonlySet<string>; telling: number };

function knownTo(glossary: Glossary, text: string, words: readonly Word[]): Set<string> {
  const known = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const found = longestForm(text, words, at, glossary);
    if (!found) continue;
    for (const { word } of words.slice(at, found.last + 1)) known.add(word);
    at = found.last;
  }
  return known;
}

/** Returns true when a word identifies a language, because English does not have it. */
function isTelling(word: string): boolean {
  return word.length > 1 && !is("international", word) && !englishWords.has(word) && !isMusical(word);
}

const isMusical = (word: string): boolean => (meaningOf(word)?.tags.length ?? 0) > 0;

/**
 * Compares foreign and English words: an English brief may hold a foreign word or two. A single foreign word tells the
 * language only beside words that are all known: "techno ohne vocals", not "Noche de Wortham".
 */
function isForeign(
  words: readonly string[],
  { glossary, known, telling: count }: Match,
  isPart: boolean,
): boolean {
  const english = words.filter((word) => is("english", word)).length;
  if (count < LEAST_WORDS)
    return (
      count > 0 && english === 0 && (words.some(isOtherScript) || isAllKnown(words, glossary, known, isPart))
    );
  return count > english || (meaningOf(words.join("")) === undefined && count * 2 > english * 3);
}

const isOtherScript = (word: string): boolean => /^(?!\p{Script=Latin})\p{L}/u.test(word);

function isAllKnown(
  words: readonly string[],
  glossary: Glossary,
  known: ReadonlySet<string>,
  isPart: boolean,
): boolean {
  const spoken = words.filter((word) => /\p{L}/u.test(word));
  const isKnown = (word: string) => known.has(word) || is("international", word) || isMusical(word);
  const isSlip = (word: string) => word.length >= LEAST_LETTERS && nearestForm(glossary, word) !== undefined;
  return spoken.length > (isPart ? 0 : 1) && spoken.every((word) => isKnown(word) || isSlip(word));
}

type Word = { word: string; start: number; end: number };

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*(?:['’](?=\p{L}))?|w\s?\/o?|[^\s]/gu)].map(
    (match) => ({
      word: spelled(match[0]),
      start: match.index,
      end: match.index + match[0].length,
    }),
  );
}

function replaceForms(text: string, glossary: Glossary, kept: readonly Span[] = []): string {
  const words = wordsOf(text).flatMap(splitElision);
  let [result, done] = ["", 0];
  for (let at = 0; at < words.length; at++) {
    const start = words[at]?.start ?? text.length;
    const genre = lastOfGenre(text, words, at);
    if (genre !== undefined) {
      at = genre;
      continue;
    }
    const found = longestForm(text, words, at, glossary);
    if (!found || isMeasure(text, start, found, kept) || isInName(text, words, at, glossary)) continue;
    const [english, end] = withoutArticle(text, found);
    result += text.slice(done, start) + english;
    done = end;
    at = LEADS.has(found.english) ? nameAfter(text, words, found.last) : found.last;
  }
  return result + text.slice(done);
}

/** Articles are left out: English needs none before the words about music. */
const ARTICLE = "a";
/** A name after these keeps its spelling: "im Stil von Tom Jobim", although a "tom" is a key in Portuguese. */
const LEADS = new Set(["in the style of", "like", "reference"]);

/** "über 120" is more than 120, and "über die Liebe" a theme; a decade is a form with digits: "80er". */
function isMeasure(text: string, start: number, { english, end }: Form, kept: readonly Span[]): boolean {
  if (/\d/.test(text.slice(start, end))) return false;
  return isWithin(kept, start) || (english === "about" && /^\s*\d/.test(text.slice(end)));
}

function withoutArticle(text: string, { english, end }: Form): [english: string, end: number] {
  return english === ARTICLE ? ["", text[end] === " " ? end + 1 : end] : [english, end];
}

const MOST_GENRE_WORDS = 3;

/** "electro swing" is called so in every language: returns the last word of a genre of several words. */
function lastOfGenre(text: string, words: readonly Word[], at: number): number | undefined {
  const start = words[at]?.start ?? 0;
  for (let last = Math.min(at + MOST_GENRE_WORDS, words.length) - 1; last > at; last--) {
    const name = text.slice(start, words[last]?.end);
    const isName =
      /^[\p{L} -]+$/u.test(name) && !words.slice(at, last + 1).some(({ word }) => is("english", word));
    if (isName && meaningOf(name)?.tags.some(({ category }) => category === "genres")) return last;
  }
  return undefined;
}

/** "Ludwig van Beethoven": a particle between capitals keeps its spelling, unless the first is a noun ("Lied von Liebe"). */
function isInName(text: string, words: readonly Word[], at: number, glossary: Glossary): boolean {
  if (!isParticle(words[at]?.word ?? "")) return false;
  const isCapital = (index: number) => /^\p{Lu}/u.test(text.slice(words[index]?.start ?? text.length));
  return isCapital(at - 1) && isCapital(at + 1) && !longestForm(text, words, at - 1, glossary);
}

/** Returns the index of the last word of the name directly after the word at the index: "Paco de Lucía". */
function nameAfter(text: string, words: readonly Word[], index: number): number {
  const end = nameEnd(text, words[index + 1]?.start ?? text.length) ?? 0;
  return Math.max(
    index,
    words.findLastIndex((word) => word.end <= end),
  );
}

/** Splits "l'amour" and "d'une": the article becomes a separate word. */
function splitElision({ word, start, end }: Word): Word[] {
  const match = /^([ldnjqcsm]|qu|dell|nell|all|sull|dall|un)'(.+)$/.exec(word);
  if (!match?.[1] || !match[2] || end - start !== word.length) return [{ word, start, end }];
  const middle = start + match[1].length + 1;
  return [
    { word: `${match[1]}'`, start, end: middle },
    { word: match[2], start: middle, end },
  ];
}

/** A form in the text, with its end and the index of its last word. */
type Form = { english: string; end: number; last: number };

function longestForm(
  text: string,
  words: readonly Word[],
  from: number,
  glossary: Glossary,
): Form | undefined {
  const first = words[from];
  if (!first) return undefined;
  const most = opensPhrase(glossary, first.word.split(/[ /]/)[0] ?? "") ? MAX_WORDS : 1;
  for (let last = Math.min(from + most, words.length) - 1; last > from; last--) {
    const end = words[last]?.end ?? first.end;
    const english = formAt(glossary, text.slice(first.start, end));
    if (english !== undefined) return { english, end, last };
  }
  const english = glossed(glossary, first.word);
  // The article of "d'amour" is a separate word without a blank after it.
  const blank = /['’]$/.test(text.slice(first.start, first.end)) ? " " : "";
  return english === undefined ? undefined : { english: english + blank, end: first.end, last: from };
}

/** Returns the English of a form of several words; a form never includes punctuation. */
function formAt(glossary: Glossary, piece: string): string | undefined {
  if (/[,.;:!?\n]/.test(piece)) return undefined;
  const english = englishOfPhrase(glossary, spelled(piece).replace(/'(?=\d)/g, ""));
  return english === undefined || !/['’]$/.test(piece) ? english : `${english} `;
}

/** Returns the English of a word; an English word counts only as the glossary writes it. */
function glossed(glossary: Glossary, word: string): string | undefined {
  return is("english", word) ? glossary.english.get(word) : englishOfWord(glossary, word, isMusical);
}

/** Corrects typing slips towards the words of the language: "relaxnte Musik". Names have a capital. */
function withoutSlips(text: string, glossary: Glossary): string {
  return text.replace(/(?<![\p{L}'’])\p{Ll}+(?![\p{L}'’])/gu, (word) => {
    if (word.length < LEAST_LETTERS) return word;
    const key = spelled(word);
    const isKnown = glossed(glossary, key) !== undefined || is("english", key) || isMusical(key);
    return isKnown ? word : (nearestForm(glossary, key) ?? word);
  });
}
