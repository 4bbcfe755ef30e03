import { op } from "../../../http/operation.ts";
import { Done } from "../people/shapes.ts";
import {
  AddedToCast,
  AddToCast,
  Cast,
  CastMember,
  CastMemberParams,
  CastParams,
  ChangeInCast,
} from "./cast-shapes.ts";
import { addToCast, changeInCast, getCast, removeFromCast } from "./service.ts";

const tag = "Sign-in";

/** Who sees a playlist without seeing anything else. */
export const castOperations = [
  op({
    at: "GET /playlists/:playlistId/cast",
    id: "getCast",
    session: "manage:team",
    isSecret: true,
    input: { params: CastParams },
    tag,
    summary: "Get the guests of a playlist, and who is invited",
    answer: Cast,
    refusals: ["playlist_not_found"],
    run: (deps, { actor, params }) => getCast(deps, actor, params.playlistId),
  }),
  op({
    at: "POST /playlists/:playlistId/cast",
    id: "addToCast",
    session: "manage:team",
    isSecret: true,
    input: { params: CastParams, body: AddToCast },
    tag,
    summary: "Let somebody see a playlist, and nothing else of the library",
    description:
      "A guest of this library is in the room at once, and stays until the later of both ends. Anybody else gets an invitation, whose " +
      "link works once, for that address, for seven days. 409 `duplicate_email`: somebody with the address sees the whole library, or " +
      "is in the room already.",
    answer: AddedToCast,
    refusals: ["playlist_not_found", "duplicate_email", "team_full", "mail_off", "mail_limit"],
    run: (deps, { actor, params, body }) => addToCast(deps, actor, params.playlistId, body),
  }),
  op({
    at: "PATCH /playlists/:playlistId/cast/:memberId",
    id: "changeInCast",
    session: "manage:team",
    isSecret: true,
    input: { params: CastMemberParams, body: ChangeInCast },
    tag,
    summary: "Change what a guest may in a playlist, or until when",
    description:
      "`until` is the end of the membership, in whatever room. It counts from the guest's next request on.",
    answer: CastMember,
    refusals: ["playlist_not_found", "member_not_found"],
    run: (deps, { actor, params, body }) => changeInCast(deps, actor, params, body),
  }),
  op({
    at: "DELETE /playlists/:playlistId/cast/:memberId",
    id: "removeFromCast",
    session: "manage:team",
    isSecret: true,
    input: { params: CastMemberParams },
    tag,
    summary: "Take a guest out of a playlist",
    description: "With the last room, the guest is out of the library. What they sent and said stays.",
    answer: Done,
    refusals: ["playlist_not_found", "member_not_found"],
    run(deps, { actor, params }) {
      removeFromCast(deps, actor, params);
      return { ok: true };
    },
  }),
];
