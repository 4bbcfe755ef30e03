import { line, prose } from "../tags/clean-tags.ts";
import { sniffPicture } from "../tags/media-probe.ts";
import type { NotWritten } from "./retagged.ts";
import type { Counted, TagField, TaggedLoudness, Tags, TimedLine } from "./tags.ts";

/** Tags as they can be written: texts are clean, lists are not empty, numbers and codes are what the field wants. */
export type Fields = { [Field in TagField]?: Exclude<Tags[Field], undefined> };

const MAX_ENTRIES = 100;
const MAX_TIMED_LINES = 5_000;
const LYRICS_CHARACTERS = 100_000;
const NOTE_CHARACTERS = 5_000;
/** The largest number in the 16 bits of MP4. */
const MAX_NUMBER = 0xffff;
const MAX_BPM = 999;
const MAX_TIMED_SEC = 24 * 3600;

/** Returns a value in the form that is written; undefined when there is nothing to write, null when it is not valid. */
type Clean<Value> = (value: Exclude<Value, undefined>) => Value | undefined | null;

const CLEAN: { [Field in TagField]: Clean<Tags[Field]> } = {
  title: line,
  artists: lines,
  album: line,
  albumArtists: lines,
  place: counted,
  disc: counted,
  date: (text) => (isDate(text.trim()) ? text.trim() : nothingOrNull(text)),
  genres: lines,
  label: line,
  barcode: (text) => code(text, /^\d{8,14}$/),
  isrc: (text) => code(text, /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/),
  iswc: (text) => code(text, /^T\d{10}$/),
  composers: lines,
  lyricists: lines,
  publishers: lines,
  cLine: line,
  pLine: line,
  bpm: (bpm) => (Number.isFinite(bpm) && bpm >= 1 && bpm <= MAX_BPM ? bpm : null),
  key: line,
  language: (text) => (/^[a-z]{2,3}$/i.test(text.trim()) ? text.trim().toLowerCase() : nothingOrNull(text)),
  lyrics: (text) => prose(text, LYRICS_CHARACTERS),
  timedLyrics: timed,
  explicit: (answer) => answer,
  kind: line,
  cover: (cover) => (sniffPicture(cover.bytes) === cover.mediaType ? cover : null),
  aiUse: lines,
  loudness: measured,
  project: line,
  note: (text) => prose(text, NOTE_CHARACTERS),
};

/** Tags of which only valid fields are left, and what was wrong with others. */
type Checked = {
  fields: Fields;
  /** Those that are to be written, in their order. */
  named: TagField[];
  invalid: NotWritten[];
};

/** Returns tags in the form in which they can be written. */
export function fieldsOf(tags: Tags): Checked {
  const checked: Checked = { fields: {}, named: [], invalid: [] };
  // The keys of an object with one member per field are the fields.
  for (const field of Object.keys(CLEAN) as TagField[]) takeField(checked, field, tags[field]);
  return checked;
}

function takeField<Field extends TagField>(checked: Checked, field: Field, value: Tags[Field]): void {
  if (value === undefined) return;
  // Excluding undefined from a type that depends on a parameter is more than the compiler follows.
  const clean = CLEAN[field] as Clean<Tags[Field]>;
  const written = clean(value as Exclude<Tags[Field], undefined>);
  if (written === undefined) return;
  if (written === null) {
    checked.invalid.push({ field, reason: "not_valid" });
    return;
  }
  checked.fields[field] = written as Fields[Field];
  checked.named.push(field);
}

function lines(texts: readonly string[]): readonly string[] | undefined {
  const clean = texts.map(line).filter((text) => text !== undefined);
  return clean.length > 0 ? [...new Set(clean)].slice(0, MAX_ENTRIES) : undefined;
}

const nothingOrNull = (text: string): undefined | null => (text.trim() === "" ? undefined : null);

/** Hyphens, dots and spaces in a code are for people. */
function code(text: string, form: RegExp): string | undefined | null {
  const plain = text.replaceAll(/[\s.\u2010-\u2015-]/g, "").toUpperCase();
  return form.test(plain) ? plain : nothingOrNull(text);
}

/** True for a year, a month or a day that exists. */
function isDate(text: string): boolean {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.getUTCDate() === Number(day);
}

function counted({ number, of }: Counted): Counted | null {
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_NUMBER;
  if (!isCount(number)) return null;
  return of !== undefined && isCount(of) && of >= number ? { number, of } : { number };
}

function timed(list: readonly TimedLine[]): readonly TimedLine[] | undefined {
  const clean = list
    .filter(({ atSec }) => atSec >= 0 && atSec <= MAX_TIMED_SEC)
    // An empty line ends the one before it.
    .map(({ atSec, text }) => ({ atSec, text: line(text) ?? "" }))
    .toSorted((one, other) => one.atSec - other.atSec)
    .slice(0, MAX_TIMED_LINES);
  return clean.some(({ text }) => text !== "") ? clean : undefined;
}

function measured(loudness: TaggedLoudness): TaggedLoudness | undefined {
  return Object.values(loudness).some((value) => Number.isFinite(value)) ? loudness : undefined;
}
