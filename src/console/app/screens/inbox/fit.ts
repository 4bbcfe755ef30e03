import { query, useQuery } from "../../api/queries.ts";
import type { Item } from "./items.ts";

/** How well a submission fits a text. */
export type Fit = { place: number; of: number; score: number; reason: readonly string[] };

/** Ranks submissions by a text, or by their briefs' own; empty until that is known. */
export function useFit(asked: { briefId?: string; q?: string } | null): ReadonlyMap<string, Fit> {
  const { data } = useQuery(
    asked && query("/app/inbox/fit", { query: asked }, { analysis: "all", tags: "all" }),
  );
  const results = asked ? (data?.data.results ?? []) : [];
  return new Map(
    results.map(({ trackId, score, reason }, at) => [
      trackId,
      { place: at + 1, of: results.length, score, reason },
    ]),
  );
}

/** Returns the submissions that a search found, best first. */
export function found(items: readonly Item[], fits: ReadonlyMap<string, Fit>): Item[] {
  const scoreOf = ({ track }: Item) => (track && fits.get(track.id)?.score) ?? -1;
  return items.filter((item) => scoreOf(item) >= 0).toSorted((one, other) => scoreOf(other) - scoreOf(one));
}
