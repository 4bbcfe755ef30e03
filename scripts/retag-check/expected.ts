import { lrcOf } from "../../src/media/retag/lrc.ts";
import type { Counted, TagField, Tags } from "../../src/media/retag/tags.ts";
import type { Family } from "./originals.ts";
import type { Reader, Reading } from "./readers.ts";

const hashed = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

type Wanted = { [Field in TagField]?: (value: NonNullable<Tags[Field]>, family: Family) => string[] };

const counted = ({ number, of }: Counted, family: Family): string[] => [
  family === "vorbis" || of === undefined ? String(number) : `${number}/${of}`,
];
const code = (text: string): string[] => [text.replaceAll(/[-.\s]/g, "")];

/** Fields that are not written as they are given. */
const WANTED: Wanted = {
  place: counted,
  disc: counted,
  isrc: code,
  iswc: code,
  cover: ({ bytes }) => [hashed(bytes)],
  explicit: (answer) => [{ yes: "1", no: "0", clean: "2" }[answer]],
  key: (key, family) => [family === "id3" ? "F#m" : key],
  language: (language, family) => [family === "id3" ? "deu" : language],
  timedLyrics: (lines, family) =>
    family === "id3"
      ? lines.map(({ atSec, text }) => `[${Math.round(atSec * 1000)}]${text}`)
      : [lrcOf(lines)],
};

/** Returns the texts that a reader of a family of formats should find in a field. */
function textsOf<Field extends TagField>(tags: Tags, field: Field, family: Family): string[] {
  const value = tags[field];
  if (value === undefined) return [];
  const special = WANTED[field]?.(value as NonNullable<Tags[Field]>, family);
  const plainTexts: unknown[] = Array.isArray(value) ? value : [value];
  return special ?? plainTexts.map(String);
}

/** Texts as they can be compared: readers write dates and pairs in ways of their own. */
const plain = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(/^(\d{4}):(\d\d)(?::(\d\d))?$/, (_, ...parts: string[]) =>
      parts.slice(0, 3).filter(Boolean).join("-"),
    )
    .replace(/^(\d+) of (\d+)$/, "$1/$2");

/** Returns what a reader finds otherwise than it should; an empty list when everything is as it should be. */
export function differences(
  tags: Tags,
  written: readonly TagField[],
  reading: Reading,
  { reader, family, path }: { reader: Reader; family: Family; path: string },
): string[] {
  if (reader.cannotRead?.test(path)) return [];
  if (reading.error) return [`${reader.name} cannot read it: ${reading.error[0]}`];
  const names = reader.names(family, path);
  return written.flatMap((field) => {
    const name = names[field];
    if (name === undefined) return [];
    const wanted = textsOf(tags, field, family).map(plain);
    const got = (reading[name] ?? []).map(plain);
    return isSame(field, wanted, got, reader)
      ? []
      : [`${reader.name} ${field}: ${show(got)} for ${show(wanted)}`];
  });
}

function isSame(field: TagField, wanted: string[], got: string[], { name, shows }: Reader): boolean {
  const same = (one: readonly string[], other: readonly string[]) =>
    JSON.stringify(one) === JSON.stringify(other);
  if (same(wanted, got)) return true;
  if (field === "cover" && name === "exiftool") return got.length === 1; // it shows the length
  if (field === "timedLyrics" && name === "exiftool") return got.length === wanted.length;
  if (shows === "joined") return same(wanted.toSorted(), got.toSorted()) || same([wanted.join("/")], got);
  // ffprobe joins Vorbis comments, and shows the first of several values elsewhere.
  return shows === "first" && (same(wanted.slice(0, 1), got) || same([wanted.join(";")], got));
}

const show = (texts: readonly string[]): string => JSON.stringify(texts).slice(0, 160);

/** Returns the number of fields that a reader shows. */
export const seenBy = (written: readonly TagField[], reader: Reader, family: Family, path: string): number =>
  reader.cannotRead?.test(path)
    ? 0
    : written.filter((field) => reader.names(family, path)[field] !== undefined).length;
