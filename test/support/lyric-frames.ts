import { join } from "node:path";

const fixture = await Bun.file(join(import.meta.dir, "../fixtures/tone.mp3")).bytes();
const tagBytes = 10 + fixture.subarray(6, 10).reduce((size, byte) => (size << 7) | byte, 0);

const syncsafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));
const frame = (name: string, content: Buffer) =>
  Buffer.concat([Buffer.from(name), syncsafe(content.length), Buffer.alloc(2), content]);

/** Returns a second of sound as MP3 with words in the frame `USLT`, and times in milliseconds in `SYLT` (ID3v2.4). */
export function sungMp3(
  words: string,
  timed: readonly (readonly [atMs: number, text: string])[],
): Uint8Array<ArrayBuffer> {
  const entries = timed.map(([atMs, text]) => {
    const at = Buffer.alloc(4);
    at.writeUInt32BE(atMs);
    return Buffer.concat([Buffer.from(`${text}\0`), at]);
  });
  const content = Buffer.concat([
    frame("USLT", Buffer.from(`\x03eng\0${words}`)),
    ...(timed.length > 0
      ? [frame("SYLT", Buffer.concat([Buffer.from("\x03eng\x02\x01\0"), ...entries]))]
      : []),
  ]);
  const head = Buffer.concat([Buffer.from("ID3\x04\0\0"), syncsafe(content.length)]);
  return new Uint8Array(Buffer.concat([head, content, fixture.subarray(tagBytes)]));
}
