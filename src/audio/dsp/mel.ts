/** Overlapping triangular filters, evenly spaced on the mel scale. */
export type MelBank = {
  bands: number;
  /** Centre of each band, Hz. */
  centresHz: Float64Array;
  /** Writes the power of each band, from bins of a power spectrum, into `out`. */
  apply(power: Float64Array, out: Float64Array): void;
};

const toMel = (hz: number) => 2595 * Math.log10(1 + hz / 700);
const toHz = (mel: number) => 700 * (10 ** (mel / 2595) - 1);

/** Builds a mel filter bank over `lowHz`..`highHz` for a spectrum whose bins are `binHz` apart. */
export function createMelBank(bands: number, lowHz: number, highHz: number, binHz: number): MelBank {
  const edgesHz = Float64Array.from({ length: bands + 2 }, (_, i) =>
    toHz(toMel(lowHz) + ((toMel(highHz) - toMel(lowHz)) * i) / (bands + 1)),
  );
  const filters = Array.from({ length: bands }, (_, band) =>
    triangle(edgesHz.subarray(band, band + 3), binHz),
  );
  return {
    bands,
    centresHz: edgesHz.slice(1, -1),
    apply(power, out) {
      for (let band = 0; band < bands; band++) {
        const { first, weights } = filters[band] as Triangle;
        let sum = 0;
        for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (power[first + i] as number);
        out[band] = sum;
      }
    },
  };
}

type Triangle = { first: number; weights: Float64Array };

function triangle(edgesHz: Float64Array, binHz: number): Triangle {
  const [low, centre, high] = [...edgesHz].map((hz) => hz / binHz) as [number, number, number];
  const first = Math.max(0, Math.ceil(low));
  const last = Math.floor(high);
  const weights = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const bin = first + i;
    return Math.max(0, Math.min((bin - low) / (centre - low), (high - bin) / (high - centre)));
  });
  // A band narrower than a bin uses its nearest bin.
  if (weights.some((weight) => weight > 0)) return { first, weights };
  return { first: Math.round(centre), weights: Float64Array.of(1) };
}
