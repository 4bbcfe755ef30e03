import { CODES_PER_SECOND, type Fingerprint, SILENT_CODE } from "./fingerprint.ts";
import { LEVELS_PER_SECOND } from "./fingerprint-levels.ts";
import { refineOffset } from "./fingerprint-offset.ts";
import { findRuns, type Run } from "./section-path.ts";
import { likelySpeed } from "./speed.ts";

/** What a recording is laid on another by. */
export type Sound = {
  fingerprint: Fingerprint;
  /** Of the first five minutes, as `createLevelTracker` makes them. */
  levels: Uint8Array;
};

/** A stretch of one recording that has one place in another, or none. */
export type Section = {
  /** Seconds in the first recording. */
  fromSec: number;
  toSec: number;
  /** Seconds from `fromSec` of the first to the same moment of the second; undefined: the second does not have the stretch. */
  offsetSec: number | undefined;
  /** What the offset gains each second: -0.01 where the second is 1 % faster. */
  drift: number;
  /**
   * True when the offset is accurate to a few milliseconds; otherwise to 0.06 s, or the second has something else there, whose
   * place follows from what is around it.
   */
  isFine: boolean;
};

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
  const speed = likelySpeed(a.fingerprint, b.fingerprint);
  const slowed = speed === 1 ? b : atSpeed(b, speed);
  const sections = findRuns(a.fingerprint, slowed.fingerprint).map((run) => sectionOf(a, slowed, run));
  return joined(withReplaced(joined(sections))).map((section) => stretched(section, speed));
}

const isComparable = ({ fingerprint: { codes } }: Sound) =>
  codes.reduce((count, code) => count + Number(code !== SILENT_CODE), 0) >= MIN_CODES;

/** Returns what a recording would be like if it took as long as the one that it is laid on. */
function atSpeed({ fingerprint: { codes, columns }, levels }: Sound, speed: number): Sound {
  return {
    fingerprint: {
      codes: Uint32Array.from(
        { length: Math.floor(codes.length / speed) },
        (_, at) => codes[Math.round(at * speed)] ?? SILENT_CODE,
      ),
      columns,
    },
    levels: Uint8Array.from({ length: Math.floor(levels.length / speed) }, (_, at) => {
      const [before, share] = [Math.floor(at * speed), (at * speed) % 1];
      const [one, two] = [levels[before] ?? 0, levels[before + 1] ?? levels[before] ?? 0];
      return Math.round(one + share * (two - one));
    }),
  };
}

/** Returns a section of a recording laid on {@link atSpeed}, as one laid on what that was made of. */
function stretched(section: Section, speed: number): Section {
  const { fromSec, offsetSec, drift } = section;
  if (speed === 1 || offsetSec === undefined) return section;
  return { ...section, offsetSec: speed * (fromSec + offsetSec) - fromSec, drift: speed * (1 + drift) - 1 };
}

/** Returns the section of a run, with an offset as exact as can be. */
function sectionOf(a: Sound, b: Sound, { from, to, offset }: Run): Section {
  const span = {
    fromSec: from === 0 ? 0 : (from + CODE_MIDDLE) / CODES_PER_SECOND,
    toSec:
      to === a.fingerprint.codes.length ? Number.POSITIVE_INFINITY : (to + CODE_MIDDLE) / CODES_PER_SECOND,
  };
  if (offset === undefined) return { ...span, offsetSec: undefined, drift: 0, isFine: false };
  const coarseSec = offset / CODES_PER_SECOND;
  const [fromSec, toSec] = [from / CODES_PER_SECOND + 1, to / CODES_PER_SECOND];
  const line = lineOf(a, b, { fromSec, toSec, coarseSec });
  if (line)
    return { ...span, offsetSec: line.atZero + line.slope * span.fromSec, drift: line.slope, isFine: true };
  const offsetSec = fineOffset(a, b, { fromSec, toSec, coarseSec });
  return { ...span, offsetSec: offsetSec ?? coarseSec, drift: 0, isFine: offsetSec !== undefined };
}

/** A stretch of the first recording, and about how much later it is in the second. */
type Stretch = { fromSec: number; toSec: number; coarseSec: number };

/** Seconds in which an exact offset is looked for, and how many of them make a line. */
const PROBE_SEC = 4;
const MIN_PROBES = 4;
/** A line must pass as near to the middle one of the exact offsets. */
const MAX_DEVIATION_SEC = 0.01;
/** A line that gains less over its whole length is a constant. */
const MIN_GAIN_SEC = 0.003;

/** Returns the line through the exact offsets of the parts of a stretch; undefined when there are few, or none passes near them. */
function lineOf(a: Sound, b: Sound, { fromSec, toSec, coarseSec }: Stretch): Line | undefined {
  const points: Point[] = [];
  for (let sec = fromSec; sec + PROBE_SEC <= toSec; sec += PROBE_SEC) {
    const found = fineOffset(a, b, { fromSec: sec, toSec: sec + PROBE_SEC, coarseSec });
    if (found !== undefined) points.push([sec + PROBE_SEC / 2, found]);
  }
  if (points.length < MIN_PROBES) return undefined;
  const line = lineThrough(points);
  const middle = medianOf(points.map(([, offset]) => offset));
  const straight =
    Math.abs(line.slope) * (toSec - fromSec) < MIN_GAIN_SEC ? { slope: 0, atZero: middle } : line;
  const deviations = points.map(([at, offset]) => Math.abs(offset - straight.atZero - straight.slope * at));
  return medianOf(deviations) <= MAX_DEVIATION_SEC ? straight : undefined;
}

type Point = [at: number, value: number];
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
    if (before && isContinued(before, section)) before.toSec = section.toSec;
    else all.push({ ...section });
  }
  return all;
}

function isContinued(before: Section, { fromSec, offsetSec, drift, isFine }: Section): boolean {
  if (before.offsetSec === undefined || offsetSec === undefined || !before.isFine || !isFine) return false;
  const step = offsetSec - before.offsetSec - before.drift * (fromSec - before.fromSec);
  return Math.abs(step) <= MAX_STEP_SEC && Math.abs(drift - before.drift) < 0.001;
}

/** Both sides of what was replaced, muted for instance, are at one offset; so nearly. */
const SAME_OFFSET_SEC = 0.25;

/**
 * Gives a place to stretches that are not in the second recording although there is room for them, because something else sounds
 * there: between two sections at one offset, and before the first and after the last section.
 */
function withReplaced(sections: readonly Section[]): Section[] {
  return sections.map((section, index) =>
    section.offsetSec === undefined ? replaced(section, sections[index - 1], sections[index + 1]) : section,
  );
}

function replaced(section: Section, before: Section | undefined, after: Section | undefined): Section {
  const ending = before && offsetAt(before, section.fromSec);
  const beginning = after?.offsetSec;
  if (ending === undefined || beginning === undefined) return { ...section, offsetSec: ending ?? beginning };
  const step = Math.abs(ending - beginning);
  if (step > SAME_OFFSET_SEC) return section;
  return {
    ...section,
    offsetSec: ending,
    isFine: Boolean(before?.isFine && after?.isFine) && step <= MAX_STEP_SEC,
  };
}

const offsetAt = ({ fromSec, offsetSec, drift }: Section, sec: number) =>
  offsetSec === undefined ? undefined : offsetSec + drift * (sec - fromSec);
