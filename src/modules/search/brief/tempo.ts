import type { Found } from "./duration.ts";
import { type OpenRange, qualify } from "./quantity.ts";
import { type Span, spanOf } from "./text.ts";

const BPM = "(?:bpms?|bmps?|b\\.p\\.m\\.?|beats? per minute)";
const BEATS = "\\d{2,3}(?:\\.\\d+)?";
const JOIN = "\\s*(?:-|to|and)\\s*";

const RANGE = new RegExp(`(?<![\\d.:])(${BEATS})(?:\\s*${BPM})?${JOIN}(${BEATS})\\s*-?${BPM}(?![a-z])`, "g");
const RANGE_AFTER = new RegExp(
  `\\b(?:${BPM}|tempo)(?: of|:| is)?\\s*(${BEATS})${JOIN}(${BEATS})(?![\\d:])`,
  "g",
);
const SINGLE = new RegExp(`(?<![\\d.:])(${BEATS})(?:\\s*-?ish|\\+)?\\s*-?${BPM}(?![a-z])`, "g");
const SINGLE_AFTER = new RegExp(`\\b(?:${BPM}|tempo)(?: of|:| is)?\\s*(${BEATS})(?![\\d:])`, "g");
/** A number without a unit is a tempo when it ends its phrase: "dark techno 132", "F# minor, 174, liquid". */
const BARE = new RegExp(
  `(?<![\\d.:#$/\\[])\\b(${BEATS})(?:-(${BEATS}))?(?= ?-?ish\\b|\\s*(?:[,.;|)]|$))(?![.,:]\\d)`,
  "g",
);
const BARE_LIMITS = { min: 50, max: 220 };
const LIMITS = { min: 20, max: 400 };
const NOT_A_TEMPO =
  /\b(?:top|part|volume|vol|chapter|episode|season|room|scene|track|level|version|page|no|number)\.?\s*$/;

/** "About" a tempo reaches this far, BPM. */
const ABOUT = 5;

/** Finds the tempo asked for, BPM: "120-130 bpm", "around 90 bpm", "under 100 bpm", or a bare "132". */
export function findTempo(plain: string): Found<OpenRange> | undefined {
  const readings = [readRanges(plain, RANGE), readRanges(plain, RANGE_AFTER), readSingles(plain, SINGLE)];
  readings.push(readSingles(plain, SINGLE_AFTER), readBare(plain));
  return readings.flat().at(0);
}

function readRanges(plain: string, pattern: RegExp): Found<OpenRange>[] {
  return [...plain.matchAll(pattern)].flatMap((match) => {
    const [a, b] = [Number(match[1]), Number(match[2])];
    const value = { min: Math.min(a, b), max: Math.max(a, b) };
    return isTempo(a, LIMITS) && isTempo(b, LIMITS) ? [{ value, span: spanOf(match) }] : [];
  });
}

function readSingles(plain: string, pattern: RegExp): Found<OpenRange>[] {
  return [...plain.matchAll(pattern)].flatMap((match) => {
    const beats = Number(match[1]);
    return isTempo(beats, LIMITS) ? [readSingle(beats, spanOf(match), match[0], plain)] : [];
  });
}

function readBare(plain: string): Found<OpenRange>[] {
  return [...plain.matchAll(BARE)].flatMap((match) => {
    const [low, high] = [Number(match[1]), Number(match[2] ?? match[1])];
    const span = spanOf(match);
    if (!isTempo(low, BARE_LIMITS) || !isTempo(high, BARE_LIMITS)) return [];
    if (NOT_A_TEMPO.test(plain.slice(0, span.start))) return [];
    if (low !== high) return [{ value: { min: Math.min(low, high), max: Math.max(low, high) }, span }];
    return [readSingle(low, span, match[0], plain)];
  });
}

function readSingle(beats: number, span: Span, words: string, plain: string): Found<OpenRange> {
  const after = /\d(\s*-?ish|\+)/.exec(words)?.[1] ?? plain.slice(span.end);
  return { value: qualify(beats, plain.slice(0, span.start), after, ABOUT), span };
}

const isTempo = (beats: number, { min, max }: { min: number; max: number }) => beats >= min && beats <= max;
