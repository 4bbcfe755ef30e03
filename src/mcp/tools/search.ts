import { Type } from "@sinclair/typebox";
import { compactSearch } from "./compact.ts";
import { Detail, Things } from "./fields.ts";
import { READS, tool } from "./tool.ts";

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
    "Find tracks by a brief in plain words: mood, genre, instruments, tempo, use, reference. Costs one search credit per " +
    "call. Words about the music only rank; the other parameters filter, and leave out tracks whose value is unknown. " +
    "'newest first' orders; 'uploaded last week' and 'not yet tagged' filter. Returns results[] with score 0-1 and " +
    "reason[], how the brief was read, what was not understood, and suggestedName for create_playlist.",
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
        description: "Key: F# minor, Gbm, 11A; without a mode: both",
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
  // It changes no music, but each call costs a credit, so clients should not repeat it without need.
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

/** Returns a range whose ends may be open, or undefined when both are. */
function range(min: number | undefined, max: number | undefined, [lowest, highest]: [number, number]) {
  return min === undefined && max === undefined ? undefined : [min ?? lowest, max ?? highest];
}
