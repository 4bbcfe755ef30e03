import { Type } from "@sinclair/typebox";
import { op } from "../../../../http/operation.ts";
import { ChangedFamily, FamilyParams, JoinFamily, NamedKind, NamedKinds } from "../../families/shapes.ts";
import { joinFamily, leaveFamily } from "./family.ts";
import { namedKinds } from "./kinds.ts";

/** Putting a track into the set of another one, and taking it out. */
export const familyChanges = [
  op({
    at: "POST /families/kinds",
    id: "readFamilyKinds",
    session: "update:tracks",
    input: { body: NamedKinds },
    tag: "Tracks",
    summary: "Read from the names of tracks what they are of their song",
    description: "Nothing is changed: it is what a form begins with before tracks are kept together.",
    answer: Type.Array(NamedKind),
    refusals: ["track_not_found"],
    run: (deps, { actor, body }) => namedKinds(deps, actor.accountId, body.trackIds),
  }),
  op({
    at: "PUT /tracks/:trackId/family",
    id: "joinTrackFamily",
    key: "update:tracks",
    session: "update:tracks",
    sessionDoor: "joinFamily",
    input: { params: FamilyParams, body: JoinFamily },
    tag: "Tracks",
    summary: "Put a track into the set of another track",
    description:
      "`with` becomes the main mix of a new set when it is in none. Repeated, it changes what the track is there. A whole song of kind " +
      "`main` becomes the main mix. `POST /bulk/{changeId}/undo` with the `undoId` takes it back, in the app `POST /app/undo/{undoId}`.",
    answer: ChangedFamily,
    refusals: ["track_not_found", "family_full"],
    run: (deps, { actor, params, body }) => joinFamily(deps, actor.accountId, params.trackId, body),
  }),
  op({
    at: "DELETE /tracks/:trackId/family",
    id: "leaveTrackFamily",
    key: "update:tracks",
    session: "update:tracks",
    sessionDoor: "leaveFamily",
    input: { params: FamilyParams },
    tag: "Tracks",
    summary: "Take a track out of its set",
    description:
      "It stays in the library, and is not proposed for this set again. When it was the main mix, the oldest whole song takes its " +
      "place; a set of one ends. Does nothing to a track without a set.",
    answer: ChangedFamily,
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => leaveFamily(deps, actor.accountId, params.trackId),
  }),
];
