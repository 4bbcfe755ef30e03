import { MediaError } from "../media-error.ts";
import { latin1 } from "../view/piece.ts";
import { ascii, joined, u32be, viewOf } from "./bytes.ts";

/** A box. `start` is where its head begins, `content` where its content does. */
export type Box = { name: string; start: number; content: number; end: number };

/**
 * Reads the boxes in a range of bytes.
 *
 * @throws MediaError `corrupt` when they do not fill it exactly.
 * @see ISO/IEC 14496-12, section 4.2.
 */
export function boxesIn(bytes: Uint8Array, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    // QuickTime ends some lists with four zero bytes.
    if (end - at === 4 && viewOf(bytes).getUint32(at) === 0) break;
    if (end - at < 8) throw new MediaError("corrupt", "half a box");
    const sizeBytes = viewOf(bytes).getUint32(at);
    if (sizeBytes < 8 || at + sizeBytes > end) throw new MediaError("corrupt", "a box of a wrong size");
    boxes.push({ name: latin1(bytes, at + 4, 4), start: at, content: at + 8, end: at + sizeBytes });
    at += sizeBytes;
  }
  return boxes;
}

/** Returns a box. */
export const box = (name: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const bytes = joined(...content);
  return joined(u32be(8 + bytes.length), ascii(name), bytes);
};
