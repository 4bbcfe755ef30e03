/** Silence around the music, edges that are cut into it, and holes in it. */
export type Gaps = {
  /** Takes the highest magnitude of each frame over all channels. */
  push(peaks: Float32Array, count: number): void;
  finish(): {
    /** Frames before the first and after the last sound; null when there is none. */
    head: number | null;
    tail: number | null;
    startsInSound: boolean;
    endsInSound: boolean;
    /** The longest hole, in frames; 0 without one. */
    dropout: number;
    dropoutFrame: number | null;
  };
};

/** -60 dBFS: fades end below. */
const AUDIBLE = 0.001;
/** -30 dBFS. */
const ABRUPT = 0.0316;
const EDGE_SEC = 0.0001;
/** Of a hole. Shorter ones are single zeros of a wave, longer ones are rests. */
const SHORTEST_HOLE_SEC = 0.005;
const LONGEST_HOLE_SEC = 0.5;
/** -50 dBFS: on both sides of a hole the sound is at least as loud, within so long. A note that ends fades below. */
const BROKEN_OFF = 0.00316;
const SIDE_SEC = 0.002;
/**
 * A hole is cut into the sound: on one side at least, the nearest moment is as loud as its surroundings, but for this share. What was
 * faded, if only for two milliseconds, was faded by somebody.
 */
const CUT_SEC = 0.00025;
const AROUND_SEC = 0.005;
const CUT_SHARE = 0.2;
/** Lengths and distances of holes are the same within this. */
const SAME_SEC = 0.001;
/** More are a rhythm in any case. */
const MAX_HOLES = 10_000;
/** Music that stops and sets in more often than once in two seconds does so on purpose. */
const HOLES_PER_SEC = 0.5;
const FEW_HOLES = 8;

/** Builds a finder of silence and holes over the frames of a recording. */
export function createGaps(sampleRateHz: number): Gaps {
  const inFrames = (sec: number) => Math.ceil(sec * sampleRateHz);
  const edge = inFrames(EDGE_SEC);
  const holes = createHoles(inFrames);
  const last = new Float32Array(edge);
  let frame = 0;
  let first: number | null = null;
  let lastSound = 0;
  let startPeak = 0;

  return {
    push(peaks, count) {
      for (let i = 0; i < count; i++) {
        const peak = peaks[i] as number;
        if (peak > AUDIBLE) {
          first ??= frame + i;
          lastSound = frame + i;
        }
        holes.push(peak, frame + i);
      }
      for (let i = 0; i < count && frame + i < edge; i++) startPeak = Math.max(startPeak, peaks[i] as number);
      for (let i = Math.max(0, count - edge); i < count; i++) last[(frame + i) % edge] = peaks[i] as number;
      frame += count;
    },
    finish() {
      const { longest, at, count } = holes.finish();
      const isRhythm = count > Math.max(FEW_HOLES, (HOLES_PER_SEC * frame) / sampleRateHz);
      return {
        head: first,
        tail: first === null ? null : frame - 1 - lastSound,
        startsInSound: startPeak > ABRUPT,
        endsInSound: last.some((peak) => peak > ABRUPT),
        dropout: isRhythm ? 0 : longest,
        dropoutFrame: isRhythm ? null : at,
      };
    },
  };
}

type Hole = { from: number; length: number };

function createHoles(inFrames: (sec: number) => number) {
  const [shortest, longestHole] = [inFrames(SHORTEST_HOLE_SEC), inFrames(LONGEST_HOLE_SEC)];
  const [side, edge, around] = [inFrames(SIDE_SEC), inFrames(CUT_SEC), inFrames(AROUND_SEC)];
  const holes: Hole[] = [];
  /** The last frames that are not zero. */
  const ring = new Float32Array(around);
  let filled = 0;
  let zeros = 0;
  /** A hole behind which it is not yet known how the sound sets in. */
  let waiting:
    | (Hole & { isCutBefore: boolean; seen: number; near: number; edge: number; loudest: number })
    | undefined;

  /** How the sound lies before a hole: loud enough to be broken off, and whether it is at once. */
  const before = () => {
    const last = (count: number) => {
      let most = 0;
      for (let i = 1; i <= Math.min(count, filled); i++)
        most = Math.max(most, ring[(filled - i) % around] as number);
      return most;
    };
    return { isLoud: last(side) >= BROKEN_OFF, isCut: last(edge) > CUT_SHARE * last(around) };
  };

  const settle = () => {
    if (!waiting || holes.length >= MAX_HOLES) return;
    const { from, length, isCutBefore, near } = waiting;
    const isCutAfter = waiting.edge > CUT_SHARE * waiting.loudest;
    if (near >= BROKEN_OFF && (isCutBefore || isCutAfter)) holes.push({ from, length });
    waiting = undefined;
  };

  const begin = (frame: number) => {
    settle();
    const { isLoud, isCut } = before();
    if (zeros > longestHole || !isLoud) return;
    const hole = { from: frame - zeros, length: zeros, isCutBefore: isCut };
    waiting = { ...hole, seen: 0, near: 0, edge: 0, loudest: 0 };
  };

  const hear = (peak: number) => {
    if (!waiting) return;
    waiting.loudest = Math.max(waiting.loudest, peak);
    if (waiting.seen < side) waiting.near = Math.max(waiting.near, peak);
    if (waiting.seen < edge) waiting.edge = Math.max(waiting.edge, peak);
    waiting.seen++;
    if (waiting.seen >= around) settle();
  };

  const sound = (peak: number, frame: number) => {
    if (zeros >= shortest) begin(frame);
    zeros = 0;
    ring[filled % around] = peak;
    filled++;
    hear(peak);
  };

  return {
    push(peak: number, frame: number) {
      if (peak === 0) zeros++;
      else sound(peak, frame);
    },
    finish() {
      settle();
      const odd = withoutRhythm(holes, inFrames(SAME_SEC));
      const longest = odd.reduce<Hole | undefined>(
        (most, hole) => (most && most.length >= hole.length ? most : hole),
        undefined,
      );
      return { longest: longest?.length ?? 0, at: longest?.from ?? null, count: holes.length };
    },
  };
}

/** Leaves out holes of one length that follow each other at equal distances, three or more: a stutter on the beat. */
function withoutRhythm(holes: readonly Hole[], tolerance: number): Hole[] {
  const isSame = (one: number, other: number) => Math.abs(one - other) <= tolerance;
  const isRun = ([a, b, c]: readonly (Hole | undefined)[]) =>
    a !== undefined &&
    b !== undefined &&
    c !== undefined &&
    isSame(a.length, b.length) &&
    isSame(b.length, c.length) &&
    isSame(b.from - a.from, c.from - b.from);
  const runs = holes.map((_, at) => isRun(holes.slice(at, at + 3)));
  return holes.filter((_, at) => ![at - 2, at - 1, at].some((start) => runs[start]));
}
