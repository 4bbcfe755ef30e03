import { createRealFft } from "../dsp/fft.ts";
import { hannWindow } from "../dsp/window.ts";
import { BANDS, bandBinsAt, frameSizeAt, READING_RATE_HZ } from "./grid.ts";
import { addPower } from "./power.ts";

/** A sound at {@link READING_RATE_HZ}, linear, full scale = 1. Of mono, both are the same array. */
export type Sound = { left: Float32Array; right: Float32Array };

/**
 * What the level of a band is the mean of. Of the logarithms of its bins: one loud bin does not drown the others. Of their power: what a
 * codec leaves between the loud ones does not count.
 */
export type Mean = "logarithms" | "power";

/** The level of each band in each frame: frames x BANDS, dB. */
export type Levels = { frames: number; hop: number; db: Float32Array };

export const FRAME_SIZE = frameSizeAt(READING_RATE_HZ);
const BINS = bandBinsAt(READING_RATE_HZ, FRAME_SIZE);
const WINDOW = hannWindow(FRAME_SIZE);
const DB_PER_NEPER = 10 / Math.LN10;
/** Added to each bin, so that silence has a level. */
const SILENT_POWER = 5e-8;
/** Bands on each side whose mean is taken off a band. */
const NEIGHBOURS = 3;

/** Measures frames that begin each `hop` samples. */
export function levelsOf(sound: Sound, hop: number, mean: Mean): Levels {
  const frames = Math.max(0, Math.floor((sound.left.length - FRAME_SIZE) / hop) + 1);
  const starts = Float64Array.from({ length: frames }, (_, frame) => frame * hop);
  return levelsAt(sound, { starts, hop }, mean);
}

/** Measures frames at given first samples, which may be outside the sound: silence is there. */
export function levelsAt(
  sound: Sound,
  { starts, hop }: { starts: Float64Array; hop: number },
  mean: Mean,
): Levels {
  const channels = sound.left === sound.right ? [sound.left] : [sound.left, sound.right];
  const db = new Float32Array(starts.length * BANDS);
  const measure = createMeasure(channels, mean === "power" ? levelOfMean : meanOfLevels);
  for (let frame = 0; frame < starts.length; frame++)
    measure(Math.round(starts[frame] as number), db.subarray(frame * BANDS, (frame + 1) * BANDS));
  return { frames: starts.length, hop, db };
}

/** Returns a function that writes the levels of the frame that begins at a sample. */
function createMeasure(channels: readonly Float32Array[], levelOf: typeof meanOfLevels) {
  const fft = createRealFft(FRAME_SIZE);
  const work = new Float64Array(FRAME_SIZE);
  const power = new Float64Array(FRAME_SIZE / 2 + 1);
  return (start: number, out: Float32Array) => {
    power.fill(SILENT_POWER);
    for (const samples of channels) {
      for (let i = 0; i < FRAME_SIZE; i++) work[i] = (samples[start + i] ?? 0) * (WINDOW[i] as number);
      fft.forward(work);
      addPower(fft, power);
    }
    for (let band = 0; band < BANDS; band++)
      out[band] = levelOf(power, BINS[band] as number, BINS[band + 1] as number);
  };
}

function meanOfLevels(power: Float64Array, from: number, to: number): number {
  let logs = 0;
  for (let bin = from; bin < to; bin++) logs += Math.log(power[bin] as number);
  return (DB_PER_NEPER * logs) / (to - from);
}

function levelOfMean(power: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let bin = from; bin < to; bin++) sum += power[bin] as number;
  return DB_PER_NEPER * Math.log(sum / (to - from));
}

/**
 * Takes out what is not the mark: the mean of each band over `spanSec` to both sides, and that of the bands around it. What is left is
 * clipped, so that no single tile decides.
 */
export function whiten(levels: Levels, { spanSec, clipDb }: { spanSec: number; clipDb: number }): Levels {
  const means = movingMeans(levels, spanSec);
  const db = levels.db.map((level, i) => level - (means[i] as number));
  const row = new Float32Array(BANDS);
  for (let at = 0; at < db.length; at += BANDS) {
    for (let band = 0; band < BANDS; band++) {
      const value = (db[at + band] as number) - meanAround(db, at, band);
      row[band] = Math.max(-clipDb, Math.min(clipDb, value));
    }
    db.set(row, at);
  }
  return { ...levels, db };
}

/**
 * Divides what {@link whiten} left by its variance over `spanSec` to both sides: where a codec or the music itself changes much, a band
 * says less of the mark.
 *
 * @param floor Added to the variance, dB².
 */
export function weigh(white: Levels, { spanSec, floor }: { spanSec: number; floor: number }): Levels {
  const variances = movingMeans({ ...white, db: white.db.map((value) => value * value) }, spanSec);
  return { ...white, db: white.db.map((value, i) => value / ((variances[i] as number) + floor)) };
}

/** Returns the mean of each band over `spanSec` to both sides of each frame. */
function movingMeans({ frames, hop, db }: Levels, spanSec: number): Float32Array {
  const span = Math.max(1, Math.round((spanSec * READING_RATE_HZ) / hop));
  const means = new Float32Array(db.length);
  for (let band = 0; band < BANDS; band++) {
    const at = (frame: number) => db[frame * BANDS + band] as number;
    let [sum, count] = [0, 0];
    for (; count < Math.min(span, frames); count++) sum += at(count);
    for (let frame = 0; frame < frames; frame++) {
      if (frame + span < frames) {
        sum += at(frame + span);
        count++;
      }
      if (frame - span - 1 >= 0) {
        sum -= at(frame - span - 1);
        count--;
      }
      means[frame * BANDS + band] = sum / count;
    }
  }
  return means;
}

function meanAround(db: Float32Array, at: number, band: number): number {
  const [from, to] = [Math.max(0, band - NEIGHBOURS), Math.min(BANDS - 1, band + NEIGHBOURS)];
  let sum = -(db[at + band] as number);
  for (let other = from; other <= to; other++) sum += db[at + other] as number;
  return sum / (to - from);
}
