import { parseMpegHeader } from "../formats/mpeg-header.ts";
import { ac3FrameBytes, adtsFrameBytes } from "../formats/sniff.ts";
import type { Bytes, Wholeness } from "./bytes.ts";

/** Holds the last frames of any stream. */
const TAIL_BYTES = 64 * 1024;
const FRAMES_IN_A_ROW = 3;

const FRAME_BYTES = {
  mp3: (bytes: Uint8Array, at: number) => parseMpegHeader(bytes, at, 3)?.frameBytes ?? 0,
  mp2: (bytes: Uint8Array, at: number) => parseMpegHeader(bytes, at, 2)?.frameBytes ?? 0,
  adts: (bytes: Uint8Array, at: number) => adtsFrameBytes(bytes.subarray(at, at + 7)),
  ac3: (bytes: Uint8Array, at: number) => ac3FrameBytes(bytes.subarray(at, at + 7)),
};

/** A stream of frames is whole when its last frame ends with the sound, and it has as many bytes as its first frame says. */
export async function endOfFrames(
  file: Bytes,
  kind: keyof typeof FRAME_BYTES,
  end: number,
): Promise<Wholeness> {
  const declared = kind === "mp3" ? await declaredByXing(file) : undefined;
  return declared === undefined ? lastOf(file, kind, end) : declared > end ? "cut" : "whole";
}

async function lastOf(file: Bytes, kind: keyof typeof FRAME_BYTES, end: number): Promise<Wholeness> {
  const from = Math.max(0, end - TAIL_BYTES);
  const tail = await file.read(from, end - from);
  const frameBytes = (at: number) => FRAME_BYTES[kind](tail, at);
  for (let start = 0; start < tail.length; start++) {
    const { frames, reached } = follow(start, tail.length, frameBytes);
    if (frames < FRAMES_IN_A_ROW && (from > 0 || frames === 0)) continue;
    const left = tail.length - reached;
    return left === 0 ? "whole" : left < LONGEST_HEADER ? "cut" : "unsure";
  }
  return "cut";
}

function follow(start: number, end: number, frameBytes: (at: number) => number) {
  let [reached, frames] = [start, 0];
  for (let bytes = frameBytes(start); bytes > 0 && reached < end; bytes = frameBytes(reached)) {
    reached += bytes;
    frames++;
  }
  return { frames, reached };
}

const LONGEST_HEADER = 7;
const XING_PLACES = [13, 21, 36];
const HAS_BYTES = 2;

/** Returns where the sound ends by the header that encoders put into the first frame. */
async function declaredByXing(file: Bytes): Promise<number | undefined> {
  for (const at of XING_PLACES) {
    const name = await file.text(at, 4);
    if (name !== "Xing" && name !== "Info") continue;
    const flags = await file.u32be(at + 4);
    if ((flags & HAS_BYTES) === 0) return undefined;
    return (await file.u32be(at + 8 + 4 * (flags & 1))) || undefined;
  }
  return undefined;
}

const OGG_LAST = 4;
const OGG_MAX_PAGE = 27 + 255 + 255 * 255;

/** An Ogg is whole when its last page ends with the file and says that it is the last. */
export async function endOfOgg(file: Bytes): Promise<Wholeness> {
  const from = Math.max(0, file.size - 2 * OGG_MAX_PAGE);
  const tail = Buffer.from(await file.read(from, file.size - from));
  for (let at = tail.lastIndexOf("OggS"); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf("OggS", at - 1)) {
    const { end, isLast } = pageAt(tail, at);
    if (end === tail.length) return isLast ? "whole" : "unsure";
    if (end > tail.length) return "cut";
  }
  return "cut";
}

function pageAt(bytes: Buffer, at: number): { end: number; isLast: boolean } {
  const segments = bytes[at + 26] ?? 255;
  const lacing = bytes.subarray(at + 27, at + 27 + segments);
  const end = at + 27 + segments + lacing.reduce((sum, length) => sum + length, 0);
  return { end, isLast: ((bytes[at + 5] ?? 0) & OGG_LAST) !== 0 };
}

/** A WavPack file is whole when its last block ends with the sound and holds the last sample. */
export async function endOfWavPack(file: Bytes, end: number): Promise<Wholeness> {
  const total = await file.u32(12);
  let at = 0;
  let reached = 0;
  while (at < end) {
    if ((await file.text(at, 4)) !== "wvpk") return "cut";
    reached = (await file.u32(at + 16)) + (await file.u32(at + 20));
    at += 8 + (await file.u32(at + 4));
  }
  if (at !== end) return "cut";
  if (total === 0xffff_ffff) return "unsure";
  return reached >= total ? "whole" : "cut";
}
