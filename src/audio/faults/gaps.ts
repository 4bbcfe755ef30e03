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

function createHoles(inFrames: (sec: number) => number) {
  const [shortest, longestHole, side] = [SHORTEST_HOLE_SEC, LONGEST_HOLE_SEC, SIDE_SEC].map(inFrames) as [
    number,
    number,
    number,
  ];
  let longest = 0;
  let at: number | null = null;
  let count = 0;
  /** When the sound was last loud enough to be broken off. */
  let loudFrame = Number.NEGATIVE_INFINITY;
  let zeros = 0;
  /** A hole behind which it is not yet known how the sound sets in. */
  let waiting: { from: number; length: number; until: number } | undefined;

  const sound = (peak: number, frame: number) => {
    if (zeros >= shortest && zeros <= longestHole && frame - zeros - 1 - loudFrame < side)
      waiting = { from: frame - zeros, length: zeros, until: frame + side };
    zeros = 0;
    if (peak < BROKEN_OFF) return;
    loudFrame = frame;
    if (waiting && frame <= waiting.until) take(waiting);
    waiting = undefined;
  };
  const take = ({ from, length }: { from: number; length: number }) => {
    count++;
    if (length <= longest) return;
    longest = length;
    at = from;
  };

  return {
    push(peak: number, frame: number) {
      if (peak === 0) zeros++;
      else sound(peak, frame);
    },
    finish: () => ({ longest, at, count }),
  };
}
