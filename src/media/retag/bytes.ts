/** Small parts of files. Names and numbers are in the order of the format that they are for. */

/** Returns text of one byte per character, such as a chunk's name. */
export const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1");
export const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");
export const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

export function u16be(value: number): Uint8Array {
  return Uint8Array.of((value >>> 8) & 0xff, value & 0xff);
}

export function u32be(value: number): Uint8Array {
  return Uint8Array.of((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

export function u32le(value: number): Uint8Array {
  return u32be(value).reverse();
}

export function u64le(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** Sets a view on bytes, to read numbers in them. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Returns the sum of the lengths of parts. */
export const lengthOf = (parts: readonly { length: number }[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

/** Returns the next even length: chunks of RIFF and IFF begin at even places. */
export const even = (bytes: number): number => bytes + (bytes & 1);
