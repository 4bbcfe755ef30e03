import { camelotKey, type Mode, type MusicalKey, pitchOf } from "../kernel/musical-key.ts";
import type { Found } from "./rule.ts";
import { isWithin, type Span, spanOf } from "./text.ts";

const ACCIDENTAL = "(#|b|[ -]?(?:sharp|flat)\\b)";
const MAJOR = "major|maj|ionian|lydian|mixolydian";
const MINOR = "minor|min|aeolian|dorian|phrygian|locrian";
const WITH_MODE = new RegExp(
  `(?<![a-z0-9#'])([a-g])${ACCIDENTAL}?[ -]?(?:harmonic |natural |melodic )?(${MAJOR}|${MINOR})\\b`,
  "g",
);
const AFTER_KEY = new RegExp(
  `\\b(?:key of|key:|key is|key =|key|tuned to|root(?: note)?(?: of|:)?)\\s+(?:of )?([a-g])${ACCIDENTAL}?(?![a-z0-9#'])`,
  "g",
);
/** With a capital: "in A", "in Eb." at the end of a phrase. */
const AFTER_IN =
  /\b(?:[Ii]n|IN) ([A-G])([#b♯♭]| sharp| flat|-sharp|-flat)?(?=\s*(?:[,.;|)\n]|$| (?:at|around|please|and|or|with|if|for)\b))/gu;
const WITH_ACCIDENTAL = /(?<=^|[,;|(/\n]|\s-)\s*([A-G])(#|b|♯|♭|[ -]sharp|[ -]flat)(?=\s*(?:[,.;|)/\n]|$))/gu;
/** In the case it was written: `Am`, `F#m`, never "am", nor "FM synths" and "AM radio". */
const SHORT = /(?<![\p{L}\p{N}#'])(?![AF]M\b)([A-G])([#b♯♭]?)(m|M|maj|min)(?:7)?(?![\p{L}\p{N}']| I\b)/gu;
const CAMELOT = /(?<![\p{L}\p{N}-])(1[0-2]|0?[1-9])([AB])(?![\p{L}\p{N}-])/gu;
const CAMELOT_LOWER =
  /(?:\b(?:camelot|key|wheel|mixed in key)\b[\s:=]*|(?<=^|[,;|(/\n])\s*)(1[0-2]|[1-9])([ab])(?=\s*(?:[,.;|)/\n]|$))/g;
const SOLFEGE =
  /(?<!\p{L})(do|re|mi|fa|sol|la|si)(?: (diese|bemol|bemolle|sostenido|diesis|#|b|sharp|flat))? (major|minor|majeur|mineur|mayor|menor|maggiore|minore|maior)\b/gu;
const GERMAN = /(?<!\p{L})([a-h])(is|es|s)?[ -](dur|moll|major|minor)\b/gu;
const MODE_ONLY =
  /\b(minor|major)(?=[ -](?:key|keys|mode|scale|tonality|feel|vibe|chords?|harmony|sounding|ish|only|please)\b|\s*(?:[,.;|)\n/]|$))|(?<=(?:^|[,.;|(\n-])\s*)(minor|major)(?= (?:but|and|with|though|yet|please)\b)|\bin (?:a )?(minor|major)\b(?! (?:way|role|city|league|label|key\s+scene))/g;
const NO_MODE_BEFORE = /\b(?:asia|ursa|drum|sergeant|ed|the|canis|sgt)\s*$/;

const SOLFEGE_LETTERS: Readonly<Record<string, string>> = {
  do: "c",
  re: "d",
  mi: "e",
  fa: "f",
  sol: "g",
  la: "a",
  si: "b",
};
/** Said between two keys, it takes the first one back. */
const CORRECTION =
  /\b(?:no wait|wait|actually|scratch that|sorry|make that|i mean|or rather|rather|instead|changed (?:my|their) mind|correction|no,)\b/;

/** What was found of the key: the key with its tonic, or only a mode. */
export type KeyFinding = { key: MusicalKey | null; mode: Mode | null; spans: Span[] };

/**
 * Finds the key asked for, in any spelling. Of several the first counts, unless it is taken back ("D minor, no wait,
 * D major", "not in C major").
 *
 * @param text The brief in its own case, with the same offsets as `plain`.
 */
export function findKey(text: string, plain: string, unwanted: readonly Span[]): KeyFinding {
  const all = keysOf(text, plain).filter(({ span }) => !isWithin(unwanted, span.start));
  // "key of Eb" is a part of "Eb major".
  const found = all.filter((one) => !all.some((other) => isPartOf(one, other)));
  const modes = [...plain.matchAll(MODE_ONLY)].filter(
    (match) => !isWithin(unwanted, match.index) && !NO_MODE_BEFORE.test(plain.slice(0, match.index)),
  );
  const [first, last] = [found[0], found.at(-1)];
  const isCorrected = first && last && CORRECTION.test(plain.slice(first.span.end, last.span.start));
  const key = (isCorrected ? last : first)?.value ?? null;
  const said = modes.at(-1);
  // Every match holds one of the two words.
  const mode = (said?.[1] ?? said?.[2] ?? said?.[3] ?? null) as Mode | null;
  return { key, mode: key?.mode ?? mode, spans: [...found.map(({ span }) => span), ...modes.map(spanOf)] };
}

function isPartOf(one: Found<MusicalKey>, other: Found<MusicalKey>): boolean {
  const isOverlapping = one.span.start < other.span.end && other.span.start < one.span.end;
  return one !== other && isOverlapping && one.value.mode === null && other.value.mode !== null;
}

function keysOf(text: string, plain: string): Found<MusicalKey>[] {
  const isNoArticle = (match: RegExpMatchArray) => !isArticle(match, text);
  return [
    ...[...plain.matchAll(WITH_MODE)].filter(isNoArticle).map(readWords),
    ...[...plain.matchAll(AFTER_KEY)].filter(isNoArticle).map(readWords),
    ...[...text.matchAll(AFTER_IN)].map(readWords),
    ...[...text.matchAll(WITH_ACCIDENTAL)].map(readWords),
    ...[...text.matchAll(SHORT)].map(readShort),
    ...[...text.matchAll(CAMELOT), ...plain.matchAll(CAMELOT_LOWER)].map((match) => ({
      value: camelotKey(Number(match[1]), match[2] ?? ""),
      span: spanOf(match),
    })),
    ...[...plain.matchAll(SOLFEGE)].map(readSolfege),
    ...[...plain.matchAll(GERMAN)]
      .filter((match) => match[2] !== undefined || /[-h]|dur|moll/.test(match[0]))
      .map(readGerman),
  ].toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

function readWords(match: RegExpMatchArray): Found<MusicalKey> {
  const word = match[3];
  const mode = word === undefined ? null : new RegExp(`^(?:${MAJOR})$`).test(word) ? "major" : "minor";
  return { value: { pitch: pitchOf(match[1] ?? "", accidentalOf(match[2])), mode }, span: spanOf(match) };
}

function readShort(match: RegExpMatchArray): Found<MusicalKey> {
  const mode = match[3] === "M" || match[3] === "maj" ? "major" : "minor";
  return { value: { pitch: pitchOf(match[1] ?? "", accidentalOf(match[2])), mode }, span: spanOf(match) };
}

function readSolfege(match: RegExpMatchArray): Found<MusicalKey> {
  const [, note = "", sign, word = ""] = match;
  const accidental = sign === undefined ? undefined : /^(?:b|flat|bemol)/.test(sign) ? "b" : "#";
  const mode = /^ma/.test(word) ? "major" : "minor";
  return { value: { pitch: pitchOf(SOLFEGE_LETTERS[note] ?? "", accidental), mode }, span: spanOf(match) };
}

/** German B is B flat and H is B; "Es" and "As" are E flat and A flat. */
function readGerman(match: RegExpMatchArray): Found<MusicalKey> {
  const [, letter = "", sign, word = ""] = match;
  const isGerman = /dur|moll/.test(word);
  const natural = letter === "h" ? "b" : letter;
  const flat = sign === "es" || sign === "s" || (letter === "b" && isGerman && sign === undefined);
  const pitch = pitchOf(natural, sign === "is" ? "#" : flat ? "b" : undefined);
  return { value: { pitch, mode: /dur|major/.test(word) ? "major" : "minor" }, span: spanOf(match) };
}

function accidentalOf(text: string | undefined): string | undefined {
  const plain = text?.replace(/[ -]/g, "").replace("♯", "#").replace("♭", "b").toLowerCase();
  return plain === "" ? undefined : plain;
}

/** "in a minor key", "a major label": a small "a" before another word is an article. */
function isArticle(match: RegExpMatchArray, text: string): boolean {
  const { start, end } = spanOf(match);
  return (
    /^a[ ]/.test(text.slice(start, end)) &&
    /^\s*(?!at |around |\d|please|or |and |with |\()[\p{L}]/u.test(text.slice(end))
  );
}
