import { CODES_PER_SECOND, type Fingerprint, SILENT_CODE } from "./fingerprint.ts";
import { refineOffset } from "./fingerprint-offset.ts";
import { LEVELS_PER_SECOND } from "./level-rate.ts";
import { findPath, type Run } from "./section-path.ts";
import { likelySpeed } from "./speed.ts";

/** What a recording is laid on another by. */
export type Sound = {
  fingerprint: Fingerprint;
  /** Of the first five minutes, as `createLevelTracker` makes them. */
  levels: Uint8Array;
};

/** A moment of one recording, and how much later it is in another; seconds. */
export type Point = readonly [sec: number, offsetSec: number];

/** A stretch of one recording that has one place in another, or none. */
export type Section = {
  /** Seconds in the first recording. */
  fromSec: number;
  toSec: number;
  /**
   * Offsets in the order of moments, at least one; between two of them, and behind the last, an offset follows the line through them.
   * Undefined: the second does not have the stretch.
   */
  points: readonly Point[] | undefined;
  /**
   * True when the offsets are accurate to a few milliseconds; otherwise to 0.06 s, or the second has something else there, whose
   * place follows from what is around it.
   */
  isFine: boolean;
};

/** Returns how much later a moment of a section is in the other recording; undefined: it is not in it. */
export function offsetAt({ points }: Section, sec: number): number | undefined {
  if (!points) return undefined;
  const after = points.findIndex(([at]) => at >= sec);
  const next = after < 0 ? points.length - 1 : Math.max(1, after);
  const [one, two] = [points[next - 1], points[next]];
  if (!one || !two) return points[0]?.[1];
  return one[1] + ((two[1] - one[1]) * (sec - one[0])) / (two[0] - one[0]);
}

/** A code is computed from 0.96 s and named by their beginning: what it says is of their middle. */
const CODE_MIDDLE = 5;
/** Fewer codes cannot be compared. */
const MIN_CODES = 12;

/**
 * Finds where each part of a recording is in another that may be cut, prolonged, put together otherwise, or faster or slower.
 *
 * @returns Sections that follow each other without a gap; undefined when one of the two is too short to compare, or silent.
 */
export function alignSections(a: Sound, b: Sound): Section[] | undefined {
  if (!isComparable(a) || !isComparable(b)) return undefined;
  const same = { sound: b, speed: 1, ...findPath(a.fingerprint, b.fingerprint) };
  const { sound, speed, runs } = betterAtSpeed(a, same, likelySpeed(a.fingerprint, b.fingerprint));
  const sections = runs.map((run) => sectionOf(a, sound, run, speed !== 1));
  return joined(withReplaced(joined(sections))).map((section) => stretched(section, speed));
}

type Laid = { sound: Sound; speed: number } & ReturnType<typeof findPath>;

/** Returns how a recording lies on another at a speed, unless it lies better at the same. */
function betterAtSpeed(a: Sound, same: Laid, speed: number): Laid {
  if (speed === 1) return same;
  const sound = atSpeed(same.sound, speed);
  const path = findPath(a.fingerprint, sound.fingerprint);
  return path.cost < same.cost ? { sound, speed, ...path } : same;
}

const isComparable = ({ fingerprint: { codes } }: Sound) =>
  codes.reduce((count, code) => count + Number(code !== SILENT_CODE), 0) >= MIN_CODES;

/** Returns what a recording would be like if it took as long as the one that it is laid on. */
function atSpeed({ fingerprint: { codes, columns }, levels }: Sound, speed: number): Sound {
  const slowed = new Uint32Array(Math.floor(codes.length / speed));
  for (let at = 0; at < slowed.length; at++) slowed[at] = codes[Math.round(at * speed)] ?? SILENT_CODE;
  const between = new Uint8Array(Math.floor((levels.length - 1) / speed));
  for (let at = 0; at < between.length; at++) {
    const before = Math.floor(at * speed);
    const [one, two] = [levels[before] as number, levels[before + 1] as number];
    between[at] = Math.round(one + (at * speed - before) * (two - one));
  }
  return { fingerprint: { codes: slowed, columns }, levels: between };
}

/** Returns a section of a recording laid on {@link atSpeed}, as one laid on what that was made of. */
function stretched(section: Section, speed: number): Section {
  if (speed === 1 || !section.points) return section;
  return { ...section, points: section.points.map(([at, offset]) => [at, speed * (at + offset) - at]) };
}

/**
 * Returns the section of a run, with offsets as exact as can be.
 *
 * @param isUneven The speed may be different from moment to moment: what stretches music leaves out or repeats parts of a beat.
 */
function sectionOf(a: Sound, b: Sound, { from, to, offset }: Run, isUneven: boolean): Section {
  const isLast = to === a.fingerprint.codes.length;
  const span = {
    fromSec: from === 0 ? 0 : (from + CODE_MIDDLE) / CODES_PER_SECOND,
    toSec: isLast ? Number.POSITIVE_INFINITY : (to + CODE_MIDDLE) / CODES_PER_SECOND,
  };
  if (offset === undefined) return { ...span, points: undefined, isFine: false };
  const coarseSec = offset / CODES_PER_SECOND;
  const toSec = Math.min(to / CODES_PER_SECOND, a.levels.length / LEVELS_PER_SECOND);
  const stretch = { fromSec: from / CODES_PER_SECOND + 1, toSec, coarseSec };
  const found = isUneven ? curveOf(a, b, stretch) : lineOf(a, b, stretch);
  if (found) return { ...span, points: found, isFine: true };
  const offsetSec = fineOffset(a, b, stretch);
  return { ...span, points: [[span.fromSec, offsetSec ?? coarseSec]], isFine: offsetSec !== undefined };
}

/** A stretch of the first recording, and about how much later it is in the second. */
type Stretch = { fromSec: number; toSec: number; coarseSec: number };

/** Seconds in which an exact offset is looked for, and how many of them make a line or a curve. */
const PROBE_SEC = 4;
const MIN_PROBES = 4;
/** Seconds from one to the next. */
const STEP_SEC = { line: PROBE_SEC, curve: 2 };
/** More of them, in a long stretch, say no more. */
const MAX_PROBES = { line: 24, curve: 48 };
/** A line must pass as near to the middle one of the exact offsets. */
const MAX_DEVIATION_SEC = 0.01;
/** A line that gains less over its whole length is a constant. */
const MIN_GAIN_SEC = 0.003;

/** Returns the exact offsets of the parts of a stretch, each at the middle of its part. */
function probe(
  a: Sound,
  b: Sound,
  { fromSec, toSec, coarseSec }: Stretch,
  kind: keyof typeof STEP_SEC,
): Point[] {
  const points: Point[] = [];
  const stepSec = Math.max(STEP_SEC[kind], (toSec - fromSec) / MAX_PROBES[kind]);
  for (let sec = fromSec; sec + PROBE_SEC <= toSec; sec += stepSec) {
    const found = fineOffset(a, b, { fromSec: sec, toSec: sec + PROBE_SEC, coarseSec });
    if (found !== undefined) points.push([sec + PROBE_SEC / 2, found]);
  }
  return points;
}

/** Returns the line through the exact offsets of a stretch; undefined when there are few, or none passes near them. */
function lineOf(a: Sound, b: Sound, stretch: Stretch): Point[] | undefined {
  const points = probe(a, b, stretch, "line");
  if (points.length < MIN_PROBES) return undefined;
  const { fromSec, toSec } = stretch;
  const line = lineThrough(points);
  const isConstant = Math.abs(line.slope) * (toSec - fromSec) < MIN_GAIN_SEC;
  const { slope, atZero } = isConstant
    ? { slope: 0, atZero: medianOf(points.map(([, offset]) => offset)) }
    : line;
  if (medianOf(points.map(([at, offset]) => Math.abs(offset - atZero - slope * at))) > MAX_DEVIATION_SEC)
    return undefined;
  return [fromSec, ...(isConstant ? [] : [toSec])].map((at) => [at, atZero + slope * at]);
}

/** Points on each side whose middle one counts: it leaves out strays. */
const CURVE_REACH = 1;

/** Returns the exact offsets of a stretch without strays; undefined when there are few. */
function curveOf(a: Sound, b: Sound, stretch: Stretch): Point[] | undefined {
  const points = probe(a, b, stretch, "curve");
  if (points.length < (MIN_PROBES * STEP_SEC.line) / STEP_SEC.curve) return undefined;
  return points.map(([at], i) => [
    at,
    medianOf(points.slice(Math.max(0, i - CURVE_REACH), i + CURVE_REACH + 1).map(([, offset]) => offset)),
  ]);
}

type Line = { slope: number; atZero: number };

/** Returns the line with the middle one of all slopes, which strays do not move (Theil 1950, Sen 1968). */
function lineThrough(points: readonly Point[]): Line {
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).map(([other, theirs]) => (theirs - value) / (other - at)),
  );
  const slope = medianOf(slopes);
  return { slope, atZero: medianOf(points.map(([at, value]) => value - slope * at)) };
}

const medianOf = (values: readonly number[]) =>
  values.toSorted((one, two) => one - two)[values.length >> 1] ?? 0;

/** Returns the offset of a stretch, from the levels that both have; undefined beyond what the levels hold. */
function fineOffset(
  { levels: a }: Sound,
  { levels: b }: Sound,
  { fromSec, toSec, coarseSec }: Stretch,
): number | undefined {
  const [first, end] = [levelAt(fromSec), levelAt(toSec)];
  const shift = Math.max(0, first + levelAt(coarseSec)) - first;
  const own = a.subarray(first, end);
  const theirs = b.subarray(first + shift, Math.max(first + shift, end + shift));
  if (own.length < LEVELS_PER_SECOND || theirs.length < LEVELS_PER_SECOND) return undefined;
  const shiftSec = shift / LEVELS_PER_SECOND;
  const rest = refineOffset(own, theirs, coarseSec - shiftSec);
  return rest === undefined ? undefined : shiftSec + rest;
}

const levelAt = (sec: number) => Math.round(sec * LEVELS_PER_SECOND);

/** Neighbours whose lines meet as nearly are one section. */
const MAX_STEP_SEC = 0.02;

/** Joins neighbours at whose border the offset does not change. */
function joined(sections: readonly Section[]): Section[] {
  const all: Section[] = [];
  for (const section of sections) {
    const before = all.at(-1);
    if (before && isContinued(before, section))
      all[all.length - 1] = { ...before, toSec: section.toSec, points: pointsOf(before, section) };
    else all.push(section);
  }
  return all;
}

function isContinued(before: Section, section: Section): boolean {
  const [one, two] = [offsetAt(before, section.fromSec), offsetAt(section, section.fromSec)];
  if (one === undefined || two === undefined || !before.isFine || !section.isFine) return false;
  return Math.abs(two - one) <= MAX_STEP_SEC;
}

/** One of them for constants that are as good as equal. */
function pointsOf({ points: one = [] }: Section, { points: two = [] }: Section): readonly Point[] {
  return one.length === 1 && two.length === 1 ? one : [...one, ...two];
}

/** Both sides of what was replaced, muted for instance, are at one offset; so nearly. */
const SAME_OFFSET_SEC = 0.25;

/**
 * Gives a place to stretches that are not in the second recording although there is room for them, because something else sounds
 * there: between two sections at one offset, and before the first and after the last section.
 */
function withReplaced(sections: readonly Section[]): Section[] {
  return sections.map((section, index) =>
    section.points ? section : replaced(section, sections[index - 1], sections[index + 1]),
  );
}

function replaced(section: Section, before: Section | undefined, after: Section | undefined): Section {
  const ending = before && offsetAt(before, section.fromSec);
  const beginning = after && offsetAt(after, section.toSec);
  const offset = ending ?? beginning;
  if (offset === undefined) return section;
  const step = Math.abs((beginning ?? offset) - offset);
  if (step > SAME_OFFSET_SEC) return section;
  const isBetween = Boolean(before?.isFine && after?.isFine);
  return { ...section, points: [[section.fromSec, offset]], isFine: isBetween && step <= MAX_STEP_SEC };
}
