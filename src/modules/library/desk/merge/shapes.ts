import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../../http/envelope.ts";
import { spelt } from "../../../../kernel/text.ts";
import { BIN_DAYS } from "../../bin/shapes.ts";
import { UNDO_MINUTES } from "../bulk/shapes.ts";

export const MergeParams = Type.Object({ id: Type.String({ description: "The composer that stays" }) });

export const JoinParams = Type.Object({ trackId: Type.String({ description: "The track that stays" }) });

export const JoinTrack = shape(
  "JoinTrack",
  {
    trackId: Type.String({
      minLength: 1,
      description: "The track whose versions become the other's; it goes into the bin",
    }),
    activate: Type.Optional(
      Type.Boolean({
        description: "False: the track that stays keeps its active version; default true",
      }),
    ),
  },
  { description: "Which track becomes versions of another" },
);
export type JoinTrack = Static<typeof JoinTrack>;

export const KeepApart = shape(
  "KeepApart",
  { trackId: Type.String({ minLength: 1, description: "The track that is no version of this one" }) },
  { description: "Which track is another song" },
);
export type KeepApart = Static<typeof KeepApart>;

export const KeptApart = shape("Confirmation", { ok: Type.Literal(true), id: Type.String() });
export type KeptApart = Static<typeof KeptApart>;

export const JoinedTracks = shape(
  "JoinedTracks",
  {
    trackId: Type.String(),
    binnedTrackId: Type.String({ description: `It can be restored unchanged within ${BIN_DAYS} days` }),
    versionIds: Type.Array(Type.String(), { description: "The versions that the track got, oldest first" }),
    versionBefore: Type.String({ description: "The version that the track played before" }),
    undoId: Type.String({ description: "Takes the join back, ten minutes long" }),
  },
  { description: "What a track got from another" },
);
export type JoinedTracks = Static<typeof JoinedTracks>;

export const MergeComposer = shape("MergeComposer", {
  composerId: Type.String({
    minLength: 1,
    description: "The composer to remove; the other one gets its shares",
  }),
});

export const MergedComposers = shape("MergedComposers", {
  id: Type.String(),
  undoId: Type.String({
    description: `For \`POST /app/undo/{undoId}\`, ${spelt(UNDO_MINUTES)} minutes long`,
  }),
  differences: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "Where both entries had a value, by field: the one that stays, and the one that was dropped",
  }),
});
export type MergedComposers = Static<typeof MergedComposers>;
