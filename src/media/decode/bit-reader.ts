import { type ByteReader, peek } from "./byte-reader.ts";

/** Thrown at the end of the file, at any position: a truncated frame is not an error of the program. */
export const END_OF_BITS: unique symbol = Symbol("end of bits");

/**
 * Reads the bits of a file, most significant first, and keeps the two checksums of FLAC. Plain numbers in one
 * object, because this is the innermost loop of a decoder.
 */
export type BitReader = {
  readonly source: ByteReader;
  bytes: Uint8Array;
  at: number;
  /** The low `held` bits are not yet taken; the bits above them are stale. */
  cache: number;
  held: number;
  crc8: number;
  crc16: number;
};

const CHUNK_BYTES = 64 * 1024;

/** Starts reading at the byte reader's position, which it takes over. */
export function openBits(source: ByteReader): BitReader {
  return { source, bytes: new Uint8Array(0), at: 0, cache: 0, held: 0, crc8: 0, crc16: 0 };
}

/** Drops the bits up to the next whole byte. */
export function alignToByte(bits: BitReader): void {
  bits.held = 0;
}

/** Takes one whole byte of the file and adds it to both checksums. @throws END_OF_BITS at the end. */
export function nextByte(bits: BitReader): number {
  if (bits.at === bits.bytes.length) loadChunk(bits);
  // In range: loadChunk throws rather than leave the chunk empty.
  const byte = bits.bytes[bits.at] as number;
  bits.at += 1;
  addToChecksums(bits, byte);
  return byte;
}

/** Restarts both checksums with `bytes` as their first bytes. */
export function restartChecksums(bits: BitReader, bytes: readonly number[]): void {
  bits.crc8 = 0;
  bits.crc16 = 0;
  for (const byte of bytes) addToChecksums(bits, byte);
}

function addToChecksums(bits: BitReader, byte: number): void {
  // In range: both indices are bytes.
  bits.crc8 = CRC8[bits.crc8 ^ byte] as number;
  bits.crc16 = ((bits.crc16 << 8) & 0xffff) ^ (CRC16[(bits.crc16 >> 8) ^ byte] as number);
}

function loadChunk(bits: BitReader): void {
  bits.source.taken += bits.bytes.length;
  bits.bytes = peek(bits.source, CHUNK_BYTES);
  bits.at = 0;
  if (bits.bytes.length === 0) throw END_OF_BITS;
}

/** Takes `count` bits, 0 to 32, as an unsigned number. @throws END_OF_BITS at the end. */
export function readBits(bits: BitReader, count: number): number {
  if (count > 24) return readBits(bits, count - 16) * 0x1_0000 + readBits(bits, 16);
  while (bits.held < count) {
    bits.cache = (bits.cache << 8) | nextByte(bits);
    bits.held += 8;
  }
  bits.held -= count;
  return (bits.cache >>> bits.held) & ((1 << count) - 1);
}

/** Takes `count` bits, 0 to 33, as a two's complement number. @throws END_OF_BITS at the end. */
export function readSigned(bits: BitReader, count: number): number {
  if (count === 0) return 0;
  const isNegative = readBits(bits, 1) === 1;
  const rest = readBits(bits, count - 1);
  return isNegative ? rest - 2 ** (count - 1) : rest;
}

/** Takes zeros up to and including the next one, and returns the number of zeros. @throws END_OF_BITS at the end. */
export function readUnary(bits: BitReader): number {
  let zeros = 0;
  for (;;) {
    if (bits.held > 0) {
      const run = Math.clz32(bits.cache << (32 - bits.held));
      if (run < bits.held) {
        bits.held -= run + 1;
        return zeros + run;
      }
      zeros += bits.held;
    }
    bits.cache = nextByte(bits);
    bits.held = 8;
  }
}

const CRC8 = crcTable(0x07, 8);
const CRC16 = crcTable(0x8005, 16);

/** Returns the remainders of every byte value, most significant bit first. @see RFC 9639, 9.1.8 and 9.3. */
function crcTable(polynomial: number, width: 8 | 16): Uint16Array {
  const top = 1 << (width - 1);
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (width - 8);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & top ? (crc << 1) ^ polynomial : crc << 1;
    return crc & ((1 << width) - 1);
  });
}
