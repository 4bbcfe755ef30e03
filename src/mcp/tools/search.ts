import { Type } from "@sinclair/typebox";
import { invalidField } from "../../kernel/errors.ts";
import { SearchRequest } from "../../modules/search/search/shapes.ts";
import { fields, list, lists, numbers, object, withId } from "./answers.ts";
import { compactSearch } from "./compact.ts";
import { Detail, field } from "./fields.ts";
import { fetching, READS, tool } from "./tool.ts";

const asked = SearchRequest.properties;
const constraints = asked.constraints.properties;

/** The bounds used for an open end of a range (decision 4.51). */
const BPM = { lowest: 1, highest: 300 };
const DURATION_SEC = { shortest: 0, longest: 86_400 };

const Tempo = (description: string) =>
  Type.Optional(Type.Number({ minimum: BPM.lowest, maximum: BPM.highest, description }));
const Duration = (description: string) =>
  Type.Optional(Type.Number({ minimum: DURATION_SEC.shortest, maximum: DURATION_SEC.longest, description }));

export const searchTracks = tool({
  name: "search_tracks",
  title: "Search tracks",
  description:
    "Find tracks, one per song, by a brief in words: mood, genre, instruments, tempo, use, lyrics. Costs a search " +
    "credit. Music ranks, 'newest first' orders; 'not yet tagged' and parameters filter.",
  input: Type.Object({
    query: field(asked.query, "The brief", "minLength", "maxLength"),
    limit: field(asked.limit, "Results", "minimum", "maximum", "default"),
    bpmMin: Tempo("Lowest BPM"),
    bpmMax: Tempo("Highest BPM"),
    durationMinSec: Duration("Shortest"),
    durationMaxSec: Duration("Longest"),
    hasVocals: field(constraints.hasVocals, "Sung or spoken"),
    key: field(constraints.key, "F# minor, Gbm, 11A; F#: both modes"),
    language: field(constraints.language, "Of lyrics"),
    availableAs: field(constraints.availableAs, "The song also has"),
    seedTrackIds: field(asked.seedTrackIds, "Like these", "maxItems"),
    like: Type.Optional(Type.String({ description: "trackId@42-62 or audio URL" })),
    excludeTrackIds: field(asked.excludeTrackIds, "Not these", "maxItems"),
    detail: Detail,
  }),
  output: object({
    ...fields("count suggestedName searchId interpretation"),
    results: list({
      ...withId("title key"),
      ...lists("artists reason"),
      ...numbers("bpm? durationSec? score"),
    }),
  }),
  annotations: fetching(READS),
  operation: "searchTracks",
  request: (input) => {
    const { limit, excludeTrackIds, like } = input;
    const query = wordsOf(input.query);
    const constraints = {
      bpmRange: range(input.bpmMin, input.bpmMax, [BPM.lowest, BPM.highest]),
      durationRange: range(input.durationMinSec, input.durationMaxSec, [
        DURATION_SEC.shortest,
        DURATION_SEC.longest,
      ]),
      hasVocals: input.hasVocals,
      key: input.key,
      language: input.language,
      availableAs: input.availableAs,
    };
    const asked = { limit, constraints, excludeTrackIds, onePerFamily: true };
    if (like === undefined || !/^https?:/i.test(like))
      return { body: { query, ...asked, ...startIn(input.seedTrackIds, like) } };
    if (input.seedTrackIds) throw invalidField("like", "either_or", "an address stands without seedTrackIds");
    const fields = Object.entries(asked).map(([name, value]) => [name, JSON.stringify(value)] as const);
    return {
      operation: "searchTracksByReference",
      form: { url: like, query, ...Object.fromEntries(fields) },
    };
  },
  compact: compactSearch,
});

/** What an assistant that puts an id into a brief is looking for. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  trk:
    "a track id. get_track with similar lists the tracks like that one, free of charge; seedTrackIds steers a search " +
    "toward it",
  pl: "a playlist id. get_playlist lists its tracks; seedTrackIds steers a search toward them",
};

/** Returns the words of a brief. @throws DomainError `validation_failed` for an id, which no search would find. */
function wordsOf(query: string): string {
  const kind = /\b(trk|pl)_[\da-f]{32}\b/i.exec(query)?.[1]?.toLowerCase();
  if (kind === undefined) return query;
  throw invalidField("query", "has_id", `must be words, but has ${ELSEWHERE[kind]}`);
}

/** Returns what a search starts from: tracks, and the part of one where `like` names a part. */
function startIn(seedTrackIds: string[] | undefined, like: string | undefined) {
  const { trackId, from, to } =
    /^(?<trackId>\w+)@(?<from>[\d.]+)-(?<to>[\d.]+)$/.exec(like ?? "")?.groups ?? {};
  if (trackId !== undefined)
    return { seedTrackIds, passage: { trackId, fromSec: Number(from), toSec: Number(to) } };
  return { seedTrackIds: like === undefined ? seedTrackIds : [...(seedTrackIds ?? []), like] };
}

/** Returns a range whose ends may be open, or undefined when both are. */
function range(min: number | undefined, max: number | undefined, [lowest, highest]: [number, number]) {
  return min === undefined && max === undefined ? undefined : [min ?? lowest, max ?? highest];
}
