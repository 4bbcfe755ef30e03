import { GLOSSARIES, type LexiconLine, SHORTHAND } from "../../db/lexicon.ts";
import { fold } from "../kernel/text.ts";
import { findMeasures } from "./digits.ts";
import { meaningOf } from "./lexicon.ts";
import { headsOf } from "./phrases.ts";
import { isWithin, type Span } from "./text.ts";

/** Foreign or short forms, folded, with their English words, and the first words of the longer forms. */
type Glossary = {
  english: ReadonlyMap<string, string>;
  openings: ReadonlySet<string>;
  /** True for foreign words, which may have other endings; shorthand is read as written. */
  hasEndings: boolean;
};

const MAX_WORDS = 4;
/** The fewest words of a language that make a brief foreign: its short words may mean other things in English. */
const LEAST_WORDS = 2;

const words = headsOf("tongue");
const is = (type: string, word: string) => words.get(word)?.includes(type) ?? false;
const shorthand: Glossary = { ...glossaryOf(SHORTHAND), hasEndings: false };
const languages: readonly Glossary[] = Object.values(GLOSSARIES).map(glossaryOf);

/**
 * Returns the brief with shorthand written out and, where the brief is in French, German, Italian, Portuguese or
 * Spanish, its words about music translated. Names and unknown words stay as they are.
 */
export function intoEnglish(text: string): string {
  const written = replaceForms(text, shorthand);
  const language = languageOf(written);
  return language ? replaceForms(written, language, findMeasures(written)) : written;
}

/** Returns the language with the most words in the brief, if they are enough. */
function languageOf(text: string): Glossary | undefined {
  const words = [...new Set(wordsOf(text).map(({ word }) => word))];
  const telling = words.filter(isTelling);
  let best: { glossary: Glossary; count: number } | undefined;
  for (const glossary of languages) {
    const count = telling.filter((word) => glossed(glossary, word) !== undefined).length;
    if (count > (best?.count ?? 0)) best = { glossary, count };
  }
  return best && best.count >= LEAST_WORDS && isForeign(words, best.count) ? best.glossary : undefined;
}

/** Returns true when a word identifies a language, because English does not have it. */
function isTelling(word: string): boolean {
  return word.length > 1 && !is("international", word) && (meaningOf(word)?.tags.length ?? 0) === 0;
}

/** Compares foreign and English words: an English brief may hold a foreign word or two. */
function isForeign(words: readonly string[], count: number): boolean {
  const english = words.filter((word) => is("english", word)).length;
  return (
    count > english || (count >= 2 && meaningOf(words.join("")) === undefined && count * 2 > english * 3)
  );
}

function glossaryOf(lines: readonly LexiconLine[]): Glossary {
  const entries = lines.flatMap(({ heads, forms }) =>
    forms.map((form) => [spaced(form), heads.join(", ")] as const),
  );
  const openings = entries.flatMap(([form]) =>
    /[ /']/.test(form) ? (form.split(/ |(?<=')|\//)[0] ?? []) : [],
  );
  return { english: new Map(entries.toReversed()), openings: new Set(openings), hasEndings: true };
}

type Word = { word: string; start: number; end: number };

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*(?:['’](?=\p{L}))?|w\s?\/o?|[^\s]/gu)].map(
    (match) => ({
      word: spaced(match[0]),
      start: match.index,
      end: match.index + match[0].length,
    }),
  );
}

function spaced(text: string): string {
  return fold(text)
    .replace(/[’`´]/g, "'")
    .replace(/[\s-]+/g, " ")
    .trim();
}

function replaceForms(text: string, glossary: Glossary, kept: readonly Span[] = []): string {
  const words = wordsOf(text).flatMap(splitElision);
  let [result, done] = ["", 0];
  for (let at = 0; at < words.length; at++) {
    const first = words[at];
    if (!first || isWithin(kept, first.start)) continue;
    const found = longestForm(text, words, at, glossary);
    if (!found) continue;
    result += text.slice(done, first.start) + found.english;
    done = found.end;
    at = found.last;
  }
  return result + text.slice(done);
}

/** Splits "l'amour" and "d'une": the article becomes a separate word. */
function splitElision({ word, start, end }: Word): Word[] {
  const match = /^([ldnjqcsm]|qu)'(.+)$/.exec(word);
  if (!match?.[1] || !match[2] || end - start !== word.length) return [{ word, start, end }];
  const middle = start + match[1].length + 1;
  return [
    { word: `${match[1]}'`, start, end: middle },
    { word: match[2], start: middle, end },
  ];
}

function longestForm(
  text: string,
  words: readonly Word[],
  from: number,
  glossary: Glossary,
): { english: string; end: number; last: number } | undefined {
  const first = words[from];
  if (!first) return undefined;
  const most = glossary.openings.has(first.word.split(/[ /]/)[0] ?? "") ? MAX_WORDS : 1;
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
  const english = glossary.english.get(spaced(piece));
  return english === undefined || !/['’]$/.test(piece) ? english : `${english} `;
}

const ENDINGS = ["es", "s", "en", "em", "er", "e", "n"];
const LEAST_STEM = 4;

/** Returns the English of a word as written, or with another ending: "sombres", "tristes", "alegres", "düsterem". */
function glossed(glossary: Glossary, word: string): string | undefined {
  const direct = glossary.english.get(word);
  if (direct !== undefined || !glossary.hasEndings || is("english", word)) return direct;
  const stems = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, -ending.length),
  );
  const stem = stems.find(
    (each) => each.length >= LEAST_STEM && (glossary.english.has(each) || glossary.english.has(`${each}e`)),
  );
  return stem === undefined ? undefined : (glossary.english.get(stem) ?? glossary.english.get(`${stem}e`));
}
