import {
  CODES_PER_COLUMN,
  CODES_PER_SECOND,
  COLUMN_LEVELS,
  type Fingerprint,
  powerOf,
  SILENT_CODE,
} from "./fingerprint.ts";

/** How two recordings align. */
export type Alignment = {
  /** Seconds from a moment of the first to the same moment of the second, to 0.06 s; negative if it was trimmed. */
  offsetSec: number;
  /** Share of differing bits while both sound: 0 for a copy, 0.5 for another recording. */
  bitErrorRate: number;
  /** Root mean square of the difference in band balance, dB, over stretches of ten seconds. */
  deviationDb: number;
  /** Share of the longer recording that both have. */
  overlap: number;
};

/** How many offsets are examined closely: those with the most equal codes. */
const OFFSETS_TRIED = 4;
/** Fewer codes are not enough to compare. */
const MIN_CODES = 12;
/** Columns per stretch, 10 s. */
const STRETCH_COLUMNS = 21;
/** Bands that are compared, up to 5.5 kHz: above that, a codec may add several decibels of noise. */
const COMPARED_LEVELS = 8;
/** Levels this far below the loudest of a stretch may be noise, or left out by a codec. */
const AUDIBLE_DB = 45;

/** Aligns two recordings that share whole codes, as copies do; returns undefined when no offset fits. */
export function alignFingerprints(a: Fingerprint, b: Fingerprint): Alignment | undefined {
  return alignAt(a, b, likelyOffsets(a.codes, b.codes));
}

/** Aligns two recordings that may share no whole code, as mixes of one song do; returns undefined when no offset fits. */
export function alignMixes(a: Fingerprint, b: Fingerprint): Alignment | undefined {
  return alignAt(a, b, mixOffsets(a.codes, b.codes));
}

function alignAt(a: Fingerprint, b: Fingerprint, offsets: ReadonlySet<number>): Alignment | undefined {
  let best: { offset: number; bitErrorRate: number } | undefined;
  for (const offset of offsets) {
    const bitErrorRate = errorRate(a.codes, b.codes, offset);
    if (bitErrorRate !== undefined && bitErrorRate < (best?.bitErrorRate ?? 1))
      best = { offset, bitErrorRate };
  }
  if (!best) return undefined;
  const { offset, bitErrorRate } = best;
  const longer = Math.max(a.codes.length, b.codes.length);
  const shared = Math.min(a.codes.length, b.codes.length - offset) - Math.max(0, -offset);
  return {
    offsetSec: offset / CODES_PER_SECOND,
    bitErrorRate,
    deviationDb: balanceDeviation(a.columns, b.columns, Math.round(offset / CODES_PER_COLUMN)),
    overlap: shared / longer,
  };
}

/** Returns the offsets, in codes, at which the most codes match, and the offsets next to them. */
function likelyOffsets(a: Uint32Array, b: Uint32Array): Set<number> {
  const places = new Map<number, number>();
  for (const [place, code] of b.entries()) if (code !== SILENT_CODE) places.set(code, place);
  const votes = new Map<number, number>();
  for (const [place, code] of a.entries()) {
    const other = places.get(code);
    if (other !== undefined) votes.set(other - place, (votes.get(other - place) ?? 0) + 1);
  }
  return mostOf(votes);
}

function mostOf(votes: ReadonlyMap<number, number>): Set<number> {
  const most = [...votes].sort((one, two) => two[1] - one[1]).slice(0, OFFSETS_TRIED);
  return new Set(most.flatMap(([offset]) => [offset - 1, offset, offset + 1]));
}

/** A part of a code at so many places says nothing of the offset. */
const MAX_PLACES = 24;

/** Returns the offsets at which the most halves of codes match: a changed instrument leaves the bands of the others. */
function mixOffsets(a: Uint32Array, b: Uint32Array): Set<number> {
  const votes = new Map<number, number>();
  for (const shift of [0, 8, 16]) {
    const places = Map.groupBy(placesIn(b), (place) => halfOf(b, place, shift));
    for (const place of placesIn(a)) {
      const others = places.get(halfOf(a, place, shift)) ?? [];
      if (others.length <= MAX_PLACES)
        for (const other of others) votes.set(other - place, (votes.get(other - place) ?? 0) + 1);
    }
  }
  return mostOf(votes);
}

/** Returns the places of codes that sound. */
const placesIn = (codes: Uint32Array) => [...codes.keys()].filter((place) => codes[place] !== SILENT_CODE);
const halfOf = (codes: Uint32Array, place: number, shift: number) =>
  ((codes[place] as number) >>> shift) & 0xffff;

/** Returns the share of differing bits, or undefined when the recordings sound together for too short a time. */
function errorRate(a: Uint32Array, b: Uint32Array, offset: number): number | undefined {
  let codes = 0;
  let errors = 0;
  for (let i = Math.max(0, -offset); i < a.length && i + offset < b.length; i++) {
    const one = a[i] as number;
    const two = b[i + offset] as number;
    if (one === SILENT_CODE || two === SILENT_CODE) continue;
    codes++;
    errors += bitsOf(one ^ two);
  }
  return codes >= MIN_CODES ? errors / (32 * codes) : undefined;
}

/** Counts the bits that are set. */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Returns the deviation in balance, or Infinity when there is nothing to compare. */
function balanceDeviation(a: Uint8Array, b: Uint8Array, offset: number): number {
  const first = Math.max(0, -offset);
  const end = Math.min(a.length / COLUMN_LEVELS, b.length / COLUMN_LEVELS - offset);
  const differences: number[] = [];
  const stretches = Math.max(1, Math.round((end - first) / STRETCH_COLUMNS));
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = first + Math.floor((stretch * (end - first)) / stretches);
    const to = first + Math.floor(((stretch + 1) * (end - first)) / stretches);
    differences.push(...differencesDb(levelsDb(a, from, to), levelsDb(b, from + offset, to + offset)));
  }
  if (differences.length === 0) return Number.POSITIVE_INFINITY;
  const middle = differences.toSorted((one, two) => one - two)[differences.length >> 1] as number;
  const squares = differences.reduce((sum, difference) => sum + (difference - middle) ** 2, 0);
  return Math.sqrt(squares / differences.length);
}

/** Returns the mean level of each band over columns from..to, dB. */
function levelsDb(columns: Uint8Array, from: number, to: number): number[] {
  return Array.from({ length: COMPARED_LEVELS }, (_, band) => {
    let power = 0;
    for (let column = from; column < to; column++)
      power += powerOf(columns[column * COLUMN_LEVELS + band] ?? 0);
    return 10 * Math.log10(power / Math.max(1, to - from) + Number.MIN_VALUE);
  });
}

/** Returns the differences in the bands that are audible in both. */
function differencesDb(a: readonly number[], b: readonly number[]): number[] {
  const isAudible = (levels: readonly number[], band: number) =>
    (levels[band] as number) > Math.max(...levels) - AUDIBLE_DB;
  return a.flatMap((level, band) =>
    isAudible(a, band) && isAudible(b, band) ? [(b[band] as number) - level] : [],
  );
}
