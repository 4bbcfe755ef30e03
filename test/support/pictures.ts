/** Returns a plain grey picture as a JPEG, PNG or WebP. */
export async function picture(
  format: "jpeg" | "png" | "webp",
  { width = 60, height = 40, grey = 128 }: { width?: number; height?: number; grey?: number } = {},
): Promise<Buffer> {
  return Buffer.from(await new Bun.Image(bitmap(width, height, grey))[format]().bytes());
}

/** One red pixel. */
export const GIF = Buffer.from("R0lGODlhAQABAPAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

/** Puts an EXIF block into a JPEG: an orientation of a quarter turn to the right, and a private sentence. */
export function withExif(jpeg: Buffer, secret: string): Buffer {
  const text = Buffer.from(`${secret}\0`);
  const entries = Buffer.alloc(2 + 2 * 12 + 4);
  entries.writeUInt16BE(2, 0);
  entries.set([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0], 2); // orientation
  entries.set([0x01, 0x0e, 0, 2], 14); // description
  entries.writeUInt32BE(text.length, 18);
  entries.writeUInt32BE(8 + entries.length, 22);
  const tiff = Buffer.concat([Buffer.from("MM\0\x2a\0\0\0\x08", "latin1"), entries, text]);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 0]), Buffer.from("Exif\0\0"), tiff]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

/** Puts a picture into an MP3: an ID3v2.3 tag (section 4.15) before its sound. */
export function mp3WithPicture(mp3: Uint8Array, jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = Buffer.concat([Buffer.from("\0image/jpeg\0\x03\0", "latin1"), jpeg]);
  const frame = Buffer.concat([Buffer.from("APIC"), uint32(content.length), Buffer.alloc(2), content]);
  const size = frame.length;
  const syncsafe = Buffer.from([size >>> 21, (size >>> 14) & 127, (size >>> 7) & 127, size & 127]);
  return new Uint8Array(Buffer.concat([Buffer.from("ID3\x03\0\0", "latin1"), syncsafe, frame, mp3]));
}

/** Puts a picture into a FLAC file (RFC 9639, section 8.8). */
export function flacWithPicture(flac: Uint8Array, image: Uint8Array): Uint8Array<ArrayBuffer> {
  const streamInfoEnd = 4 + 4 + 34;
  const head = Buffer.from(flac.subarray(0, streamInfoEnd));
  head[4] = (head[4] ?? 0) & 0x7f; // no longer the last block
  const type = Buffer.from("image/png"); // readers check the picture itself
  const block = Buffer.concat([
    ...[uint32(3), uint32(type.length), type, uint32(0)],
    ...[uint32(1), uint32(1), uint32(24), uint32(0), uint32(image.length), image],
  ]);
  const isLast = ((flac[4] ?? 0) & 0x80) !== 0;
  const header = uint32(block.length);
  header[0] = 6 | (isLast ? 0x80 : 0);
  return new Uint8Array(Buffer.concat([head, header, block, flac.subarray(streamInfoEnd)]));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns a Windows bitmap with 24 bits per pixel, the only format that needs no encoder. */
function bitmap(width: number, height: number, grey: number): Buffer {
  const rowBytes = (width * 3 + 3) & ~3;
  const bytes = Buffer.alloc(54 + rowBytes * height, grey);
  bytes.fill(0, 0, 54).write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}
