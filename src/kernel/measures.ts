import { centreOf, type Features, fullnessOf, octavesBetween, warmthOf } from "./timbre.ts";
import { clockText } from "./time.ts";

/** What is measured of a track and searched by. */
type MeasureRow = {
  /** The name in briefs and answers. */
  name: string;
  /** Its property of a track's facts, its column in the index of a search, and what `ordering.by` calls it. */
  field: string;
  unit: keyof typeof UNITS;
  /** Where it is stored, over `tracks t` and `analyses a`; null for what a search makes of several values. */
  stored: string | null;
  /** The features of the analysis that it is made of, if it is. */
  made?: { of: readonly string[]; from: (features: Features) => number | null };
  /** How the index keeps it: as a number, or a share of 0 to 1 in one byte. */
  kept: "float64" | "float32" | "byte";
  /** What its part of a score is called in `weights`. */
  channel: string;
  /**
   * What is measured beside it and must agree that a track lies on the asked side. The centre of a spectrum is lower where
   * a kick is loud, and higher where cymbals are many: brighter is what is so by power and by amplitude.
   */
  witness?: { field: string; feature: string };
  /** The kind of wish that a brief's word for it is. */
  kind: "tempo" | "length" | "energy" | "mood";
  /** The words that answers use, after which db/lexicon/moves.txt lists those of briefs. */
  comparatives: readonly [less: string, more: string];
  /** The words of moves.txt that "more" and "less" stand before. */
  adjectives: readonly [less: string, more: string];
  /** What it says of a track, for the glossary. */
  meaning: string;
  /** Said of a track that is no different; where people say so. */
  alike?: string;
  /** The smallest step that is heard, and a clear one: in its unit, or for a ratio as a share. */
  steps: { just: number; clear: number; isRatio: boolean };
  /** The words for both ends, as the lexicon's library.txt lists them; only for what is kept as a number. */
  order?: {
    least: string;
    most: string;
    /** What "sorted by" it means. */
    plain: "asc" | "desc";
    /** What answers call both ends, if not by these words. */
    called?: readonly [least: string, most: string];
  };
};

/** How values are said: as they are, and as a difference. */
const UNITS = {
  BPM: { shown: (bpm: number) => `${tenths(bpm)} BPM`, difference: (bpm: number) => `${tenths(bpm)} BPM` },
  seconds: { shown: (seconds: number) => `${clockText(seconds)} long`, difference: clockText },
  LUFS: {
    shown: (lufs: number) => `${lufs.toFixed(1)} LUFS`,
    difference: (lu: number) => `${tenths(lu)} dB`,
  },
  octaves: {
    shown: (share: number) => `brightness ${share.toFixed(2)}`,
    difference: (share: number) => `${tenths(octavesBetween(share))} octaves`,
  },
  dB: {
    shown: (db: number) => `${db.toFixed(1)} dB`,
    difference: (db: number) => `${tenths(db)} dB`,
  },
  /** A share of 0 to 1 has no unit: its name is said instead, and both values in place of a difference. */
  share: null,
} as const;

/**
 * Everything that search measures, apart from the key. A new measure is a row here; its arithmetic in the analysis, with a
 * new ANALYZER_VERSION; its comparatives in db/lexicon/moves.txt; and its lines in docs/search.md. Tracks that were analysed
 * before lack its value until they are analysed again.
 */
export const MEASURES = [
  {
    name: "tempo",
    field: "bpm",
    unit: "BPM",
    stored: "t.bpm",
    kept: "float64",
    channel: "tempo",
    kind: "tempo",
    comparatives: ["slower", "faster"],
    adjectives: ["slow", "fast"],
    meaning: "how fast it is",
    alike: "as fast as",
    steps: { just: 0.03, clear: 0.1, isRatio: true },
    order: { least: "slowest", most: "fastest", plain: "asc" },
  },
  {
    name: "length",
    field: "durationSec",
    unit: "seconds",
    stored: "t.duration_sec",
    kept: "float64",
    channel: "duration",
    kind: "length",
    comparatives: ["shorter", "longer"],
    adjectives: ["short", "long"],
    meaning: "how long it is",
    alike: "as long as",
    steps: { just: 0.04, clear: 0.2, isRatio: true },
    order: { least: "shortest", most: "longest", plain: "asc" },
  },
  {
    name: "energy",
    field: "energy",
    unit: "share",
    stored: "a.features ->> '$.energy'",
    kept: "float32",
    channel: "energy",
    kind: "energy",
    comparatives: ["calmer", "livelier"],
    adjectives: ["calm", "lively"],
    meaning: "how lively it is",
    steps: { just: 0.02, clear: 0.12, isRatio: false },
    order: {
      least: "calmest",
      most: "liveliest",
      plain: "desc",
      called: ["lowest energy", "highest energy"],
    },
  },
  {
    name: "loudness",
    field: "loudness",
    unit: "LUFS",
    stored: "a.integrated_lufs",
    kept: "float32",
    channel: "loudness",
    kind: "energy",
    comparatives: ["quieter", "louder"],
    adjectives: ["quiet", "loud"],
    meaning: "how loud it is",
    alike: "as loud as",
    steps: { just: 0.5, clear: 3, isRatio: false },
    order: { least: "quietest", most: "loudest", plain: "desc" },
  },
  {
    name: "brightness",
    field: "brightness",
    unit: "octaves",
    // The analysis counts from 0 on, and darker recordings lie below.
    stored: null,
    made: {
      of: ["brightness", "centroidHz"],
      from: (features) => centreOf(features) ?? features.brightness ?? null,
    },
    kept: "float32",
    witness: { field: "amplitudeCentreHz", feature: "amplitudeCentroidHz" },
    channel: "brightness",
    kind: "mood",
    comparatives: ["darker", "brighter"],
    adjectives: ["dark", "bright"],
    meaning: "how bright it sounds",
    steps: { just: 0.02, clear: 0.1, isRatio: false },
  },
  {
    name: "mood",
    field: "mood",
    unit: "share",
    // By mood tags, and by major or minor.
    stored: null,
    kept: "byte",
    channel: "mood",
    kind: "mood",
    comparatives: ["sadder", "happier"],
    adjectives: ["sad", "happy"],
    meaning: "how happy it is",
    steps: { just: 0.03, clear: 0.15, isRatio: false },
  },
  {
    name: "warmth",
    field: "warmth",
    unit: "dB",
    stored: null,
    made: { of: ["lowMidShare", "trebleShare"], from: warmthOf },
    kept: "float32",
    channel: "warmth",
    kind: "mood",
    comparatives: ["colder", "warmer"],
    adjectives: ["cold", "warm"],
    meaning: "how warm it sounds",
    steps: { just: 1, clear: 5, isRatio: false },
  },
  {
    name: "fullness",
    field: "fullness",
    unit: "share",
    stored: null,
    made: { of: ["onsetRatePerSec", "rolloffHz", "dynamicRangeDb"], from: fullnessOf },
    kept: "float32",
    witness: { field: "notesPerSec", feature: "onsetRatePerSec" },
    channel: "fullness",
    kind: "energy",
    comparatives: ["sparser", "fuller"],
    adjectives: ["sparse", "full"],
    meaning: "how full its arrangement is",
    steps: { just: 0.03, clear: 0.12, isRatio: false },
  },
] as const satisfies readonly MeasureRow[];

type Row = (typeof MEASURES)[number];
type Ordered = Extract<Row, { order: object }>;
/** A value that must agree with a measure. */
export type WitnessField = Extract<Row, { witness: object }>["witness"]["field"];

/** The name of a measure: what a wish can move along, besides the key. */
export type MeasureName = Row["name"];
export type MeasureField = Row["field"];
export type MeasureChannel = Row["channel"];
/** What results can be ordered by, besides their age. */
export type OrderedField = Ordered["field"];
/** The values of a track; null where one is unknown. */
export type Measured = Record<MeasureField | WitnessField, number | null>;

/** The names that answers have for them, in the order in which the document grew. */
export const MEASURE_NAMES = unique<MeasureName | "key">([
  ...(["tempo", "brightness", "energy", "mood", "loudness", "length", "key"] as const),
  ...MEASURES.map(({ name }) => name),
]);

const ordered: readonly Ordered[] = MEASURES.filter((row) => "order" in row);

/** What results can be ordered by, in the order in which the document grew. */
export const ORDERED_FIELDS = unique<OrderedField>([
  ...(["durationSec", "bpm", "loudness", "energy"] as const),
  ...ordered.map(({ field }) => field),
]);

const byName = new Map<string, MeasureRow & Row>(MEASURES.map((row) => [row.name, row]));
const byField = new Map<string, MeasureRow & Row>(MEASURES.map((row) => [row.field, row]));

/** Returns the row of a measure. */
export function measureOf(name: MeasureName): MeasureRow & Row {
  return byName.get(name) as MeasureRow & Row;
}

/** The measures in the order in which the document grew. */
const documented = MEASURE_NAMES.flatMap((name) => (name === "key" ? [] : measureOf(name)));

/** What "more" of each measure is called: "faster, brighter". */
export const MORE = documented.map(({ comparatives: [, more] }) => more).join(", ");

/** What the names mean, for the glossary. */
export const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries([
  ...documented.map(({ name, meaning }) => [name, meaning]),
  ["key", "its musical key"],
]);

/** Returns the row of the measure that results are ordered by. */
export function orderedMeasure(field: OrderedField): MeasureRow & Ordered {
  return byField.get(field) as MeasureRow & Ordered;
}

/** What the fields mean that results can be ordered by, for the glossary. */
export const ORDER_MEANINGS: Readonly<Record<string, string>> = Object.fromEntries([
  ["createdAt", "the time of upload"],
  ...ORDERED_FIELDS.map(orderedMeasure).map(({ field, name, unit, meaning }) => [
    field,
    unit === "share" ? meaning : name,
  ]),
]);

/** Says a value: "122 BPM", "3:05 long", "measured energy 0.71". */
export function measureText({ name, unit }: Row, value: number): string {
  return UNITS[unit]?.shown(value) ?? `measured ${name} ${value.toFixed(2)}`;
}

/** Says by how much two values differ: "12 BPM", "3 dB"; undefined for a share. */
export function differenceText({ unit }: Row, difference: number): string | undefined {
  return UNITS[unit]?.difference(difference);
}

/** Rounds to one decimal. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
