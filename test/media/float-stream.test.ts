import { describe, expect, test } from "bun:test";
import { readFloats } from "../../src/media/float-stream.ts";

/** Returns a child's output in these pieces. */
function outputOf(pieces: Uint8Array[]) {
  const left = [...pieces];
  return {
    read: async () => {
      const value = left.shift();
      return value ? { done: false, value } : { done: true };
    },
    cancel: () => undefined,
  };
}

describe("hours of sound", () => {
  test("are returned piece by piece while they are read", async () => {
    const pieces = Array.from({ length: 20 }, () => new Uint8Array(Float32Array.of(0.5, -0.5, 1, -1).buffer));
    const kept: number[] = [];
    let samples = 0;

    for await (const floats of readFloats(outputOf(pieces), new Uint8Array(0), 2)) {
      samples += floats.length;
      kept.push(pieces.slice(0, samples / 4).filter(({ buffer }) => !buffer.detached).length);
    }

    expect(samples).toBe(80);
    expect(Math.max(...kept)).toBe(1);
  });

  test("are the same however they are split", async () => {
    const bytes = new Uint8Array(Float32Array.from({ length: 60 }, (_, i) => i / 60).buffer);
    const read = async (size: number) => {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size),
      );
      const all: number[] = [];
      for await (const floats of readFloats(outputOf(pieces), new Uint8Array(0), 2)) all.push(...floats);
      return all;
    };

    for (const size of [1, 3, 7, 8, 13, 64, 240]) expect(await read(size)).toEqual(await read(240));
  });
});
