import { chordProgression, drumLoop, noise } from "./signals.ts";
import { tune } from "./tune.ts";

/** Two channels that have much in common, with something in all bands, so that a mark finds room; another song for each number. */
export function markableSong(rateHz: number, seconds: number, number: number): [Float32Array, Float32Array] {
  const parts = [
    tune(rateHz, seconds, number),
    drumLoop(rateHz, seconds, 90 + 7 * (number % 12)),
    noise(rateHz, seconds, 0.02),
  ];
  const chords = chordProgression(rateHz, seconds, { tonic: number % 12, minor: true });
  const mixed = (levels: readonly number[]) =>
    chords.map(
      (x, at) => 0.2 * x + parts.reduce((sum, part, i) => sum + (levels[i] ?? 0) * (part[at] ?? 0), 0),
    );
  return [mixed([0.4, 0.3, 1]), mixed([0.3, 0.3, 0.5])];
}
