import type { Note } from "../eval-audio/midi-file.ts";
import { DRUMS } from "../eval-audio/scales.ts";
import type { MidiPiece } from "./read-midi.ts";

/** Notes count as on the grid when their phases agree this well. */
const MIN_GRID_AGREEMENT = 0.5;
const MAX_TEMPO_CHANGE = 0.005;

/**
 * Returns the tempo of a piece in beats per minute (dotted beats in 6/8 and similar meters); undefined when it
 * changes or the notes follow no grid.
 */
export function tempoOf({ tempi, meter, notes }: MidiPiece, seconds: number): number | undefined {
  const first = tempi.findLast(({ atBeat }) => atBeat <= (notes[0]?.atBeat ?? 0));
  if (!first) return undefined;
  const lastBeat = (seconds * first.bpm) / 60 + (notes[0]?.atBeat ?? 0);
  const later = tempi.filter(({ atBeat }) => atBeat > (notes[0]?.atBeat ?? 0) && atBeat < lastBeat);
  if (later.some(({ bpm }) => Math.abs(bpm / first.bpm - 1) > MAX_TEMPO_CHANGE)) return undefined;
  if (gridAgreement(notes) < MIN_GRID_AGREEMENT) return undefined;
  const isCompound = meter?.unit === 8 && meter.beats % 3 === 0;
  return isCompound ? (first.bpm * 2) / 3 : first.bpm;
}

/** Returns how well onsets match quarters or thirds of a beat, 0..1. */
function gridAgreement(notes: readonly Note[]): number {
  const agreement = (parts: number) => {
    let x = 0;
    let y = 0;
    for (const { atBeat } of notes) {
      x += Math.cos(2 * Math.PI * parts * atBeat);
      y += Math.sin(2 * Math.PI * parts * atBeat);
    }
    return Math.hypot(x, y) / Math.max(1, notes.length);
  };
  return Math.max(agreement(4), agreement(3), agreement(2));
}

const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
// Krumhansl & Kessler, 1982: not among the profiles that the estimator uses.
const MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88];
const MINOR = [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17];

/**
 * Returns the key of a piece when its declared key, the profile of its notes and the last bass note agree. Without
 * a declared key, the other two must agree by a clear margin.
 */
export function keyOf({ key, notes }: Pick<MidiPiece, "key" | "notes">): string | undefined {
  const pitched = notes.filter(({ channel }) => channel !== DRUMS);
  const chroma = new Float64Array(12);
  for (const { pitch, beats } of pitched) chroma[pitch % 12] = (chroma[pitch % 12] ?? 0) + Math.min(4, beats);
  const fits = TONICS.flatMap((name, tonic) => [
    { name: `${name} major`, tonic, fit: correlation(chroma, MAJOR, tonic) },
    { name: `${name} minor`, tonic, fit: correlation(chroma, MINOR, tonic) },
  ]).sort((a, b) => b.fit - a.fit);
  const [best, second] = fits;
  if (!best || !second) return undefined;
  if (key !== undefined && key !== "C major") return key === best.name ? key : undefined;
  const last = pitched.at(-1);
  const closing = pitched.filter((note) => last && note.atBeat > last.atBeat - 0.2);
  const bass = Math.min(...closing.map(({ pitch }) => pitch));
  const isClear = best.fit > 0.75 && best.fit - second.fit > 0.06;
  return isClear && bass % 12 === best.tonic ? best.name : undefined;
}

function correlation(chroma: Float64Array, profile: readonly number[], tonic: number): number {
  const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / 12;
  const chromaMean = mean(chroma);
  const profileMean = mean(profile);
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let degree = 0; degree < 12; degree++) {
    const x = (chroma[(degree + tonic) % 12] ?? 0) - chromaMean;
    const y = (profile[degree] ?? 0) - profileMean;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return xy / Math.sqrt(xx * yy + 1e-12);
}
