import type { Outline, View } from "./outline.ts";

/** The size of a wave in pixels and seconds. */
export type WaveSize = { width: number; durationSec: number };

export const durationOf = ({ frames, sampleRateHz }: Outline): number => frames / sampleRateHz;

/** Returns the sample furthest from the middle, at most 127. */
export function peakOf({ levels }: Outline): number {
  const coarsest = levels.at(-1)?.pairs ?? new Int8Array();
  return coarsest.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
}

/** The view in which a whole recording fills the width. */
export const wholeView = ({ width, durationSec }: WaveSize): View => ({
  fromSec: 0,
  secondsPerPx: Math.max(durationSec, 0.1) / Math.max(1, width),
});

/** Returns a view that begins at a time, moved so that it stays within the recording. */
export function viewFrom(fromSec: number, secondsPerPx: number, { width, durationSec }: WaveSize): View {
  const last = Math.max(0, durationSec - width * secondsPerPx);
  return { secondsPerPx, fromSec: Math.min(Math.max(0, fromSec), last) };
}
