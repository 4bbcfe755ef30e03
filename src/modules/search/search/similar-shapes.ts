import { type Static, Type } from "@sinclair/typebox";
import { shape, withDefault } from "../../../http/envelope.ts";
import { SearchHit } from "./shapes.ts";

/** The most similar tracks that one answer has. */
export const MAX_SIMILAR = 50;

/** Query of `GET /tracks/similar`. */
export const SimilarQuery = Type.Object({
  id: Type.String(),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_SIMILAR }), 20),
  fromSec: Type.Optional(
    Type.Number({
      minimum: 0,
      description: "Begin of the part that others are compared with, seconds; with `toSec`",
    }),
  ),
  toSec: Type.Optional(
    Type.Number({ minimum: 0, description: "End of the part, at least 3 s after `fromSec`" }),
  ),
});

/** Payload of `GET /tracks/similar`. */
export const SimilarTracks = shape("SimilarTracks", {
  trackId: Type.String(),
  count: Type.Integer({ minimum: 0 }),
  results: Type.Array(SearchHit, { description: "Best first, without the track itself" }),
});
export type SimilarTracks = Static<typeof SimilarTracks>;

/** A refusal inside a 200, like those of similar routes. */
export const TrackNotFound = shape("TrackNotFound", {
  ok: Type.Literal(false),
  error: Type.Literal("TRACK_NOT_FOUND"),
});
export type TrackNotFound = Static<typeof TrackNotFound>;
