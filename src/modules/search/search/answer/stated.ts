import { type Available, editSlack } from "../../../../brief/available.ts";
import type { Interpretation } from "../../../../brief/interpretation.ts";
import type { LibraryFilters } from "../../../../brief/library-filters.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import type { Ordering } from "../../../../brief/ordering.ts";
import { AVAILABLE_NAMES } from "../../../../kernel/available-as.ts";
import { factOfOrder, factOrderCalled, isFactOrder } from "../../../../kernel/facts.ts";
import { type Measured, measureText, orderedMeasure } from "../../../../kernel/measures.ts";
import { DAY_MS } from "../../../../kernel/time.ts";
import { aboutTexts, dateText, factTexts, factValueText } from "../facts/texts.ts";
import type { HitRow } from "../queries.ts";

/** Writes an order as "newest first". */
export function orderText({ by, direction, ...about }: Ordering): string {
  const end = endsOf(by)[direction === "asc" ? 0 : 1];
  const more = isFactOrder(by) ? aboutTexts(factOfOrder(by).fact.name, about) : [];
  return [end, ...more, "first"].join(" ");
}

function endsOf(by: Ordering["by"]): readonly [least: string, most: string] {
  if (by === "createdAt") return ["oldest", "newest"];
  const called = factOrderCalled(by);
  if (called || isFactOrder(by)) return called ?? ["", ""];
  const { order } = orderedMeasure(by);
  return "called" in order ? order.called : [order.least, order.most];
}

function createdText({ from, to }: NonNullable<LibraryFilters["created"]>): string {
  if (from === null) return to === null ? "" : `uploaded before ${dateText(to)}`;
  if (to === null) return `uploaded since ${dateText(from)}`;
  if (to - from <= DAY_MS) return `uploaded on ${dateText(from)}`;
  return `uploaded from ${dateText(from)} to ${dateText(to - 1)}`;
}

/** Writes each filter of a brief: "uploaded since 1 March 2026", "not tagged yet". */
export function filterTexts(filters: LibraryFilters): Record<string, string> {
  const { created, tagged, played, versions } = filters;
  const parts = availableNames(filters);
  return {
    ...(created && { created: createdText(created) }),
    ...(tagged !== undefined && { tagged: tagged ? "tagged" : "not tagged yet" }),
    ...(played !== undefined && { played: played ? "played before" : "never played" }),
    ...(versions !== undefined && { versions: `with at least ${versions} versions` }),
    ...factTexts(filters.facts),
    ...(parts.length > 0 && { available: `with ${listed(parts)} available` }),
  };
}

/** Names what must be there of a song: "instrumental", "30 s edit". */
export function availableNames({ availableAs = [], edits = [] }: Available): string[] {
  return [...availableAs.map((kind) => AVAILABLE_NAMES[kind]), ...edits.map(editText)];
}

function editText([least, most]: readonly [number, number]): string {
  if (least === most) return `${least} s edit`;
  const [middle, slack] = [(least + most) / 2, (most - least) / 2];
  return slack <= editSlack(middle) && Number.isInteger(middle)
    ? `${middle} s edit`
    : `edit of ${least} to ${most} s`;
}

const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" and ");

/** Says what makes a track meet the filters and gives it its place in the order. */
export function statedReasons(
  row: HitRow,
  { ordering, filters }: Pick<Interpretation, "ordering" | "filters">,
  measured: Measured,
  ordered?: number,
): string[] {
  const { created, tagged, played, versions } = filters;
  return [
    created || ordering?.by === "createdAt" ? `added on ${dateText(row.createdAt)}` : undefined,
    ordering && valueReason(measured, ordering, ordered),
    ...Object.values(factTexts(filters.facts)),
    tagged === undefined ? undefined : tagged ? "tagged" : "not tagged yet",
    played === undefined ? undefined : played ? "played before" : "never played",
    versions === undefined ? undefined : versionReason(row, versions),
    ...availableNames(filters).map((name) => `${name} available`),
  ].filter((reason) => reason !== undefined && reason !== null);
}

const KINDS = {
  genres: "genre",
  moods: "mood",
  instruments: "instrument",
  vocalTypes: "vocal",
  lyricThemes: "theme",
  audioTypes: "type",
  tempos: "tempo",
  eras: "era",
  characters: "character",
  movements: "movement",
} as const satisfies Record<TaxonomyTag["category"], string>;

/** Says that a track has tags of a kind, but not the one that the brief rules out. */
export function withoutReasons({ unwanted }: Pick<Interpretation, "unwanted">): string[] {
  return unwanted.flatMap(({ tags: [tag] }) =>
    tag ? [`has ${KINDS[tag.category]} tags, but not ${tag.entry.name}`] : [],
  );
}

function valueReason(measured: Measured, { by }: Ordering, ordered?: number): string | undefined {
  if (isFactOrder(by)) return factValueText(by, ordered);
  const value = by === "createdAt" ? null : measured[by];
  return by === "createdAt" || value === null ? undefined : measureText(orderedMeasure(by), value);
}

function versionReason({ versions }: HitRow, least: number): string {
  return versions >= least ? `has ${versions} versions` : `its name says version ${least}`;
}
