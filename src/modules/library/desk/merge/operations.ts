import { op } from "../../../../http/operation.ts";
import { mergeAndKeep } from "../service.ts";
import { joinTracks } from "./join.ts";
import {
  JoinedTracks,
  JoinParams,
  JoinTrack,
  MergeComposer,
  MergedComposers,
  MergeParams,
} from "./shapes.ts";

/** Making two entries of one composer one, and two tracks versions of one. */
export const mergeOperations = [
  op({
    at: "POST /composers/:id/merge",
    id: "mergeComposers",
    session: "update:composer",
    input: { params: MergeParams, body: MergeComposer },
    tag: "Composers",
    summary: "Merge two composers",
    description:
      "The composer in the address stays: it keeps its details, and takes those it lacks and all shares from the other.",
    answer: MergedComposers,
    refusals: ["composer_not_found"],
    run: (deps, { actor, params, body }) => mergeAndKeep(deps, actor.accountId, params.id, body.composerId),
  }),
  op({
    at: "POST /tracks/:trackId/join",
    id: "joinTracks",
    session: "update:tracks",
    input: { params: JoinParams, body: JoinTrack },
    tag: "Versions",
    summary: "Add the versions of another track to a track",
    description:
      "The track in the address stays and gets them behind its own; the other one moves into the bin, so its links end until it " +
      "is restored.",
    answer: JoinedTracks,
    refusals: ["track_not_found"],
    run: (deps, { actor, params, body }) => joinTracks(deps, actor.accountId, params.trackId, body),
  }),
];
