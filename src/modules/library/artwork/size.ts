import { closeSync, openSync, readSync } from "node:fs";
import type { Settings } from "../../../kernel/settings.ts";
import { type ArtworkType, sniffPicture } from "../../../media/pictures/picture.ts";
import { PICTURE_SIDE_PX } from "../../../media/pictures/picture-format.ts";
import { locatePicture } from "./files.ts";

/** How large a picture is, as it lies. */
type PictureSize = { widthPx: number; heightPx: number };

/** What its files say of a picture. */
export type MeasuredPicture = PictureSize & {
  /** False: it was larger when it came, and only a smaller one was kept of it. */
  isWhole: boolean;
  /** Its colours are those of print. */
  isCmyk: boolean;
  isTransparent: boolean;
};

const HEAD_BYTES = 32;

/**
 * Returns what the stored files of a picture say of it: the original where that is kept, otherwise what was drawn of it, which is no
 * larger than 1600 pixels per side and never larger than what was sent. Undefined when it is missing.
 */
export function measurePicture(
  settings: Pick<Settings, "dataDir">,
  key: string,
): MeasuredPicture | undefined {
  const drawnPath = locatePicture(settings, key);
  const drawn = drawnPath === undefined ? undefined : measureFile(drawnPath);
  const originalPath = locatePicture(settings, key, "original");
  const original = originalPath === undefined ? undefined : measureFile(originalPath);
  const { widthPx, heightPx, components } = original ?? drawn ?? {};
  if (widthPx === undefined || heightPx === undefined) return undefined;
  return {
    widthPx,
    heightPx,
    isWhole: original !== undefined || Math.max(widthPx, heightPx) < PICTURE_SIDE_PX,
    isCmyk: components === 4,
    // Formats have an alpha channel also where no pixel uses it. What is drawn has one only if it is needed.
    isTransparent: drawn?.hasAlpha === true,
  };
}

type Measured = PictureSize & { components?: number; hasAlpha?: boolean };
type Reader = (at: number, bytes: number) => Buffer;

function measureFile(path: string): Measured | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const read: Reader = (at, bytes) => {
        const piece = Buffer.alloc(bytes);
        return piece.subarray(0, readSync(file, piece, 0, bytes, at));
      };
      const type = sniffPicture(read(0, HEAD_BYTES));
      return type && MEASURES[type](read);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

const MEASURES: Readonly<Record<ArtworkType, (read: Reader) => Measured | undefined>> = {
  "image/jpeg": measureJpeg,
  "image/png": measurePng,
  "image/webp": measureWebp,
  "image/gif": measureGif,
};

/** Pictures have a dozen, and one for each 64 KB of a colour profile. */
const MAX_SEGMENTS = 1000;

/** The frame header of a JPEG (ITU-T T.81, B.2.2), behind segments of which each says its length. */
function measureJpeg(read: Reader): Measured | undefined {
  for (let n = 0, at = 2; n < MAX_SEGMENTS; n++) {
    const head = read(at, 10);
    const marker = head.readUInt8(1);
    // Bytes that fill up stand before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { heightPx: head.readUInt16BE(5), widthPx: head.readUInt16BE(7), components: head.readUInt8(9) };
    at += 2 + head.readUInt16BE(2);
  }
  return undefined;
}

/** The first chunk of a PNG. */
function measurePng(read: Reader): Measured {
  const head = read(0, HEAD_BYTES);
  return { widthPx: head.readUInt32BE(16), heightPx: head.readUInt32BE(20) };
}

/** The screen of a GIF. */
function measureGif(read: Reader): Measured {
  const head = read(0, HEAD_BYTES);
  return { widthPx: head.readUInt16LE(6), heightPx: head.readUInt16LE(8) };
}

/** The first chunk of a WebP (RFC 9649). */
function measureWebp(read: Reader): Measured | undefined {
  const head = read(0, HEAD_BYTES);
  const kind = head.toString("latin1", 12, 16);
  if (kind === "VP8X")
    return {
      widthPx: head.readUIntLE(24, 3) + 1,
      heightPx: head.readUIntLE(27, 3) + 1,
      hasAlpha: (head.readUInt8(20) & 0x10) !== 0,
    };
  if (kind === "VP8 ")
    return { widthPx: head.readUInt16LE(26) & 0x3fff, heightPx: head.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = head.readUInt32LE(21);
  return {
    widthPx: (bits & 0x3fff) + 1,
    heightPx: ((bits >>> 14) & 0x3fff) + 1,
    hasAlpha: ((bits >>> 28) & 1) !== 0,
  };
}
