import { checkShape } from "../shape.ts";
import { type ByteReader, seek, take, tell } from "./byte-reader.ts";
import type { PcmSource } from "./pcm-source.ts";

/** How one sample is stored. Integers are two's complement, except with `isUnsigned` (8-bit WAV, offset 128). */
export type PcmEncoding = {
  bytesPerSample: 1 | 2 | 3 | 4 | 8;
  isFloat: boolean;
  isLittleEndian: boolean;
  isUnsigned: boolean;
};

/** Where the samples of an uncompressed file are. */
export type PcmLayout = {
  encoding: PcmEncoding;
  sampleRateHz: number;
  channels: number;
  dataOffset: number;
  /** As declared by the header; may be far more than the file holds. */
  dataBytes: number;
};

const BLOCK_FRAMES = 4096;

type ReadSample = (view: DataView, offset: number) => number;

/**
 * Streams uncompressed samples.
 *
 * @throws MediaError `unsupported` when real audio never has this layout.
 */
export function openPcm(reader: ByteReader, layout: PcmLayout): PcmSource {
  const { encoding, sampleRateHz, channels, dataOffset, dataBytes } = layout;
  checkShape(sampleRateHz, channels);
  const frameBytes = channels * encoding.bytesPerSample;
  const declaredFrames = Math.floor(dataBytes / frameBytes);
  const presentFrames = Math.floor(Math.max(0, reader.sizeBytes - dataOffset) / frameBytes);

  function* blocks(): Generator<Float32Array> {
    seek(reader, dataOffset);
    const readSample = sampleReader(encoding);
    const end = dataOffset + Math.min(declaredFrames, presentFrames) * frameBytes;
    while (tell(reader) < end) {
      const wanted = Math.min(framesThatFit(frameBytes) * frameBytes, end - tell(reader));
      const bytes = take(reader, wanted);
      if (bytes.length < wanted) return; // the file shrank while it was read
      yield toFloats(bytes, encoding.bytesPerSample, readSample);
    }
  }
  return {
    sampleRateHz,
    channels,
    declaredFrames,
    blocks: blocks(),
    isDamaged: () => presentFrames < declaredFrames,
  };
}

const framesThatFit = (frameBytes: number): number =>
  Math.max(1, Math.min(BLOCK_FRAMES, Math.floor((128 * 1024) / frameBytes)));

function toFloats(bytes: Uint8Array, bytesPerSample: number, readSample: ReadSample): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length / bytesPerSample);
  for (let i = 0; i < samples.length; i += 1) samples[i] = readSample(view, i * bytesPerSample);
  return samples;
}

/** Returns what reads a sample of a format, nominally -1 to 1. */
export function sampleReader({
  bytesPerSample,
  isFloat,
  isLittleEndian: le,
  isUnsigned,
}: PcmEncoding): ReadSample {
  if (isFloat && bytesPerSample === 8) return (view, at) => view.getFloat64(at, le);
  if (isFloat) return (view, at) => view.getFloat32(at, le);
  if (bytesPerSample === 1 && isUnsigned) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bytesPerSample === 1) return (view, at) => view.getInt8(at) / 128;
  if (bytesPerSample === 2) return (view, at) => view.getInt16(at, le) / 0x8000;
  if (bytesPerSample === 4) return (view, at) => view.getInt32(at, le) / 0x8000_0000;
  const [high, low] = le ? [2, 0] : [0, 2];
  return (view, at) =>
    ((view.getInt8(at + high) << 16) | (view.getUint8(at + 1) << 8) | view.getUint8(at + low)) / 0x80_0000;
}
