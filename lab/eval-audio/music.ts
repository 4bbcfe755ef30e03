import type { Score } from "./midi-file.ts";
import type { Random } from "./random.ts";

/** Names of tonics, C = 0, as the analysis spells them. */
export const KEY_TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"] as const;

const DRIFT_STEP_BEATS = 4;

/** Returns a tempo that drifts slowly within `bpm` × (1 ± span), with a mean of `bpm`. */
export function drift(
  random: Random,
  { bpm, beats, span }: { bpm: number; beats: number; span: number },
): Score["tempi"] {
  if (span === 0) return [{ atBeat: 0, bpm }];
  const phase = random.between(0, 2 * Math.PI);
  const cycles = random.between(1, 2.5);
  return Array.from({ length: Math.ceil(beats / DRIFT_STEP_BEATS) }, (_, i) => {
    const swing = Math.sin(phase + (2 * Math.PI * cycles * i * DRIFT_STEP_BEATS) / beats);
    return { atBeat: i * DRIFT_STEP_BEATS, bpm: bpm * (1 + span * swing) };
  });
}
