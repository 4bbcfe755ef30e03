import { MediaError } from "../media-error.ts";
import type { FileWindow } from "../view/file-window.ts";
import { latin1, type Range } from "../view/piece.ts";
import { ascii, joined, lengthOf, u32be, viewOf } from "./bytes.ts";
import { type Box, box, boxesIn } from "./mp4-boxes.ts";
import { boxesOfMeta, type Moved, placeIn, rewriteIndex } from "./mp4-index.ts";
import { coverParts, itemBox, itemName, mp4Items } from "./mp4-items.ts";
import { piecesBytes } from "./piece-bytes.ts";
import type { Piece } from "./retagged.ts";
import type { TagWriter } from "./writer.ts";

/** A box of the file itself. */
type TopBox = Range & { name: string; headBytes: number };

/** Ordinary files have fewer than ten. */
const MAX_TOP_BOXES = 10_000;
/** The index of ten hours takes a few megabytes. A larger one is not read into memory. */
const MAX_MOOV_BYTES = 64 * 1024 * 1024;
const MAX_BOX_BYTES = 0xffff_ffff;
const FRAGMENTS: ReadonlySet<string> = new Set(["moof", "mfra", "sidx", "styp"]);
const SPACE: ReadonlySet<string> = new Set(["free", "skip"]);
const TAGS: ReadonlySet<string> = new Set(["uuid", "meta", "udta"]);

/**
 * Writes the list of tags in the index of an MP4 anew, and with it the places at which the index says the sound is. Everything
 * else stays, without free space and, unless `keepsOther`, without other tags anywhere in the file.
 *
 * @see ISO/IEC 14496-12, sections 4.2 and 8.7.5; Apple, "QuickTime File Format Specification", metadata.
 */
export const retagMp4: TagWriter = async (file, fields, { keepsOther = false }) => {
  const top = await topBoxes(file);
  const moovBox = theMoov(top);
  const moov = (await file.read(moovBox.start, moovBox.end - moovBox.start)).slice();
  const boxes = boxesIn(moov, moovBox.headBytes, moov.length);
  const { items, notWritten } = mp4Items(fields);
  const names = new Set(items.map(itemName));
  const cover = coverParts(fields);
  if (cover.length > 0) names.add("covr");
  const old = keepsOther ? oldData(moov, boxes, names) : { items: [], others: [] };
  const list = [...items.map(itemBox), ...old.items, ...cover];
  const data = list.length + old.others.length > 0 ? userData(list, old.others) : [];

  const kept = top.filter(({ name }) => !SPACE.has(name) && (keepsOther || !TAGS.has(name)));
  const index = (moved: (offset: number) => number) => {
    const inner = rewriteIndex(moov, boxes, { keepsOther, moved });
    return [joined(u32be(8 + inner.length + lengthOf(data)), ascii("moov"), inner), ...data];
  };
  const moovBytes = piecesBytes(index((offset) => offset));
  if (moovBytes > MAX_BOX_BYTES) throw new MediaError("unsupported", "an index of 4 GiB");
  const moved = placeIn(soundParts(kept, moovBytes));
  const pieces = kept.flatMap(({ name, start, end }): Piece[] =>
    name === "moov" ? index(moved) : [{ start, end }],
  );
  return { pieces, notWritten };
};

/** Returns the parts with sound, and where they are in the copy. */
function soundParts(kept: readonly TopBox[], moovBytes: number): Moved[] {
  let to = 0;
  const parts: Moved[] = [];
  for (const { name, start, end, headBytes } of kept) {
    if (name === "mdat") parts.push({ start: start + headBytes, end, to: to + headBytes });
    to += name === "moov" ? moovBytes : end - start;
  }
  return parts;
}

function theMoov(top: readonly TopBox[]): TopBox {
  if (top.some(({ name }) => FRAGMENTS.has(name))) throw new MediaError("unsupported", "fragments");
  const [moov, second] = top.filter(({ name }) => name === "moov");
  const hasSound = top.some(({ name }) => name === "mdat");
  if (!moov || second || !hasSound) throw new MediaError("corrupt", "not one index and its sound");
  if (moov.end - moov.start > MAX_MOOV_BYTES) throw new MediaError("unsupported", "an index of 64 MB");
  return moov;
}

async function topBoxes(file: FileWindow): Promise<TopBox[]> {
  const boxes: TopBox[] = [];
  for (let at = 0; at < file.sizeBytes; ) {
    const head = await file.read(at, 16);
    const { headBytes, sizeBytes } = sizesOf(head, file.sizeBytes - at);
    const end = at + sizeBytes;
    const name = latin1(head, 4, 4);
    if (sizeBytes < headBytes || end > file.sizeBytes || boxes.length === MAX_TOP_BOXES)
      throw new MediaError("corrupt", "boxes that do not fill the file");
    boxes.push({ name, start: at, end, headBytes });
    at = end;
  }
  return boxes;
}

/** A size of 0 means up to the end of the file; 1 means that the size follows the name, in 64 bits. */
function sizesOf(head: Uint8Array, leftBytes: number): { headBytes: number; sizeBytes: number } {
  if (head.length < 8) return { headBytes: 8, sizeBytes: 0 };
  const sizeBytes = viewOf(head).getUint32(0);
  if (sizeBytes === 1 && head.length === 16)
    return { headBytes: 16, sizeBytes: Number(viewOf(head).getBigUint64(8)) };
  return { headBytes: 8, sizeBytes: sizeBytes === 0 ? leftBytes : sizeBytes };
}

/** What the original's user data says that none of our items replaces. */
function oldData(
  moov: Uint8Array,
  boxes: readonly Box[],
  replaced: ReadonlySet<string>,
): { items: Uint8Array[]; others: Uint8Array[] } {
  const data = boxes
    .filter(({ name }) => name === "udta")
    .flatMap(({ content, end }) => boxesIn(moov, content, end));
  const list = data
    .filter(({ name }) => name === "meta")
    .flatMap((meta) => boxesOfMeta(moov, meta))
    .filter(({ name }) => name === "ilst")
    .flatMap(({ content, end }) => boxesIn(moov, content, end));
  const bytes = ({ start, end }: Box) => moov.subarray(start, end);
  return {
    items: list
      .filter((item) => !replaced.has(itemName({ name: item.name, about: aboutOf(moov, item) })))
      .map(bytes),
    others: data.filter(({ name }) => name !== "meta" && !SPACE.has(name)).map(bytes),
  };
}

/** Returns the name in an item that has one of its own. */
function aboutOf(moov: Uint8Array, { name, content, end }: Box): string | undefined {
  if (name !== "----") return undefined;
  const found = boxesIn(moov, content, end).find((inner) => inner.name === "name");
  return found && Buffer.from(moov.subarray(found.content + 4, found.end)).toString("utf8");
}

/** Says that what follows is a list of tags. */
const HANDLER = box("hdlr", u32be(0), u32be(0), ascii("mdir"), ascii("appl"), new Uint8Array(9));

/** Returns the user data of a file in parts: a cover is large. */
function userData(items: readonly Uint8Array[], others: readonly Uint8Array[]): Uint8Array[] {
  const listBytes = 8 + lengthOf(items);
  const metaBytes = 12 + HANDLER.length + listBytes;
  const dataBytes = 8 + lengthOf(others) + metaBytes;
  return [
    joined(u32be(dataBytes), ascii("udta"), ...others),
    joined(u32be(metaBytes), ascii("meta"), u32be(0), HANDLER, u32be(listBytes), ascii("ilst")),
    ...items,
  ];
}
