import { join } from "node:path";

const FRAMES = {
  title: "TIT2",
  artist: "TPE1",
  album: "TALB",
  albumArtist: "TPE2",
  track: "TRCK",
  disc: "TPOS",
  year: "TDRC",
  label: "TPUB",
} as const;

/** Tags by their names; `track` and `disc` may say how many there are: `3/12`. */
export type FileTags = Partial<Record<keyof typeof FRAMES, string>>;

const fixture = await Bun.file(join(import.meta.dir, "../fixtures/tone.mp3")).bytes();
/** Its sound, without its own tag. */
const tone = fixture.subarray(10 + fixture.subarray(6, 10).reduce((size, byte) => (size << 7) | byte, 0));

const syncsafe = (size: number) => [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f);

function frame(name: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), Buffer.from([...syncsafe(content.length), 0, 0]), content]);
}

/** Returns a second of sound as MP3, with an ID3v2.4 tag (its structure, section 4) and perhaps a JPEG in front. */
export function taggedMp3(tags: FileTags, jpeg?: Uint8Array): Uint8Array<ArrayBuffer> {
  const texts = Object.entries(tags).map(([name, text]) =>
    frame(FRAMES[name as keyof typeof FRAMES], Buffer.from(`\x03${text}`)),
  );
  const cover = jpeg && frame("APIC", Buffer.concat([Buffer.from("\0image/jpeg\0\x03\0", "latin1"), jpeg]));
  const content = Buffer.concat([...texts, ...(cover ? [cover] : [])]);
  const head = Buffer.from([...Buffer.from("ID3"), 4, 0, 0, ...syncsafe(content.length)]);
  return new Uint8Array(Buffer.concat([head, content, tone]));
}
