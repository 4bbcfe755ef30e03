import { createRealFft } from "../dsp/fft.ts";

/** Borders of the bands, Hz: kick and bass, the body, voices, what makes them clear, and cymbals. */
const BORDERS_HZ = [0, 120, 500, 2000, 6000, 11_025];
const SIZE = 8192;
const HANN = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));
/** As much of a band must be left for it to be missing: a limiter on the master leaves less. */
const LEAST_DB = -12;

/** A band of which much is left. */
export type MissingBand = {
  /** What is left there, relative to the whole there, dB. */
  levelDb: number;
  /** Null: down to the lowest, up to the highest. */
  fromHz: number | null;
  toHz: number | null;
};

/**
 * Returns the band in which the most is left of a recording.
 *
 * @param whole, rest Mono, at `rateHz`; `rest` is what is left of `whole`.
 * @returns Null when hardly anything is left in any band.
 */
export function missingBand(whole: Float32Array, rest: Float32Array, rateHz: number): MissingBand | null {
  const [of, left] = [powersOf(whole, rateHz), powersOf(rest, rateHz)];
  const bands = left
    .map((power, band) => ({
      power,
      band,
      levelDb: 10 * Math.log10(power / Math.max(of[band] as number, 1e-12)),
    }))
    .filter(({ power, levelDb }) => power > 0 && levelDb > LEAST_DB)
    .sort((one, other) => other.power - one.power);
  const [most] = bands;
  if (!most) return null;
  const { band, levelDb } = most;
  return {
    levelDb: Math.min(0, levelDb),
    fromHz: band === 0 ? null : (BORDERS_HZ[band] as number),
    toHz: band === left.length - 1 ? null : (BORDERS_HZ[band + 1] as number),
  };
}

function powersOf(samples: Float32Array, rateHz: number): number[] {
  const fft = createRealFft(SIZE);
  const work = new Float64Array(SIZE);
  const powers = BORDERS_HZ.slice(1).map(() => 0);
  const bins = BORDERS_HZ.map((hz) => Math.min(SIZE / 2 + 1, Math.round((hz * SIZE) / rateHz)));
  for (let start = 0; start < samples.length; start += SIZE / 2) {
    for (let i = 0; i < SIZE; i++) work[i] = (HANN[i] as number) * (samples[start + i] ?? 0);
    fft.forward(work);
    for (let band = 0; band < powers.length; band++)
      for (let bin = bins[band] as number; bin < (bins[band + 1] as number); bin++)
        powers[band] = (powers[band] as number) + (fft.re[bin] as number) ** 2 + (fft.im[bin] as number) ** 2;
  }
  return powers;
}
