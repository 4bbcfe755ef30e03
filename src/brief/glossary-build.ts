import { GRAMMAR, type LexiconLine } from "../../db/lexicon.ts";
import { slipsBetween } from "../kernel/slips.ts";
import { fold } from "../kernel/text.ts";

/** Foreign or short forms, in the spelling of {@link spelled}, with their English words. */
export type Glossary = {
  english: ReadonlyMap<string, string>;
  /** Forms of one word without their endings. */
  stems: ReadonlyMap<string, string>;
  /** Forms of several words, by each stem of their first word, the longest first. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Every word of every form. */
  words: ReadonlySet<string>;
  endings: readonly string[];
  /** What joins the parts of a compound; empty for a language without compounds. */
  joints: readonly string[];
  /** What ends the word for something that has none of the word's beginning. */
  lacking: readonly string[];
  /** Words looked up before: their English, and the forms of several words that begin with them. */
  remembered: Map<string, string | undefined>;
  openings: Map<string, readonly Phrase[]>;
};

type Phrase = { words: readonly (readonly string[])[]; english: string };

const LEAST_STEM = 4;
/** One sign of Chinese origin is a word. */
const MEANINGFUL = /\p{Script=Han}|^\p{Script=Hiragana}{2}/u;
const LEAST_PART = 3;

/** Signs without which a Japanese word is another word are kept: folding would take them off. */
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Returns the spelling in which words and forms are compared. */
export function spelled(text: string): string {
  if (JAPANESE.test(text)) return text.normalize("NFKC").toLowerCase();
  return fold(text)
    .replace(/[’`´]/g, "'")
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss")
    .replace(/[\s-]+/g, " ")
    .trim();
}

/** Builds the glossary of a lexicon file; shorthand has no language, and is read as written. */
export function glossaryOf(lines: readonly LexiconLine[], language = ""): Glossary {
  const entries = lines.flatMap(({ heads, forms }) =>
    forms.map((form) => [spelled(form), heads.join(", ")] as const),
  );
  const endings = grammarOf(`${language} endings`).toSorted((a, b) => a.length - b.length);
  const joints = grammarOf(`${language} joints`);
  return {
    english: new Map(entries.toReversed()),
    stems: stemsOfForms(entries, endings),
    phrases: phrasesOfForms(entries, endings),
    words: new Set(entries.flatMap(([form]) => form.split(BETWEEN))),
    endings,
    joints: joints.length > 0 ? ["", ...joints] : [],
    lacking: grammarOf(`${language} lacking`),
    remembered: new Map(),
    openings: new Map(),
  };
}

function grammarOf(head: string): string[] {
  return GRAMMAR.filter(({ heads }) => heads[0] === head).flatMap(({ forms }) => forms.map(spelled));
}

/** What parts the words of a form. */
const BETWEEN = / |(?<=')|\//;

type Entry = readonly [form: string, english: string];

function stemsOfForms(entries: readonly Entry[], endings: readonly string[]): Map<string, string> {
  const stems = new Map<string, string>();
  const single = entries.filter(([form]) => !form.includes(" "));
  // A form that loses less explains a stem better.
  for (const lost of ["", ...endings])
    for (const [form, english] of single) {
      const stem = without(form, lost);
      if (stem !== undefined && !stems.has(stem)) stems.set(stem, english);
    }
  return stems;
}

function phrasesOfForms(entries: readonly Entry[], endings: readonly string[]): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const [form, english] of entries) {
    const words = form.split(BETWEEN).map((word) => stemsOf(word, endings));
    if (words.length < 2) continue;
    for (const stem of words[0] ?? []) phrases.set(stem, [...(phrases.get(stem) ?? []), { words, english }]);
  }
  return phrases;
}

function without(word: string, ending: string): string | undefined {
  if (ending === "") return word;
  if (!word.endsWith(ending)) return undefined;
  const stem = word.slice(0, -ending.length);
  return stem.length >= LEAST_STEM || MEANINGFUL.test(stem) ? stem : undefined;
}

/** Returns a word and what is left of it without each ending, the longest first. */
function stemsOf(word: string, endings: readonly string[]): string[] {
  return [word, ...endings.flatMap((ending) => without(word, ending) ?? [])];
}

/** Returns true when a form of several words may begin with the word. */
export function opensPhrase(glossary: Glossary, word: string): boolean {
  return openedBy(glossary, word).length > 0;
}

function openedBy({ endings, phrases, openings }: Glossary, word: string): readonly Phrase[] {
  return remembered(openings, word, () => {
    const opened = stemsOf(word, endings).flatMap((stem) => phrases.get(stem) ?? []);
    return opened.length === 0 ? NO_PHRASES : opened;
  });
}

const NO_PHRASES: readonly Phrase[] = [];

const MOST_REMEMBERED = 4096;

function remembered<Value>(memory: Map<string, Value>, word: string, find: () => Value): Value {
  // `undefined` may be what was found.
  if (memory.has(word)) return memory.get(word) as Value;
  if (memory.size >= MOST_REMEMBERED) memory.clear();
  const found = find();
  memory.set(word, found);
  return found;
}

/** Returns the English of several words, as written or with other endings. */
export function englishOfPhrase(glossary: Glossary, text: string): string | undefined {
  const direct = glossary.english.get(text);
  if (direct !== undefined) return direct;
  const [first = "", ...rest] = text.split(BETWEEN);
  const candidates = openedBy(glossary, first).filter(({ words }) => words.length === rest.length + 1);
  // Most texts have no candidate, and most candidates another second word: endings are taken off where they matter.
  const stemsAt: string[][] = [];
  const isAt = (stem: string, index: number) => {
    stemsAt[index] ??= stemsOf(rest[index] ?? "", glossary.endings);
    return stemsAt[index].includes(stem);
  };
  return candidates.find(({ words }) =>
    words.slice(1).every((stems, index) => stems.some((stem) => isAt(stem, index))),
  )?.english;
}

/** Returns the English of a word: as written, with another ending ("düsterem", "грустная"), or as a compound. */
export function englishOfWord(
  glossary: Glossary,
  word: string,
  isMusical: (word: string) => boolean,
): string | undefined {
  const direct = glossary.english.get(word);
  // "Metal" is metal in Spanish too, and not a form of "metales".
  if (direct !== undefined) return direct;
  return remembered(glossary.remembered, word, () =>
    isMusical(word)
      ? undefined
      : (stemmed(glossary, word) ?? lacked(glossary, word, isMusical) ?? compound(glossary, word, isMusical)),
  );
}

/** "gesangsfrei", "gitaarloze": without what the beginning of the word names. */
function lacked(glossary: Glossary, word: string, isMusical: (word: string) => boolean): string | undefined {
  const ends = glossary.lacking.flatMap((end) => glossary.joints.map((joint) => joint + end));
  if (!glossary.lacking.some((end) => word.includes(end))) return undefined;
  const thing = stemsOf(word, glossary.endings)
    .flatMap((stem) => ends.flatMap((end) => (stem.endsWith(end) ? stem.slice(0, -end.length) : [])))
    .map((stem) => stemmed(glossary, stem) ?? stem)
    .find(isMusical);
  return thing && `no ${thing};`;
}

/** "Klavierballade", "popmuziek": two known words in one. The second one is as long as possible. */
function compound(
  glossary: Glossary,
  word: string,
  isMusical: (word: string) => boolean,
): string | undefined {
  if (glossary.joints.length === 0) return undefined;
  const part = (text: string) => {
    if (text.length < LEAST_PART) return undefined;
    return stemmed(glossary, text) ?? (isMusical(text) ? text : undefined);
  };
  for (let at = LEAST_PART; at <= word.length - LEAST_PART; at++) {
    const second = part(word.slice(at));
    if (second === undefined) continue;
    const joints = glossary.joints.filter((joint) => word.slice(0, at).endsWith(joint));
    const first = joints.map((joint) => part(word.slice(0, at - joint.length))).find(isText);
    if (first !== undefined) return `${first} ${second}`;
  }
  return undefined;
}

/** Returns the only form of one word that is one slip away. */
export function nearestForm({ english, words }: Glossary, word: string): string | undefined {
  if (words.has(word)) return undefined;
  const near = [...english.keys()].filter(
    (form) =>
      form[0] === word[0] && Math.abs(form.length - word.length) <= 1 && slipsBetween(word, form, 1) === 1,
  );
  const meanings = new Set(near.map((form) => english.get(form)));
  return meanings.size === 1 ? near[0] : undefined;
}

function stemmed(glossary: Glossary, word: string): string | undefined {
  return stemsOf(word, glossary.endings)
    .map((stem) => glossary.stems.get(stem))
    .find(isText);
}

const isText = (value: string | undefined): value is string => value !== undefined;
