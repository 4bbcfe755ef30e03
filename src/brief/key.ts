import { camelotKey, type Mode, type MusicalKey, pitchOf } from "../kernel/musical-key.ts";
import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { begins, endsAt, type Match, spansOf } from "./reading.ts";
import { apply, type Found, type Rule } from "./rule.ts";
import { isWithin, type Span, spanOf } from "./text.ts";

const words = headsOf("key");

/** A brief in its original case and in plain text, with the same offsets. */
type Both = { text: string; reading: Reading };
/** A notation for keys: letters and signs rather than words. */
type Notation = {
  name: string;
  /** True to read it in its original case instead of in plain text. */
  isCased?: boolean;
  pattern: RegExp;
  example: readonly [input: string, reads: string];
  read: (match: RegExpExecArray, both: Both) => Found<MusicalKey> | undefined;
};

/** The notations of keys; the words for modes come from the lexicon. */
export const KEY_NOTATIONS: readonly Notation[] = [
  {
    name: "a note with its mode",
    pattern:
      /(?<![a-z0-9#'])([a-g])(#|b|[ -]?(?:sharp|flat)\b)?[ -]?(?=(?:(?:harmonic|natural|melodic) )?([a-z]+)\b)/g,
    example: ["f sharp minor", "F# minor"],
    read: readWords,
  },
  {
    name: "a note after the word key",
    pattern: /(?<![a-z0-9#'])([a-g])(#|b|[ -]?(?:sharp|flat)\b)?(?![a-z0-9#'])/g,
    example: ["in the key of Eb", "Eb"],
    read: (match, { text, reading }) => {
      const lead = spansOf(reading, "key.lead before").find(({ end }) => end === match.index);
      return lead && !isArticle(match.index, spanOf(match).end, text)
        ? noteFrom(lead.start, match)
        : undefined;
    },
  },
  {
    name: "a capital after in",
    isCased: true,
    pattern: /\b(?:[Ii]n|IN) ([A-G])([#b♯♭]|[ -](?:sharp|flat))?(?![\p{L}\p{N}])/gu,
    example: ["in A, please", "A"],
    read: (match, { reading }) =>
      begins(reading, "key.in ends", spanOf(match).end) ? noteFrom(match.index, match) : undefined,
  },
  {
    name: "a note with its sign, alone",
    isCased: true,
    pattern: /(?<=^|[,;|(/\n]|\s-)\s*([A-G])(#|b|♯|♭|[ -]sharp|[ -]flat)(?=\s*(?:[,.;|)/\n]|$))/gu,
    example: ["warm, Bb, slow", "Bb"],
    read: (match) => noteFrom(match.index, match),
  },
  {
    // "Am" exactly as written, but never "am", "FM synths" or "AM radio".
    name: "a chord",
    isCased: true,
    pattern: /(?<![\p{L}\p{N}#'])(?![AF]M\b)([A-G])([#b♯♭]?)(m|M|maj|min)(?:7)?(?![\p{L}\p{N}']| I\b)/gu,
    example: ["dark trap, F#m", "F# minor"],
    read: (match) => {
      const mode = match[3] === "M" || match[3] === "maj" ? "major" : "minor";
      return { value: { ...noteOf(match[1], match[2]), mode }, span: spanOf(match) };
    },
  },
  {
    name: "a place of the Camelot wheel",
    isCased: true,
    pattern: /(?<![\p{L}\p{N}-])(1[0-2]|0?[1-9])([AB])(?![\p{L}\p{N}-])/gu,
    example: ["deep house 8A", "A minor"],
    read: readCamelot,
  },
  {
    name: "a place of the Camelot wheel, in lower case",
    pattern:
      /(?:\b(?:camelot|(?:mixed in )?key|wheel)\b[\s:=]*|(?<=^|[,;|(/\n])\s*)(1[0-2]|[1-9])([ab])(?=\s*(?:[,.;|)/\n]|$))/g,
    example: ["camelot 8a", "A minor"],
    read: readCamelot,
  },
];

/** Keys in words. */
export const KEY_RULES: readonly Rule<MusicalKey>[] = [
  {
    name: "a syllable with its mode",
    patterns: [
      "<key.syllable=note>[ (<key.sharp=sharp>|<key.flat=flat>)] <key.solfege mode=mode>!( <key.no key>)",
    ],
    example: ["sol sostenido menor", { pitch: 8, mode: "minor" }],
    read: ({ named: { note = "", sharp, flat, mode = "" } }) => {
      const letter = words.get(note)?.find((head) => head.length === 1);
      return { pitch: pitchOf(letter ?? "", sharp ? "#" : flat && "b"), mode: modeOf(mode) };
    },
  },
  {
    name: "a German key",
    patterns: ["<key.german note=note>_<key.german mode=mode>"],
    example: ["h-moll", { pitch: 11, mode: "minor" }],
    read: readGerman,
  },
];

/** A mode without a key. */
export const MODE_RULES: readonly Rule<Mode>[] = [
  {
    name: "a mode with a noun, or at the end",
    patterns: [
      "<key.mode=mode>_(key|keys|tonality)",
      "<key.mode=mode>=(_<key.noun>|<line>|~<before ^,.;|)/>)",
    ],
    example: ["a minor key, slow", "minor"],
    read: readMode,
  },
  {
    name: "a mode that opens a phrase",
    patterns: ["<key.mode=mode>=( <key.turn>)"],
    example: ["piano, minor but hopeful", "minor"],
    read: (match, reading) =>
      /(?:^|[,.;|(\n-])\s*$/.test(reading.text.slice(0, match.start)) ? readMode(match, reading) : undefined,
  },
  {
    name: "in a mode",
    patterns: ["in [a ]<key.mode=mode>!( <key.no key>)"],
    example: ["something in major", "major"],
    read: readMode,
  },
];

/** The key that the brief asks for: a key with its tonic, or only a mode. */
export type KeyFinding = { key: MusicalKey | null; mode: Mode | null; spans: Span[] };

/**
 * Finds the key asked for, in any spelling. The first of several counts, unless the brief corrects or rejects it
 * ("D minor, no wait, D major", "not in C major").
 *
 * @param text The brief in its original case, with the same offsets as the reading.
 */
export function findKey(text: string, reading: Reading, unwanted: readonly Span[]): KeyFinding {
  const all = keysOf({ text, reading }).filter(({ span }) => !isWithin(unwanted, span.start));
  // "key of Eb" is part of "Eb major".
  const found = all.filter((one) => !all.some((other) => isPartOf(one, other)));
  const named = MODE_RULES.flatMap((rule) => apply(reading, rule)).toSorted(
    (a, b) => a.span.start - b.span.start,
  );
  const modes = modesWanted(named, unwanted);
  const [first, last] = [found[0], found.at(-1)];
  const isCorrected = first && last && hasCorrection(reading, first.span.end, last.span.start);
  const key = (isCorrected ? last : first)?.value ?? null;
  const mode = modes.at(-1)?.value ?? null;
  return { key, mode: key?.mode ?? mode, spans: [...found, ...modes].map(({ span }) => span) };
}

/** Returns the modes asked for; who rejects one of the two and asks for neither wants the other: "not in minor". */
function modesWanted(named: readonly Found<Mode>[], unwanted: readonly Span[]): Found<Mode>[] {
  const isRefused = ({ span }: Found<Mode>) => isWithin(unwanted, span.start);
  const wanted = named.filter((mode) => !isRefused(mode));
  const [refused, ...others] = named.filter(isRefused);
  if (!refused || wanted.length > 0 || others.some(({ value }) => value !== refused.value)) return wanted;
  return [{ value: refused.value === "minor" ? "major" : "minor", span: refused.span }];
}

function hasCorrection(reading: Reading, from: number, to: number): boolean {
  return spansOf(reading, "correction.cue").some(({ start, end }) => start >= from && end <= to);
}

function isPartOf(one: Found<MusicalKey>, other: Found<MusicalKey>): boolean {
  const isOverlapping = one.span.start < other.span.end && other.span.start < one.span.end;
  return one !== other && isOverlapping && one.value.mode === null && other.value.mode !== null;
}

function keysOf(both: Both): Found<MusicalKey>[] {
  const noted = KEY_NOTATIONS.flatMap((notation) => readNotation(notation, both));
  const said = KEY_RULES.flatMap((rule) => apply(both.reading, rule));
  return [...noted, ...said].toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

/** Returns the keys of one notation. */
export function readNotation({ isCased, pattern, read }: Notation, both: Both): Found<MusicalKey>[] {
  const text = isCased ? both.text : both.reading.text;
  return [...text.matchAll(pattern)].flatMap((match) => read(match, both) ?? []);
}

function readWords(match: RegExpExecArray, { text, reading }: Both): Found<MusicalKey> | undefined {
  const mode = match[3] ?? "";
  if (!words.get(mode)?.includes("letter mode")) return undefined;
  const end = reading.text.indexOf(mode, spanOf(match).end) + mode.length;
  if (isArticle(match.index, end, text)) return undefined;
  return {
    value: { ...noteOf(match[1], match[2]), mode: modeOf(mode) },
    span: { start: match.index, end },
  };
}

function noteFrom(start: number, match: RegExpExecArray): Found<MusicalKey> {
  return { value: noteOf(match[1], match[2]), span: { start, end: spanOf(match).end } };
}

function noteOf(letter = "", sign?: string): MusicalKey {
  const plain = sign?.replace(/[ -]/g, "").replace("♯", "#").replace("♭", "b").toLowerCase();
  return { pitch: pitchOf(letter, plain === "" ? undefined : plain), mode: null };
}

function modeOf(word: string): Mode {
  return words.get(word)?.includes("major") ? "major" : "minor";
}

function readCamelot(match: RegExpExecArray): Found<MusicalKey> {
  return { value: camelotKey(Number(match[1]), match[2] ?? ""), span: spanOf(match) };
}

function readMode({ start, named }: Match, reading: Reading): Mode | undefined {
  return endsAt(reading, "key.no mode in front", start) ? undefined : modeOf(named.mode ?? "");
}

/** German B is B flat and H is B; "Es" and "As" are E flat and A flat. */
function readGerman({ named: { note = "", mode = "" }, text }: Match): MusicalKey | undefined {
  const [letter = "", sign] = [note[0], note.slice(1)];
  const isGerman = mode === "dur" || mode === "moll";
  if (sign === "" && !isGerman && !/[-h]/.test(text)) return undefined;
  const isFlat = sign === "es" || sign === "s" || (letter === "b" && isGerman && sign === "");
  const pitch = pitchOf(letter === "h" ? "b" : letter, sign === "is" ? "#" : isFlat ? "b" : undefined);
  return { pitch, mode: modeOf(mode) };
}

/** "in a minor key", "a major label": a small "a" before another word is an article. */
function isArticle(start: number, end: number, text: string): boolean {
  const isSmall = /^a[ ]/.test(text.slice(start, end));
  return isSmall && /^\s*(?!at |around |\d|please|or |and |with |\()[\p{L}]/u.test(text.slice(end));
}
