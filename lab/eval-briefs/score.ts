import { isSameKey, parseKey } from "../../src/kernel/musical-key.ts";
import type { WireInterpretation } from "../../src/modules/search/search/shapes.ts";

/**
 * The expected reading of a brief. Missing fields are not judged. Names come in groups: any name of a group counts.
 */
type Expectation = {
  bpmRange?: Range | null;
  bpmTolerance?: number;
  bpmAlternatives?: Range[];
  durationRange?: Range | null;
  durationTolerance?: number;
  durationAlternatives?: Range[];
  okNames?: string[];
  /** Names in any category, in groups: wanted; or ruled out and not wanted. */
  asked?: string[][];
  refused?: string[][];
  /** Names that count neither for nor against, or half at most. */
  open?: string[];
} & { [Field in NameField]?: string[][] } & { [Field in TextField]?: string | null | (string | null)[] } & {
  [Field in BannedField]?: string[];
};
type Range = [number | null, number | null];
type NameField = (typeof NAME_FIELDS)[number];
type TextField = (typeof TEXT_FIELDS)[number];
type BannedField = "notGenres" | "notMoods" | "notInstruments";

/** A brief, with the reading of a careful music supervisor. */
export type Brief = { id: string; style: string; query: string; expect: Expectation };
export type Prediction = WireInterpretation;

/**
 * How well one field was read. Null when there was nothing to find and nothing was found. For "negation", the share
 * that was kept out.
 */
export type FieldScore = {
  field: string;
  judged: number;
  /** Values and names that should have been found. */
  wanted: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
};

const NAME_FIELDS = [
  "genres",
  "moods",
  "instruments",
  "lyricThemes",
  "eras",
  "movements",
  "characters",
] as const;
const TEXT_FIELDS = ["key", "keyMode", "vocalPreference", "referenceArtist", "language"] as const;
const RANGE_FIELDS = ["bpm", "duration"] as const;
const BANNED_FIELDS = { notGenres: "genres", notMoods: "moods", notInstruments: "instruments" } as const;
const BPM_TOLERANCE = 3;
const DURATION_TOLERANCE = 10;

type Tally = { judged: number; found: number; extra: number; hit: number; missed: number };

/** Compares interpretations with the expected readings. `misses` has a line for every mistake. */
export function scoreBriefs(
  briefs: readonly Brief[],
  predictions: readonly Prediction[],
): { fields: FieldScore[]; misses: string[] } {
  const board = new Map<string, Tally>();
  const misses: string[] = [];
  for (const [index, brief] of briefs.entries()) {
    const got = predictions[index];
    if (!got) continue;
    const slips = [
      ...scoreRanges(board, brief.expect, got),
      ...scoreTexts(board, brief.expect, got),
      ...scoreNames(board, brief.expect, got),
      ...scoreBanned(board, brief.expect, got),
      ...scoreStances(board, brief.expect, got),
    ];
    if (slips.length > 0) misses.push(`${brief.id} ${brief.query.slice(0, 80)}\n  ${slips.join("\n  ")}`);
  }
  const order = [...RANGE_FIELDS, ...TEXT_FIELDS, ...NAME_FIELDS, "negation", "stance"];
  return { fields: order.map((field) => scoreOf(field, board.get(field))), misses };
}

function scoreOf(
  field: string,
  tally: Tally = { judged: 0, found: 0, extra: 0, hit: 0, missed: 0 },
): FieldScore {
  const precision = share(tally.found, tally.extra);
  const recall = share(tally.hit, tally.missed);
  const sum = (precision ?? 0) + (recall ?? 0);
  const isEmpty = precision === null && recall === null;
  return {
    field,
    judged: tally.judged,
    wanted: tally.hit + tally.missed,
    precision,
    recall,
    f1: isEmpty ? null : sum === 0 ? 0 : (2 * (precision ?? 0) * (recall ?? 0)) / sum,
  };
}

const share = (good: number, bad: number) => (good + bad === 0 ? null : good / (good + bad));

function tallyOf(board: Map<string, Tally>, field: string): Tally {
  const tally = board.get(field) ?? { judged: 0, found: 0, extra: 0, hit: 0, missed: 0 };
  board.set(field, tally);
  return tally;
}

function scoreRanges(board: Map<string, Tally>, expect: Expectation, got: Prediction): string[] {
  const bpm = [
    expect.bpmRange,
    expect.bpmAlternatives,
    got.bpmRange,
    expect.bpmTolerance ?? BPM_TOLERANCE,
  ] as const;
  const duration = [
    expect.durationRange,
    expect.durationAlternatives,
    got.durationRange,
    expect.durationTolerance ?? DURATION_TOLERANCE,
  ] as const;
  return [
    { field: "bpm", parts: bpm },
    { field: "duration", parts: duration },
  ].flatMap(({ field, parts: [want, others, came, tolerance] }) => {
    if (want === undefined) return [];
    const fits =
      want === null
        ? came === null
        : came !== null && [want, ...(others ?? [])].some((range) => isNear(range, came, tolerance));
    return scoreExact(tallyOf(board, field), field, want !== null, came, fits);
  });
}

/** Returns true when a range is near the expected one. An open end is not judged. */
function isNear([low, high]: Range, [min, max]: readonly [number, number], tolerance: number): boolean {
  return (
    (low === null || Math.abs(low - min) <= tolerance) && (high === null || Math.abs(high - max) <= tolerance)
  );
}

function scoreTexts(board: Map<string, Tally>, expect: Expectation, got: Prediction): string[] {
  return TEXT_FIELDS.flatMap((field) => {
    const expected = expect[field];
    if (expected === undefined) return [];
    const wants = Array.isArray(expected) ? expected : [expected];
    const came = got[field];
    const fits = wants.some((want) =>
      want === null || came === null ? want === came : isSameText(field, want, came),
    );
    return scoreExact(tallyOf(board, field), field, !wants.includes(null), came, fits);
  });
}

function isSameText(field: TextField, want: string, came: string): boolean {
  const [asked, key] = [parseKey(want), parseKey(came)];
  if (field === "key") return asked !== undefined && key !== undefined && isSameKey(asked, key);
  return normal(want.replace(/^the /i, "")) === normal(came.replace(/^the /i, ""));
}

function scoreExact(tally: Tally, field: string, isWanted: boolean, came: unknown, fits: boolean): string[] {
  tally.judged += 1;
  if (fits && came !== null) [tally.found, tally.hit] = [tally.found + 1, tally.hit + 1];
  if (!fits && came !== null) tally.extra += 1;
  if (!fits && isWanted) tally.missed += 1;
  return fits ? [] : [`${field}: got ${JSON.stringify(came)}`];
}

function scoreNames(board: Map<string, Tally>, expect: Expectation, got: Prediction): string[] {
  const tolerated = new Set((expect.okNames ?? []).map(normal));
  const everywhere = new Set(
    NAME_FIELDS.flatMap((field) => got[field].map(normal)).concat(
      got.vocals.map(normal),
      got.types.map(normal),
    ),
  );
  return NAME_FIELDS.flatMap((field) => {
    const groups = expect[field]?.map((group) => group.map(normal));
    if (!groups) return [];
    const tally = tallyOf(board, field);
    const names = [...new Set(got[field].map(normal))];
    const good = names.filter((name) => groups.some((group) => group.includes(name)));
    const extra = names.filter((name) => !good.includes(name) && !tolerated.has(name));
    const missed = groups.filter((group) => !group.some((name) => everywhere.has(name)));
    tally.judged += 1;
    tally.found += good.length;
    tally.extra += extra.length;
    tally.hit += groups.length - missed.length;
    tally.missed += missed.length;
    return [
      ...extra.map((name) => `${field}: extra ${name}`),
      ...missed.map((group) => `${field}: missed ${group[0]}`),
    ];
  });
}

function scoreBanned(board: Map<string, Tally>, expect: Expectation, got: Prediction): string[] {
  // `Object.entries` forgets the type of its keys.
  return (Object.entries(BANNED_FIELDS) as [BannedField, (typeof BANNED_FIELDS)[BannedField]][]).flatMap(
    ([field, category]) => {
      const present = new Set(got[category].map(normal));
      const banned = (expect[field] ?? []).map(normal);
      const broken = banned.filter((name) => present.has(name));
      const tally = tallyOf(board, "negation");
      tally.judged += banned.length;
      tally.hit += banned.length - broken.length;
      tally.found += banned.length - broken.length;
      tally.missed += broken.length;
      tally.extra += broken.length;
      return broken.map((name) => `${field}: ${name} came back as wanted`);
    },
  );
}

/** The most that a name counts which the brief leaves open. */
const HALF = 0.5;

function scoreStances(board: Map<string, Tally>, expect: Expectation, got: Prediction): string[] {
  const wanted = new Set(
    [...NAME_FIELDS, "vocals", "types", "tempos"].flatMap((field) => namesOf(got, field)),
  );
  const excluded = new Set(Object.values(got.excluded).flat().map(normal));
  const heavy = new Set(
    (got.said ?? []).filter(({ weight }) => weight > HALF).map(({ value }) => normal(value)),
  );
  const { asked = [], refused = [], open = [] } = expect;
  const fits = (group: readonly string[], test: (name: string) => boolean) => group.map(normal).some(test);
  const isRefused = (group: readonly string[]) =>
    fits(group, (name) => excluded.has(name)) && !fits(group, (name) => wanted.has(name));
  const isOpen = (name: string) => !excluded.has(name) && !(wanted.has(name) && heavy.has(name));
  const slips = [
    ...asked
      .filter((group) => !fits(group, (name) => wanted.has(name)))
      .map(([name]) => `not wanted: ${name}`),
    ...refused.filter((group) => !isRefused(group)).map(([name]) => `not ruled out: ${name}`),
    ...open.filter((name) => !isOpen(normal(name))).map((name) => `not left open: ${name}`),
  ];
  const judged = asked.length + refused.length + open.length;
  if (judged === 0) return [];
  const tally = tallyOf(board, "stance");
  tally.judged += judged;
  tally.hit += judged - slips.length;
  tally.found += judged - slips.length;
  tally.missed += slips.length;
  tally.extra += slips.length;
  return slips;
}

function namesOf(got: Prediction, field: string): string[] {
  const names = got[field as (typeof NAME_FIELDS)[number]];
  return names.map(normal);
}

/**
 * Names are equal if they match without case, accents, blanks and punctuation, and with "&" and "n" read as "and".
 */
function normal(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/\bn\b/g, "and")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
