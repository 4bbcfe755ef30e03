import { framesIn, SAMPLE_RATE_HZ, type Stereo, silence } from "./audio.ts";

/** A room: the time a sound takes to fall by 60 dB, and how dull it grows meanwhile, 0 (bright) to 1. */
export type Room = { decaySeconds: number; dullness: number };

/** Repeats of a sound, alternately left and right: their distance in beats, each quieter by `feedback` (0-1). */
export type Echo = { beats: number; feedback: number };

/** Milliseconds a sound takes round each loop: no two share a divisor, so the echoes never pile up. */
const LOOP_MS = [31.1, 37.3, 41.9, 43.7, 53.9, 59.3, 61.7, 71.3];

/**
 * Returns the reverberation of `dry` alone, equally long.
 *
 * @see Jot & Chaigne 1991: eight delay lines fed back through a Householder matrix.
 */
export function reverberate(dry: Stereo, { decaySeconds, dullness }: Room): Stereo {
  const wet = silence(dry.left.length);
  const lines = LOOP_MS.map((ms) => new Float32Array(framesIn(ms / 1000)));
  const gains = LOOP_MS.map((ms) => 10 ** ((-3 * ms) / 1000 / decaySeconds));
  const positions = new Int32Array(lines.length);
  const dulled = new Float64Array(lines.length);
  // `as`: every index below is smaller than the number of lines or of samples; the loop is hot.
  for (let i = 0; i < wet.left.length; i++) {
    let sum = 0;
    let left = 0;
    let right = 0;
    for (let line = 0; line < lines.length; line++) {
      const echo = (lines[line] as Float32Array)[positions[line] as number] as number;
      const soft = echo * (1 - dullness) + (dulled[line] as number) * dullness;
      dulled[line] = soft;
      sum += soft;
      if (line % 2 === 0) left += soft;
      else right += soft;
    }
    wet.left[i] = left * 0.35;
    wet.right[i] = right * 0.35;
    for (let line = 0; line < lines.length; line++) {
      const input = (line % 2 === 0 ? dry.left[i] : dry.right[i]) as number;
      const buffer = lines[line] as Float32Array;
      const position = positions[line] as number;
      buffer[position] = input + ((dulled[line] as number) - sum / 4) * (gains[line] as number);
      positions[line] = position + 1 === buffer.length ? 0 : position + 1;
    }
  }
  return wet;
}

/** Returns the echoes of `dry` alone, equally long: the first on the left, the next on the right, and so on. */
export function echo(dry: Stereo, beatSeconds: number, { beats, feedback }: Echo): Stereo {
  const wet = silence(dry.left.length);
  const distance = Math.round(beats * beatSeconds * SAMPLE_RATE_HZ);
  for (let i = distance; i < wet.left.length; i++) {
    const from = i - distance;
    // `as number`: both indices are inside the arrays; the loop is hot.
    const input = ((dry.left[from] as number) + (dry.right[from] as number)) / 2;
    wet.left[i] = input + feedback * (wet.right[from] as number);
    wet.right[i] = feedback * (wet.left[from] as number);
  }
  return wet;
}
