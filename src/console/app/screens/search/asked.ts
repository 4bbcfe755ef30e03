import type { Body } from "../../api/routes.ts";

type SearchBody = Body<"POST /app/library/tracks/search">;

/** What must hold, beside the prose. */
export type Constraints = {
  bpmRange?: readonly [number, number];
  durationRange?: readonly [number, number];
  hasVocals?: boolean;
  key?: string;
  language?: string;
};

/** A search, as its address holds it. */
export type Asked = {
  prose: string;
  constraints: Constraints;
  /** Ids of tracks to steer toward. */
  like: readonly string[];
  /** Ids of tracks to leave out. */
  less: readonly string[];
};

/** Changes the search: chips and buttons make a new entry in the history, typing does not. */
export type Ask = (asked: Asked, replace?: boolean) => void;

/** Results of one search; the most that the server gives. */
const LIMIT = 50;
/** A search of fewer characters says nothing. */
export const MIN_LENGTH = 3;
const PATH = "/library/search";

/** Reads a search from the query of the address. */
export function askedBy(search: URLSearchParams): Asked {
  const [bpmRange, durationRange] = [rangeOf(search.get("bpm")), rangeOf(search.get("length"))];
  const vocals = search.get("vocals");
  const [key, language] = [search.get("key"), search.get("language")];
  return {
    prose: search.get("q") ?? "",
    constraints: {
      ...(bpmRange && { bpmRange }),
      ...(durationRange && { durationRange }),
      ...(vocals && { hasVocals: vocals === "yes" }),
      ...(key && { key }),
      ...(language && { language }),
    },
    like: idsOf(search.get("like")),
    less: idsOf(search.get("less")),
  };
}

/** Returns the address of a search. */
export function addressOf({ prose, constraints, like, less }: Asked): string {
  const { bpmRange, durationRange, hasVocals, key, language } = constraints;
  const values = {
    q: prose.trim(),
    bpm: bpmRange?.join("-"),
    length: durationRange?.join("-"),
    vocals: hasVocals === undefined ? undefined : hasVocals ? "yes" : "no",
    key,
    language,
    like: like.join(","),
    less: less.join(","),
  };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return search.size > 0 ? `${PATH}?${search}` : PATH;
}

/** True when there is enough to search by. */
export const isSearchable = ({ prose, constraints, like }: Asked): boolean =>
  prose.trim().length >= MIN_LENGTH || like.length > 0 || Object.keys(constraints).length > 0;

/** Returns the request of a search. Without prose the tracks to steer toward speak alone. */
export function bodyOf({ prose, constraints, like, less }: Asked): SearchBody {
  const { bpmRange, durationRange, ...others } = constraints;
  return {
    query: proseOf(prose),
    limit: LIMIT,
    onePerFamily: true,
    constraints: {
      ...others,
      ...(bpmRange && { bpmRange: [...bpmRange] }),
      ...(durationRange && { durationRange: [...durationRange] }),
    },
    ...(like.length > 0 && { seedTrackIds: [...like] }),
    ...(less.length > 0 && { excludeTrackIds: [...less] }),
  };
}

/** Without words, everything fits. */
export const proseOf = (prose: string): string => prose.trim() || "music";

function rangeOf(text: string | null): [number, number] | undefined {
  const [low, high] = (text ?? "").split("-").map(Number);
  if (!text || low === undefined || Number.isNaN(low)) return undefined;
  return [low, high === undefined || Number.isNaN(high) ? low : high];
}

const idsOf = (text: string | null): string[] => (text ?? "").split(",").filter((id) => id !== "");
