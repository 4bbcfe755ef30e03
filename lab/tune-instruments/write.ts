import { join } from "node:path";
import { HEARD_GENRES, HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import type { Weights } from "../../src/ears/weights.ts";
import type { PlayerWeights } from "../../src/modules/library/analysis/tagger/genres-by-players.ts";
import { writeBounds, writeWeights } from "../train-instruments/write.ts";
import type { Bounds } from "./bounds.ts";
import type { Mapping } from "./fit.ts";

const PATH = join(import.meta.dir, "../../src/ears/weights/instruments.bin");
const PLAYER_WEIGHTS_PATH = join(
  import.meta.dir,
  "../../src/modules/library/analysis/tagger/player-weights.ts",
);
const AS_IT_IS = { scale: 1, shift: 0 };

type Found = { bounds: Bounds; genres: readonly PlayerWeights[]; pieces: number };

/** Writes the layer with the mappings of its log-odds in it, from what probability each name is suggested, and what genres follow from. */
export async function writeTuned(
  layer: Weights,
  mappings: readonly Mapping[],
  { bounds, genres, pieces }: Found,
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
  const inLevels = Float32Array.from(
    HEARD_INSTRUMENTS.flatMap((_, i) => mappings.map(({ network }) => network[i] ?? 0)),
  );
  await writeWeights(PATH, { model, scales, bounds: HEARD_NAMES.map(() => AS_IT_IS), inLevels });
  const source = `lab/tune-instruments.ts from ${pieces} pieces; see docs/decisions/0138`;
  await writeBounds(
    Array.from(bounds, ([name, least]) => ({ name, least })),
    source,
  );
  await writePlayerWeights(genres, source);
}

async function writePlayerWeights(genres: readonly PlayerWeights[], source: string): Promise<void> {
  const lines = genres.map(({ bias, weights }, i) => {
    const rounded = weights.map((weight) => weight.toFixed(2)).join(", ");
    return `  "${HEARD_GENRES[i]}": { bias: ${bias.toFixed(2)}, weights: [${rounded}] },`;
  });
  const text = `import type { HeardGenre } from "../../../../ears/tags.ts";
import type { PlayerWeights } from "./genres-by-players.ts";

/** Written by ${source}. */
export const PLAYER_WEIGHTS: Readonly<Record<HeardGenre, PlayerWeights>> = {
${lines.join("\n")}
};
`;
  await Bun.write(PLAYER_WEIGHTS_PATH, text);
  await Bun.$`${process.execPath} x biome format --write ${PLAYER_WEIGHTS_PATH}`.quiet();
}

function sumOf({ layer }: Mapping, row: Float32Array): number {
  return layer.reduce((sum, weight, i) => sum + weight * (row[i] as number), 0);
}
