import { op } from "../../../../http/operation.ts";
import { mergeAndKeep } from "../service.ts";
import { joinTracks, keepApart } from "./join.ts";
import {
  JoinedTracks,
  JoinParams,
  JoinTrack,
  KeepApart,
  KeptApart,
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
    id: "joinTrackVersions",
    key: "update:tracks",
    session: "update:tracks",
    sessionDoor: "joinTracks",
    input: { params: JoinParams, body: JoinTrack },
    tag: "Versions",
    summary: "Add the versions of another track to a track",
    description:
      "The track in the address stays and gets them behind its own, with copies of what was said of them; the other one moves into the bin, so its links end until it " +
      "is restored. `POST /bulk/{changeId}/undo` with the `undoId` takes all of it back, in the app `POST /app/undo/{undoId}`.",
    answer: JoinedTracks,
    refusals: ["track_not_found"],
    run: (deps, { actor, params, body }) => joinTracks(deps, actor.accountId, params.trackId, body),
  }),
  op({
    at: "POST /tracks/:trackId/keep-apart",
    id: "keepTrackApart",
    key: "update:tracks",
    session: "update:tracks",
    sessionDoor: "keepApart",
    input: { params: JoinParams, body: KeepApart },
    tag: "Versions",
    summary: "Remember that two tracks are not versions of one",
    description: "However alike they sound, neither is offered as a version of the other again.",
    answer: KeptApart,
    refusals: ["track_not_found"],
    run: (deps, { actor, params, body }) => keepApart(deps, actor.accountId, params.trackId, body),
  }),
];
