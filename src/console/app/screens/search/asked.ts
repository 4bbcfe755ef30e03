import { soundText } from "../../actions/find-sound.ts";
import type { Body } from "../../api/routes.ts";
import type { Span } from "../../player/ab.ts";

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
  /** What the music should sound like, which the card shows. */
  reference?: Reference | undefined;
};

/** A track of the library or a sound from outside, by its id, and a passage of it; left out: all of it. */
export type Reference = { id: string; part: Span | undefined };

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
  const like = idsOf(search.get("like"));
  return {
    prose: search.get("q") ?? "",
    constraints: {
      ...(bpmRange && { bpmRange }),
      ...(durationRange && { durationRange }),
      ...(vocals && { hasVocals: vocals === "yes" }),
      ...(key && { key }),
      ...(language && { language }),
    },
    like: like.filter((id) => !id.includes("@")),
    less: idsOf(search.get("less")),
    reference: referenceOf(like.find((id) => id.includes("@"))),
  };
}

/** Returns the address of a search. */
export function addressOf({ prose, constraints, like, less, reference }: Asked): string {
  const { bpmRange, durationRange, hasVocals, key, language } = constraints;
  const values = {
    q: prose.trim(),
    bpm: bpmRange?.join("-"),
    length: durationRange?.join("-"),
    vocals: hasVocals === undefined ? undefined : hasVocals ? "yes" : "no",
    key,
    language,
    like: [...like, ...(reference ? [soundText(reference.id, reference.part)] : [])].join(","),
    less: less.join(","),
  };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return search.size > 0 ? `${PATH}?${search}` : PATH;
}

/** True when there is enough to search by. */
export const isSearchable = ({ prose, constraints, like, reference }: Asked): boolean =>
  prose.trim().length >= MIN_LENGTH ||
  like.length > 0 ||
  reference !== undefined ||
  Object.keys(constraints).length > 0;

/** Returns the request of a search. Without prose the tracks to steer toward speak alone. */
export function bodyOf({ prose, constraints, like, less, reference }: Asked): SearchBody {
  const { bpmRange, durationRange, ...others } = constraints;
  const seeds = reference && !reference.part ? [...like, reference.id] : like;
  return {
    query: proseOf(prose),
    limit: LIMIT,
    onePerFamily: true,
    constraints: {
      ...others,
      ...(bpmRange && { bpmRange: [...bpmRange] }),
      ...(durationRange && { durationRange: [...durationRange] }),
    },
    ...(seeds.length > 0 && { seedTrackIds: [...seeds] }),
    ...(reference?.part && { passage: { trackId: reference.id, ...reference.part } }),
    ...(less.length > 0 && { excludeTrackIds: [...less] }),
  };
}

/** Returns the request of a search by a sound from outside, which speaks alone where there is no prose. */
export function formOf(asked: Asked, sound: { file: File } | { url: string }): FormData {
  const { limit, onePerFamily, constraints } = bodyOf(asked);
  const form = new FormData();
  const fields = {
    ...asked.reference?.part,
    ...{ query: asked.prose.trim(), limit, onePerFamily },
    ...{ constraints: JSON.stringify(constraints), excludeTrackIds: JSON.stringify(asked.less) },
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const [name, value] of Object.entries(sound)) form.set(name, value);
  return form;
}

/** Without words, everything fits. */
export const proseOf = (prose: string): string => prose.trim() || "music";

function rangeOf(text: string | null): [number, number] | undefined {
  const [low, high] = (text ?? "").split("-").map(Number);
  if (!text || low === undefined || Number.isNaN(low)) return undefined;
  return [low, high === undefined || Number.isNaN(high) ? low : high];
}

/** Reads `trk_1@42-62` or `trk_1@`. */
function referenceOf(text: string | undefined): Reference | undefined {
  const [id = "", part = ""] = (text ?? "").split("@");
  if (id === "") return undefined;
  const [fromSec, toSec] = rangeOf(part) ?? [0, 0];
  return { id, part: toSec > fromSec ? { fromSec, toSec } : undefined };
}

const idsOf = (text: string | null): string[] => (text ?? "").split(",").filter((id) => id !== "");
