import { HEAD_BYTES } from "../../kernel/files.ts";
import { id3v2Bytes } from "../formats/mpeg-header.ts";
import { type Container, sniffAudio } from "../formats/sniff.ts";
import { MediaError } from "../media-error.ts";
import type { FileWindow } from "../view/file-window.ts";
import { retagAiff } from "./aiff.ts";
import { fieldsOf } from "./fields.ts";
import { retagFlac } from "./flac.ts";
import { retagMp4 } from "./mp4.ts";
import { retagMpeg } from "./mpeg.ts";
import { retagOgg } from "./ogg.ts";
import { joinSmall, piecesBytes } from "./piece-bytes.ts";
import type { NotWrittenReason, Retagged } from "./retagged.ts";
import type { TagField, Tags } from "./tags.ts";
import { retagWav } from "./wav.ts";
import type { RetagOptions, TagWriter } from "./writer.ts";

/** The formats that can carry tags. */
const WRITERS: Partial<Record<Container, TagWriter>> = {
  mp3: retagMpeg,
  mp2: retagMpeg,
  flac: retagFlac,
  wav: retagWav,
  aiff: retagAiff,
  ogg: retagOgg,
  mp4: retagMp4,
};

/**
 * Returns a copy of an audio file that says what `tags` say, as pieces of the original and new bytes between them. Nothing is
 * written and nothing decoded, and every byte of sound comes from the original. A file that cannot carry tags, or that is not
 * built as its format wants, is copied as it is; `notWritten` then names every field and why.
 *
 * The structure of the file is walked within limits; what its old tags say is not read.
 *
 * @throws The system's error when the file cannot be read.
 */
export async function retag(file: FileWindow, tags: Tags, options: RetagOptions = {}): Promise<Retagged> {
  const { fields, named, invalid } = fieldsOf(tags);
  const asItIs = (reason: NotWrittenReason): Retagged => ({
    pieces: [{ start: 0, end: file.sizeBytes }],
    sizeBytes: file.sizeBytes,
    written: [],
    notWritten: [...named.map((field) => ({ field, reason })), ...invalid],
  });
  const container = await containerOf(file);
  const write = container && WRITERS[container];
  if (!write) return asItIs("format_without_tags");
  try {
    const { pieces, notWritten } = await write(file, fields, options);
    const missing = new Set<TagField>(notWritten.map(({ field }) => field));
    return {
      pieces: joinSmall(pieces),
      sizeBytes: piecesBytes(pieces),
      written: named.filter((field) => !missing.has(field)),
      notWritten: [...notWritten, ...invalid],
    };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return asItIs(error.code === "corrupt" ? "damaged" : "rare_form");
  }
}

/** An ID3 tag without frames, in front of the rest of a file whose own tag is longer than what is read. */
const EMPTY_TAG = Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1");

async function containerOf(file: FileWindow): Promise<Container | undefined> {
  const head = await file.read(0, HEAD_BYTES);
  const tagBytes = id3v2Bytes(head);
  if (tagBytes + 4 <= head.length) return sniffAudio(head)?.container;
  return sniffAudio(Buffer.concat([EMPTY_TAG, await file.read(tagBytes, HEAD_BYTES)]))?.container;
}
