/**
 * Builds the weights that the program hears with, byte for byte, from the Python package that they were published in.
 *
 * usage: bun lab/build-ears.ts musicnn-0.1.0-py3-none-any.whl
 * The package: pip download musicnn==0.1.0 --no-deps. See docs/decisions/0037-ears.md for licence and provenance.
 */
import { join } from "node:path";
import { CONVOLUTIONS, NETWORKS, TENSORS } from "../src/ears/layout.ts";
import { openCheckpoint } from "./build-ears/checkpoint.ts";
import { matrixBytes } from "./build-ears/matrix.ts";
import { openWheel } from "./build-ears/wheel.ts";

const PACKAGE_SHA256 = "f38a4890c648c1ddbb141c5d96d2b0a8cfcd36746002d896989f7b88beb65cfa";
const FOLDER = join(import.meta.dir, "../src/ears/weights");
/** What the published network adds to every variance. */
const EPSILON = 1e-3;

const [wheelPath] = Bun.argv.slice(2);
if (wheelPath === undefined) throw new Error("usage: bun lab/build-ears.ts WHEEL");
const wheel = Buffer.from(await Bun.file(wheelPath).bytes());
const found = new Bun.CryptoHasher("sha256").update(wheel).digest("hex");
if (found !== PACKAGE_SHA256) throw new Error(`The package has the hash ${found}, not ${PACKAGE_SHA256}`);

const read = openWheel(wheel);
const parts = NETWORKS.flatMap((network) => partsOf(network));
const file = Buffer.concat(parts);
await Bun.write(join(FOLDER, "musicnn.bin"), file);
await Bun.write(join(FOLDER, "LICENSE"), read("musicnn-0.1.0.dist-info/LICENSE.md"));
console.log(`${file.length} bytes, SHA-256 ${new Bun.CryptoHasher("sha256").update(file).digest("hex")}`);

/** Returns the bytes of a network's tensors, in the order of the file. */
function partsOf(network: string): Buffer[] {
  const folder = `musicnn/${network}`;
  const tensorOf = openCheckpoint(read(`${folder}/.index`), read(`${folder}/.data-00000-of-00001`));
  return TENSORS.map(({ name, length, columns }) => {
    const values = Float32Array.from(valuesOf(tensorOf, name));
    if (values.length !== length) throw new Error(`${name} has ${values.length} values, not ${length}`);
    return columns === undefined ? Buffer.from(values.buffer) : matrixBytes(values, columns);
  });
}

/** Returns a tensor of ours, computed from those of the checkpoint. */
function valuesOf(tensorOf: (name: string) => Float32Array, name: string): ArrayLike<number> {
  const [layer = "", part] = name.split(".");
  if (part === "kernel" || part === "bias") return tensorOf(`${weightsOf(layer)}/${part}`);
  const norm = normOf(layer);
  const [mean, variance] = [tensorOf(`${norm}/moving_mean`), tensorOf(`${norm}/moving_variance`)];
  const [gamma, beta] = [tensorOf(`${norm}/gamma`), tensorOf(`${norm}/beta`)];
  const scale = Array.from(gamma, (value, i) => value / Math.sqrt((variance[i] ?? 0) + EPSILON));
  return part === "scale" ? scale : scale.map((value, i) => (beta[i] ?? 0) - (mean[i] ?? 0) * value);
}

/** TensorFlow numbers layers of a kind in the order in which they were made; the first has no number. */
function numbered(kind: string, index: number): string {
  return index === 0 ? kind : `${kind}_${index}`;
}

function convolutionNumber(layer: string): number {
  return Number(layer.replace("convolution", ""));
}

function weightsOf(layer: string): string {
  if (layer === "hidden") return numbered("dense", 0);
  if (layer === "tags") return numbered("dense", 1);
  return numbered("conv2d", convolutionNumber(layer));
}

function normOf(layer: string): string {
  if (layer === "input") return numbered("batch_normalization", 0);
  if (layer === "pooled") return numbered("batch_normalization", CONVOLUTIONS.length + 1);
  if (layer === "hidden") return numbered("batch_normalization", CONVOLUTIONS.length + 2);
  return numbered("batch_normalization", convolutionNumber(layer) + 1);
}
