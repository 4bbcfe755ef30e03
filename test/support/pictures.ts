import { deflateSync } from "node:zlib";

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

/** Returns a grey square of so many pixels per side, a multiple of 8, as a JPEG with the four colours of print (ITU-T T.81). */
export function cmykJpeg(sidePx: number): Buffer {
  const part = (marker: number, ...content: number[]) => [0xff, marker, 0, content.length + 2, ...content];
  const [high, low, colours] = [sidePx >> 8, sidePx & 255, [1, 2, 3, 4]];
  const oneOfEach = (bits: number) => Array.from({ length: 16 }, (_, at) => Number(at + 1 === bits));
  const head = [
    ...[0xff, 0xd8, ...part(0xee, ...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, 0)],
    ...part(0xdb, 0, ...Array<number>(64).fill(1)),
    ...part(0xc0, 8, high, low, high, low, 4, ...colours.flatMap((id) => [id, 0x11, 0])),
    // One code each: no difference to the block before, and the end of a block.
    ...[...part(0xc4, 0, ...oneOfEach(2), 0), ...part(0xc4, 0x10, ...oneOfEach(4), 0)],
    ...part(0xda, 4, ...colours.flatMap((id) => [id, 0]), 0, 63, 0),
  ];
  const blocks = (sidePx / 8) ** 2 * colours.length;
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(Math.ceil((blocks * 6) / 8)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Returns a black square as a PNG with an alpha channel, whose upper half has this alpha. */
export function transparentPng(sidePx: number, alpha: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), content]);
    return Buffer.concat([uint32(content.length), body, uint32(Bun.hash.crc32(body))]);
  };
  const rowBytes = 1 + sidePx * 4;
  const rows = Buffer.alloc(rowBytes * sidePx);
  for (let at = 0; at < rows.length; at += rowBytes)
    for (let x = 0; x < sidePx; x++) rows[at + 4 + x * 4] = at < rows.length / 2 ? alpha : 255;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", Buffer.concat([uint32(sidePx), uint32(sidePx), Buffer.from([8, 6, 0, 0, 0])])),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
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
