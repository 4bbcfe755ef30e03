/** `cut`: the end is missing. `unsure`: the file does not say where it ends, or goes on behind its end. */
export type Wholeness = "whole" | "cut" | "unsure";

/** Reads places of a file. Past its end there are zeros. */
export type Bytes = ReturnType<typeof bytesOf>;

/** Returns a reader of a file from a place on. Bytes before it, such as a tag, do not count. */
export function bytesOf(path: string, sizeBytes: number, from = 0) {
  const source = Bun.file(path);
  const read = (at: number, length: number): Promise<Uint8Array> =>
    source.slice(from + at, Math.min(sizeBytes, from + at + length)).bytes();
  const view = async (at: number, length: number) => {
    const bytes = new Uint8Array(length);
    bytes.set((await read(at, length)).subarray(0, length));
    return new DataView(bytes.buffer);
  };
  return {
    size: sizeBytes - from,
    read,
    text: async (at: number, length: number) => Buffer.from(await read(at, length)).toString("latin1"),
    hex: async (at: number, length: number) => Buffer.from(await read(at, length)).toString("hex"),
    u16: async (at: number) => (await view(at, 2)).getUint16(0, true),
    u32: async (at: number) => (await view(at, 4)).getUint32(0, true),
    u32be: async (at: number) => (await view(at, 4)).getUint32(0, false),
    u64: async (at: number) => Number((await view(at, 8)).getBigUint64(0, true)),
    u64be: async (at: number) => Number((await view(at, 8)).getBigUint64(0, false)),
  };
}
