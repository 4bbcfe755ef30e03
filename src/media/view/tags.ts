import { findMpegFrames } from "../formats/mpeg-frames.ts";
import { id3v2Bytes } from "../formats/mpeg-header.ts";
import type { FileWindow } from "./file-window.ts";
import { latin1, type Range } from "./piece.ts";

/** How far after an ID3 tag to look for the first frame of an MP3. */
export const MAX_JUNK_BYTES = 128 * 1024;

const MAX_TAGS = 1000;
const ID3V1_BYTES = 128;
const LYRICS3_FOOTER_BYTES = 15;
const APE_FOOTER_BYTES = 32;
const APE_HAS_HEADER = 0x8000_0000;
/** Three frames of the largest size. */
const FRAMES_BYTES = 3 * 2881;

/** Returns a file without the ID3v2 tags at its start, and without the ID3v1, APE and Lyrics3 tags at its end. */
export async function withoutTags(file: FileWindow): Promise<Range> {
  let start = 0;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const bytes = id3v2Bytes(await file.read(start, 10));
    if (bytes === 0) break;
    start += bytes;
  }
  let end = file.sizeBytes;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const bytes = await tagBytesBefore(file, end);
    if (bytes === 0) break;
    end -= bytes;
  }
  return { start, end };
}

/** Returns an MPEG audio file from its first frame on, without tags. */
export async function mpegFrames(file: FileWindow): Promise<Range> {
  const { start, end } = await withoutTags(file);
  const found = findMpegFrames(await file.read(start, MAX_JUNK_BYTES + FRAMES_BYTES));
  return { start: start + (found?.start ?? 0), end };
}

async function tagBytesBefore(file: FileWindow, end: number): Promise<number> {
  if (end >= ID3V1_BYTES && latin1(await file.read(end - ID3V1_BYTES, 3), 0, 3) === "TAG") return ID3V1_BYTES;
  if (end < APE_FOOTER_BYTES) return 0;
  const lyricsBytes = await lyrics3Bytes(file, end);
  if (lyricsBytes > 0) return lyricsBytes;
  const footer = await file.read(end - APE_FOOTER_BYTES, APE_FOOTER_BYTES);
  if (latin1(footer, 0, 8) !== "APETAGEX") return 0;
  const fields = new DataView(footer.buffer, footer.byteOffset, footer.byteLength);
  const headerBytes = fields.getUint32(20, true) & APE_HAS_HEADER ? APE_FOOTER_BYTES : 0;
  const bytes = Math.max(APE_FOOTER_BYTES, fields.getUint32(12, true)) + headerBytes;
  // A tag that declares more bytes than there are in front of it is not a tag.
  return bytes <= end ? bytes : 0;
}

/** @see Lyrics3 v2.00: in front of its last word, six digits say how long it is from its first word up to them. */
async function lyrics3Bytes(file: FileWindow, end: number): Promise<number> {
  const footer = latin1(
    await file.read(end - LYRICS3_FOOTER_BYTES, LYRICS3_FOOTER_BYTES),
    0,
    LYRICS3_FOOTER_BYTES,
  );
  const digits = /^(\d{6})LYRICS200$/.exec(footer)?.[1];
  const bytes = LYRICS3_FOOTER_BYTES + Number(digits ?? 0);
  if (digits === undefined || bytes > end) return 0;
  return latin1(await file.read(end - bytes, 11), 0, 11) === "LYRICSBEGIN" ? bytes : 0;
}
