import { NETWORKS, TENSORS } from "./layout.ts";
import path from "./weights/musicnn.bin" with { type: "file" };

/** The tensors of a network by name. */
export type Weights = (name: string) => Float32Array;

/** Returns the weights of each network, in the order of NETWORKS, from the file in the program. */
export async function readWeights(): Promise<Weights[]> {
  const bytes = await Bun.file(path).arrayBuffer();
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.slice(at - length, at);
  };
  return NETWORKS.map(() => {
    const tensors = new Map<string, Float32Array>();
    for (const { name, length, columns } of TENSORS)
      tensors.set(
        name,
        columns === undefined ? new Float32Array(take(4 * length)) : matrix(take, length, columns),
      );
    return (name) => tensors.get(name) ?? new Float32Array(0);
  });
}

function matrix(take: (length: number) => ArrayBuffer, length: number, columns: number): Float32Array {
  const scales = new Float32Array(take(4 * columns));
  const units = new Int16Array(take(2 * length));
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = (units[i] as number) * (scales[i % columns] as number);
  return values;
}
