/**
 * Builds the weights of the network that hears instruments from what lab/train-network/train.py has trained.
 *
 * usage: bun lab/build-instrument-network.ts NETWORK.NPZ
 * See docs/decisions/0144 and 0147.
 */
import { join } from "node:path";
import { INSTRUMENT_NETWORK_TENSORS, PLANE_LAYERS } from "../src/ears/layout.ts";
import { matrixBytes } from "./build-ears/matrix.ts";
import { openWheel } from "./build-ears/wheel.ts";

const OUT = join(import.meta.dir, "../src/ears/weights/instrument-network.bin");
/** What PyTorch adds to every variance. */
const EPSILON = 1e-5;

const [path] = Bun.argv.slice(2);
if (path === undefined) throw new Error("usage: bun lab/build-instrument-network.ts NETWORK.NPZ");
const read = openWheel(Buffer.from(await Bun.file(path).bytes()));
const array = (name: string) => numbersIn(read(`${name}.npy`));
const tensors = new Map(PLANE_LAYERS.flatMap((_, index) => tensorsOf(index)));
tensors.set("names.bias", array("names.1.bias"));
tensors.set("names.kernel", turned(array("names.1.weight"), array("names.1.bias").length));
const parts = INSTRUMENT_NETWORK_TENSORS.map(({ name, length, columns }) => {
  const values = tensors.get(name);
  if (values?.length !== length) throw new Error(`${name} has ${values?.length} values, not ${length}`);
  return columns === undefined ? Buffer.from(values.buffer) : matrixBytes(values, columns);
});
const file = Buffer.concat(parts);
await Bun.write(OUT, file);
console.log(`${file.length} bytes, SHA-256 ${new Bun.CryptoHasher("sha256").update(file).digest("hex")}`);

/** Returns the kernel and the bias of a convolution, with the normalisation behind it in them. */
function tensorsOf(index: number): [name: string, values: Float32Array][] {
  const [gamma, beta, mean, variance] = ["weight", "bias", "running_mean", "running_var"].map((part) =>
    array(`front.${index}.1.${part}`),
  );
  const scales = Array.from(gamma ?? [], (value, i) => value / Math.sqrt((variance?.[i] ?? 0) + EPSILON));
  const kernel = array(`front.${index}.0.weight`);
  const seen = kernel.length / scales.length;
  const scaled = kernel.map((value, i) => value * (scales[Math.floor(i / seen)] ?? 0));
  const bias = Float32Array.from(scales, (scale, i) => (beta?.[i] ?? 0) - scale * (mean?.[i] ?? 0));
  return [
    [`layer${index}.kernel`, turned(scaled, scales.length)],
    [`layer${index}.bias`, bias],
  ];
}

/** Returns the columns of a matrix of `rows` rows, one behind the other. */
function turned(matrix: Float32Array, rows: number): Float32Array {
  const columns = matrix.length / rows;
  return Float32Array.from(matrix, (_, i) => matrix[(i % rows) * columns + Math.floor(i / rows)] as number);
}

/** Returns the numbers in NumPy's file of an array: float16 or float32, row by row. */
function numbersIn(npy: Buffer): Float32Array {
  const header = 10 + npy.readUInt16LE(8);
  const isHalf = npy.toString("latin1", 10, header).includes("'<f2'");
  const bytes = Uint8Array.from(npy.subarray(header)).buffer;
  return isHalf ? Float32Array.from(new Float16Array(bytes)) : new Float32Array(bytes);
}
