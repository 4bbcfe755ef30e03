import { createPowerSpectrum } from "../audio/dsp/fft.ts";
import { hannWindow } from "../audio/dsp/window.ts";
import { BANDS } from "./layout.ts";

/** The rate at which the networks listen, Hz. */
export const EARS_HZ = 16_000;
export const FRAME_SAMPLES = 512;
export const HOP_SAMPLES = 256;

/** Slaney's mel scale: linear to 1 kHz, logarithmic above. */
const LINEAR_HZ = 200 / 3;
const BEND_HZ = 1000;
const LOG_STEP = Math.log(6.4) / 27;
const toMel = (hz: number) =>
  hz < BEND_HZ ? hz / LINEAR_HZ : BEND_HZ / LINEAR_HZ + Math.log(hz / BEND_HZ) / LOG_STEP;
const toHz = (mel: number) =>
  mel < BEND_HZ / LINEAR_HZ ? mel * LINEAR_HZ : BEND_HZ * Math.exp(LOG_STEP * (mel - BEND_HZ / LINEAR_HZ));

/**
 * Returns a function that writes the BANDS levels of the frame of FRAME_SAMPLES samples at `from`: log10(1 + 10000 p) of
 * the power p in each mel band, as the networks were trained with.
 */
export function createLevels(): (samples: Float32Array, from: number, out: Float32Array) => void {
  const powerOf = createPowerSpectrum(hannWindow(FRAME_SAMPLES));
  const bank = createBank();
  return (samples, from, out) => {
    const power = powerOf(samples.subarray(from, from + FRAME_SAMPLES));
    for (let band = 0; band < BANDS; band++) {
      const { first, weights } = bank[band] as Filter;
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (power[first + i] as number);
      out[band] = Math.log10(1 + 10_000 * sum);
    }
  };
}

/** What a band takes of the bins from `first` on. */
type Filter = { first: number; weights: Float64Array };

/** Returns triangular filters of equal area, evenly spaced on the mel scale from 0 to half the rate. */
function createBank(): Filter[] {
  const top = toMel(EARS_HZ / 2);
  const binHz = EARS_HZ / FRAME_SAMPLES;
  return Array.from({ length: BANDS }, (_, band) => {
    const [low, centre, high] = [0, 1, 2].map((edge) => toHz((top * (band + edge)) / (BANDS + 1))) as [
      number,
      number,
      number,
    ];
    const first = Math.ceil(low / binHz);
    const count = Math.max(0, Math.floor(high / binHz) - first + 1);
    const weights = Float64Array.from({ length: count }, (_, i) => {
      const hz = (first + i) * binHz;
      const height = Math.max(0, Math.min((hz - low) / (centre - low), (high - hz) / (high - centre)));
      return (2 * height) / (high - low);
    });
    return { first, weights };
  });
}
