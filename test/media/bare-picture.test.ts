import { describe, expect, test } from "bun:test";
import { barePicture } from "../../src/media/pictures/bare-picture.ts";
import { GIF, picture, withExif } from "../support/pictures.ts";

const SECRET = "52.5200 N 13.4050 E, the kitchen";
const text = Buffer.from(SECRET);
const bare = (bytes: Uint8Array) => Buffer.from(barePicture(bytes) ?? "none");

const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), content]);
const after = (bytes: Buffer, at: number, ...more: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, at), ...more, bytes.subarray(at)]);

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(content.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
  return bytes;
}

function riff(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A WebP in the extended form, with EXIF and XMP behind its pixels. */
function extendedWebp(webp: Buffer): Buffer {
  const canvas = Buffer.from([0x0c, 0, 0, 0, 59, 0, 0, 39, 0, 0]);
  const more = [riff("EXIF", Buffer.concat([Buffer.from("II*\0"), text])), riff("XMP ", text)];
  const content = Buffer.concat([riff("VP8X", canvas), webp.subarray(12), ...more]);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([head, content]);
}

const told: [string, () => Promise<{ plain: Buffer; telling: Buffer }>][] = [
  [
    "a JPEG with XMP, IPTC, remarks, an application's words and a second picture behind it",
    async () => {
      const plain = await picture("jpeg");
      const xmp = Buffer.concat([Buffer.from("http://ns.adobe.com/xap/1.0/\0"), text]);
      const more = [0xe1, 0xed, 0xfe, 0xe2, 0xeb].map((marker) =>
        segment(marker, marker === 0xe1 ? xmp : text),
      );
      return { plain, telling: Buffer.concat([after(plain, 2, ...more), withExif(plain, SECRET)]) };
    },
  ],
  [
    "a PNG with words, a date, EXIF and something behind it",
    async () => {
      const plain = await picture("png");
      const more = ["tEXt", "iTXt", "zTXt", "eXIf", "tIME", "prVt"].map((name) => chunk(name, text));
      return { plain, telling: Buffer.concat([after(plain, 33, ...more), text]) };
    },
  ],
  [
    "a GIF with remarks and an application's words",
    async () => {
      const remark = Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), text, Buffer.alloc(1)]);
      const xmp = Buffer.concat([Buffer.from("\x21\xff\x0bXMP DataXMP", "latin1"), remark.subarray(2)]);
      return { plain: GIF, telling: Buffer.concat([after(GIF, 19, remark, xmp), text]) };
    },
  ],
];

describe("the bare file of a picture", () => {
  test.each(told)("of %s is the picture alone, byte for byte", async (_, make) => {
    const { plain, telling } = await make();

    expect(telling.includes(SECRET)).toBe(true);
    expect(bare(telling).equals(plain)).toBe(true);
    expect(bare(plain).equals(plain)).toBe(true);
  });

  test("of a WebP keeps its pixels, and says no longer that more is there", async () => {
    const webp = await picture("webp");
    const telling = extendedWebp(webp);

    const made = bare(telling);

    expect(bare(webp).equals(webp)).toBe(true);
    expect([made.includes(SECRET), made.includes("XMP "), made.includes("EXIF")]).toEqual([
      false,
      false,
      false,
    ]);
    expect(made[20]).toBe(0);
    const pixels = async (bytes: Buffer) => Buffer.from(await new Bun.Image(bytes).png().bytes());
    expect((await pixels(made)).equals(await pixels(webp))).toBe(true);
  });

  test("keeps which side is up, and is the same when it is made of itself", async () => {
    const photograph = withExif(await picture("jpeg"), SECRET);

    const made = bare(photograph);

    expect(made.includes(SECRET)).toBe(false);
    expect(await new Bun.Image(made).metadata()).toMatchObject({ width: 40, height: 60 });
    expect(bare(made).equals(made)).toBe(true);
  });

  test.each(["jpeg", "png", "webp"] as const)(
    "of a %s with any byte changed or cut is made or refused",
    async (format) => {
      const bytes = withNoise(await picture(format, { width: 16, height: 16 }));
      for (const changed of bytes) {
        const made = barePicture(changed);
        expect(made === undefined || made.length <= changed.length + 64).toBe(true);
      }
    },
  );
});

/** Yields a picture with each of its bytes set high, and cut before it. */
function* withNoise(bytes: Buffer): Generator<Buffer> {
  for (let at = 12; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = 0xff;
    yield changed;
    yield bytes.subarray(0, at);
  }
}
