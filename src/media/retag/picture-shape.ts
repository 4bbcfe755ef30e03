import { viewOf } from "./bytes.ts";

/** A picture's size, and the bits of one of its pixels. */
export type PictureShape = { widthPx: number; heightPx: number; depthBits: number };

const PNG_START = 0x8950_4e47;
const PNG_HEADER_BYTES = 26;
/** Samples of a pixel for each type of colours; 3 is a palette. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** A picture with more parts in front of its size was made to cause load. */
const MAX_SEGMENTS = 1000;

/** Reads the shape of a JPEG or PNG from its header; undefined for other pictures, and for palettes. */
export function pictureShape(bytes: Uint8Array): PictureShape | undefined {
  if (bytes.length < PNG_HEADER_BYTES) return undefined;
  return viewOf(bytes).getUint32(0) === PNG_START ? pngShape(bytes) : jpegShape(bytes);
}

/** @see W3C, "Portable Network Graphics", section 11.2.1. */
function pngShape(bytes: Uint8Array): PictureShape | undefined {
  const view = viewOf(bytes);
  const samples = PNG_SAMPLES[view.getUint8(25)];
  if (samples === undefined) return undefined;
  return {
    widthPx: view.getUint32(16),
    heightPx: view.getUint32(20),
    depthBits: samples * view.getUint8(24),
  };
}

/** @see ITU-T T.81, sections B.1.1 and B.2.2: the first of the frame headers has the size. */
function jpegShape(bytes: Uint8Array): PictureShape | undefined {
  const view = viewOf(bytes);
  let at = 2;
  for (let count = 0; count < MAX_SEGMENTS && at + 10 <= bytes.length; count += 1) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (isFrame(marker))
      return {
        widthPx: view.getUint16(at + 7),
        heightPx: view.getUint16(at + 5),
        depthBits: view.getUint8(at + 4) * view.getUint8(at + 9),
      };
    // Any number of these bytes may stand in front of a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Huffman tables, arithmetic coding and a reserved marker have numbers between those of frames. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
