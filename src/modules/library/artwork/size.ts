import { closeSync, openSync, readSync } from "node:fs";
import type { Settings } from "../../../kernel/settings.ts";
import { artworkPath, isArtworkKey } from "./files.ts";

/** How large a stored picture is. */
export type PictureSize = { widthPx: number; heightPx: number };

/** Ours begin with a colour profile at most, and their size. */
const HEAD_BYTES = 64 * 1024;

/**
 * Returns the size of a stored picture, which was drawn by this program: no larger than 1600 pixels per side, and never larger than
 * what was sent. Undefined when it is missing.
 */
export function sizeOfPicture(settings: Pick<Settings, "dataDir">, key: string): PictureSize | undefined {
  if (!isArtworkKey(key)) return undefined;
  const head = headOf(artworkPath(settings, key, "picture"));
  if (!head) return undefined;
  return key.endsWith(".jpg") ? sizeOfJpeg(head) : sizeOfWebp(head);
}

function headOf(path: string): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.subarray(0, readSync(file, head));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The frame header of a JPEG (ITU-T T.81, B.2.2), behind segments of which each says its length. */
function sizeOfJpeg(head: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { heightPx: head.readUInt16BE(at + 5), widthPx: head.readUInt16BE(at + 7) };
  }
  return undefined;
}

/** The first chunk of a WebP (RFC 9649). */
function sizeOfWebp(head: Buffer): PictureSize | undefined {
  if (head.length < 30) return undefined;
  const kind = head.toString("latin1", 12, 16);
  if (kind === "VP8X") return { widthPx: head.readUIntLE(24, 3) + 1, heightPx: head.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ")
    return { widthPx: head.readUInt16LE(26) & 0x3fff, heightPx: head.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = head.readUInt32LE(21);
  return { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1 };
}
