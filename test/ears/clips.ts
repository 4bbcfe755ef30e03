import { BANDS, FRAMES } from "../../src/ears/layout.ts";
import { createLevels, EARS_HZ, FRAME_SAMPLES, HOP_SAMPLES } from "../../src/ears/levels.ts";

const SAMPLES = (FRAMES - 1) * HOP_SAMPLES + FRAME_SAMPLES;
const at = (formula: (seconds: number) => number) =>
  Float32Array.from({ length: SAMPLES }, (_, i) => formula(i / EARS_HZ));
const saw = (turns: number) => 2 * (turns % 1) - 1;

/** Returns the same noise on every machine, -1 to 1. */
function noise(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Returns clips of one passage each, by name: the ones that the published networks were run on. */
export function fixedClips(): Record<string, Float32Array> {
  const hiss = noise();
  return {
    chord: at((t) => 0.1 * (saw(220 * t) + saw(277.18 * t) + saw(329.63 * t)) * Math.min(1, t / 2)),
    beat: at((t) => {
      const [beat, kick] = [(2 * t) % 1, (4 * t) % 1];
      return 0.4 * hiss() * Math.exp(-12 * beat) + 0.5 * Math.sin(2 * Math.PI * 55 * t) * Math.exp(-6 * kick);
    }),
    glide: at((t) => {
      const turns = 300 * t + 3 * Math.sin(2 * Math.PI * 5 * t);
      return 0.2 * [1, 2, 3, 4, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * n * turns) / n, 0);
    }),
  };
}

/** Returns the levels of a clip, frame by frame. */
export function levelsOf(clip: Float32Array): Float32Array {
  const levels = new Float32Array(FRAMES * BANDS);
  const write = createLevels();
  for (let frame = 0; frame < FRAMES; frame++)
    write(clip, frame * HOP_SAMPLES, levels.subarray(frame * BANDS, (frame + 1) * BANDS));
  return levels;
}
