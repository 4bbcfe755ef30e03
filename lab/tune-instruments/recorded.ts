import { join } from "node:path";
import type { Score } from "../eval-audio/midi-file.ts";
import { createRandom } from "../eval-audio/random.ts";
import { STEM_HZ } from "../train-instruments/banks.ts";
import { RECORDED, readSamples } from "../train-instruments/sampled.ts";
import { playSamples, type Sample } from "../train-instruments/sampler.ts";

/** Programs that the recorded tones have. */
export const RECORDED_PROGRAMS: readonly number[] = Object.values(RECORDED).flat();

/** Returns a function that plays a score without drums by recorded tones, every player as loud as the others. */
export function createRecordedPlayer(
  folder: string,
): (score: Score, seconds: number) => Promise<Float32Array> {
  const bank = { name: "Recorded", group: "recorded", path: join(folder, "tone") };
  const known = new Map<number, readonly Sample[]>();
  return async ({ notes, programs, tempi }, seconds) => {
    const out = new Float32Array(seconds * STEM_HZ);
    const beat = 60 / (tempi[0]?.bpm ?? 120);
    for (const [channel, program] of programs) {
      const samples = known.get(program) ?? (await readSamples(bank, program));
      known.set(program, samples);
      const tones = notes
        .filter((note) => note.channel === channel && note.atBeat * beat < seconds)
        .map(({ atBeat, beats, pitch, velocity }) => ({
          at: atBeat * beat,
          seconds: beats * beat,
          pitch,
          velocity,
        }));
      const random = createRandom(program);
      const part = playSamples(samples, tones, {
        program,
        length: out.length,
        hz: STEM_HZ,
        random,
        isSection: false,
      });
      const power = part.reduce((sum, value) => sum + value * value, 0) / part.length;
      const gain = 0.1 / Math.sqrt(power + 1e-9);
      for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + gain * (part[i] as number);
    }
    return out;
  };
}
