import { id3v2Bytes } from "../formats/mpeg-header.ts";
import { MediaError } from "../media-error.ts";
import { checkShape } from "../shape.ts";
import {
  alignToByte,
  type BitReader,
  END_OF_BITS,
  nextByte,
  openBits,
  restartChecksums,
} from "./bit-reader.ts";
import { type ByteReader, peek, seek } from "./byte-reader.ts";
import { decodeFrame, type FlacFrame, type StreamInfo } from "./flac-frame.ts";
import { BAD_FRAME } from "./flac-subframe.ts";
import type { PcmSource } from "./pcm-source.ts";

const STREAMINFO_BYTES = 34;
const MAX_METADATA_BLOCKS = 1_000_000;

/**
 * Opens a FLAC file (also behind an ID3v2 tag) and decodes it exactly, frame by frame. A damaged frame is left out
 * and reported by `isDamaged`.
 *
 * @throws MediaError `corrupt` when the stream has no STREAMINFO.
 * @see RFC 9639.
 */
export function openFlac(reader: ByteReader): PcmSource {
  const start = id3v2Bytes(peek(reader, 4096));
  seek(reader, start);
  if (!isText(peek(reader, 4), "fLaC")) throw new MediaError("corrupt", "no fLaC marker");
  const info = readMetadata(reader, start + 4);
  checkShape(info.sampleRateHz, info.channels);

  let framesOut = 0;
  let badFrames = 0;
  function* blocks(): Generator<Float32Array> {
    const bits = openBits(reader);
    for (let frame = nextFrame(bits, info); frame !== END_OF_BITS; frame = nextFrame(bits, info)) {
      if (frame === BAD_FRAME) {
        badFrames += 1;
        continue;
      }
      framesOut += frame.channels[0]?.length ?? 0;
      yield interleave(frame);
    }
  }
  return {
    sampleRateHz: info.sampleRateHz,
    channels: info.channels,
    declaredFrames: info.totalFrames,
    blocks: blocks(),
    isDamaged: () => (info.totalFrames === null ? badFrames > 0 : framesOut < info.totalFrames),
  };
}

function readMetadata(reader: ByteReader, start: number): StreamInfo {
  let info: StreamInfo | undefined;
  let offset = start;
  for (let blocks = 0; blocks < MAX_METADATA_BLOCKS; blocks += 1) {
    seek(reader, offset);
    const [kind = 0x80, a = 0, b = 0, c = 0] = peek(reader, 4);
    offset += 4 + ((a << 16) | (b << 8) | c);
    if ((kind & 0x7f) === 0) info = parseStreamInfo(peek(reader, 4 + STREAMINFO_BYTES).subarray(4));
    if (kind & 0x80) break;
  }
  if (!info) throw new MediaError("corrupt", "no STREAMINFO block");
  seek(reader, offset);
  return info;
}

/** @see RFC 9639, 8.2: 20 bits of rate, 3 of channels, 5 of depth and 36 of length from byte 10 on. */
function parseStreamInfo(bytes: Uint8Array): StreamInfo | undefined {
  if (bytes.length < STREAMINFO_BYTES) return undefined;
  const packed = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(10);
  const totalFrames = Number(packed & 0xf_ffff_ffffn);
  return {
    sampleRateHz: Number(packed >> 44n),
    channels: Number((packed >> 41n) & 7n) + 1,
    bitsPerSample: Number((packed >> 36n) & 31n) + 1,
    totalFrames: totalFrames === 0 ? null : totalFrames,
  };
}

/**
 * Decodes the next frame. Returns `BAD_FRAME` when the bytes only looked like a frame, and `END_OF_BITS` at the end
 * of the file.
 */
function nextFrame(bits: BitReader, info: StreamInfo): FlacFrame | typeof BAD_FRAME | typeof END_OF_BITS {
  try {
    findSync(bits);
    return decodeFrame(bits, info);
  } catch (signal) {
    if (signal === END_OF_BITS || signal === BAD_FRAME) return signal;
    throw signal;
  }
}

/** Takes bytes up to and including the next frame's two sync bytes. */
function findSync(bits: BitReader): void {
  alignToByte(bits);
  let previous = nextByte(bits);
  let byte = nextByte(bits);
  while (previous !== 0xff || (byte & 0xfe) !== 0xf8) {
    previous = byte;
    byte = nextByte(bits);
  }
  // A frame's checksums cover its sync bytes, which were taken before the frame was recognised.
  restartChecksums(bits, [previous, byte]);
}

function interleave({ channels, bitsPerSample }: FlacFrame): Float32Array {
  const scale = 2 ** (1 - bitsPerSample);
  const count = channels.length;
  const samples = new Float32Array((channels[0]?.length ?? 0) * count);
  channels.forEach((channel, index) => {
    for (let i = 0; i < channel.length; i += 1) samples[i * count + index] = (channel[i] as number) * scale;
  });
  return samples;
}

const isText = (bytes: Uint8Array, text: string): boolean => String.fromCharCode(...bytes) === text;
