import { addNote, seededRandom } from "./signals.ts";

/** Instruments of {@link tune}, with the linear level of each. */
export type Mix = { lead: number; bass: number; hat: number };
const PLAIN: Mix = { lead: 0.25, bass: 0.3, hat: 0.15 };

/**
 * Returns a tune that never repeats: a melody, a bass and hats at odd moments. The same `seed` gives the same tune
 * in every mix.
 */
export function tune(
  sampleRateHz: number,
  seconds: number,
  seed: number,
  mix: Partial<Mix> = {},
): Float32Array<ArrayBuffer> {
  const levels = { ...PLAIN, ...mix };
  const random = seededRandom(seed);
  const hiss = seededRandom(seed + 1);
  const out = new Float32Array(Math.round(sampleRateHz * seconds));
  for (let at = 0; at < seconds; at += 0.11 + 0.2 * random()) {
    const hz = 220 * 2 ** (Math.floor(random() * 24) / 12);
    addNote(out, { sampleRateHz, at, hz, amplitude: levels.lead, harmonics: 6, decay: 6 });
    if (random() < 0.5)
      addNote(out, { sampleRateHz, at, hz: hz / 4, amplitude: levels.bass, harmonics: 2, decay: 5 });
    if (random() < 0.7) addHat(out, sampleRateHz, at + 0.05 * random(), levels.hat, hiss);
  }
  return out;
}

function addHat(
  out: Float32Array,
  sampleRateHz: number,
  at: number,
  amplitude: number,
  random: () => number,
): void {
  const first = Math.round(at * sampleRateHz);
  for (let i = 0; i < 0.05 * sampleRateHz && first + i < out.length; i++)
    out[first + i] =
      (out[first + i] as number) + amplitude * (2 * random() - 1) * Math.exp((-80 * i) / sampleRateHz);
}
