import { oggPages } from "../decode/ogg-file.ts";
import { MediaError } from "../media-error.ts";
import type { FileWindow } from "../view/file-window.ts";
import { type OggHeaders, readHeaders } from "../view/ogg.ts";
import { latin1 } from "../view/piece.ts";
import { ascii, joined, viewOf } from "./bytes.ts";
import type { Piece } from "./retagged.ts";
import {
  commentList,
  commentsOf,
  entryOf,
  keptEntries,
  pictureEntry,
  readComments,
} from "./vorbis-comments.ts";
import type { TagWriter } from "./writer.ts";

/** What is in front of the list of comments, and behind it. */
type Packing = { start: string; end: string };

const VORBIS: Packing = { start: "\x03vorbis", end: "\x01" };
const OPUS: Packing = { start: "OpusTags", end: "" };
/** The comments with a cover in base64 that are written at most. */
const MAX_COMMENTS_BYTES = 64 * 1024 * 1024;
const MAX_PAGE_BYTES = 27 + 255 + 255 * 255;
const SERIAL_AT = 14;

/**
 * Writes the comments of an Ogg Vorbis or Opus file anew. Where they take another number of pages, all later pages get new
 * numbers while the copy is read; the packets in them stay as they are.
 *
 * @see RFC 3533, section 6; RFC 7845, section 5.2; Vorbis I specification, sections 4.2.1 and A.2.
 */
export const retagOgg: TagWriter = async (file, fields, { keepsOther = false }) => {
  const headers = await readHeaders(file);
  if (!headers) throw new MediaError("unsupported", "several streams in one");
  const { packing, old, rest } = unpack(headers);
  if (headers.end >= file.sizeBytes) throw new MediaError("corrupt", "no sound");
  await checkEnd(file, headers);
  const { comments, notWritten } = commentsOf(fields);
  const before = readComments(old);
  const kept = keepsOther ? keptEntries(before, comments, fields.cover !== undefined) : [];
  const cover = fields.cover ? [pictureEntry(fields.cover)] : [];
  const list = commentList(before.vendor, [...comments.map(entryOf), ...kept, ...cover]);
  if (list.length > MAX_COMMENTS_BYTES) throw new MediaError("unsupported", "comments of 64 MB");

  const { serial, firstSequence, firstEnd, end } = headers;
  const packet = joined(ascii(packing.start), list, ascii(packing.end));
  const sequence = (firstSequence + 1) >>> 0;
  const pages = oggPages([packet, ...rest], { serial, sequence, granule: 0n, isEnd: false });
  const next = await sequenceAt(file, end);
  const by = (sequence + pages.length - next) >>> 0;
  const sound = { start: end, end: file.sizeBytes };
  const pieces: Piece[] = [
    { start: 0, end: firstEnd },
    ...pages,
    by === 0 ? sound : { ...sound, pages: { serial, by } },
  ];
  return { pieces, notWritten };
};

/** Returns the old comments, and the headers behind them. */
function unpack({ packets, isIntact }: OggHeaders): {
  packing: Packing;
  old: Uint8Array;
  rest: Uint8Array[];
} {
  const [first = new Uint8Array(0), second = new Uint8Array(0), ...rest] = packets;
  const packing =
    latin1(first, 0, 7) === "\x01vorbis" ? VORBIS : latin1(first, 0, 8) === "OpusHead" ? OPUS : undefined;
  if (!packing) throw new MediaError("unsupported", "neither Vorbis nor Opus");
  const start = packing.start.length;
  const isWhole = isIntact && latin1(second, 0, start) === packing.start;
  if (!isWhole || rest.length !== (packing === VORBIS ? 1 : 0))
    throw new MediaError("corrupt", "damaged headers");
  return { packing, old: second.subarray(start), rest };
}

/** A file may have one recording behind the other, each with comments: such a file is left as it is. */
async function checkEnd(file: FileWindow, { serial }: OggHeaders): Promise<void> {
  const start = Math.max(0, file.sizeBytes - 2 * MAX_PAGE_BYTES);
  const tail = Buffer.from(await file.read(start, file.sizeBytes - start));
  const at = tail.lastIndexOf("OggS");
  if (at < 0 || at + SERIAL_AT + 4 > tail.length) throw new MediaError("corrupt", "no page at the end");
  if (tail.readUInt32LE(at + SERIAL_AT) !== serial) throw new MediaError("unsupported", "several recordings");
}

async function sequenceAt(file: FileWindow, at: number): Promise<number> {
  const page = await file.read(at, 27);
  if (page.length < 27 || latin1(page, 0, 4) !== "OggS") throw new MediaError("corrupt", "no page of sound");
  return viewOf(page).getUint32(18, true);
}
