/** The highest and the lowest of some samples. */
export type SampleRange = { high: number; low: number };

/** Flat tops of one channel, where its highest samples are equal. */
export type Clipping = {
  push(samples: Float32Array, count: number, range: SampleRange): void;
  /** `firstFrame` and `longest` (samples) are null and 0 without flat tops. */
  finish(): { runs: number; longest: number; firstFrame: number | null };
};

/** Samples within this of the ceiling are at it: a little more than one step of 16 bits. */
const AT_CEILING = 4e-5;
/**
 * A flat top that comes out of the wave: on one side, its neighbour lies further below the ceiling than that of the smooth top of
 * a slow wave with as many samples at the ceiling, which is at most 2.8 times {@link AT_CEILING}.
 */
const CORNER = 4 * AT_CEILING;
/** -1 dBFS. What was clipped and turned down is no longer at the limit of anything. */
const LOWEST_CEILING = 0.891;
const FAST_RATE_HZ = 50_000;

/**
 * Builds a finder of flat tops over one channel. The ceiling is the channel's own, each side for itself: what was counted below a
 * later, higher sample is dropped.
 */
export function createClipping(sampleRateHz: number): Clipping {
  const shortest = sampleRateHz > FAST_RATE_HZ ? 4 : 3;
  const sides = [createSide(1, shortest), createSide(-1, shortest)];
  return {
    push(samples, count, range) {
      for (const side of sides) side.push(samples, count, range);
    },
    finish() {
      const found = sides.map((side) => side.finish());
      const first = found.flatMap(({ firstFrame }) => firstFrame ?? []);
      return {
        runs: found.reduce((sum, { runs }) => sum + runs, 0),
        longest: Math.max(...found.map(({ longest }) => longest)),
        firstFrame: first.length > 0 ? Math.min(...first) : null,
      };
    },
  };
}

function createSide(sign: 1 | -1, shortest: number): Clipping {
  let ceiling = 0;
  let runs = 0;
  let longest = 0;
  let firstFrame: number | null = null;
  let frame = 0;
  let run = 0;
  /** How far the sample before the run lies below the ceiling. */
  let before = 0;
  let previous = 0;

  const end = (after: number) => {
    if (run >= shortest && Math.max(before, after) > CORNER) {
      runs++;
      firstFrame ??= frame - run;
      longest = Math.max(longest, run);
    }
    run = 0;
  };
  const forget = () => {
    runs = 0;
    longest = 0;
    firstFrame = null;
    run = 0;
  };

  const atCeiling = (value: number) => {
    if (value > ceiling + AT_CEILING) forget();
    if (value > ceiling) ceiling = value;
    if (run === 0) before = ceiling - previous;
    run++;
  };

  const take = (value: number, beside: number) => {
    previous = beside;
    if (value >= ceiling - AT_CEILING) atCeiling(value);
    else if (run > 0) end(ceiling - value);
  };
  const isBelow = ({ high, low }: SampleRange) =>
    run === 0 && (sign > 0 ? high : -low) < ceiling - AT_CEILING;
  const next = (samples: Float32Array, from: number, to: number) =>
    run > 0 ? from : firstAt(samples, { from, to, sign, least: ceiling - AT_CEILING });

  return {
    push(samples, count, range) {
      const first = frame;
      for (
        let i = isBelow(range) ? count : next(samples, 0, count);
        i < count;
        i = next(samples, i + 1, count)
      ) {
        frame = first + i;
        take(sign * (samples[i] as number), i > 0 ? sign * (samples[i - 1] as number) : previous);
      }
      frame = first + count;
      if (count > 0) previous = sign * (samples[count - 1] as number);
    },
    finish() {
      end(ceiling);
      return ceiling > LOWEST_CEILING
        ? { runs, longest, firstFrame }
        : { runs: 0, longest: 0, firstFrame: null };
    },
  };
}

type Search = { from: number; to: number; sign: 1 | -1; least: number };

/** Returns the first place with such a value, or `to`. Samples are passed here in a loop that writes nothing. */
function firstAt(samples: Float32Array, { from, to, sign, least }: Search): number {
  for (let i = from; i < to; i++) if (sign * (samples[i] as number) >= least) return i;
  return to;
}
