import { MediaError } from "../media-error.ts";
import type { FileWindow } from "../view/file-window.ts";
import { latin1, type Range } from "../view/piece.ts";
import { withoutTags } from "../view/tags.ts";
import { endOfFlac } from "../whole/flac-end.ts";
import { ascii, joined, lengthOf } from "./bytes.ts";
import { piecesBytes } from "./piece-bytes.ts";
import type { NotWritten, Piece } from "./retagged.ts";
import {
  commentList,
  commentsOf,
  entryOf,
  keptEntries,
  type OldComments,
  pictureParts,
  readComments,
} from "./vorbis-comments.ts";
import type { TagWriter } from "./writer.ts";

/** A metadata block: its content, without the four bytes in front of it. */
type Block = Range & { kind: number };

const STREAMINFO = 0;
const PADDING = 1;
const APPLICATION = 2;
const SEEKTABLE = 3;
const COMMENTS = 4;
const CUESHEET = 5;
const PICTURE = 6;
const LAST = 0x80;
const HEAD_BYTES = 4;
const STREAMINFO_BYTES = 34;
/** Room for what others write into the copy later. */
const PADDING_BYTES = 4096;
/** Sizes are in three bytes. */
const MAX_BLOCK_BYTES = 2 ** 24 - 1;
/** Ordinary files have fewer than ten. */
const MAX_BLOCKS = 1000;
/** The blocks about the sound, whose places count from its first frame. */
const ABOUT_SOUND: ReadonlySet<number> = new Set([SEEKTABLE, CUESHEET]);
const OTHER: ReadonlySet<number> = new Set([APPLICATION, PICTURE]);

/**
 * Writes the metadata blocks of a FLAC file anew: the description of its stream unchanged and first, then the cover, the comments,
 * what belongs to the sound, and padding. Tags of other formats in front of it and behind it go away.
 *
 * @see RFC 9639, section 8.
 */
export const retagFlac: TagWriter = async (file, fields, { keepsOther = false }) => {
  const around = await withoutTags(file);
  const { blocks, soundStart } = await readBlocks(file, around.start);
  const [info] = blocks;
  if (!info || soundStart >= around.end) throw new MediaError("corrupt", "no sound");
  if (around.end < file.sizeBytes) await checkEnd(file, around);
  const old = await oldComments(file, blocks);
  const { comments, notWritten } = commentsOf(fields);
  const cover = fields.cover ? pictureParts(fields.cover) : undefined;
  const fits = !cover || lengthOf(cover) <= MAX_BLOCK_BYTES;
  const missing: NotWritten[] = fits ? notWritten : [...notWritten, { field: "cover", reason: "too_large" }];
  const written = fits ? cover : undefined;
  const kept = keepsOther ? keptEntries(old, comments, written !== undefined) : [];
  const list = commentList(old.vendor, [...comments.map(entryOf), ...kept]);
  if (list.length > MAX_BLOCK_BYTES) throw new MediaError("unsupported", "comments of 16 MB");

  const stays = ({ kind }: Block) =>
    ABOUT_SOUND.has(kind) || (keepsOther && OTHER.has(kind) && !(kind === PICTURE && written));
  const pieces: Piece[] = [
    ascii("fLaC"),
    ...block(STREAMINFO, [{ start: info.start, end: info.end }]),
    ...(written ? block(PICTURE, written) : []),
    ...block(COMMENTS, [list]),
    ...blocks
      .slice(1)
      .filter(stays)
      .flatMap(({ kind, start, end }) => block(kind, [{ start, end }])),
    joined(head(PADDING | LAST, PADDING_BYTES), new Uint8Array(PADDING_BYTES)),
    { start: soundStart, end: around.end },
  ];
  return { pieces, notWritten: missing };
};

/** Bits of a sample, as STREAMINFO has them. @see RFC 9639, section 8.2. */
const bitsOf = (info: Uint8Array): number => ((((info[12] ?? 0) & 1) << 4) | ((info[13] ?? 0) >> 4)) + 1;

/** Returns how many bits a sample of a FLAC file has. @throws MediaError `corrupt`. */
export async function flacBits(file: FileWindow): Promise<number> {
  const { start } = await withoutTags(file);
  const [info] = (await readBlocks(file, start)).blocks;
  return info ? bitsOf(await file.read(info.start, STREAMINFO_BYTES)) : 0;
}

/**
 * Returns a FLAC file with the sound of `encoded` and all that `original` says beside its sound: comments, pictures, cue sheets, what
 * programs left. Places to seek to are those of another sound.
 *
 * @returns Pieces; those of `original` have `of`.
 * @throws MediaError `corrupt`.
 */
export async function withSoundOf(
  original: FileWindow,
  encoded: FileWindow,
): Promise<(Uint8Array | (Range & { of: "original" | "encoded" }))[]> {
  const old = await readBlocks(original, (await withoutTags(original)).start);
  const made = await readBlocks(encoded, 0);
  const [info] = made.blocks;
  if (!info) throw new MediaError("corrupt", "no sound");
  const kept = old.blocks.slice(1).filter(({ kind }) => kind !== SEEKTABLE);
  const headOf = ({ kind, start, end }: Block, isLast: boolean) =>
    head(isLast ? kind | LAST : kind, end - start);
  return [
    ascii("fLaC"),
    headOf(info, kept.length === 0),
    { ...rangeOf(info), of: "encoded" },
    ...kept.flatMap((each, index) => [
      headOf(each, index === kept.length - 1),
      { ...rangeOf(each), of: "original" as const },
    ]),
    { start: made.soundStart, end: encoded.sizeBytes, of: "encoded" },
  ];
}

const rangeOf = ({ start, end }: Range): Range => ({ start, end });

/** A decoder reads on behind a last frame that is damaged. What follows it may go away only where it is whole. */
async function checkEnd(file: FileWindow, { start, end }: Range): Promise<void> {
  const read = (at: number, length: number) => file.read(start + at, length);
  if ((await endOfFlac({ read }, end - start)) === "cut") throw new MediaError("corrupt", "a damaged end");
}

const head = (kind: number, bytes: number): Uint8Array =>
  Uint8Array.of(kind, (bytes >>> 16) & 0xff, (bytes >>> 8) & 0xff, bytes & 0xff);

function block(kind: number, content: (Uint8Array | Range)[]): Piece[] {
  return [head(kind, piecesBytes(content)), ...content];
}

async function readBlocks(file: FileWindow, start: number): Promise<{ blocks: Block[]; soundStart: number }> {
  if (latin1(await file.read(start, 4), 0, 4) !== "fLaC") throw new MediaError("corrupt", "no fLaC marker");
  const blocks: Block[] = [];
  let at = start + 4;
  let isLast = false;
  while (!isLast) {
    const [kind = 0x7f, a = 0, b = 0, c = 0] = await file.read(at, HEAD_BYTES);
    const end = at + HEAD_BYTES + ((a << 16) | (b << 8) | c);
    blocks.push({ kind: kind & 0x7f, start: at + HEAD_BYTES, end });
    if (end > file.sizeBytes || blocks.length > MAX_BLOCKS)
      throw new MediaError("corrupt", "blocks without end");
    isLast = (kind & LAST) !== 0;
    at = end;
  }
  checkBlocks(blocks);
  const [sync = 0, more = 0] = await file.read(at, 2);
  if (sync !== 0xff || more >> 1 !== 0x7c) throw new MediaError("corrupt", "no frame behind the blocks");
  return { blocks, soundStart: at };
}

/** One description of the stream, and at most one list of comments and of places: readers differ on what follows. */
function checkBlocks(blocks: readonly Block[]): void {
  const [first] = blocks;
  const isInfo = first?.kind === STREAMINFO && first.end - first.start === STREAMINFO_BYTES;
  const count = (wanted: number) => blocks.filter(({ kind }) => kind === wanted).length;
  const isOnce = count(STREAMINFO) === 1 && count(COMMENTS) <= 1 && count(SEEKTABLE) <= 1;
  if (!isInfo || !isOnce || blocks.some(({ kind }) => kind === 0x7f))
    throw new MediaError("corrupt", "odd blocks");
}

const NO_COMMENTS: OldComments = { vendor: ascii("Dubplate"), entries: [] };

async function oldComments(file: FileWindow, blocks: readonly Block[]): Promise<OldComments> {
  const found = blocks.find(({ kind }) => kind === COMMENTS);
  return found ? readComments((await file.read(found.start, found.end - found.start)).slice()) : NO_COMMENTS;
}
