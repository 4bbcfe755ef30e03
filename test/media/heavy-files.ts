import { openByteReader } from "../../src/media/decode/byte-reader.ts";
import { readPackets } from "../../src/media/decode/ogg.ts";
import { oggFile } from "../../src/media/decode/ogg-file.ts";
import { fixture } from "./media-files.ts";
import { ascii, concat } from "./wave-bytes.ts";

/** The mark in every tag that fills these files. */
export const MARK = "HVY";

const be32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
const le32 = (value: number) => be32(value).reverse();
const synchsafe = (value: number) =>
  Uint8Array.of((value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, value & 127);
const many = (count: number, make: (index: number) => Uint8Array) =>
  concat(Array.from({ length: count }, (_, i) => make(i)));
const nameOf = (index: number) => MARK + index.toString(36).padStart(4, "0");

const id3Frame = (index: number) => {
  const body = ascii(`\0${nameOf(index)}\0v`);
  return concat([ascii("TXXX"), synchsafe(body.length), ascii("\0\0"), body]);
};
const id3Tag = (count: number) => {
  const body = many(count, id3Frame);
  return concat([ascii("ID3\x04\0\0"), synchsafe(body.length), body]);
};
const apeTag = (count: number) => {
  const items = many(count, (i) => concat([le32(1), le32(0), ascii(`${nameOf(i)}\0v`)]));
  const sizes = [le32(2000), le32(items.length + 32), le32(count), le32(0)];
  return concat([items, ascii("APETAGEX"), ...sizes, new Uint8Array(8)]);
};
const comments = (count: number) => {
  const list = many(count, (i) => concat([le32(MARK.length + 6), ascii(`${nameOf(i)}=v`)]));
  return concat([le32(0), le32(count), list]);
};
const little = (id: string, body: Uint8Array) => concat([ascii(id), le32(body.length), body]);
const big = (id: string, body: Uint8Array) => concat([ascii(id), be32(body.length), body]);
const box = (name: string, body: Uint8Array) => concat([be32(body.length + 8), ascii(name), body]);

/** Puts chunks before the first chunk of a RIFF or FORM file. */
const withChunks = (bytes: Uint8Array, chunks: Uint8Array) =>
  concat([bytes.subarray(0, 12), chunks, bytes.subarray(12)]);

/** Puts a block of comments after the STREAMINFO of a FLAC file. */
function withFlacComments(bytes: Uint8Array, count: number): Uint8Array {
  const body = comments(count);
  const head = Uint8Array.of(4, body.length >> 16, body.length >> 8, body.length);
  return concat([bytes.subarray(0, 42), head, body, bytes.subarray(42)]);
}

/** Adds boxes to the index of an MP4 whose index comes last. */
function withBoxes(bytes: Uint8Array, boxes: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes).indexOf("moov") - 4;
  const moov = bytes.subarray(at + 8, at + new DataView(bytes.buffer).getUint32(at));
  return concat([bytes.subarray(0, at), box("moov", concat([moov, boxes]))]);
}

function item(index: number): Uint8Array {
  const mean = box("mean", ascii("\0\0\0\0x"));
  const name = box("name", ascii(`\0\0\0\0${nameOf(index)}`));
  return box("----", concat([mean, name, box("data", ascii("\0\0\0\x01\0\0\0\0v"))]));
}

const handler = box("hdlr", ascii(`${"\0".repeat(8)}mdirappl${"\0".repeat(9)}`));
const userData = (count: number) =>
  box("udta", box("meta", concat([new Uint8Array(4), handler, box("ilst", many(count, item))])));

/** Fills the second header of an Ogg file; the sound is on the third page and later. */
const withOggComments = (name: string, magic: string, end: string) => (bytes: Uint8Array, count: number) => {
  const [first, , setup] = [...readPackets(openByteReader(fixture(name)), () => true)].map(
    (packet) => packet.bytes,
  );
  if (!first || !setup) throw new Error("no headers");
  const filled = concat([ascii(magic), comments(count), ascii(end)]);
  const serial = new DataView(bytes.buffer).getUint32(14, true);
  const headers = oggFile([first, filled, ...(end === "" ? [] : [setup])], { serial, goesOn: true });
  const pages = [...Buffer.from(bytes).toString("latin1").matchAll(/OggS/g)].map(({ index }) => index);
  return concat([headers, bytes.subarray(pages[2])]);
};

/** Small sounds with very many useless tags or chunks: the clean file, and how to add `count` of them. */
export const HEAVY: readonly [
  what: string,
  clean: string,
  make: (bytes: Uint8Array, count: number) => Uint8Array,
][] = [
  ["an MP3 with ID3 frames", "tone.mp3", (bytes, count) => concat([id3Tag(count), bytes])],
  ["an MP3 with APE items", "tone.mp3", (bytes, count) => concat([bytes, apeTag(count)])],
  [
    "a WAV with empty chunks",
    "tone.wav",
    (bytes, count) =>
      withChunks(
        bytes,
        many(count, () => little(`${MARK}k`, new Uint8Array(0))),
      ),
  ],
  [
    "a WAV with a list",
    "tone.wav",
    (bytes, count) =>
      withChunks(
        bytes,
        little(
          "LIST",
          concat([
            ascii("INFO"),
            many(count, (i) => little(i.toString(36).padStart(4, "0"), ascii(`${MARK}\0`))),
          ]),
        ),
      ),
  ],
  ["a WAV with an ID3 tag", "tone.wav", (bytes, count) => withChunks(bytes, little("id3 ", id3Tag(count)))],
  [
    "an AIFF with annotations",
    "tone.aiff",
    (bytes, count) =>
      withChunks(
        bytes,
        many(count, () => big("ANNO", ascii(`${MARK}v`))),
      ),
  ],
  ["an AIFF with an ID3 tag", "tone.aiff", (bytes, count) => withChunks(bytes, big("ID3 ", id3Tag(count)))],
  ["a FLAC with comments", "tone.flac", withFlacComments],
  ["Vorbis with comments", "tone.ogg", withOggComments("tone.ogg", "\x03vorbis", "\x01")],
  ["Opus with comments", "tone.opus", withOggComments("tone.opus", "OpusTags", "")],
  ["an M4A with items", "tone-aac.m4a", (bytes, count) => withBoxes(bytes, userData(count))],
];

/** Reads the clean file and makes it heavy. */
export async function makeHeavy(
  clean: string,
  make: (bytes: Uint8Array, count: number) => Uint8Array,
  count: number,
) {
  return make(await Bun.file(fixture(clean)).bytes(), count);
}
