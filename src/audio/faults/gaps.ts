/** Silence around the music, edges that are cut into it, and holes in it. */
export type Gaps = {
  push(planes: readonly Float32Array[], count: number): void;
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
    push(planes, count) {
      for (let i = 0; i < count && first === null; i++) if (peakAt(planes, i) > AUDIBLE) first = frame + i;
      lastSound = lastAudible(planes, count, lastSound - frame) + frame;
      holes.push(planes, count, frame);
      for (let i = 0; i < count && frame + i < edge; i++) startPeak = Math.max(startPeak, peakAt(planes, i));
      for (let i = Math.max(0, count - edge); i < count; i++) last[(frame + i) % edge] = peakAt(planes, i);
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

/** Returns the highest magnitude of a frame over all channels. */
function peakAt(planes: readonly Float32Array[], frame: number): number {
  let most = 0;
  for (let channel = 0; channel < planes.length; channel++)
    most = Math.max(most, Math.abs((planes[channel] as Float32Array)[frame] as number));
  return most;
}

/** Returns the last frame below `count` that is audible, or `none`. */
function lastAudible(planes: readonly Float32Array[], count: number, none: number): number {
  for (let i = count - 1; i >= 0; i--) if (peakAt(planes, i) > AUDIBLE) return i;
  return none;
}

/** Returns the first frame from `from` on that is zero in all channels, or `count`. */
function firstZero(planes: readonly Float32Array[], from: number, count: number): number {
  const first = planes[0] as Float32Array;
  for (let i = from; i < count; i++) if (first[i] === 0 && peakAt(planes, i) === 0) return i;
  return count;
}

type Hole = { from: number; length: number };

function createHoles(inFrames: (sec: number) => number) {
  const [shortest, longestHole] = [inFrames(SHORTEST_HOLE_SEC), inFrames(LONGEST_HOLE_SEC)];
  const [side, edge, around] = [inFrames(SIDE_SEC), inFrames(CUT_SEC), inFrames(AROUND_SEC)];
  const holes: Hole[] = [];
  const recent = createRecent(around);
  let zeros = 0;
  /** A hole behind which it is not yet known how the sound sets in. */
  let waiting:
    | (Hole & { isCutBefore: boolean; seen: number; near: number; edge: number; loudest: number })
    | undefined;

  /** How the sound lies before a hole: loud enough to be broken off, and whether it is at once. */
  const before = () => {
    const { most } = recent;
    return { isLoud: most(side) >= BROKEN_OFF, isCut: most(edge) > CUT_SHARE * most(around) };
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
    recent.push(peak);
    hear(peak);
  };

  /** Passes what neither follows nor ends a hole, and returns where that ends. Only its last frames may be asked for. */
  const pass = (planes: readonly Float32Array[], from: number, count: number): number => {
    if (zeros > 0 || waiting) return from;
    const to = firstZero(planes, from, count);
    for (let i = Math.max(from, to - around); i < to; i++) recent.push(peakAt(planes, i));
    return to;
  };

  return {
    push(planes: readonly Float32Array[], count: number, frame: number) {
      for (let i = pass(planes, 0, count); i < count; i = pass(planes, i + 1, count)) {
        const peak = peakAt(planes, i);
        if (peak === 0) zeros++;
        else sound(peak, frame + i);
      }
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

/** Keeps the last `size` peaks. */
function createRecent(size: number) {
  const ring = new Float32Array(size);
  let filled = 0;
  return {
    push(peak: number) {
      ring[filled++ % size] = peak;
    },
    /** Returns the highest of the last `count`. */
    most(count: number) {
      let most = 0;
      for (let i = 1; i <= Math.min(count, filled); i++)
        most = Math.max(most, ring[(filled - i) % size] as number);
      return most;
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
