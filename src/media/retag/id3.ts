import { keyName, parseKey } from "../../kernel/musical-key.ts";
import { MediaError } from "../media-error.ts";
import { ascii, joined, lengthOf, u32be, utf8 } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { threeLetters } from "./language-codes.ts";
import { piecesBytes } from "./piece-bytes.ts";
import type { NotWritten, Piece } from "./retagged.ts";
import type { Counted, TagField, TimedLine } from "./tags.ts";

/** A frame of ID3v2.4 without its header. Its parts are not joined: a cover is large and in many files. */
export type Frame = {
  id: string;
  /** The description of a `TXXX` frame. */
  about?: string;
  parts: Uint8Array[];
};

/** Text is in UTF-8. */
const UTF8 = 3;
const END = "\0";
const UNKNOWN_LANGUAGE = "und";
const FRONT_COVER = 3;
const MILLISECONDS = 2;
const LYRICS = 1;
/** Sizes are in four times seven bits. */
const MAX_BYTES = 2 ** 28;

type Frames = {
  [Field in TagField]?: (value: NonNullable<Fields[Field]>, fields: Fields) => Frame | undefined;
};

/** How ID3v2.4 says each field. @see ID3v2.4.0 native frames, sections 4.2 to 4.14. */
const FRAMES: Frames = {
  title: (text) => textFrame("TIT2", [text]),
  artists: (names) => textFrame("TPE1", names),
  album: (text) => textFrame("TALB", [text]),
  albumArtists: (names) => textFrame("TPE2", names),
  place: (place) => textFrame("TRCK", [counted(place)]),
  disc: (disc) => textFrame("TPOS", [counted(disc)]),
  date: (date) => textFrame("TDRC", [date]),
  genres: (names) => textFrame("TCON", names),
  label: (text) => textFrame("TPUB", [text]),
  barcode: (text) => userFrame("BARCODE", [text]),
  isrc: (text) => textFrame("TSRC", [text]),
  iswc: (text) => userFrame("ISWC", [text]),
  composers: (names) => textFrame("TCOM", names),
  lyricists: (names) => textFrame("TEXT", names),
  // `TPUB` is read as `publisher`, and has the label.
  publishers: (names) => userFrame("MUSICPUBLISHER", names),
  cLine: (text) => textFrame("TCOP", [text]),
  pLine: (text) => textFrame("TPRO", [text]),
  // The frame takes whole numbers only.
  bpm: (bpm) => textFrame("TBPM", [String(Math.round(bpm))]),
  key: (text) => optional("TKEY", initialKey(text)),
  language: (code) => optional("TLAN", threeLetters(code)),
  lyrics: (text, { language }) => ({ id: "USLT", parts: [wordsHead(language), utf8(text)] }),
  timedLyrics: (lines, { language }) => ({
    id: "SYLT",
    parts: [timedHead(language), ...lines.map(timedLine)],
  }),
  explicit: (answer) => userFrame("ITUNESADVISORY", [{ yes: "1", no: "0", clean: "2" }[answer]]),
  kind: (text) => textFrame("TIT3", [text]),
  cover: ({ mediaType, bytes }) => ({
    id: "APIC",
    parts: [joined(Uint8Array.of(UTF8), ascii(mediaType + END), Uint8Array.of(FRONT_COVER, 0)), bytes],
  }),
  aiUse: (parts) => userFrame("AI_USE", parts),
};

/** Returns the frames for fields, and the fields for which ID3 has none. */
export function id3Frames(fields: Fields): { frames: Frame[]; notWritten: NotWritten[] } {
  const frames: Frame[] = [];
  const notWritten: NotWritten[] = [];
  // The keys of fields are fields.
  for (const field of Object.keys(fields) as TagField[]) {
    const frame = frameOf(field, fields);
    if (!frame) notWritten.push({ field, reason: "no_place" });
    else if (lengthOf(frame.parts) >= MAX_BYTES) notWritten.push({ field, reason: "too_large" });
    else frames.push(frame);
  }
  return { frames, notWritten };
}

function frameOf<Field extends TagField>(field: Field, fields: Fields): Frame | undefined {
  const value = fields[field];
  return value === undefined ? undefined : FRAMES[field]?.(value as NonNullable<Fields[Field]>, fields);
}

/**
 * Returns a tag as pieces.
 *
 * @param kept Frames of the original that stay, headers included.
 * @see ID3v2.4.0 main structure, sections 3.1 and 4: sizes have seven bits per byte, in the header and in each frame.
 */
export function id3Tag(frames: readonly Frame[], kept: readonly Piece[] = []): Piece[] {
  const ours = frames.flatMap(({ id, parts }) => [
    joined(ascii(id), synchsafe(lengthOf(parts)), Uint8Array.of(0, 0)),
    ...parts,
  ]);
  const pieces = [...ours, ...kept];
  const sizeBytes = piecesBytes(pieces);
  if (sizeBytes >= MAX_BYTES) throw new MediaError("unsupported", "too large for an ID3 tag");
  return [joined(ascii("ID3\x04\0\0"), synchsafe(sizeBytes)), ...pieces];
}

/** Returns a number of up to 28 bits in four bytes of seven. */
export function synchsafe(value: number): Uint8Array {
  return Uint8Array.of((value >>> 21) & 0x7f, (value >>> 14) & 0x7f, (value >>> 7) & 0x7f, value & 0x7f);
}

const textFrame = (id: string, texts: readonly string[]): Frame => ({
  id,
  parts: [Uint8Array.of(UTF8), utf8(texts.join(END))],
});

const optional = (id: string, text: string | undefined): Frame | undefined =>
  text === undefined ? undefined : textFrame(id, [text]);

const userFrame = (about: string, texts: readonly string[]): Frame => ({
  id: "TXXX",
  about,
  parts: [Uint8Array.of(UTF8), utf8([about, ...texts].join(END))],
});

const counted = ({ number, of }: Counted): string => (of === undefined ? String(number) : `${number}/${of}`);

/** The frame has room for three characters: `F#m`, `Bb`. @returns undefined for what cannot be read as a key. */
function initialKey(text: string): string | undefined {
  const key = parseKey(text);
  return key && keyName(key).replace(" minor", "m").replace(" major", "");
}

const languageOf = (language: string | undefined) => ascii(threeLetters(language) ?? UNKNOWN_LANGUAGE);
/** The description of the words is empty. */
const wordsHead = (language: string | undefined) =>
  joined(Uint8Array.of(UTF8), languageOf(language), Uint8Array.of(0));
const timedHead = (language: string | undefined) =>
  joined(Uint8Array.of(UTF8), languageOf(language), Uint8Array.of(MILLISECONDS, LYRICS, 0));
const timedLine = ({ atSec, text }: TimedLine) => joined(utf8(text + END), u32be(Math.round(atSec * 1000)));
