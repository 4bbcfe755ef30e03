import { forEachMatch } from "./code-matches.ts";
import { type Fingerprint, SILENT_CODE } from "./fingerprint.ts";

/** Codes `from` to before `to` of a recording, which are at one offset in another, in codes; undefined: they are not in it. */
export type Run = { from: number; to: number; offset: number | undefined };

/** Costs per code, in shares of differing bits. */
const COST_MISSING = 0.36;
const COST_UNKNOWN = 0.5;
/** What an offset other than the whole's costs more: music repeats to the sample. */
const COST_ELSEWHERE = 0.03;
/** The cost of each change from one offset to another. */
const COST_CHANGE = 3;
/** What has been ruled out. */
const COST_FORBIDDEN = 1000;
/** Codes on each side over which the share is averaged, 1.4 s. */
const BLUR_CODES = 12;
/** How often a path is looked for without what the last one repeated. */
const ROUNDS = 4;
/** Offsets as near to each other are one, rounded differently. */
const NEAR_CODES = 2;

/** The runs of a recording, one after the other, and what they cost: the less, the better they fit. */
export type Path = { runs: Run[]; cost: number };

/**
 * Finds where each code of a recording is in another that may be cut, prolonged or put together otherwise: the path through the
 * likely offsets with the fewest differing bits and changes. No two parts of the first are at one place of the second: a passage
 * that was cut is not where the music repeats it.
 *
 * @see Viterbi 1967.
 */
export function findPath(a: Fingerprint, b: Fingerprint): Path {
  const offsets = likelyOffsets(a.codes, b.codes);
  const costs = offsets.map((offset) => differences(a.codes, b.codes, offset));
  const main = offsets[mainOf(costs)] ?? 0;
  for (const [state, cost] of costs.entries())
    if (Math.abs((offsets[state] as number) - main) > NEAR_CODES)
      for (let at = 0; at < cost.length; at++) cost[at] = (cost[at] as number) + COST_ELSEWHERE;
  costs.push(new Float64Array(a.codes.length).fill(COST_MISSING));
  let path = cheapestPath(costs, offsets);
  for (let round = 1; round < ROUNDS; round++) {
    const repeats = repeatsAmong(path.runs, b.codes.length);
    if (repeats.length === 0) break;
    for (const run of repeats) forbid(costs, offsets, run);
    path = cheapestPath(costs, offsets);
  }
  const repeats = repeatsAmong(path.runs, b.codes.length);
  const runs = path.runs.map((run) => (repeats.includes(run) ? { ...run, offset: undefined } : run));
  return { runs: merged(withoutOverlaps(runs)), cost: path.cost };
}

/** Rules an offset, and those that are the same rounded differently, out for a run. */
function forbid(
  costs: readonly Float64Array[],
  offsets: readonly number[],
  { from, to, offset = 0 }: Run,
): void {
  for (const [state, other] of offsets.entries())
    if (Math.abs(other - offset) <= NEAR_CODES) costs[state]?.fill(COST_FORBIDDEN, from, to);
}

/** Returns the state that alone leaves the least missing: that of the whole. */
function mainOf(costs: readonly Float64Array[]): number {
  const totals = costs.map((cost) => cost.reduce((sum, each) => sum + Math.min(each, COST_MISSING), 0));
  return leastOf(Float64Array.from(totals));
}

/** How many offsets between the two are considered. */
const PEAKS = 12;
/** Beside the best ones, their neighbours too: an offset may be between two. */
const PEAKS_WITH_NEIGHBOURS = 4;
/** Parts of a code: a changed instrument leaves the bands of the others. */
const PARTS = [0, 8, 16].map((shift) => (code: number) => (code >>> shift) & 0xffff);

/**
 * Returns the offsets at which the most parts of codes match, after those that lay the beginnings or the ends on each other: of music
 * that fits everywhere, as a loop, these are the likeliest.
 */
function likelyOffsets(a: Uint32Array, b: Uint32Array): number[] {
  const votes = new Float64Array(a.length + b.length + 2);
  for (const part of PARTS)
    forEachMatch(a, b, part, (place, other, weight) => {
      votes[a.length + other - place] = (votes[a.length + other - place] as number) + weight;
    });
  const isPeak = (at: number) =>
    (votes[at] as number) > (votes[at - 1] ?? 0) && (votes[at] as number) >= (votes[at + 1] ?? 0);
  const peaks = Array.from(votes.keys())
    .filter(isPeak)
    .sort((one, two) => (votes[two] as number) - (votes[one] as number))
    .slice(0, PEAKS)
    .map((at) => at - a.length);
  const ends = b.length - a.length;
  const best = [0, ends, ...peaks.slice(0, PEAKS_WITH_NEIGHBOURS)];
  return [...new Set([0, ends, ...peaks, ...best.flatMap((offset) => [offset - 1, offset + 1])])];
}

/** Returns the path of the least cost. `costs`: of each offset, and of none. */
function cheapestPath(costs: readonly Float64Array[], offsets: readonly number[]): Path {
  const steps = costs[0]?.length ?? 0;
  const { total, cameFrom } = stepThrough(costs, steps);
  let state = leastOf(total);
  const cost = total[state] as number;
  const path = new Array<number | undefined>(steps);
  for (let at = steps - 1; at >= 0; at--) {
    path[at] = offsets[state];
    state = cameFrom[at * costs.length + state] as number;
  }
  return { runs: runsOf(path), cost };
}

/** Returns the least cost of ending in each state, and from which state each step was taken. */
function stepThrough(costs: readonly Float64Array[], steps: number) {
  const total = new Float64Array(costs.length);
  const cameFrom = new Uint8Array(steps * costs.length);
  for (let at = 0; at < steps; at++) {
    const best = leastOf(total);
    const changed = (total[best] as number) + COST_CHANGE;
    for (let state = 0; state < costs.length; state++) {
      const stayed = total[state] as number;
      cameFrom[at * costs.length + state] = changed < stayed ? best : state;
      total[state] = Math.min(stayed, changed) + ((costs[state] as Float64Array)[at] as number);
    }
  }
  return { total, cameFrom };
}

function leastOf(values: Float64Array): number {
  let least = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) < (values[least] as number)) least = i;
  return least;
}

/** Returns the share of differing bits around each code of `a` at an offset. */
function differences(a: Uint32Array, b: Uint32Array, offset: number): Float64Array {
  const sums = new Float64Array(a.length + 1);
  for (let at = 0; at < a.length; at++) {
    const [one, two] = [a[at] as number, b[at + offset] ?? SILENT_CODE];
    const isUnknown = one === SILENT_CODE || two === SILENT_CODE;
    sums[at + 1] = (sums[at] as number) + (isUnknown ? COST_UNKNOWN : bitsOf(one ^ two) / 32);
  }
  const shares = new Float64Array(a.length);
  for (let at = 0; at < a.length; at++) {
    const from = Math.max(0, at - BLUR_CODES);
    const to = Math.min(a.length, at + BLUR_CODES + 1);
    shares[at] = ((sums[to] as number) - (sums[from] as number)) / (to - from);
  }
  return shares;
}

/** Counts the bits that are set. */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

const runsOf = (path: readonly (number | undefined)[]): Run[] =>
  merged(path.map((offset, at) => ({ from: at, to: at + 1, offset })));

/** Joins neighbours at one offset. */
function merged(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last && last.offset === run.offset) last.to = run.to;
    else all.push({ ...run });
  }
  return all;
}

/** Returns the runs that are for the greater part where longer ones are. */
function repeatsAmong(runs: readonly Run[], length: number): Run[] {
  const isTaken = new Uint8Array(length);
  const longestFirst = runs
    .filter(({ offset }) => offset !== undefined)
    .sort((one, two) => two.to - two.from - (one.to - one.from));
  return longestFirst.filter(({ from, to, offset = 0 }) => {
    const place = isTaken.subarray(Math.max(0, from + offset), Math.max(0, to + offset));
    const taken = place.reduce((sum, each) => sum + each, 0);
    if (2 * taken > place.length) return true;
    place.fill(1);
    return false;
  });
}

/** Less may be the borders' own inaccuracy. */
const MIN_OVERLAP_CODES = 16;

/** Takes from the later of two runs what the earlier one has of the other recording already. */
function withoutOverlaps(runs: readonly Run[]): Run[] {
  const kept: Run[] = [];
  const all: Run[] = [];
  for (const run of runs) {
    const parts = kept.reduce((left, earlier) => left.flatMap((part) => without(part, earlier)), [run]);
    kept.push(...parts.filter(({ offset }) => offset !== undefined));
    all.push(...parts);
  }
  return all;
}

function without(run: Run, earlier: Run): Run[] {
  if (run.offset === undefined || earlier.offset === undefined) return [run];
  const shift = earlier.offset - run.offset;
  const from = Math.max(run.from, earlier.from + shift);
  const to = Math.min(run.to, earlier.to + shift);
  if (to - from < MIN_OVERLAP_CODES) return [run];
  return [
    { ...run, to: from },
    { from, to, offset: undefined },
    { ...run, from: to },
  ].filter((part) => part.to > part.from);
}
