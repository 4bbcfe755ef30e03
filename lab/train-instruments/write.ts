import { join } from "node:path";
import { HEARD_INSTRUMENTS } from "../../src/ears/tags.ts";
import type { Calibration } from "./bounds.ts";
import type { Model } from "./fit.ts";
import type { Scales } from "./pieces.ts";

const INT16_MAX = 32_767;
const PATH = join(import.meta.dir, "../../src/modules/library/analysis/tagger/instrument-bounds.ts");

/** `inLevels`: how much what the network of instruments hears counts, which is not known before lab/tune-instruments.ts. */
type Layer = { model: Model; scales: Scales; bounds: readonly Calibration[]; inLevels?: Float32Array };

/** Writes the calibrated layer in the order of INSTRUMENT_TENSORS; weights are int16 with a scale for each name. */
export async function writeWeights(
  path: string,
  { model, scales, bounds, inLevels = new Float32Array(HEARD_INSTRUMENTS.length * bounds.length) }: Layer,
): Promise<void> {
  const names = bounds.length;
  const weights = model.weights.map((value, at) => value * (bounds[at % names]?.scale ?? 0));
  const bias = model.bias.map((value, j) => value * (bounds[j]?.scale ?? 0) + (bounds[j]?.shift ?? 0));
  const units = Float32Array.from(bias, (_, j) => {
    let most = 0;
    for (let at = j; at < weights.length; at += names) most = Math.max(most, Math.abs(weights[at] as number));
    return most / INT16_MAX;
  });
  const whole = Int16Array.from(weights, (value, at) => Math.round(value / (units[at % names] || 1)));
  const parts = [scales.centres, scales.widths, units, whole, bias, inLevels];
  await Bun.write(path, Buffer.concat(parts.map((part) => Buffer.from(part.buffer))));
}

/** Writes from what probability each name is suggested; `source` says by what it was found. */
export async function writeBounds(
  bounds: readonly { name: string; least: number }[],
  source: string,
): Promise<void> {
  const lines = bounds
    .filter(({ least }) => least <= 1)
    .map(({ name, least }) => `  ["${name}", ${least.toFixed(3)}],`);
  const text = `import type { HeardName } from "../../../../ears/tags.ts";

/**
 * The least probability from which a name is suggested; the others never are. Written by
 * ${source}.
 */
export const INSTRUMENT_BOUNDS: ReadonlyMap<HeardName | "Bass", number> = new Map<HeardName | "Bass", number>([
${lines.join("\n")}
]);
`;
  await Bun.write(PATH, text);
  await Bun.$`${process.execPath} x biome format --write ${PATH}`.quiet();
}
