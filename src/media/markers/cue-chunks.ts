import type { Marker } from "./marker.ts";

/** The largest number in 32 bits. */
const MAX_U32 = 0xffff_ffff;
const POINT_BYTES = 24;
const RANGE_BYTES = 20;

/**
 * Returns the chunk `cue ` with a point for each marker, and behind it `LIST` of kind `adtl` with their names, texts and lengths.
 *
 * @param sampleRateHz Of the recording: points count in sample frames.
 * @see Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", chapter 3.
 */
export function cueChunks(markers: readonly Marker[], sampleRateHz: number): Uint8Array {
  const frameAt = (sec: number) => Math.min(MAX_U32, Math.round(sec * sampleRateHz));
  const ranges = markers.flatMap(({ number, atSec, endSec }) =>
    endSec === null ? [] : [{ number, frames: Math.max(0, frameAt(endSec) - frameAt(atSec)) }],
  );
  const cueBytes = 4 + POINT_BYTES * markers.length;
  const texts = [...markers.map(({ name }) => name), ...markers.map(({ text }) => text)];
  const listBytes = 4 + sum(texts.map(memberBytes)) + ranges.length * (8 + RANGE_BYTES);
  const out = writer(8 + cueBytes + 8 + listBytes);

  out.id("cue ").u32(cueBytes).u32(markers.length);
  for (const { number, atSec } of markers)
    out.u32(number).u32(frameAt(atSec)).id("data").u32(0).u32(0).u32(frameAt(atSec));
  out.id("LIST").u32(listBytes).id("adtl");
  // ffmpeg stops reading names at the first member of another kind, so they come first.
  for (const { number, name } of markers) out.text("labl", number, name);
  for (const { number, text } of markers) out.text("note", number, text);
  for (const { number, frames } of ranges)
    out.id("ltxt").u32(RANGE_BYTES).u32(number).u32(frames).id("rgn ").u32(0).u32(0);
  return out.bytes;
}

/** A text is preceded by its marker's number and ends with a zero byte. */
const textBytes = (text: string): number => 4 + Buffer.byteLength(text) + 1;
const memberBytes = (text: string): number => 8 + even(textBytes(text));
const even = (bytes: number): number => bytes + (bytes & 1);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Writes fields one after the other into bytes of a known length. */
function writer(length: number) {
  const bytes = Buffer.alloc(length);
  let at = 0;
  const out = {
    bytes,
    id: (id: string) => {
      at += bytes.write(id, at, "latin1");
      return out;
    },
    u32: (value: number) => {
      at = bytes.writeUInt32LE(value, at);
      return out;
    },
    text: (id: string, number: number, text: string) => {
      out.id(id).u32(textBytes(text)).u32(number);
      bytes.write(text, at, "utf8");
      at += even(textBytes(text)) - 4;
      return out;
    },
  };
  return out;
}
