import { CODES_PER_SECOND, type Fingerprint, SILENT_CODE } from "./fingerprint.ts";
import { alignFingerprints } from "./fingerprint-match.ts";

/** Codes `from` to before `to` of a recording, which are at one offset in another, in codes; undefined: they are not in it. */
export type Run = { from: number; to: number; offset: number | undefined };

/** How many offsets between the two are considered: those with the most equal codes. */
const OFFSETS_TRIED = 12;
/** A code at more places than this says little of the offset. */
const MAX_PLACES = 8;
/** Costs per code, in shares of differing bits. */
const COST_MISSING = 0.36;
const COST_UNKNOWN = 0.5;
/** What an offset other than the whole's costs more: music repeats to the sample. */
const COST_ELSEWHERE = 0.03;
/** The cost of each change from one offset to another. */
const COST_CHANGE = 3;
/** Codes on each side over which the share is averaged, 1.4 s. */
const BLUR_CODES = 12;
/** Above this share, the offset of the whole says nothing. */
const MAX_BIT_ERROR_RATE = 0.35;

/**
 * Finds where each code of a recording is in another that may be cut, prolonged or put together otherwise: the path through the
 * likely offsets with the fewest differing bits and changes.
 *
 * @see Viterbi 1967.
 */
export function findRuns(a: Fingerprint, b: Fingerprint): Run[] {
  const whole = alignFingerprints(a, b);
  const main =
    whole && whole.bitErrorRate <= MAX_BIT_ERROR_RATE
      ? Math.round(whole.offsetSec * CODES_PER_SECOND)
      : undefined;
  const offsets = likelyOffsets(a.codes, b.codes, main);
  const runs: Run[] = [];
  for (const [at, offset] of cheapestPath(a.codes, b.codes, offsets, main).entries()) {
    const last = runs.at(-1);
    if (last && last.offset === offset) last.to = at + 1;
    else runs.push({ from: at, to: at + 1, offset });
  }
  return runs;
}

/** Calls back with the place of each code of `a` and a place of the same code in `b`, if it is at few places there. */
export function forEachMatch(
  a: Uint32Array,
  b: Uint32Array,
  visit: (place: number, other: number) => void,
): void {
  const places = new Map<number, number[]>();
  for (const [place, code] of b.entries()) {
    if (code === SILENT_CODE) continue;
    const known = places.get(code);
    if (!known) places.set(code, [place]);
    else if (known.length < MAX_PLACES) known.push(place);
  }
  for (const [place, code] of a.entries()) for (const other of places.get(code) ?? []) visit(place, other);
}

/** Returns the offsets at which the most codes match. */
function likelyOffsets(a: Uint32Array, b: Uint32Array, main: number | undefined): number[] {
  const votes = new Map<number, number>();
  forEachMatch(a, b, (place, other) => votes.set(other - place, (votes.get(other - place) ?? 0) + 1));
  const most = [...votes].sort((one, two) => two[1] - one[1]).slice(0, OFFSETS_TRIED);
  const offsets = most.map(([offset]) => offset);
  return main === undefined || offsets.includes(main) ? offsets : [...offsets, main];
}

/** Returns the offset of each code of `a`, or undefined where `b` does not have it. */
function cheapestPath(
  a: Uint32Array,
  b: Uint32Array,
  offsets: readonly number[],
  main: number | undefined,
): (number | undefined)[] {
  const isElsewhere = (offset: number) => main !== undefined && Math.abs(offset - main) > 2;
  const costs = offsets.map((offset) => differences(a, b, offset, isElsewhere(offset) ? COST_ELSEWHERE : 0));
  costs.push(new Float64Array(a.length).fill(COST_MISSING));
  const { total, cameFrom } = stepThrough(costs, a.length);
  let state = total.indexOf(Math.min(...total));
  const path = new Array<number | undefined>(a.length);
  for (let at = a.length - 1; at >= 0; at--) {
    path[at] = offsets[state];
    state = cameFrom[at * costs.length + state] as number;
  }
  return path;
}

/** Returns the least cost of ending in each state, and from which state each step was taken. */
function stepThrough(costs: readonly Float64Array[], steps: number) {
  const total = new Float64Array(costs.length);
  const cameFrom = new Uint8Array(steps * costs.length);
  for (let at = 0; at < steps; at++) {
    const best = total.indexOf(Math.min(...total));
    const changed = (total[best] as number) + COST_CHANGE;
    for (const [state, cost] of costs.entries()) {
      const stayed = total[state] as number;
      cameFrom[at * costs.length + state] = changed < stayed ? best : state;
      total[state] = Math.min(stayed, changed) + (cost[at] as number);
    }
  }
  return { total, cameFrom };
}

/** Returns the share of differing bits around each code of `a` at an offset, and `more`. */
function differences(a: Uint32Array, b: Uint32Array, offset: number, more: number): Float64Array {
  const sums = new Float64Array(a.length + 1);
  for (let at = 0; at < a.length; at++) {
    const [one, two] = [a[at] as number, b[at + offset] ?? SILENT_CODE];
    const isUnknown = one === SILENT_CODE || two === SILENT_CODE;
    sums[at + 1] = (sums[at] as number) + (isUnknown ? COST_UNKNOWN : bitsOf(one ^ two) / 32);
  }
  return Float64Array.from(a, (_, at) => {
    const from = Math.max(0, at - BLUR_CODES);
    const to = Math.min(a.length, at + BLUR_CODES + 1);
    return ((sums[to] as number) - (sums[from] as number)) / (to - from) + more;
  });
}

/** Counts the bits that are set. */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
