import { op } from "../../../http/operation.ts";
import { requireNeed } from "../../../kernel/actor.ts";
import { changeRights, changeSender, readRights, readSender } from "./service.ts";
import { RightsInput, RightsParams, RightsSender, RightsSenderInput, TrackRights } from "./shapes.ts";

const tag = "Tracks";

/** What registrations and deliveries say of a track: identifiers, lines of copyright, and how it was made. */
export const rightsOperations = [
  op({
    at: "GET /tracks/:trackId/rights",
    id: "getTrackRights",
    key: "read:tracks",
    input: { params: RightsParams },
    tag,
    summary: "Get what is known of a track's rights",
    description:
      "Everything is null where nothing was written. `problems` says which identifiers have a wrong check digit.",
    answer: TrackRights,
    refusals: ["track_not_found"],
    run(deps, { actor, params }) {
      const rights = readRights(deps, actor.accountId, params.trackId);
      requireNeed(actor, "read:composers");
      return rights;
    },
  }),
  op({
    at: "PATCH /tracks/:trackId/rights",
    id: "updateTrackRights",
    key: "update:tracks",
    input: { params: RightsParams, body: RightsInput },
    tag,
    summary: "Change a track's rights",
    description:
      "Only the fields you send change; null clears a field. Identifiers with a wrong check digit are kept and marked in `problems`.",
    answer: TrackRights,
    refusals: ["track_not_found"],
    run(deps, { actor, params, body }) {
      return changeRights(deps, actor, params.trackId, body);
    },
  }),
  op({
    at: "GET /rights-sender",
    id: "getRightsSender",
    session: "read:composers",
    tag: "Composers",
    summary: "Get who registers the library's works",
    answer: RightsSender,
    refusals: [],
    run: ({ db }, { actor }) => readSender(db, actor.accountId),
  }),
  op({
    at: "PATCH /rights-sender",
    id: "updateRightsSender",
    session: "manage:library",
    input: { body: RightsSenderInput },
    tag: "Composers",
    summary: "Change who registers the library's works",
    description:
      "Registrations (CWR) are only for publishers with a sender code of CISAC and an IPI. Only the fields you send change; null clears a field.",
    answer: RightsSender,
    refusals: [],
    run: (deps, { actor, body }) => changeSender(deps, actor.accountId, body),
  }),
];
