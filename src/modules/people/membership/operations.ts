import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import { findPerson } from "../people/service.ts";
import { Done } from "../people/shapes.ts";
import { MemberParams } from "../team/shapes.ts";
import { castOperations } from "./cast-operations.ts";
import { deleteOwnPerson } from "./deletion.ts";
import { inviteOperations } from "./invite-operations.ts";
import { type JoinParts, joinOperation } from "./join-operations.ts";
import { getAccess, handOver, leave, listLog, removeMember } from "./service.ts";
import {
  DeleteAccount,
  HandOver,
  LogEntry,
  LogQuery,
  MemberAccess,
  RemovedMember,
  RemoveMember,
} from "./shapes.ts";

const tag = "Sign-in";

/** Coming into a library, and going. */
export const membershipOperations = (parts: JoinParts) => [
  joinOperation(parts),
  ...removalOperations,
  ...castOperations,
  ...inviteOperations,
  deletionOperation(parts),
  op({
    at: "POST /team/owner",
    id: "handOver",
    session: "own:library",
    isSecret: true,
    input: { body: HandOver },
    tag,
    summary: "Make another member the owner of this library",
    description:
      "Needs a proof that it is you: your password, or one of the last ten minutes (`POST /auth/prove`). You stay as manager, and only " +
      "the new owner can give it back. Every member is told.",
    answer: Done,
    refusals: [
      "proof_needed",
      "password_sign_in_off",
      "member_not_found",
      "invalid_transition",
      "rate_limit_exceeded",
    ],
    async run(deps, { actor, body, request }) {
      const email = findPerson(deps.db, actor.personId)?.email ?? "";
      await handOver(deps, actor, body, parts.limits.signIn(email, rateLimitKey(stateOf(request).ip)));
      return { ok: true };
    },
  }),
  op({
    at: "GET /team/log",
    id: "listTeamLog",
    session: "manage:team",
    isSecret: true,
    input: { query: LogQuery },
    tag,
    summary: "List what happened in this library, newest first",
    description:
      "Who invited, joined, left and was removed; roles; keys and programs; what was deleted for good.",
    answer: Type.Array(LogEntry),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listLog(deps, actor, query),
  }),
];

const deletionOperation = ({ limits }: JoinParts) =>
  op({
    at: "DELETE /account",
    id: "deleteAccount",
    session: "self",
    isSecret: true,
    input: { body: DeleteAccount },
    tag,
    summary: "Delete your sign-in",
    description:
      "You leave every library, and your keys and programs end. What you made stays, and your name in what you wrote. Refused while you own a library, and for the server's operator.",
    answer: Done,
    refusals: ["invalid_transition", "password_sign_in_off", "proof_needed", "rate_limit_exceeded"],
    async run(deps, { actor, body: { currentPassword }, request }) {
      const email = findPerson(deps.db, actor.personId)?.email ?? "";
      const attempts = limits.signIn(email, rateLimitKey(stateOf(request).ip));
      await deleteOwnPerson(deps, { actor, currentPassword, attempts });
      return { ok: true };
    },
  });

const removalOperations = [
  op({
    at: "GET /team/members/:id/access",
    id: "getMemberAccess",
    session: "manage:team",
    isSecret: true,
    input: { params: MemberParams },
    tag,
    summary: "Get what a removal of a member would end",
    answer: MemberAccess,
    refusals: ["member_not_found", "invalid_transition"],
    run: (deps, { actor, params }) => getAccess(deps, actor, params.id),
  }),
  op({
    at: "DELETE /team/members/:id",
    id: "removeMember",
    session: "manage:team",
    isSecret: true,
    input: { params: MemberParams, body: RemoveMember },
    tag,
    summary: "Remove a member",
    description:
      "At once: their sessions, keys, connected programs, unfinished uploads and open invitations of this library end. What they made " +
      "stays. Only the owner removes managers.",
    answer: RemovedMember,
    refusals: ["member_not_found", "invalid_transition", "key_not_found"],
    run: (deps, { actor, params, body }) => removeMember(deps, actor, params.id, body),
  }),
  op({
    at: "POST /team/leave",
    id: "leaveLibrary",
    session: "member",
    rooms: true,
    isSecret: true,
    tag,
    summary: "Leave this library",
    description:
      "You can come back only by a new invitation. What you made stays. The owner hands the library over first.",
    answer: Done,
    refusals: ["invalid_transition"],
    run(deps, { actor }) {
      leave(deps, actor);
      return { ok: true };
    },
  }),
];
