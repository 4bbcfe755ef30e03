import { daysQuery } from "../../../shared/addresses.ts";
import { type AnswerOf, type Query, queryOf } from "../../api/queries.ts";
import { grouped } from "../../ui/numbers.ts";

/** What happened to the account's music within some days. */
export type Insights = AnswerOf<"/app/insights">["data"];
/** A bar of the chart. */
export type Step = Insights["series"][number];
/** A track that was played. */
export type Track = Insights["tracks"][number];
/** Someone who used a link made for them. */
export type Person = Insights["people"][number];

/** The ranges to choose from, by the value that the address has. */
export const RANGES = [
  { value: "7", name: "7 days" },
  { value: "30", name: "30 days" },
  { value: "90", name: "90 days" },
  { value: "all", name: "All" },
] as const;

/** Returns the query of what an address shows. */
export const insightsQuery = (search: URLSearchParams): Query<AnswerOf<"/app/insights">> =>
  queryOf(`/app/insights?${daysQuery(search)}`, { activity: "all", shares: "all", tracks: "all" });

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns UTC days in words: `14 Jan`, `12 Jan – 18 Jan 2026`. */
export function daysOf({ from, to }: { from: string; to: string }, isLong = false): string {
  const last = (isLong ? DAY_AND_YEAR : DAY).format(Date.parse(to));
  return from === to ? last : `${DAY.format(Date.parse(from))} – ${last}`;
}

/** Returns how a count differs from the one before, in words; undefined: there is none before. */
export function change(count: number, before: number | null | undefined): string | undefined {
  if (before === null || before === undefined) return undefined;
  if (count === before) return count === 0 ? undefined : "no change";
  return count > before ? `${grouped(count - before)} more` : `${grouped(before - count)} fewer`;
}
