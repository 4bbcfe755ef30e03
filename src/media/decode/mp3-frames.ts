import { id3v2Bytes, isSameStream, type MpegHeader, parseMpegHeader } from "../formats/mpeg-header.ts";
import { type ByteReader, peek, seek } from "./byte-reader.ts";

/** One whole frame of an MP3 stream. `bytes` is a view that is valid until the next frame. */
export type Mp3Frame = { header: MpegHeader; bytes: Uint8Array };

/** What the encoder wrote into the stream's first, silent frame. Counts are samples per channel. */
export type Mp3Info = { frames: number | null; delay: number; padding: number };

/** The delay of the decoder itself: 528 samples for the filter bank and one to start. */
const DECODER_DELAY = 529;
const MAX_FRAME_BYTES = 2881;
const XING_HAS_FRAMES = 1;
const XING_FIELD_BYTES = [4, 4, 100, 4];

/** Moves to the first frame, past ID3v2 tags. */
export function seekFirstFrame(reader: ByteReader): void {
  let start = 0;
  for (let tags = 0; tags < 16; tags += 1) {
    seek(reader, start);
    const tagBytes = id3v2Bytes(peek(reader, 10));
    if (tagBytes === 0) return;
    start += tagBytes;
  }
}

/**
 * Yields the stream's frames from the reader's position on. Skips bytes between frames (tags, damage), and resumes
 * where two frames follow one another. The last frame must be whole.
 */
export function* readFrames(reader: ByteReader): Generator<Mp3Frame> {
  let first: MpegHeader | undefined;
  let isInSync = false;
  for (;;) {
    const bytes = peek(reader, MAX_FRAME_BYTES + 4);
    if (bytes.length < 4) return;
    const header = parseMpegHeader(bytes, 0);
    const fits = header && header.frameBytes <= bytes.length && isSameStream(first ?? header, header);
    if (fits && (isInSync || isFollowed(bytes, header))) {
      first ??= header;
      isInSync = true;
      reader.taken += header.frameBytes;
      yield { header, bytes: bytes.subarray(0, header.frameBytes) };
      continue;
    }
    isInSync = false;
    const next = bytes.indexOf(0xff, 1);
    reader.taken += next < 0 ? bytes.length : next;
  }
}

function isFollowed(bytes: Uint8Array, header: MpegHeader): boolean {
  const next = parseMpegHeader(bytes, header.frameBytes);
  return next ? isSameStream(header, next) : bytes.length === header.frameBytes;
}

/**
 * Reads the Xing or Info tag of the first frame; undefined when that frame holds sound. When the tag names an
 * encoder, `delay` includes the decoder's own delay: cutting `delay` and `padding` gives the original length.
 */
export function readMp3Info({ header, bytes }: Mp3Frame): Mp3Info | undefined {
  const at = 4 + (header.hasCrc ? 2 : 0) + sideInfoBytes(header);
  if (!/^(Xing|Info)$/.test(ascii(bytes, at, 4))) return undefined;
  const flags = uint32(bytes, at + 4);
  const frames = flags & XING_HAS_FRAMES ? uint32(bytes, at + 8) : null;

  const encoderAt = XING_FIELD_BYTES.reduce(
    (end, size, bit) => end + (flags & (1 << bit) ? size : 0),
    at + 8,
  );
  if (!/^(LAME|Lavf|Lavc)$/.test(ascii(bytes, encoderAt, 4))) return { frames, delay: 0, padding: 0 };
  const packed = uint32(bytes, encoderAt + 20) & 0xff_ffff;
  const padding = (packed & 0xfff) - DECODER_DELAY;
  return { frames, delay: (packed >> 12) + DECODER_DELAY, padding: Math.max(0, padding) };
}

/** Returns the length of the side information after the header and its checksum. @see ISO/IEC 11172-3, 2.4.1.7. */
function sideInfoBytes({ version, channels }: MpegHeader): number {
  if (version === 1) return channels === 1 ? 17 : 32;
  return channels === 1 ? 9 : 17;
}

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const uint32 = (bytes: Uint8Array, at: number): number =>
  at + 4 <= bytes.length ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(at) : 0;
