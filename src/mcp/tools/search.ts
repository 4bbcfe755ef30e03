import { Type } from "@sinclair/typebox";
import { compactSearch } from "../compact.ts";
import { Detail, Things } from "../fields.ts";
import { READS, tool } from "../tool.ts";

/** What an open end of a range stands for (decision 4.51). */
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
    "Find tracks by a brief in plain words: mood, genre, instruments, tempo, use, reference. Costs one search credit a " +
    "call. Words only rank; the other parameters filter hard, and a track whose value is unknown is left out. Returns " +
    "results[] best first with score 0-1 and reason[], how the brief was read, and suggestedName for create_playlist.",
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: 2000, description: "The brief, 1-2000 characters" }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 20, description: "Results, 1-50" }),
    ),
    bpmMin: Tempo("Lowest tempo, BPM, 1-300"),
    bpmMax: Tempo("Highest tempo, BPM, 1-300"),
    durationMinSec: Duration("Shortest, seconds, 0-86400"),
    durationMaxSec: Duration("Longest, seconds, 0-86400"),
    hasVocals: Type.Optional(Type.Boolean({ description: "true: sung or spoken; false: instrumental" })),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: "Key: F# minor, Gbm, 11A; without mode, both",
      }),
    ),
    language: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: "Lyric language: ISO 639-1 or English name" }),
    ),
    seedTrackIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: 50, description: "Steer toward these track ids, up to 50" }),
    ),
    excludeTrackIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: 200, description: "Leave out these track ids, up to 200" }),
    ),
    detail: Detail,
  }),
  output: Type.Object({
    count: Type.Integer(),
    results: Things,
    suggestedName: Type.String(),
  }),
  // It changes no music, but each call costs a credit: it is not to be repeated without need.
  annotations: { ...READS, idempotentHint: false },
  scopes: ["read:tracks"],
  endpoint: "POST /tracks/search",
  request: (input) => ({
    method: "POST",
    path: "/tracks/search",
    body: {
      query: input.query,
      limit: input.limit,
      constraints: {
        bpmRange: range(input.bpmMin, input.bpmMax, [BPM.lowest, BPM.highest]),
        durationRange: range(input.durationMinSec, input.durationMaxSec, [
          DURATION_SEC.shortest,
          DURATION_SEC.longest,
        ]),
        hasVocals: input.hasVocals,
        key: input.key,
        language: input.language,
      },
      seedTrackIds: input.seedTrackIds,
      excludeTrackIds: input.excludeTrackIds,
    },
  }),
  compact: compactSearch,
});

/** The range of two ends, one of which may be open; undefined when both are. */
function range(min: number | undefined, max: number | undefined, [lowest, highest]: [number, number]) {
  return min === undefined && max === undefined ? undefined : [min ?? lowest, max ?? highest];
}
