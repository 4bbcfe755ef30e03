import { MediaError } from "../media-error.ts";
import { latin1, type Range } from "../view/piece.ts";
import { ascii, joined, u32be, viewOf } from "./bytes.ts";
import { type Box, boxesIn } from "./mp4-boxes.ts";

/** Boxes of which some inner box holds places in the file. */
const PARENTS: ReadonlySet<string> = new Set(["trak", "mdia", "minf", "stbl"]);
const TAGS: ReadonlySet<string> = new Set(["udta", "meta", "uuid"]);
const SPACE: ReadonlySet<string> = new Set(["free", "skip"]);
/** Fragments, and places that belong to encrypted sound. */
const RARE: ReadonlySet<string> = new Set(["mvex", "saio"]);
const MAX_DEPTH = 8;
const MAX_OFFSET = 0xffff_ffff;

/** What happens to the boxes of the index. */
export type Rewriting = {
  keepsOther: boolean;
  /** Returns where a byte of the original is in the copy. */
  moved: (offset: number) => number;
};

/**
 * Returns the boxes of an index without tags and free space, and with the places at which the sound is in the copy. The user data
 * of the whole file, where its tags are, is left to the caller.
 *
 * @throws MediaError `corrupt` when the boxes do not fit into each other, `unsupported` for an index with fragments.
 */
export function rewriteIndex(moov: Uint8Array, boxes: readonly Box[], rewriting: Rewriting): Uint8Array {
  return joined(
    ...boxes.filter(({ name }) => name !== "udta").map((box) => rewrite(moov, box, rewriting, 1)),
  );
}

const EMPTY = new Uint8Array(0);

function rewrite(moov: Uint8Array, box: Box, rewriting: Rewriting, depth: number): Uint8Array {
  const { name, start, content, end } = box;
  if (RARE.has(name)) throw new MediaError("unsupported", name);
  if (SPACE.has(name) || (TAGS.has(name) && !rewriting.keepsOther)) return EMPTY;
  if (name === "stco" || name === "co64") return moveOffsets(moov.slice(start, end), name, rewriting);
  if (!PARENTS.has(name)) return moov.subarray(start, end);
  if (depth === MAX_DEPTH) throw new MediaError("corrupt", "boxes in boxes without end");
  const inner = boxesIn(moov, content, end).map((child) => rewrite(moov, child, rewriting, depth + 1));
  const bytes = joined(...inner);
  return joined(u32be(8 + bytes.length), ascii(name), bytes);
}

/** @see ISO/IEC 14496-12, section 8.7.5: a version, how many there are, and as many places in 32 or 64 bits. */
function moveOffsets(table: Uint8Array, name: "stco" | "co64", { moved }: Rewriting): Uint8Array {
  const view = viewOf(table);
  const size = name === "stco" ? 4 : 8;
  const count = table.length >= 16 ? view.getUint32(12) : 0;
  if (table.length < 16 || 16 + count * size > table.length) throw new MediaError("corrupt", "half a table");
  for (let at = 16; at < 16 + count * size; at += size) {
    const offset = size === 4 ? view.getUint32(at) : Number(view.getBigUint64(at));
    const place = moved(offset);
    if (size === 8) view.setBigUint64(at, BigInt(place));
    else if (place <= MAX_OFFSET) view.setUint32(at, place);
    else throw new MediaError("unsupported", "a place behind 4 GiB");
  }
  return table;
}

/** A part of the original, and where it begins in the copy. */
export type Moved = Range & { to: number };

/**
 * Returns where a byte of the original is in the copy.
 *
 * @param parts In order.
 * @throws MediaError `corrupt` for a byte that is in none of the parts.
 */
export function placeIn(parts: readonly Moved[]): (offset: number) => number {
  return (offset) => {
    let low = 0;
    let high = parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((parts[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const part = parts[low];
    if (!part || offset < part.start || offset >= part.end) throw new MediaError("corrupt", "sound outside");
    return part.to + (offset - part.start);
  };
}

/** Returns the boxes of a `meta` box, which QuickTime writes without a version. */
export function boxesOfMeta(moov: Uint8Array, { content, end }: Box): Box[] {
  const hasVersion = latin1(moov, content + 4, 4) !== "hdlr";
  return boxesIn(moov, content + (hasVersion ? 4 : 0), end);
}
