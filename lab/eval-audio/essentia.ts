/** Another analyser's answer, and the time that it took. */
export type Opinion = { bpm: number | null; key: string | null; seconds: number };

type Vector = { delete(): void };
type Essentia = {
  arrayToVector(samples: Float32Array): Vector;
  RhythmExtractor2013(signal: Vector, maxTempo: number, method: string, minTempo: number): { bpm: number };
  PercivalBpmEstimator(signal: Vector): { bpm: number };
  KeyExtractor(signal: Vector, ...settings: unknown[]): { key: string; scale: string };
};

/** Methods of essentia.js; each takes mono at 44.1 kHz. */
export const ESSENTIA_METHODS = ["multifeature", "degara", "percival", "shaath", "bgate"] as const;
export type EssentiaMethod = (typeof ESSENTIA_METHODS)[number];

/**
 * Returns essentia.js, a yardstick for development that is not part of the product; undefined if it is not
 * installed.
 */
export async function loadEssentia(): Promise<
  ((mono: Float32Array, method: EssentiaMethod) => Opinion) | undefined
> {
  const essentia = await load().catch(() => undefined);
  if (!essentia) return undefined;
  return (mono, method) => {
    const started = performance.now();
    const signal = essentia.arrayToVector(mono);
    try {
      const answer = ask(essentia, signal, method);
      return { ...answer, seconds: (performance.now() - started) / 1000 };
    } finally {
      signal.delete();
    }
  };
}

async function load(): Promise<Essentia> {
  // @ts-expect-error: these builds come without types.
  const wasm = await import("essentia.js/dist/essentia-wasm.umd.js");
  // @ts-expect-error: as above.
  const core = await import("essentia.js/dist/essentia.js-core.umd.js");
  return new core.default(wasm.EssentiaWASM ?? wasm.default) as Essentia;
}

function ask(essentia: Essentia, signal: Vector, method: EssentiaMethod): Omit<Opinion, "seconds"> {
  if (method === "percival") return { bpm: essentia.PercivalBpmEstimator(signal).bpm, key: null };
  if (method === "multifeature" || method === "degara")
    return { bpm: essentia.RhythmExtractor2013(signal, 208, method, 40).bpm, key: null };
  // The defaults, except for the profile, the last argument.
  const { key, scale } = essentia.KeyExtractor(signal, true, 4096, 4096, 12, 3500, 60, 25, 0.2, method);
  return { bpm: null, key: `${key} ${scale}` };
}
