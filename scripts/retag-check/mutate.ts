/** Numbers that are the same for the same seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** How many bytes at the beginning are structure for the most part. */
const HEAD_BYTES = 4096;

/** Returns a file with something broken in it: bytes, a size, a part that is missing, twice or too much. */
export function mutate(bytes: Uint8Array, below: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  // Half of them in the head, a quarter in the tail, where other formats have their structure.
  const region = below(4);
  const span = Math.min(HEAD_BYTES, copy.length);
  const at = region < 2 ? below(span) : region === 2 ? copy.length - 1 - below(span) : below(copy.length);
  switch (below(7)) {
    case 0:
      copy[at] = below(256);
      return copy;
    case 1:
      for (let count = 0; count < 8; count += 1) copy[Math.min(copy.length - 1, at + below(32))] = below(256);
      return copy;
    case 2: {
      const size =
        [0, 1, 7, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, copy.length, below(2 ** 31)][below(8)] ?? 0;
      if (at + 4 <= copy.length) copy[below(2) === 0 ? "writeUInt32LE" : "writeUInt32BE"](size, at);
      return copy;
    }
    case 3:
      return copy.subarray(0, at);
    case 4: {
      const length = 1 + below(64);
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)]);
    }
    case 5:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at, at + 1 + below(200)), copy.subarray(at)]);
    default:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.alloc(1 + below(64), below(256)),
        copy.subarray(at),
      ]);
  }
}
