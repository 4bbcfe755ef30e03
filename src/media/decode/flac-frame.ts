import { alignToByte, type BitReader, nextByte, readBits } from "./bit-reader.ts";
import { BAD_FRAME, decodeSubframe } from "./flac-subframe.ts";

/** What STREAMINFO says; a frame header may refer to it. */
export type StreamInfo = {
  sampleRateHz: number;
  channels: number;
  bitsPerSample: number;
  /** Samples per channel; null when the encoder did not know. */
  totalFrames: number | null;
};

/** One decoded frame: planar integers. */
export type FlacFrame = { channels: Float64Array[]; bitsPerSample: number };

type FrameHeader = { blockFrames: number; assignment: number; bitsPerSample: number };

const BITS_PER_SAMPLE = [0, 8, 12, 0, 16, 20, 24, 32];
const LEFT_SIDE = 8;
const SIDE_RIGHT = 9;
const MID_SIDE = 10;

/**
 * Decodes the frame whose two sync bytes were just taken, and verifies its checksums.
 *
 * @throws BAD_FRAME when it is not a frame or is damaged, END_OF_BITS at the end of the file.
 * @see RFC 9639, section 9.
 */
export function decodeFrame(bits: BitReader, info: StreamInfo): FlacFrame {
  const { blockFrames, assignment, bitsPerSample } = readHeader(bits, info);
  const count = assignment < LEFT_SIDE ? assignment + 1 : 2;
  if (count !== info.channels || bitsPerSample !== info.bitsPerSample) throw BAD_FRAME;

  const channels = Array.from({ length: count }, () => new Float64Array(blockFrames));
  channels.forEach((out, index) => {
    decodeSubframe(bits, out, bitsPerSample + (isSide(assignment, index) ? 1 : 0));
  });
  alignToByte(bits);
  const expected = bits.crc16;
  if (((nextByte(bits) << 8) | nextByte(bits)) !== expected) throw BAD_FRAME;
  joinStereo(channels, assignment);
  return { channels, bitsPerSample };
}

function readHeader(bits: BitReader, info: StreamInfo): FrameHeader {
  const sizeCode = readBits(bits, 4);
  const rateCode = readBits(bits, 4);
  const assignment = readBits(bits, 4);
  const depthCode = readBits(bits, 3);
  const isReserved = readBits(bits, 1) === 1 || assignment > MID_SIDE || sizeCode === 0 || rateCode === 15;
  if (isReserved || depthCode === 3) throw BAD_FRAME;

  skipCodedNumber(bits);
  const blockFrames = readBlockFrames(bits, sizeCode);
  if (rateCode === 12) readBits(bits, 8);
  if (rateCode === 13 || rateCode === 14) readBits(bits, 16);
  const expected = bits.crc8;
  if (nextByte(bits) !== expected) throw BAD_FRAME;
  return { blockFrames, assignment, bitsPerSample: BITS_PER_SAMPLE[depthCode] || info.bitsPerSample };
}

/**
 * Skips the frame or sample number, coded like UTF-8: the leading ones in the first byte give its length in bytes.
 */
function skipCodedNumber(bits: BitReader): void {
  const ones = Math.clz32(~(nextByte(bits) << 24));
  if (ones === 1 || ones > 7) throw BAD_FRAME;
  for (let i = 1; i < ones; i += 1) nextByte(bits);
}

function readBlockFrames(bits: BitReader, code: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 144 << code;
  if (code === 6) return readBits(bits, 8) + 1;
  return code === 7 ? readBits(bits, 16) + 1 : 1 << code;
}

const isSide = (assignment: number, index: number): boolean =>
  assignment === SIDE_RIGHT ? index === 0 : assignment >= LEFT_SIDE && index === 1;

/** Turns a side channel (left minus right) back into left and right, in place. */
function joinStereo([first, second]: Float64Array[], assignment: number): void {
  if (!first || !second || assignment < LEFT_SIDE) return;
  for (let i = 0; i < first.length; i += 1) {
    // In range: both channels have the block's length.
    const a = first[i] as number;
    const b = second[i] as number;
    if (assignment === LEFT_SIDE) second[i] = a - b;
    else if (assignment === SIDE_RIGHT) first[i] = a + b;
    else {
      // The mid channel lost its lowest bit, which is the side channel's.
      const sum = 2 * a + (Math.abs(b) % 2);
      first[i] = (sum + b) / 2;
      second[i] = (sum - b) / 2;
    }
  }
}
