import { INSTRUMENT_NETWORK_TENSORS, INSTRUMENT_TENSORS, NETWORKS, TENSORS, type Tensor } from "./layout.ts";
import instrumentNetworkPath from "./weights/instrument-network.bin" with { type: "file" };
import instrumentsPath from "./weights/instruments.bin" with { type: "file" };
import networksPath from "./weights/musicnn.bin" with { type: "file" };

/** The tensors of a network by name. */
export type Weights = (name: string) => Float32Array;

/** Returns the weights of each network, in the order of NETWORKS, from the file in the program. */
export async function readWeights(): Promise<Weights[]> {
  const read = readerOf(await Bun.file(networksPath).arrayBuffer());
  return NETWORKS.map(() => read(TENSORS));
}

/** Returns the weights of the layer that hears instruments, from the file in the program or another one. */
export async function readInstrumentWeights(path: string = instrumentsPath): Promise<Weights> {
  return readerOf(await Bun.file(path).arrayBuffer())(INSTRUMENT_TENSORS);
}

/** Returns the weights of the network that hears instruments in the levels, from the file in the program. */
export async function readInstrumentNetworkWeights(): Promise<Weights> {
  return readerOf(await Bun.file(instrumentNetworkPath).arrayBuffer())(INSTRUMENT_NETWORK_TENSORS);
}

/** Returns a function that reads the next tensors of a file. */
function readerOf(bytes: ArrayBuffer): (tensors: readonly Tensor[]) => Weights {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.slice(at - length, at);
  };
  return (tensors) => {
    const values = new Map<string, Float32Array>();
    for (const { name, length, columns } of tensors)
      values.set(
        name,
        columns === undefined ? new Float32Array(take(4 * length)) : matrix(take, length, columns),
      );
    return (name) => values.get(name) ?? new Float32Array(0);
  };
}

function matrix(take: (length: number) => ArrayBuffer, length: number, columns: number): Float32Array {
  const scales = new Float32Array(take(4 * columns));
  const units = new Int16Array(take(2 * length));
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = (units[i] as number) * (scales[i % columns] as number);
  return values;
}
