import { createBitMeter } from "./bits.ts";
import { type Clipping, createClipping } from "./clipping.ts";
import { createGaps, type Gaps } from "./gaps.ts";
import { createPhase, type Phase } from "./phase.ts";
import { createRanges } from "./ranges.ts";

/** What a recording may be sent back for. Times are seconds from its start; null says that there is no such thing. */
export type SoundFaults = {
  /** Nothing is louder than -60 dBFS. Then head and tail are 0. */
  isSilent: boolean;
  /** Silence before the first and after the last sound. */
  headSec: number;
  tailSec: number;
  lastSoundSec: number;
  /** The first or the last 0.1 ms is above -30 dBFS. */
  startsInSound: boolean;
  endsInSound: boolean;
  /** Flat tops of all channels, the longest in samples, and the first. */
  clipRuns: number;
  clipRunsPerSec: number;
  longestClipRun: number;
  clipAtSec: number | null;
  /** The largest mean of a channel, of full scale, without its sign. */
  dcOffset: number;
  /** The longest hole. */
  dropoutMs: number;
  dropoutAtSec: number | null;
  /** Of the first two channels, as {@link createPhase} has them. Null for one channel, and for silence. */
  correlation: number | null;
  lowestCorrelation: number | null;
  lowestCorrelationAtSec: number | null;
  monoLossDb: number | null;
  balanceDb: number | null;
  isDualMono: boolean;
  /** Bits that the samples use, at most 24; null where they are no whole numbers. */
  usedBits: number | null;
};

/** Finds faults in a recording as it streams by. */
export type FaultFinder = {
  push(planes: readonly Float32Array[], count: number): void;
  finish(): SoundFaults;
  /** Returns the share of side energy in the first two channels, 0 (mono) to 1 (out of phase). */
  stereoWidth(): number;
};

/** Builds a finder of faults over planar blocks. */
export function createFaultFinder({
  sampleRateHz,
  channels,
}: {
  sampleRateHz: number;
  channels: number;
}): FaultFinder {
  const clippings = Array.from({ length: channels }, () => createClipping(sampleRateHz));
  const sums = new Float64Array(channels);
  const rangesOf = createRanges();
  const bits = createBitMeter();
  const gaps = createGaps(sampleRateHz);
  const phase = createPhase(sampleRateHz);
  let frames = 0;

  return {
    push(planes, count) {
      for (const [channel, range] of rangesOf(planes, count).entries()) {
        const samples = planes[channel] as Float32Array;
        clippings[channel]?.push(samples, count, range);
        bits.push(samples, count);
        sums[channel] = (sums[channel] as number) + range.sum;
      }
      gaps.push(planes, count);
      const [left, right] = planes;
      if (left && right) phase.push(left, right, count);
      frames += count;
    },
    finish() {
      const toSec = (frame: number) => frame / sampleRateHz;
      return {
        ...edgesOf(gaps.finish(), frames, toSec),
        ...clipsOf(clippings, frames, toSec),
        ...sidesOf(channels > 1 ? phase.finish() : null, toSec),
        dcOffset: frames === 0 ? 0 : Math.max(...sums.map((sum) => Math.abs(sum / frames))),
        usedBits: bits.finish(),
      };
    },
    stereoWidth: phase.width,
  };
}

type ToSec = (frame: number) => number;

function edgesOf(found: ReturnType<Gaps["finish"]>, frames: number, toSec: ToSec) {
  const { head, tail, startsInSound, endsInSound, dropout, dropoutFrame } = found;
  return {
    isSilent: head === null,
    headSec: toSec(head ?? 0),
    tailSec: toSec(tail ?? 0),
    lastSoundSec: toSec(frames - (tail ?? 0)),
    startsInSound,
    endsInSound,
    dropoutMs: 1000 * toSec(dropout),
    dropoutAtSec: dropoutFrame === null ? null : toSec(dropoutFrame),
  };
}

function clipsOf(clippings: readonly Clipping[], frames: number, toSec: ToSec) {
  const clipped = clippings.map((clipping) => clipping.finish());
  const clipRuns = clipped.reduce((sum, { runs }) => sum + runs, 0);
  const first = clipped.flatMap(({ firstFrame }) => firstFrame ?? []);
  return {
    clipRuns,
    clipRunsPerSec: frames === 0 ? 0 : clipRuns / toSec(frames),
    longestClipRun: Math.max(0, ...clipped.map(({ longest }) => longest)),
    clipAtSec: first.length > 0 ? toSec(Math.min(...first)) : null,
  };
}

const NO_SIDES = {
  correlation: null,
  lowestCorrelation: null,
  lowestCorrelationAtSec: null,
  monoLossDb: null,
  balanceDb: null,
  isDualMono: false,
};

function sidesOf(found: ReturnType<Phase["finish"]>, toSec: ToSec) {
  if (found === null) return NO_SIDES;
  const { lowestFrame, ...sides } = found;
  return { ...sides, lowestCorrelationAtSec: toSec(lowestFrame) };
}
