import { findMpegFrames } from "../formats/mpeg-frames.ts";
import { MediaError } from "../media-error.ts";
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
  const { frames, notWritten } = id3Frames(fields);
  const kept = keepsOther ? await keptFrames(file, { start: 0, end: sound.start }, frames) : [];
  const tag = frames.length + kept.length > 0 ? id3Tag(frames, kept) : [];
  return { pieces: [...tag, sound], notWritten };
};
