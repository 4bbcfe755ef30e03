import { createRealFft } from "../../audio/dsp/fft.ts";

// Typed-array reads are asserted `as number` in this file: every index is in range by construction.

export const CLAP_SAMPLE_RATE_HZ = 48_000;
/** Ten seconds. */
export const CLAP_SAMPLES = 480_000;
export const CLAP_BANDS = 64;
const FFT_SIZE = 1024;
const HOP = 480;
const LOW_HZ = 50;
const HIGH_HZ = 14_000;
/** A frame every hop, the first and the last centred on the passage's ends. */
export const CLAP_FRAMES = CLAP_SAMPLES / HOP + 1;
/** -100 dB: what nothing is taken for. */
const LEAST_POWER = 1e-10;

/** Slaney's mel scale: linear to 1 kHz, then 27 steps for each factor of 6.4. */
const LINEAR_HZ_PER_MEL = 200 / 3;
const KNEE_HZ = 1000;
const KNEE_MEL = KNEE_HZ / LINEAR_HZ_PER_MEL;
const LOG_STEP = Math.log(6.4) / 27;

/** Returns a frequency on Slaney's mel scale. */
export function toSlaneyMel(hz: number): number {
  return hz < KNEE_HZ ? hz / LINEAR_HZ_PER_MEL : KNEE_MEL + Math.log(hz / KNEE_HZ) / LOG_STEP;
}

function toHz(mel: number): number {
  return mel < KNEE_MEL ? mel * LINEAR_HZ_PER_MEL : KNEE_HZ * Math.exp((mel - KNEE_MEL) * LOG_STEP);
}

/** Returns the edges and centres of the bands, CLAP_BANDS + 2 of them, Hz. */
export function bandEdgesHz(): Float64Array {
  const [low, high] = [toSlaneyMel(LOW_HZ), toSlaneyMel(HIGH_HZ)];
  return Float64Array.from({ length: CLAP_BANDS + 2 }, (_, i) =>
    toHz(low + ((high - low) * i) / (CLAP_BANDS + 1)),
  );
}

/**
 * Returns what CLAP's audio encoder without fusion takes for one passage: CLAP_FRAMES × CLAP_BANDS log-mel powers, dB re
 * full scale, frame after frame. 1024-point Hann windows, 480 samples apart, reflected at the ends; triangles of area 1
 * over Slaney's mel scale. A shorter passage is repeated as often as it fits, then padded with silence.
 *
 * @param passage Mono at CLAP_SAMPLE_RATE_HZ; what is beyond CLAP_SAMPLES is left out.
 */
export function clapLogMel(passage: Float32Array): Float32Array {
  const padded = reflected(repeated(passage));
  const fft = createRealFft(FFT_SIZE);
  const filters = bandFilters();
  const input = new Float64Array(FFT_SIZE);
  const power = new Float64Array(FFT_SIZE / 2 + 1);
  const window = Float64Array.from(
    { length: FFT_SIZE },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FFT_SIZE),
  );
  const out = new Float32Array(CLAP_FRAMES * CLAP_BANDS);
  for (let frame = 0; frame < CLAP_FRAMES; frame++) {
    const from = frame * HOP;
    for (let i = 0; i < FFT_SIZE; i++) input[i] = (padded[from + i] as number) * (window[i] as number);
    fft.forward(input);
    fft.power(power);
    for (const [band, { first, weights }] of filters.entries())
      out[frame * CLAP_BANDS + band] = decibels(weights, power, first);
  }
  return out;
}

function decibels(weights: Float64Array, power: Float64Array, first: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (power[first + i] as number);
  return 10 * Math.log10(Math.max(LEAST_POWER, sum));
}

function repeated(passage: Float32Array): Float32Array {
  if (passage.length >= CLAP_SAMPLES) return passage.subarray(0, CLAP_SAMPLES);
  const out = new Float32Array(CLAP_SAMPLES);
  const times = passage.length === 0 ? 0 : Math.floor(CLAP_SAMPLES / passage.length);
  for (let i = 0; i < times; i++) out.set(passage, i * passage.length);
  return out;
}

function reflected(samples: Float32Array): Float32Array {
  const margin = FFT_SIZE / 2;
  const out = new Float32Array(samples.length + FFT_SIZE);
  out.set(samples, margin);
  for (let i = 1; i <= margin; i++) {
    out[margin - i] = samples[i] as number;
    out[margin + samples.length - 1 + i] = samples[samples.length - 1 - i] as number;
  }
  return out;
}

type Filter = { first: number; weights: Float64Array };

function bandFilters(): Filter[] {
  const edges = bandEdgesHz();
  const binHz = CLAP_SAMPLE_RATE_HZ / FFT_SIZE;
  return Array.from({ length: CLAP_BANDS }, (_, band) => {
    const [low, centre, high] = [...edges.subarray(band, band + 3)] as [number, number, number];
    const first = Math.max(0, Math.ceil(low / binHz));
    const last = Math.floor(high / binHz);
    const weights = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
      const hz = (first + i) * binHz;
      const rise = Math.min((hz - low) / (centre - low), (high - hz) / (high - centre));
      return (Math.max(0, rise) * 2) / (high - low);
    });
    return { first, weights };
  });
}
