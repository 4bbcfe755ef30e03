/** Edges of the level bands, Hz. The contrast bands have the same edges, with the lowest ones joined. */
const BAND_EDGES_HZ = [20, 100, 200, 400, 800, 1600, 3200, 6400, 11_025];
const CONTRAST_BANDS = BAND_EDGES_HZ.length - 3;
const CEPSTRA = 12;
/** A frame below -70 dB full scale is silence and says nothing about timbre. */
const SILENCE_POWER = 1e-7;
const FLOOR = 1e-12;

/** Names of the values of one frame, in order; their units are in {@link createFrameMeasure}. */
export const FRAME_FEATURES: readonly string[] = [
  ...Array.from({ length: CEPSTRA }, (_, i) => `mfcc ${i + 1}`),
  "centroid",
  "rolloff",
  "spread",
  "flatness",
  "zero crossings",
  ...BAND_EDGES_HZ.slice(3).map((hz) => `contrast below ${hz} Hz`),
  ...BAND_EDGES_HZ.slice(1).map((hz) => `level below ${hz} Hz`),
  "level",
  // Behind the others, which descriptors take by their places.
  "amplitude centroid",
];
const LEVEL = FRAME_FEATURES.indexOf("level");
const AMPLITUDE_CENTROID = FRAME_FEATURES.indexOf("amplitude centroid");

/** Measures a frame into `out` (FRAME_FEATURES.length values); if silent, returns false and leaves `out` alone. */
export type FrameMeasure = (
  power: Float64Array,
  melPower: Float64Array,
  samples: Float32Array,
  out: Float64Array,
) => boolean;

/**
 * Builds the spectral description of a frame: cepstra of the mel levels (dB / 10); centroid (of power and of amplitude), 85 % rolloff, spread
 * and zero crossings (octaves, of Hz); flatness, contrast and level (dB / 10, band levels relative to the whole).
 *
 * @see Davis & Mermelstein 1980 (MFCC); Jiang et al. 2002 (contrast, here peak over mean, which needs no sorting).
 */
export function createFrameMeasure(binHz: number, melBands: number): FrameMeasure {
  const cosines = cosineTable(melBands);
  const edges = BAND_EDGES_HZ.map((hz) => Math.max(1, Math.round(hz / binHz)));
  const melLevels = new Float64Array(melBands);

  return (power, melPower, samples, out) => {
    const first = edges[0] as number;
    const last = Math.min(power.length, edges.at(-1) as number);
    const shape = spectrumShape(power, first, last, binHz);
    if (shape.sum < SILENCE_POWER) return false;
    for (let i = 0; i < melBands; i++) melLevels[i] = Math.log10((melPower[i] as number) + FLOOR);
    writeCepstra(melLevels, cosines, out);
    out.set(
      [shape.centroid, shape.rolloff, shape.spread, shape.flatness, crossings(samples, binHz)],
      CEPSTRA,
    );
    writeBands(power, edges, shape.sum, out);
    out[LEVEL] = Math.log10(shape.sum);
    out[AMPLITUDE_CENTROID] = shape.amplitudeCentroid;
    return true;
  };
}

function cosineTable(melBands: number): Float64Array {
  return Float64Array.from({ length: CEPSTRA * melBands }, (_, i) => {
    const order = Math.floor(i / melBands) + 1;
    return Math.cos((Math.PI * order * ((i % melBands) + 0.5)) / melBands) * Math.sqrt(2 / melBands);
  });
}

function writeCepstra(melLevels: Float64Array, cosines: Float64Array, out: Float64Array): void {
  for (let order = 0; order < CEPSTRA; order++) {
    let sum = 0;
    for (let i = 0; i < melLevels.length; i++)
      sum += (melLevels[i] as number) * (cosines[order * melLevels.length + i] as number);
    out[order] = sum;
  }
}

type Shape = {
  sum: number;
  centroid: number;
  amplitudeCentroid: number;
  rolloff: number;
  spread: number;
  flatness: number;
};

function spectrumShape(power: Float64Array, first: number, last: number, binHz: number): Shape {
  let sum = 0;
  let weighted = 0;
  let squared = 0;
  let logs = 0;
  let amplitudes = 0;
  let weightedAmplitudes = 0;
  for (let k = first; k < last; k++) {
    const here = power[k] as number;
    sum += here;
    weighted += here * k;
    squared += here * k * k;
    logs += Math.log10(here + FLOOR);
    const amplitude = Math.sqrt(here);
    amplitudes += amplitude;
    weightedAmplitudes += amplitude * k;
  }
  const centre = weighted / (sum + FLOOR);
  const variance = Math.max(1, squared / (sum + FLOOR) - centre * centre);
  return {
    sum,
    centroid: Math.log2(Math.max(1, centre) * binHz),
    amplitudeCentroid: Math.log2(Math.max(1, weightedAmplitudes / (amplitudes + FLOOR)) * binHz),
    rolloff: Math.log2(rolloffBin(power, first, last, sum) * binHz),
    spread: Math.log2(Math.sqrt(variance) * binHz),
    flatness: logs / (last - first) - Math.log10(sum / (last - first) + FLOOR),
  };
}

function rolloffBin(power: Float64Array, first: number, last: number, sum: number): number {
  let below = 0;
  for (let k = first; k < last; k++) {
    below += power[k] as number;
    if (below >= 0.85 * sum) return Math.max(1, k);
  }
  return last;
}

/** Counts sign changes, expressed as the octave of a sine with the same number. */
function crossings(samples: Float32Array, binHz: number): number {
  let count = 0;
  for (let i = 1; i < samples.length; i++)
    if ((samples[i - 1] as number) >= 0 !== (samples[i] as number) >= 0) count++;
  return Math.log2(Math.max(1, count / 2) * binHz);
}

function writeBands(power: Float64Array, edges: readonly number[], total: number, out: Float64Array): void {
  const contrastAt = CEPSTRA + 5;
  const levelAt = contrastAt + CONTRAST_BANDS;
  for (let band = 0; band + 1 < edges.length; band++) {
    const from = edges[band] as number;
    const to = Math.max(from + 1, Math.min(power.length, edges[band + 1] as number));
    let sum = 0;
    let highest = 0;
    for (let k = from; k < to; k++) {
      sum += power[k] as number;
      highest = Math.max(highest, power[k] as number);
    }
    out[levelAt + band] = Math.log10(sum / total + 1e-7);
    if (band >= 2)
      out[contrastAt + band - 2] = Math.log10(highest + FLOOR) - Math.log10(sum / (to - from) + FLOOR);
  }
}
