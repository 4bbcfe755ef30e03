import { sniffPicture } from "../tags/media-probe.ts";
import { orientationOf, orientationTiff, UPRIGHT } from "./orientation.ts";

/**
 * Returns a picture file with its pixels and their colours bit for bit, without what else it says: places, cameras, programs, remarks,
 * and whatever follows its end. Of EXIF, only which side is up stays. Undefined for a file that cannot be followed to its end. Runs
 * only in a child: the bytes are untrusted.
 */
export function barePicture(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = sniffPicture(bytes.subarray(0, 32));
  try {
    if (type === "image/jpeg") return bareJpeg(file);
    if (type === "image/png") return barePng(file);
    return type === "image/webp" ? bareWebp(file) : bareGif(file);
  } catch (error) {
    // What a length promises is not there.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Segments that say how pixels are coded (ITU-T T.81, table B.1); all others are applications' and remarks. */
const isCoding = (marker: number) => marker >= 0xc0 && marker <= 0xdf;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const EXIF_MARKER = 0xe1;
/** Restarts and the ends of a picture have no length. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
/** What applications say about colours. */
const COLOUR_SEGMENTS: ReadonlyMap<number, string> = new Map([
  [0xe0, "JFIF\0"],
  [0xe2, "ICC_PROFILE\0"],
  [0xee, "Adobe"],
]);
const EXIF = "Exif\0\0";

/** A segment of a JPEG, and the coded pixels behind it where it begins a scan. */
type Segment = { marker: number; all: Buffer; content: Buffer };

function bareJpeg(file: Buffer): Buffer {
  const kept = [file.subarray(0, 2)];
  let hasExif = false;
  for (const { marker, all, content } of segmentsOf(file)) {
    const isExif = marker === EXIF_MARKER && startsWith(content, EXIF);
    // Of several, the first counts.
    if (isExif && !hasExif) kept.push(exifSegment(content.subarray(EXIF.length)));
    hasExif ||= isExif;
    if (isCoding(marker) || startsWith(content, COLOUR_SEGMENTS.get(marker))) kept.push(all);
  }
  return Buffer.concat(kept);
}

/** Yields all segments up to the end of the picture. Decoders are content without its mark. */
function* segmentsOf(file: Buffer): Generator<Segment> {
  for (let start = 2; start < file.length; ) {
    const at = behindMarker(file, start);
    const marker = file.readUInt8(at - 1);
    const end = isAlone(marker) ? at : at + file.readUInt16BE(at);
    if (end > file.length) throw new RangeError("a segment behind the end");
    const next = marker === START_OF_SCAN ? endOfScan(file, end) : end;
    yield { marker, all: file.subarray(start, next), content: file.subarray(at + 2, end) };
    if (marker === END_OF_IMAGE) return;
    start = next;
  }
}

const startsWith = (content: Buffer, name: string | undefined) =>
  name !== undefined && content.toString("latin1", 0, name.length) === name;

/** Returns where a marker ends, which bytes of ones may fill up. */
function behindMarker(file: Buffer, start: number): number {
  if (file[start] !== 0xff) throw new RangeError("not a segment");
  let at = start + 1;
  while (file[at] === 0xff) at++;
  return at + 1;
}

/** Returns where the next marker is behind coded pixels, in which 0xff is followed by 0, or a restart counts on. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1];
    if (next !== undefined && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}

function exifSegment(tiff: Buffer): Buffer {
  const orientation = orientationOf(tiff);
  if (orientation === UPRIGHT) return Buffer.alloc(0);
  const content = Buffer.concat([Buffer.from(EXIF, "latin1"), orientationTiff(orientation)]);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, content.length + 2]), content]);
}

/** Chunks of PNG (third edition) that are not critical, and say how pixels look or move. */
const LOOKS: ReadonlySet<string> = new Set(
  "tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs hIST sPLT mDCV cLLI acTL fcTL fdAT".split(" "),
);
const CHUNK_FRAME_BYTES = 12;

function barePng(file: Buffer): Buffer | undefined {
  const kept = [file.subarray(0, 8)];
  for (let at = 8; at < file.length; ) {
    const end = at + CHUNK_FRAME_BYTES + file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    if (end > file.length) return undefined;
    if (/^[A-Z]/.test(name) || LOOKS.has(name)) kept.push(file.subarray(at, end));
    if (name === "eXIf") kept.push(exifChunk(file.subarray(at + 8, end - 4)));
    if (name === "IEND") return Buffer.concat(kept);
    at = end;
  }
  return undefined;
}

function exifChunk(tiff: Buffer): Buffer {
  const orientation = orientationOf(tiff);
  if (orientation === UPRIGHT) return Buffer.alloc(0);
  const content = Buffer.concat([Buffer.from("eXIf"), orientationTiff(orientation)]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(Bun.hash.crc32(content), content.length + 4);
  return chunk;
}

/** Chunks of WebP (RFC 9649) that hold pixels, their colours and their motion. */
const WEBP_CHUNKS: ReadonlySet<string> = new Set("VP8X,VP8 ,VP8L,ALPH,ANIM,ANMF,ICCP".split(","));
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];
const RIFF_HEAD_BYTES = 12;

function bareWebp(file: Buffer): Buffer {
  const chunks = [...webpChunks(file)];
  const kept = chunks.flatMap(({ name, all }) => (WEBP_CHUNKS.has(name) ? [all] : []));
  const exif = chunks.find(({ name }) => name === "EXIF");
  const orientation = exif ? orientationOf(withoutName(exif.all.subarray(8))) : UPRIGHT;
  const [extended] = kept;
  if (extended && chunks[0]?.name === "VP8X") {
    const isTurned = orientation !== UPRIGHT;
    extended[8] = (extended.readUInt8(8) & ~(HAS_EXIF | HAS_XMP)) | (isTurned ? HAS_EXIF : 0);
    if (isTurned) kept.push(exifWebpChunk(orientation));
  }
  const content = Buffer.concat(kept);
  const head = Buffer.from(file.subarray(0, RIFF_HEAD_BYTES));
  head.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([head, content]);
}

function* webpChunks(file: Buffer): Generator<{ name: string; all: Buffer }> {
  const end = Math.min(file.length, 8 + evened(file.readUInt32LE(4)));
  for (let at = RIFF_HEAD_BYTES; at < end; ) {
    const next = at + 8 + evened(file.readUInt32LE(at + 4));
    if (next > end) throw new RangeError("a chunk behind the end");
    yield { name: file.toString("latin1", at, at + 4), all: Buffer.from(file.subarray(at, next)) };
    at = next;
  }
}

function exifWebpChunk(orientation: number): Buffer {
  const tiff = orientationTiff(orientation);
  const head = Buffer.from("EXIF\0\0\0\0", "latin1");
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}

const evened = (bytes: number) => bytes + (bytes % 2);
/** Some programs write EXIF as it stands in a JPEG. */
const withoutName = (content: Buffer) =>
  startsWith(content, EXIF) ? content.subarray(EXIF.length) : content;

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [PLAIN_TEXT, GRAPHIC_CONTROL, APPLICATION] = [0x01, 0xf9, 0xff];
const GIF_APPLICATIONS: readonly string[] = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"];

function bareGif(file: Buffer): Buffer | undefined {
  let at = 13 + tableBytes(file.readUInt8(10));
  const kept = [file.subarray(0, at)];
  while (at < file.length) {
    const kind = file.readUInt8(at);
    if (kind === TRAILER) return Buffer.concat([...kept, file.subarray(at, at + 1)]);
    if (kind !== EXTENSION && kind !== IMAGE) return undefined;
    const blocks = kind === IMAGE ? at + 11 + tableBytes(file.readUInt8(at + 9)) : at + 2;
    const end = endOfBlocks(file, blocks);
    if (kind === IMAGE || isShownExtension(file, at)) kept.push(file.subarray(at, end));
    at = end;
  }
  return undefined;
}

const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function endOfBlocks(file: Buffer, from: number): number {
  let at = from;
  for (let size = file.readUInt8(at); size > 0; size = file.readUInt8(at)) at += 1 + size;
  return at + 1;
}

function isShownExtension(file: Buffer, at: number): boolean {
  const label = file.readUInt8(at + 1);
  if (label === APPLICATION) return GIF_APPLICATIONS.includes(file.toString("latin1", at + 3, at + 14));
  return label === PLAIN_TEXT || label === GRAPHIC_CONTROL;
}
