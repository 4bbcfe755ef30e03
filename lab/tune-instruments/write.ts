import { join } from "node:path";
import { HEARD_GENRES, HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import type { Weights } from "../../src/ears/weights.ts";
import { INSTRUMENT_BOUNDS } from "../../src/modules/library/analysis/tagger/instrument-bounds.ts";
import { writeBounds, writeWeights } from "../train-instruments/write.ts";
import type { Bounds } from "./bounds.ts";
import type { Mapping } from "./fit.ts";

const PATH = join(import.meta.dir, "../../src/ears/weights/instruments.bin");
const NEVER = Number.POSITIVE_INFINITY;
const AS_IT_IS = { scale: 1, shift: 0 };

type Found = { bounds: Bounds; pieces: number };

/** Writes the layer with the mappings of its log-odds in it, and from what probability each instrument is suggested; that of genres stays. */
export async function writeTuned(
  layer: Weights,
  mappings: readonly Mapping[],
  { bounds, pieces }: Found,
): Promise<void> {
  const [kernel, bias] = [layer("names.kernel"), layer("names.bias")];
  const names = HEARD_NAMES.length;
  const weights = new Float32Array(kernel.length);
  for (let from = 0; from < kernel.length; from += names) {
    const row = kernel.subarray(from, from + names);
    for (const [j, mapping] of mappings.entries()) weights[from + j] = sumOf(mapping, row);
  }
  const model = { weights, bias: Float32Array.from(mappings, (each) => sumOf(each, bias) + each.bias) };
  const scales = { centres: layer("centre"), widths: layer("width") };
  const shares = Float32Array.from(HEARD_INSTRUMENTS, (_, i) => mappings[i]?.share ?? 0);
  await writeWeights(PATH, { model, scales, bounds: HEARD_NAMES.map(() => AS_IT_IS), shares });
  const source = `lab/tune-instruments.ts from ${pieces} pieces; see docs/decisions/0147`;
  const genres = HEARD_GENRES.map((name) => [name, INSTRUMENT_BOUNDS.get(name)] as const);
  const all = new Map<string, number | undefined>([...bounds, ...genres]);
  await writeBounds(
    Array.from(all, ([name, least = NEVER]) => ({ name, least })),
    source,
  );
}

function sumOf({ weights }: Mapping, row: Float32Array): number {
  return weights.reduce((sum, weight, i) => sum + weight * (row[i] as number), 0);
}
