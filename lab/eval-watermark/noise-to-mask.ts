import { createRealFft } from "../../src/audio/dsp/fft.ts";
import { hannWindow } from "../../src/audio/dsp/window.ts";

/** How much of a change may be heard, of frames and half-Bark bands that sound. */
export type Audibility = { bandFrames: number; aboveThreshold: number };

const SIZE = 2048;
const STEP = 4096;
const RATE_HZ = 44_100;
const BANDS = 49;
const [FIRST_BAND, LAST_BAND] = [6, 43];
/** Samples are as of 16 bits here. Below this sum of powers, a frame is near silence; below that, a bin is not heard. */
const FULL_SCALE = 32_768;
const SILENT = 1e6 * SIZE;
const UNHEARD = (3000 * SIZE) / 8;

const bark = (hz: number) => 13 * Math.atan(0.00076 * hz) + 3.5 * Math.atan((hz / 7500) ** 2);
const BAND_OF = Int32Array.from({ length: SIZE / 2 }, (_, bin) =>
  Math.min(BANDS - 1, Math.floor(2 * bark((bin * RATE_HZ) / SIZE))),
);
/** How much of band `from` reaches band `to`; each row sums to 1. @see Schroeder, Atal & Hall 1979. */
const SPREADING = Array.from({ length: BANDS }, (_, to) => {
  const row = Array.from({ length: BANDS }, (_, from) => {
    const distance = (to - from) / 2 + 0.474;
    return 10 ** ((15.81 + 7.5 * distance - 17.5 * Math.sqrt(1 + distance ** 2)) / 10);
  });
  const sum = row.reduce((total, value) => total + value, 0);
  return row.map((value) => value / sum);
});

/**
 * Compares the difference of two sounds with the masking threshold of the first, on one channel at 44.1 kHz.
 *
 * @see Johnston 1988, "Transform Coding of Audio Signals Using Perceptual Noise Criteria", IEEE JSAC 6(2).
 */
export function audibilityOf(plain: Float32Array, changed: Float32Array): Audibility {
  const spectrum = createSpectrum();
  const difference = plain.map((sample, at) => (changed[at] ?? 0) - sample);
  const found = { bandFrames: 0, aboveThreshold: 0 };
  for (let at = 0; at + SIZE <= Math.min(plain.length, changed.length); at += STEP) {
    const music = spectrum(plain, at);
    if (music.powers.reduce((total, power) => total + power, 0) < SILENT) continue;
    const change = spectrum(difference, at);
    for (let band = FIRST_BAND; band <= LAST_BAND; band++) {
      found.bandFrames++;
      if ((change.powers[band] as number) > thresholdOf(music, band)) found.aboveThreshold++;
    }
  }
  return found;
}

/** Of each band: its power, its bins, and the sum of their logarithms. */
type Spectrum = { powers: Float64Array; bins: Float64Array; logs: Float64Array };

function createSpectrum() {
  const fft = createRealFft(SIZE);
  const window = hannWindow(SIZE);
  const work = new Float64Array(SIZE);
  const power = new Float64Array(SIZE / 2 + 1);
  return (samples: Float32Array, at: number): Spectrum => {
    for (let i = 0; i < SIZE; i++) work[i] = (samples[at + i] as number) * (window[i] as number) * FULL_SCALE;
    fft.forward(work);
    fft.power(power);
    const bands = {
      powers: new Float64Array(BANDS),
      bins: new Float64Array(BANDS),
      logs: new Float64Array(BANDS),
    };
    for (let bin = 1; bin < SIZE / 2; bin++) {
      const band = BAND_OF[bin] as number;
      bands.powers[band] = (bands.powers[band] as number) + (power[bin] as number);
      bands.logs[band] = (bands.logs[band] as number) + Math.log((power[bin] as number) + 1e-9);
      bands.bins[band] = (bands.bins[band] as number) + 1;
    }
    return bands;
  };
}

function thresholdOf({ powers, bins, logs }: Spectrum, band: number): number {
  const spread = powers.reduce((sum, power, from) => sum + power * (SPREADING[band]?.[from] as number), 0);
  const count = bins[band] as number;
  const [each, divisor] = [powers[band] as number, Math.max(1, count)];
  const flatnessDb =
    10 * Math.log10(Math.exp((logs[band] as number) / divisor) / (each / divisor + 1e-9) + 1e-9);
  const tonality = count >= 3 ? Math.min(1, Math.max(0, flatnessDb / -12)) : 0.7;
  const offsetDb = tonality * (14.5 + band / 2) + (1 - tonality) * 5.5;
  return Math.max(spread * 10 ** (-offsetDb / 10), UNHEARD * count);
}
