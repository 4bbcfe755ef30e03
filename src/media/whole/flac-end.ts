import type { Bytes, Wholeness } from "./bytes.ts";

const STREAMINFO_AT = 8;
/** More than a frame of uncompressed sound can have: 65,535 samples of 8 channels and 32 bits. */
const MAX_FRAME_BYTES = 2.2e6;
const USUAL_BYTES = 256 * 1024;

/** A FLAC is whole when a frame that ends with the sound holds the last sample and its checksum is right. */
export async function endOfFlac(file: Pick<Bytes, "read">, end: number): Promise<Wholeness> {
  const info = await file.read(STREAMINFO_AT, 34);
  if (info.length < 34) return "cut";
  const view = new DataView(info.buffer, info.byteOffset, 34);
  const total = (view.getUint8(13) & 15) * 2 ** 32 + view.getUint32(14);
  // The writer does not know yet.
  if (total === 0) return "unsure";
  const fixedBlock = view.getUint16(0) === view.getUint16(2) ? view.getUint16(0) : undefined;
  for (const length of [USUAL_BYTES, MAX_FRAME_BYTES]) {
    const from = Math.max(0, end - length);
    if (endsWithLastFrame(await file.read(from, end - from), { total, fixedBlock })) return "whole";
    if (from === 0) break;
  }
  return "cut";
}

type Stream = { total: number; fixedBlock: number | undefined };

function endsWithLastFrame(tail: Uint8Array, stream: Stream): boolean {
  for (let at = tail.lastIndexOf(0xff); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(0xff, at - 1))
    if (isLastFrame(tail.subarray(at), stream)) return true;
  return false;
}

/** @see RFC 9639, section 9.1. */
function isLastFrame(frame: Uint8Array, { total, fixedBlock }: Stream): boolean {
  if (frame.length < 8 || (frame[1] ?? 0) >> 1 !== 0x7c) return false;
  const isVariable = ((frame[1] ?? 0) & 1) === 1;
  const number = codedNumber(frame, 4);
  if (!number) return false;
  const size = blockSize((frame[2] ?? 0) >> 4, frame, number.end);
  if (!size) return false;
  const start = isVariable ? number.value : number.value * (fixedBlock ?? size.samples);
  return start + size.samples === total && crc16(frame) === 0;
}

/** Reads a number in the way of UTF-8. */
function codedNumber(frame: Uint8Array, at: number): { value: number; end: number } | undefined {
  const first = frame[at] ?? 0;
  if (first < 0x80) return { value: first, end: at + 1 };
  const more = Math.clz32(~(first << 24)) - 1;
  if (more < 1 || more > 6) return undefined;
  let value = first & (0x3f >> more);
  for (let index = 1; index <= more; index++) value = value * 64 + ((frame[at + index] ?? 0) & 0x3f);
  return { value, end: at + 1 + more };
}

function blockSize(code: number, frame: Uint8Array, at: number): { samples: number } | undefined {
  if (code === 0) return undefined;
  if (code === 1) return { samples: 192 };
  if (code <= 5) return { samples: 576 << (code - 2) };
  if (code === 6) return { samples: (frame[at] ?? 0) + 1 };
  if (code === 7) return { samples: (frame[at] ?? 0) * 256 + (frame[at + 1] ?? 0) + 1 };
  return { samples: 256 << (code - 8) };
}

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1) & 0xffff;
  return crc;
});

/** Zero for bytes that end with their own checksum. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ byte] ?? 0);
  return crc;
}
