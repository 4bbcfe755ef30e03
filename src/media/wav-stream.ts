import { MediaError } from "./media-error.ts";
import { checkShape } from "./shape.ts";

/** What both kinds of decoding child write before their samples: a WAV header of unknown length. */
export type StreamHeader = { sampleRateHz: number; channels: number; headerBytes: number };

const SIZE_UNKNOWN = 0xffff_ffff;
const FORMAT_FLOAT = 3;
const MAX_HEADER_BYTES = 4096;
const CHUNK_HEAD_BYTES = 8;
/** The part of a fmt chunk that is read. */
const FORMAT_BYTES = 16;

/** Returns the header of a WAV stream of 32-bit float samples of unknown length. */
export function streamHeader(sampleRateHz: number, channels: number): Uint8Array {
  const bytes = new Uint8Array(44);
  const view = new DataView(bytes.buffer);
  const put = (offset: number, text: string) => bytes.set(new TextEncoder().encode(text), offset);
  put(0, "RIFF");
  view.setUint32(4, SIZE_UNKNOWN, true);
  put(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, FORMAT_FLOAT, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * channels * 4, true);
  view.setUint16(32, channels * 4, true);
  view.setUint16(34, 32, true);
  put(36, "data");
  view.setUint32(40, SIZE_UNKNOWN, true);
  return bytes;
}

/**
 * Reads the header of such a stream from its first bytes; undefined until they reach the samples.
 *
 * @throws MediaError `unsupported` when it declares channels or a rate that real audio never has, `corrupt` when it
 *   is not a WAV header.
 */
export function parseStreamHeader(bytes: Uint8Array): StreamHeader | undefined {
  if (bytes.length < 12) return undefined;
  if (!/^RIFF.{4}WAVE/s.test(latin1(bytes, 0, 12))) throw new MediaError("corrupt", "no RIFF header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let shape: Omit<StreamHeader, "headerBytes"> | undefined;
  let offset = 12;
  while (offset + CHUNK_HEAD_BYTES <= bytes.length) {
    const id = latin1(bytes, offset, 4);
    const samplesStart = offset + CHUNK_HEAD_BYTES;
    if (id === "data") return withShape(shape, samplesStart);
    if (id === "fmt ") {
      if (samplesStart + FORMAT_BYTES > bytes.length) return undefined;
      shape = {
        channels: view.getUint16(offset + 10, true),
        sampleRateHz: view.getUint32(offset + 12, true),
      };
    }
    offset = samplesStart + view.getUint32(offset + 4, true);
  }
  if (offset > MAX_HEADER_BYTES) throw new MediaError("corrupt", "header without end");
  return undefined;
}

function withShape(shape: Omit<StreamHeader, "headerBytes"> | undefined, headerBytes: number): StreamHeader {
  if (!shape) throw new MediaError("corrupt", "samples before their format");
  checkShape(shape.sampleRateHz, shape.channels);
  return { ...shape, headerBytes };
}

const latin1 = (bytes: Uint8Array, offset: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));
