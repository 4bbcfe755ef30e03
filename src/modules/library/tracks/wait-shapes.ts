import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { AnalysisStatus } from "./shapes.ts";

/** The most tracks that one request may wait for: as many as one upload may have. */
const MAX_TRACKS = 25;
/** The longest wait, in seconds. */
const LONGEST_SEC = 60;

export const WaitForTracks = shape("WaitForTracks", {
  trackIds: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: MAX_TRACKS,
    description: "The tracks to wait for",
  }),
  timeoutSec: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_SEC,
      default: 30,
      description: "Wait at most so many seconds",
    }),
  ),
});
export type WaitForTracks = Static<typeof WaitForTracks>;

const AnalysedTrack = shape("AnalysedTrack", {
  id: Type.String(),
  analysis: Type.Object({
    status: AnalysisStatus,
    code: nullable(Type.String({ description: "Why it failed, for programs" })),
    reason: nullable(Type.String({ description: "Why it failed, for people" })),
  }),
});
export type AnalysedTrack = Static<typeof AnalysedTrack>;

export const WaitedForTracks = shape("WaitedForTracks", {
  done: Type.Boolean({ description: "Every analysis has ended; false: the time ran out first, ask again" }),
  tracks: Type.Array(AnalysedTrack, { description: "In the order asked" }),
  notFound: Type.Array(Type.String(), { description: "Ids that do not belong to a track of this account" }),
});
export type WaitedForTracks = Static<typeof WaitedForTracks>;
