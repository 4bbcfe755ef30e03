import { MediaError } from "../media-error.ts";
import type { FileWindow } from "./file-window.ts";
import { latin1, type Piece } from "./piece.ts";

/** Boxes that contain boxes. */
const PARENTS = new Set("moov trak mdia minf stbl edts dinf tref mvex moof traf".split(" "));
/** Boxes with metadata. */
const METADATA = new Set(["udta", "meta", "ilst", "keys", "uuid"]);
const MAX_BOXES = 1_000_000;
const FREE = new TextEncoder().encode("free");

/**
 * Returns an MP4 file whose metadata boxes are renamed to free space. Nothing moves, because the index of an MP4
 * holds positions in the file.
 *
 * @throws MediaError `corrupt` when it has too many boxes.
 * @see ISO/IEC 14496-12, section 4.2.
 */
export async function mp4Sound(file: FileWindow): Promise<Piece[]> {
  const names: number[] = [];
  await findMetadata(file, names);
  const starts = [0, ...names.map((at) => at + FREE.length)];
  return starts.flatMap((start, index) => {
    const at = names[index];
    return at === undefined ? [{ start, end: file.sizeBytes }] : [{ start, end: at }, FREE];
  });
}

/**
 * Adds the position of the name of each metadata box, in order. A parent's boxes follow its head, so no recursion
 * is needed.
 */
async function findMetadata(file: FileWindow, names: number[]): Promise<void> {
  let offset = 0;
  for (let count = 0; offset < file.sizeBytes; count += 1) {
    if (count === MAX_BOXES) throw new MediaError("corrupt", "boxes without end");
    const head = await file.read(offset, 16);
    if (head.length < 8) return;
    const name = latin1(head, 4, 4);
    if (METADATA.has(name)) names.push(offset + 4);
    const { headBytes, sizeBytes } = sizesOf(head);
    offset += PARENTS.has(name) ? headBytes : Math.max(headBytes, sizeBytes);
  }
}

/** A size of 0 means up to the end of the file; 1 means that the size follows the name, in 64 bits. */
function sizesOf(head: Uint8Array): { headBytes: number; sizeBytes: number } {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const sizeBytes = view.getUint32(0);
  if (sizeBytes === 1 && head.length === 16)
    return { headBytes: 16, sizeBytes: Number(view.getBigUint64(8)) };
  return { headBytes: 8, sizeBytes: sizeBytes === 0 ? Number.POSITIVE_INFINITY : sizeBytes };
}
