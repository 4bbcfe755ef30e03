import { ascii, joined, u16be, u32be, utf8 } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { box } from "./mp4-boxes.ts";
import type { NotWritten } from "./retagged.ts";
import type { Counted, TagField } from "./tags.ts";

/** An entry of the list `ilst`, without its head: boxes named `data`, and for names of one's own `mean` and `name`. */
type Item = { name: string; about?: string; content: Uint8Array };

/** Types of values. */
const BINARY = 0;
const UTF8 = 1;
const INTEGER = 21;
const PICTURES = { "image/jpeg": 13, "image/png": 14, "image/gif": 12, "image/webp": undefined } as const;

const data = (type: number, value: Uint8Array): Uint8Array => box("data", u32be(type), u32be(0), value);
/** One value per person. */
const texts = (values: readonly string[]): Uint8Array =>
  joined(...values.map((value) => data(UTF8, utf8(value))));
const item = (name: string, values: readonly string[]): Item => ({ name, content: texts(values) });
const OWN = "----";
const own = (about: string, values: readonly string[]): Item => ({
  name: OWN,
  about,
  content: joined(
    box("mean", u32be(0), ascii("com.apple.iTunes")),
    box("name", u32be(0), utf8(about)),
    texts(values),
  ),
});
const pair = ({ number, of = 0 }: Counted): Uint8Array => joined(u16be(0), u16be(number), u16be(of));

type Items = { [Field in TagField]?: (value: NonNullable<Fields[Field]>) => Item };

/** How MP4 names each field but the cover. `\xa9` is the sign ©. */
const ITEMS: Items = {
  title: (text) => item("\xa9nam", [text]),
  artists: (names) => item("\xa9ART", names),
  album: (text) => item("\xa9alb", [text]),
  albumArtists: (names) => item("aART", names),
  place: (place) => ({ name: "trkn", content: data(BINARY, joined(pair(place), u16be(0))) }),
  disc: (disc) => ({ name: "disk", content: data(BINARY, pair(disc)) }),
  date: (date) => item("\xa9day", [date]),
  genres: (names) => item("\xa9gen", names),
  label: (text) => own("LABEL", [text]),
  barcode: (text) => own("BARCODE", [text]),
  isrc: (text) => own("ISRC", [text]),
  iswc: (text) => own("ISWC", [text]),
  composers: (names) => item("\xa9wrt", names),
  lyricists: (names) => own("LYRICIST", names),
  publishers: (names) => own("PUBLISHER", names),
  cLine: (text) => item("cprt", [text]),
  pLine: (text) => item("\xa9phg", [text]),
  // The value has 16 bits and no fraction.
  bpm: (bpm) => ({ name: "tmpo", content: data(INTEGER, u16be(Math.round(bpm))) }),
  key: (text) => own("initialkey", [text]),
  language: (code) => own("LANGUAGE", [code]),
  lyrics: (text) => item("\xa9lyr", [text]),
  explicit: (answer) => ({
    name: "rtng",
    content: data(INTEGER, Uint8Array.of({ yes: 1, no: 0, clean: 2 }[answer])),
  }),
  kind: (text) => own("SUBTITLE", [text]),
  aiUse: (parts) => own("AI_USE", parts),
};

/** Returns the items for fields without the cover, and the fields that MP4 cannot carry. */
export function mp4Items({ cover, ...fields }: Fields): { items: Item[]; notWritten: NotWritten[] } {
  const items: Item[] = [];
  const notWritten: NotWritten[] = [];
  // The keys of fields are fields.
  for (const field of Object.keys(fields) as (keyof typeof fields)[]) {
    const found = itemOf(field, fields);
    if (found) items.push(found);
    else notWritten.push({ field, reason: "no_place" });
  }
  if (cover && PICTURES[cover.mediaType] === undefined)
    notWritten.push({ field: "cover", reason: "no_place" });
  return { items, notWritten };
}

function itemOf<Field extends TagField>(field: Field, fields: Fields): Item | undefined {
  const value = fields[field];
  return value === undefined ? undefined : ITEMS[field]?.(value as NonNullable<Fields[Field]>);
}

/** Returns the item with the cover in parts: what is in front of the picture, and its bytes. */
export function coverParts({ cover }: Fields): Uint8Array[] {
  const type = cover && PICTURES[cover.mediaType];
  if (!cover || type === undefined) return [];
  const dataBytes = 16 + cover.bytes.length;
  const head = joined(
    u32be(8 + dataBytes),
    ascii("covr"),
    u32be(dataBytes),
    ascii("data"),
    u32be(type),
    u32be(0),
  );
  return [head, cover.bytes];
}

/** Returns an item as a box. */
export const itemBox = ({ name, content }: Item): Uint8Array =>
  joined(u32be(8 + content.length), ascii(name), content);

/** What makes two items say the same. */
export const itemName = ({ name, about }: { name: string; about?: string | undefined }): string =>
  name === OWN ? `${OWN} ${(about ?? "").toUpperCase()}` : name;
