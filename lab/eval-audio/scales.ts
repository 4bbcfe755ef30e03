/** The MIDI channel of drums. */
export const DRUMS = 9;

/** Semitones of the seven degrees above the tonic. */
export const SCALES: Readonly<Record<"major" | "minor", readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
};
/** Degrees of a chord above its root. */
export const TRIAD: readonly number[] = [0, 2, 4];

/** Returns the semitones of a degree above the tonic. Degrees below 0 and from 7 on are those of other octaves. */
export function semitonesAt(scale: readonly number[], degree: number): number {
  const octave = Math.floor(degree / 7);
  return (scale[degree - 7 * octave] ?? 0) + 12 * octave;
}
