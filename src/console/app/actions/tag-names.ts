import { query, useQuery } from "../api/queries.ts";
import { ranked } from "../ui/ranking.ts";

const MAX_OFFERED = 30;

/** The words that tracks can be tagged with. They change with the program alone. */
const taxonomyQuery = query("/app/library/taxonomy", {}, {});

/** Returns the tags of the taxonomy that fit what was typed, the best first; none before something is. */
export function useTagNames(typed: string): string[] {
  const { data } = useQuery(typed.trim() === "" ? null : taxonomyQuery);
  if (!data || typed.trim() === "") return [];
  const all = Object.entries(data.data)
    .filter(([category]) => category !== "tempos")
    .flatMap(([, tags]) => tags.map(({ name }) => ({ id: name, name })));
  const names = ranked(typed, all, []).map(({ name }) => name);
  return [...new Set(names)].slice(0, MAX_OFFERED);
}
