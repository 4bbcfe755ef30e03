import { MediaError } from "../media-error.ts";
import { type ByteReader, peek, seek } from "./byte-reader.ts";
import { openPcm, type PcmEncoding, type PcmLayout } from "./pcm.ts";
import type { PcmSource } from "./pcm-source.ts";

const FORMAT_PCM = 1;
const FORMAT_FLOAT = 3;
const FORMAT_EXTENSIBLE = 0xfffe;
/** A 32-bit size that means "see the ds64 chunk", or, in a stream, "until the end". */
const SIZE_UNKNOWN = 0xffff_ffff;
const MAX_CHUNKS = 1_000_000;
/** Bytes of a chunk that are read: id, size and the longest fmt. */
const HEAD_BYTES = 8 + 40;

type WavFormat = { encoding: PcmEncoding; sampleRateHz: number; channels: number };

/**
 * Opens a WAV file: RIFF, RF64 or BW64; PCM of 8 to 32 bits and float of 32 or 64, plain or extensible.
 *
 * @throws MediaError `corrupt` when the format or data chunk is missing, `needs_ffmpeg` for compressed content.
 * @see EBU Tech 3306 (RF64) and the RIFF/WAVE multiple channel description (WAVE_FORMAT_EXTENSIBLE).
 */
export function openWav(reader: ByteReader): PcmSource {
  return openPcm(reader, openWavLayout(reader));
}

/** Finds the samples of a WAV file. @throws MediaError as {@link openWav} does. */
export function openWavLayout(reader: ByteReader): PcmLayout {
  let format: WavFormat | undefined;
  let longDataBytes: number | undefined;
  for (const { id, head, offset, sizeBytes } of chunks(reader)) {
    if (id === "ds64" && head.byteLength >= 24) longDataBytes = Number(head.getBigUint64(16, true));
    if (id === "fmt ") format = parseFormat(head, sizeBytes);
    if (id !== "data") continue;
    if (!format) throw new MediaError("corrupt", "data chunk before fmt chunk");
    const dataOffset = offset + 8;
    const dataBytes = dataLength(sizeBytes, longDataBytes, reader.sizeBytes - dataOffset);
    return { ...format, dataOffset, dataBytes };
  }
  throw new MediaError("corrupt", "no data chunk");
}

/** A chunk's position, and a view of its first bytes that is valid until the next chunk. */
type Chunk = { id: string; head: DataView; offset: number; sizeBytes: number };

function* chunks(reader: ByteReader): Generator<Chunk> {
  let offset = 12;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    seek(reader, offset);
    const bytes = peek(reader, HEAD_BYTES);
    if (bytes.length < 8) return;
    const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const sizeBytes = head.getUint32(4, true);
    yield { id: String.fromCharCode(...bytes.subarray(0, 4)), head, offset, sizeBytes };
    offset += 8 + sizeBytes + (sizeBytes & 1);
  }
}

/** A streaming recorder leaves all ones in the size: then the data runs to the end of the file. */
function dataLength(sizeBytes: number, longDataBytes: number | undefined, restBytes: number): number {
  if (sizeBytes === SIZE_UNKNOWN) return longDataBytes ?? restBytes;
  return sizeBytes;
}

function parseFormat(head: DataView, sizeBytes: number): WavFormat {
  if (sizeBytes < 16 || head.byteLength < 24) throw new MediaError("corrupt", "short fmt chunk");
  const tag = head.getUint16(8, true);
  const isExtensible = tag === FORMAT_EXTENSIBLE && sizeBytes >= 40 && head.byteLength >= 48;
  // The sub-format GUID starts with its format tag.
  const format = isExtensible ? head.getUint16(32, true) : tag;
  if (format !== FORMAT_PCM && format !== FORMAT_FLOAT) {
    throw new MediaError("needs_ffmpeg", `WAV format tag ${format}`);
  }
  const channels = head.getUint16(10, true);
  const bytesPerSample = head.getUint16(20, true) / Math.max(1, channels);
  return {
    encoding: encodingOf(bytesPerSample, format === FORMAT_FLOAT),
    sampleRateHz: head.getUint32(12, true),
    channels,
  };
}

/** Depends on the container size, not on the valid bits: 20 bits are stored left-justified in 24. */
function encodingOf(bytesPerSample: number, isFloat: boolean): PcmEncoding {
  const shared = { isFloat, isLittleEndian: true, isUnsigned: bytesPerSample === 1 };
  if (isFloat && (bytesPerSample === 4 || bytesPerSample === 8)) return { ...shared, bytesPerSample };
  const isInteger =
    bytesPerSample === 1 || bytesPerSample === 2 || bytesPerSample === 3 || bytesPerSample === 4;
  if (!isFloat && isInteger) return { ...shared, bytesPerSample };
  throw new MediaError("unsupported", `${bytesPerSample} bytes a sample`);
}
