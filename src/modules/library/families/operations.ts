import { op } from "../../../http/operation.ts";
import { readFamily } from "./service.ts";
import { FamilyParams, TrackFamily } from "./shapes.ts";

/** Reading sets. What changes them can be undone, and is in `desk`. */
export const familyOperations = [
  op({
    at: "GET /tracks/:trackId/family",
    id: "getTrackFamily",
    key: "read:tracks",
    session: "read:tracks",
    sessionDoor: "getFamily",
    rooms: true,
    input: { params: FamilyParams },
    tag: "Tracks",
    summary: "Get the set of a track: one song with everything made from it",
    answer: TrackFamily,
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => readFamily(deps, actor, params.trackId),
  }),
];
