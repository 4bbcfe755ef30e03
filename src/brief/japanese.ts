import { GLOSSARIES } from "../../db/lexicon.ts";
import { englishOfWord, glossaryOf } from "./glossary-build.ts";

const glossary = glossaryOf(GLOSSARIES.japanese, "japanese");
const LONGEST =
  Math.max(...[...glossary.english.keys()].map((form) => form.length)) +
  Math.max(...glossary.endings.map((ending) => ending.length));

/** In the lexicon, a word that stands behind what it refers to, and before it in English: "ドラムなし", "no drums". */
const BEHIND = "^";
const MEASURES = new Set(["minutes", "seconds", "bpm", "-"]);
const SIGNS: Readonly<Record<string, string>> = {
  "、": ",",
  "。": ".",
  "「": "“",
  "」": "”",
  "〜": "-",
  "~": "-",
};

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const KATAKANA = /[\p{Script=Katakana}ー]/u;
const RAW =
  /[\p{Script=Katakana}ー・]+|\p{Script=Han}|\p{Script=Latin}[\p{Script=Latin}'’.&# -]*|\d+(?:[.:]\d+)?|[\s\S]/uy;
const HAN = /^\p{Script=Han}/u;
const LONGEST_COMPOUND = 24;

/** Returns true for a text with Japanese signs. */
export function isJapanese(text: string): boolean {
  return JAPANESE.test(text);
}

/**
 * Returns a Japanese text with its words about music in English. Japanese has no blanks between words: the longest form
 * of the lexicon is the word. Names stay as they are. Words in Hiragana that the lexicon does not have are left out.
 */
export function japaneseInEnglish(text: string): string {
  const whole = text.normalize("NFKC");
  const pieces: string[] = [];
  let isName = false;
  for (let at = 0; at < whole.length; ) {
    const found = formAt(whole, at);
    const raw = found ? "" : rawAt(whole, at);
    if (found) addWord(pieces, found.english);
    else addRaw(pieces, raw, isName);
    isName = HAN.test(raw);
    at = found?.end ?? at + raw.length;
  }
  return pieces.join(" ");
}

/** Adds what the lexicon does not have; the signs of a name stay together. */
function addRaw(pieces: string[], raw: string, isName: boolean): void {
  if (isName && HAN.test(raw)) pieces.push((pieces.pop() ?? "") + raw);
  else if (!/^(?:\p{Script=Hiragana}|\s)/u.test(raw)) pieces.push(SIGNS[raw] ?? raw.trim());
}

function rawAt(text: string, at: number): string {
  RAW.lastIndex = at;
  return RAW.exec(text)?.[0] ?? text.slice(at);
}

/** Returns the longest form at a place. A word in Katakana is read only as a whole, or as a compound of known words. */
function formAt(text: string, at: number): { english: string; end: number } | undefined {
  const isKatakana = KATAKANA.test(text[at] ?? "");
  if (!isJapanese(text[at] ?? "") || (isKatakana && rawAt(text, at).length > LONGEST_COMPOUND))
    return undefined;
  for (let end = Math.min(text.length, at + LONGEST); end > at; end--) {
    const english = englishOf(text.slice(at, end));
    if (english !== undefined && !leavesRest(text, end)) return { english, end };
  }
  return undefined;
}

function englishOf(written: string): string | undefined {
  const word = written.toLowerCase();
  return word.length === 1 ? glossary.english.get(word) : englishOfWord(glossary, word, () => false);
}

/** Returns true inside a word in Katakana whose rest means nothing. */
function leavesRest(text: string, at: number): boolean {
  const isInside = KATAKANA.test(text[at - 1] ?? "") && KATAKANA.test(text[at] ?? "");
  return isInside && formAt(text, at) === undefined;
}

function addWord(pieces: string[], english: string): void {
  if (!english.startsWith(BEHIND)) {
    pieces.push(english);
    return;
  }
  const start = startOfPhrase(pieces);
  const isMeasure = isMeasured(pieces[start]);
  pieces.splice(start, 0, english.slice(BEHIND.length));
  if (!isMeasure) pieces.push(";");
}

/** Returns where the phrase at the end begins: a measure ("2 minutes 30"), or words joined by "and". */
function startOfPhrase(pieces: readonly string[]): number {
  let start = Math.max(pieces.length - 1, 0);
  if (/^[,.;]$/.test(pieces[start] ?? "")) return pieces.length;
  // "BPM 120": a unit before its number stays where it is.
  while (isMeasured(pieces[start]) && isMeasured(pieces[start - 1]) && !isUnit(pieces[start - 1])) start--;
  while (start > 1 && /^(?:and|or)$/.test(pieces[start - 1] ?? "")) start -= 2;
  return start;
}

const isUnit = (piece = ""): boolean => piece.toLowerCase() === "bpm";

function isMeasured(piece = ""): boolean {
  return /^\d/.test(piece) || MEASURES.has(piece.toLowerCase());
}
