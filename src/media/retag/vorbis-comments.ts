import { MediaError } from "../media-error.ts";
import { ascii, joined, u32be, u32le, utf8, viewOf } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { lrcOf } from "./lrc.ts";
import { pictureShape } from "./picture-shape.ts";
import type { NotWritten } from "./retagged.ts";
import type { Counted, Cover, TagField } from "./tags.ts";

/** One line of a list of comments. */
type Comment = readonly [name: string, value: string];

type Names = { [Field in TagField]?: (value: NonNullable<Fields[Field]>) => readonly Comment[] };

const one =
  (name: string) =>
  (text: string): Comment[] => [[name, text]];
/** One entry per person. */
const each = (name: string) => (texts: readonly string[]) => texts.map((text): Comment => [name, text]);
const numbered =
  (name: string, total: string) =>
  ({ number, of }: Counted): Comment[] => [
    [name, String(number)],
    ...(of === undefined ? [] : [[total, String(of)] as const]),
  ];

/** How Vorbis comments name each field but the cover. */
const NAMES: Names = {
  title: one("TITLE"),
  artists: each("ARTIST"),
  album: one("ALBUM"),
  albumArtists: each("ALBUMARTIST"),
  place: numbered("TRACKNUMBER", "TRACKTOTAL"),
  disc: numbered("DISCNUMBER", "DISCTOTAL"),
  date: one("DATE"),
  genres: each("GENRE"),
  label: one("LABEL"),
  barcode: one("BARCODE"),
  isrc: one("ISRC"),
  iswc: one("ISWC"),
  composers: each("COMPOSER"),
  lyricists: each("LYRICIST"),
  publishers: each("PUBLISHER"),
  cLine: one("COPYRIGHT"),
  pLine: one("PRODUCEDNOTICE"),
  bpm: (bpm) => [["BPM", String(bpm)]],
  key: one("KEY"),
  language: one("LANGUAGE"),
  lyrics: one("LYRICS"),
  timedLyrics: (lines) => [["SYNCEDLYRICS", lrcOf(lines)]],
  explicit: (answer) => [["ITUNESADVISORY", { yes: "1", no: "0", clean: "2" }[answer]]],
  kind: one("VERSION"),
  aiUse: each("AI_USE"),
};

/** Returns the comments for fields without the cover, and the fields for which there is no name. */
export function commentsOf({ cover: _, ...fields }: Fields): {
  comments: Comment[];
  notWritten: NotWritten[];
} {
  const comments: Comment[] = [];
  const notWritten: NotWritten[] = [];
  // The keys of fields are fields.
  for (const field of Object.keys(fields) as (keyof typeof fields)[]) {
    const found = commentsOfField(field, fields);
    if (found) comments.push(...found);
    else notWritten.push({ field, reason: "no_place" });
  }
  return { comments, notWritten };
}

function commentsOfField<Field extends TagField>(
  field: Field,
  fields: Fields,
): readonly Comment[] | undefined {
  const value = fields[field];
  return value === undefined ? undefined : NAMES[field]?.(value as NonNullable<Fields[Field]>);
}

/** A list of comments as it is in a file. */
export type OldComments = { vendor: Uint8Array; entries: Uint8Array[] };

/** The program that made the stream. A longer name was made to cause load. */
const MAX_VENDOR_BYTES = 1024;
const MAX_ENTRIES = 10_000;

/**
 * Reads a list of comments.
 *
 * @param bytes May end before the list does: entries that are not whole are left out.
 * @throws MediaError `corrupt` when the vendor does not fit.
 */
export function readComments(bytes: Uint8Array): OldComments {
  const view = viewOf(bytes);
  const vendorBytes = bytes.length >= 8 ? view.getUint32(0, true) : Number.POSITIVE_INFINITY;
  if (vendorBytes > Math.min(MAX_VENDOR_BYTES, bytes.length - 8))
    throw new MediaError("corrupt", "no vendor");
  const vendor = bytes.slice(4, 4 + vendorBytes);
  const entries: Uint8Array[] = [];
  const count = Math.min(MAX_ENTRIES, view.getUint32(4 + vendorBytes, true));
  let at = 8 + vendorBytes;
  while (entries.length < count && at + 4 <= bytes.length) {
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) break;
    entries.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return { vendor, entries };
}

/** Pictures are counted with our cover. */
const PICTURE = "METADATA_BLOCK_PICTURE";
const OLD_PICTURES: ReadonlySet<string> = new Set(["COVERART", "COVERARTMIME"]);

/** Returns the entries that none of ours replaces. */
export function keptEntries(
  { entries }: OldComments,
  ours: readonly Comment[],
  hasCover: boolean,
): Uint8Array[] {
  const replaced = new Set(ours.map(([name]) => name));
  return entries.filter((entry) => {
    const name = Buffer.from(entry.subarray(0, Math.max(0, entry.indexOf(0x3d))))
      .toString("latin1")
      .toUpperCase();
    if (hasCover && (name === PICTURE || OLD_PICTURES.has(name))) return false;
    return name !== "" && !replaced.has(name);
  });
}

/** Returns a list of comments in the form of all formats that have them. @see Vorbis I specification, section 5.2. */
export function commentList(vendor: Uint8Array, entries: readonly Uint8Array[]): Uint8Array {
  const parts = entries.flatMap((entry) => [u32le(entry.length), entry]);
  return joined(u32le(vendor.length), vendor, u32le(entries.length), ...parts);
}

export const entryOf = ([name, value]: Comment): Uint8Array => utf8(`${name}=${value}`);

const FRONT_COVER = 3;
/** Returns a picture as FLAC has it, in parts: what is said of it, and its bytes. @see RFC 9639, section 8.8. */
export function pictureParts({ mediaType, bytes }: Cover): Uint8Array[] {
  // Zeros are for what is not known.
  const { widthPx = 0, heightPx = 0, depthBits = 0 } = pictureShape(bytes) ?? {};
  const head = joined(
    u32be(FRONT_COVER),
    u32be(mediaType.length),
    ascii(mediaType),
    u32be(0), // no description
    u32be(widthPx),
    u32be(heightPx),
    u32be(depthBits),
    u32be(0), // no palette
    u32be(bytes.length),
  );
  return [head, bytes];
}

/** Returns the entry with a cover for lists that are in no FLAC file: base64. */
export const pictureEntry = (cover: Cover): Uint8Array =>
  ascii(`${PICTURE}=${Buffer.concat(pictureParts(cover)).toString("base64")}`);
