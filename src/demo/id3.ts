/** A text frame of an ID3 tag: its four-letter name, as in "TIT2", and its text. */
export type TextFrame = { name: string; text: string };

const LATIN1 = 0;
const UTF16_WITH_BOM = 1;

/**
 * Returns an ID3v2.3 tag of text frames, in the order given.
 *
 * @see ID3v2.3.0, sections 3.1 (header), 3.3 (frames) and 4.2 (text frames).
 */
export function encodeId3(frames: readonly TextFrame[]): Uint8Array {
  const body = frames.flatMap(({ name, text }) => {
    const content = encodeText(text);
    const size = content.length;
    return [
      ...ascii(name),
      size >>> 24,
      (size >>> 16) & 255,
      (size >>> 8) & 255,
      size & 255,
      0,
      0,
      ...content,
    ];
  });
  const size = body.length;
  // The tag's own size, unlike a frame's, is "syncsafe": seven bits per byte, so that it never looks like audio.
  const syncsafe = [size >>> 21, (size >>> 14) & 127, (size >>> 7) & 127, size & 127];
  return Uint8Array.from([...ascii("ID3"), 3, 0, 0, ...syncsafe, ...body]);
}

/** Latin-1 where it suffices, as most readers expect, else UTF-16 with its byte order mark. */
function encodeText(text: string): number[] {
  const units = [...Array(text.length).keys()].map((i) => text.charCodeAt(i));
  if (units.every((unit) => unit < 256)) return [LATIN1, ...units];
  return [UTF16_WITH_BOM, 0xff, 0xfe, ...units.flatMap((unit) => [unit & 255, unit >>> 8])];
}

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
