import { isSameStream, type MpegHeader, type MpegLayer, parseMpegHeader } from "./mpeg-header.ts";

/** Where the frames of an MPEG audio stream begin. */
type MpegFrames = { start: number; layer: MpegLayer };

/**
 * Finds the first of three frames in a row, or of two that fill a short file: a single sync word occurs in any
 * random bytes. Returns undefined when there are no such frames.
 *
 * @param isTagged After an ID3 tag a file may be one frame long.
 */
export function findMpegFrames(bytes: Uint8Array, isTagged = false): MpegFrames | undefined {
  for (let start = bytes.indexOf(0xff); start >= 0; start = bytes.indexOf(0xff, start + 1)) {
    const layer = LAYERS.find((candidate) => isInSync(bytes, start, candidate, isTagged));
    if (layer) return { start, layer };
  }
  return undefined;
}

const LAYERS: readonly MpegLayer[] = [3, 2];

function isInSync(bytes: Uint8Array, start: number, layer: MpegLayer, isTagged: boolean): boolean {
  const { frames, end } = countFrames(bytes, start, layer);
  const isWholeFile = start === 0 && end >= bytes.length;
  return frames >= 3 || (isWholeFile && frames >= (isTagged ? 1 : 2));
}

function countFrames(bytes: Uint8Array, start: number, layer: MpegLayer): { frames: number; end: number } {
  const first = parseMpegHeader(bytes, start, layer);
  let end = start;
  let frames = 0;
  let header: MpegHeader | undefined = first;
  for (; first && header && frames < 3; header = parseMpegHeader(bytes, end, layer)) {
    if (!isSameStream(first, header)) break;
    frames += 1;
    end += header.frameBytes;
  }
  return { frames, end };
}
