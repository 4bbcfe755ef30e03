import { findMpegFrames } from "../formats/mpeg-frames.ts";
import { isSameStream, type MpegLayer, parseMpegHeader } from "../formats/mpeg-header.ts";
import { MediaError } from "../media-error.ts";
import type { FileWindow } from "../view/file-window.ts";
import type { Range } from "../view/piece.ts";
import { MAX_JUNK_BYTES, withoutTags } from "../view/tags.ts";
import { id3Frames, id3Tag } from "./id3.ts";
import { keptFrames } from "./id3-kept.ts";
import type { TagWriter } from "./writer.ts";

/**
 * Puts an ID3v2.4 tag in front of an MP3, instead of all tags in front of the sound and behind it. The first frame stays, also
 * where it is the encoder's own: players find the length and the gaps in it.
 */
export const retagMpeg: TagWriter = async (file, fields, { keepsOther }) => {
  const sound = await withoutTags(file);
  if (sound.start >= sound.end) throw new MediaError("corrupt", "nothing but tags");
  const found = findMpegFrames(await file.read(sound.start, MAX_JUNK_BYTES), sound.start > 0);
  if (!found) throw new MediaError("corrupt", "no frame of sound");
  if (sound.end < file.sizeBytes) await checkEnd(file, sound, found.layer);
  const { frames, notWritten } = id3Frames(fields);
  const kept = keepsOther ? await keptFrames(file, { start: 0, end: sound.start }, frames) : [];
  const tag = frames.length + kept.length > 0 ? id3Tag(frames, kept) : [];
  return { pieces: [...tag, sound], notWritten };
};

/** Holds more than three frames of any stream. */
const TAIL_BYTES = 16 * 1024;
const FRAMES_IN_A_ROW = 3;

/** A decoder reads on behind a last frame that is cut. What follows it may go away only where no frame reaches into it. */
async function checkEnd(file: FileWindow, { start, end }: Range, layer: MpegLayer): Promise<void> {
  const from = Math.max(start, end - TAIL_BYTES);
  const tail = await file.read(from, end - from);
  let at = firstInTail(tail, layer, from === start);
  const first = parseMpegHeader(tail, at, layer);
  while (first && at < tail.length) {
    const header = parseMpegHeader(tail, at, layer);
    const isFrame = header !== undefined && isSameStream(first, header);
    if (isFrame && at + header.frameBytes > tail.length) throw new MediaError("corrupt", "a cut end");
    // What is between frames is passed over byte by byte, as decoders do.
    at += isFrame ? header.frameBytes : 1;
    if (!isFrame && tail.length - at < HEADER_BYTES && tail[at] === 0xff)
      throw new MediaError("corrupt", "a cut end");
  }
  if (!first) throw new MediaError("corrupt", "no frame at the end");
}

const HEADER_BYTES = 4;

/** Returns where the first of some frames in a row begins; of a short file, the first frame. */
function firstInTail(tail: Uint8Array, layer: MpegLayer, isShort: boolean): number {
  for (let start = tail.indexOf(0xff); start >= 0; start = tail.indexOf(0xff, start + 1)) {
    let [at, frames] = [start, 0];
    for (
      let header = parseMpegHeader(tail, at, layer);
      header && frames < FRAMES_IN_A_ROW;
      header = parseMpegHeader(tail, at, layer)
    ) {
      at += header.frameBytes;
      frames++;
    }
    if (frames >= FRAMES_IN_A_ROW || (isShort && frames > 0)) return start;
  }
  return tail.length;
}
