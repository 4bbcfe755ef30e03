/** A picture of one grey as a JPEG, PNG or WebP. */
export async function picture(
  format: "jpeg" | "png" | "webp",
  { width = 60, height = 40, grey = 128 }: { width?: number; height?: number; grey?: number } = {},
): Promise<Buffer> {
  return Buffer.from(await new Bun.Image(bitmap(width, height, grey))[format]().bytes());
}

/** One red pixel. */
export const GIF = Buffer.from("R0lGODlhAQABAPAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

/** Puts an EXIF block into a JPEG: "turn me a quarter to the right", and a sentence nobody else should read. */
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

/** A Windows bitmap, 24 bits a pixel: the one format that needs no encoder. */
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
