import { MediaError } from "../media-error.ts";
import { type ByteReader, peek, seek } from "./byte-reader.ts";
import { openPcm, type PcmEncoding, type PcmLayout } from "./pcm.ts";
import type { PcmSource } from "./pcm-source.ts";

const MAX_CHUNKS = 1_000_000;
/** Bytes of a chunk's head that are read: id, size, COMM up to its compression type. */
const HEAD_BYTES = 8 + 22;

type Common = { encoding: PcmEncoding; sampleRateHz: number; channels: number; frames: number };

/**
 * Opens an AIFF or AIFF-C file: PCM of 8 to 32 bits, big- or little-endian (`sowt`), float of 32 or 64.
 *
 * @throws MediaError `corrupt` without a COMM and an SSND chunk, `needs_ffmpeg` for compressed content.
 * @see Audio Interchange File Format AIFF-C, draft 8/26/91, "Common Chunk" and "Sound Data Chunk".
 */
export function openAiff(reader: ByteReader): PcmSource {
  return openPcm(reader, openAiffLayout(reader));
}

/** Finds the samples of an AIFF file. @throws MediaError as {@link openAiff} does. */
export function openAiffLayout(reader: ByteReader): PcmLayout {
  let common: Common | undefined;
  let sound: { dataOffset: number; dataBytes: number } | undefined;
  let offset = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS && !(common && sound); chunks += 1) {
    seek(reader, offset);
    const bytes = peek(reader, HEAD_BYTES);
    if (bytes.length < 8) break;
    const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const id = text(head, 0);
    const sizeBytes = head.getUint32(4);
    if (id === "COMM") common = parseCommon(head, sizeBytes);
    if (id === "SSND" && bytes.length >= 16) {
      const padBytes = head.getUint32(8);
      sound = { dataOffset: offset + 16 + padBytes, dataBytes: Math.max(0, sizeBytes - 8 - padBytes) };
    }
    offset += 8 + sizeBytes + (sizeBytes & 1);
  }
  if (!common || !sound) throw new MediaError("corrupt", "no COMM or SSND chunk");
  const commonBytes = common.frames * common.channels * common.encoding.bytesPerSample;
  const { encoding, sampleRateHz, channels } = common;
  const { dataOffset } = sound;
  return { encoding, sampleRateHz, channels, dataOffset, dataBytes: Math.min(sound.dataBytes, commonBytes) };
}

function parseCommon(head: DataView, sizeBytes: number): Common {
  if (sizeBytes < 18 || head.byteLength < 26) throw new MediaError("corrupt", "short COMM chunk");
  const isCompressedForm = sizeBytes >= 22 && head.byteLength >= 30;
  return {
    channels: head.getUint16(8),
    frames: head.getUint32(10),
    encoding: encodingOf(isCompressedForm ? text(head, 26) : "NONE", head.getUint16(14)),
    sampleRateHz: readExtended(head, 16),
  };
}

function encodingOf(compression: string, bits: number): PcmEncoding {
  const integer = { isFloat: false, isLittleEndian: false, isUnsigned: false };
  const bytes = Math.ceil(bits / 8);
  const isWhole = bytes === 1 || bytes === 2 || bytes === 3 || bytes === 4;
  if (compression === "in24") return { ...integer, bytesPerSample: 3 };
  if (compression === "in32") return { ...integer, bytesPerSample: 4 };
  if (compression === "raw " && bytes === 1) return { ...integer, bytesPerSample: 1, isUnsigned: true };
  if (/^fl32$/i.test(compression)) return { ...integer, bytesPerSample: 4, isFloat: true };
  if (/^fl64$/i.test(compression)) return { ...integer, bytesPerSample: 8, isFloat: true };
  if (!/^(NONE|twos|sowt)$/.test(compression)) throw new MediaError("needs_ffmpeg", `AIFF-C ${compression}`);
  if (!isWhole) throw new MediaError("unsupported", `${bits} bits a sample`);
  return { ...integer, bytesPerSample: bytes, isLittleEndian: compression === "sowt" };
}

/** Reads an 80-bit IEEE 754 extended number, as AIFF stores the sample rate: 15-bit exponent, 64-bit mantissa. */
function readExtended(view: DataView, offset: number): number {
  const exponent = (view.getUint16(offset) & 0x7fff) - 16_383;
  const mantissa = view.getUint32(offset + 2) * 2 ** 32 + view.getUint32(offset + 6);
  return mantissa * 2 ** (exponent - 63);
}

const text = (view: DataView, offset: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(offset + i)));
