import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { Done } from "../people/shapes.ts";
import {
  changeMember,
  getTeam,
  invite,
  listInvitations,
  renewInvitation,
  withdrawInvitation,
} from "./service.ts";
import {
  ChangeMember,
  Invitation,
  InvitationParams,
  Invite,
  MadeInvitation,
  Member,
  MemberParams,
  Team,
} from "./shapes.ts";

const tag = "Sign-in";

/** Who is in the library, who is invited, and as what. */
export const teamOperations = [
  op({
    at: "GET /team",
    id: "getTeam",
    session: "member",
    rooms: true,
    isSecret: true,
    tag,
    summary: "Get the people in this library",
    description:
      "The owner comes first. Addresses, and when somebody was last here, need `manage:team`. Guests see themselves.",
    answer: Team,
    refusals: [],
    run: (deps, { actor }) => getTeam(deps, actor),
  }),
  op({
    at: "PATCH /team/members/:id",
    id: "changeMember",
    session: "manage:team",
    isSecret: true,
    input: { params: MemberParams, body: ChangeMember },
    tag,
    summary: "Change a member's role, what they see, or until when",
    description:
      "Only the owner changes managers and appoints them. It counts from the member's next request on.",
    answer: Member,
    refusals: ["member_not_found", "invalid_transition"],
    run: (deps, { actor, params, body }) => changeMember(deps, actor, params.id, body),
  }),
  op({
    at: "GET /team/invitations",
    id: "listMemberInvitations",
    session: "manage:team",
    isSecret: true,
    tag,
    summary: "List the invitations that nobody has accepted, newest first",
    description: "Also those whose link has ended, which a new link revives.",
    answer: Type.Array(Invitation),
    refusals: [],
    run: (deps, { actor }) => listInvitations(deps, actor),
  }),
  op({
    at: "POST /team/invitations",
    id: "inviteMember",
    session: "manage:team",
    isSecret: true,
    input: { body: Invite },
    tag,
    summary: "Invite somebody into this library",
    description:
      "The link works once, for that address, for seven days, and only while whoever made it may still do so. Only the owner invites " +
      "managers. 409 `duplicate_email`: a member has the address. A new invitation of an address replaces the earlier one.",
    answer: MadeInvitation,
    refusals: ["duplicate_email", "team_full"],
    run: (deps, { actor, body }) => invite(deps, actor, body),
  }),
  op({
    at: "POST /team/invitations/:id/renew",
    id: "renewMemberInvitation",
    session: "manage:team",
    isSecret: true,
    input: { params: InvitationParams },
    tag,
    summary: "Make a new link for an invitation",
    description: "The old link does not work any more.",
    answer: MadeInvitation,
    refusals: ["invitation_not_found", "duplicate_email", "team_full"],
    run: (deps, { actor, params }) => renewInvitation(deps, actor, params.id),
  }),
  op({
    at: "DELETE /team/invitations/:id",
    id: "withdrawMemberInvitation",
    session: "manage:team",
    isSecret: true,
    input: { params: InvitationParams },
    tag,
    summary: "Withdraw an invitation",
    answer: Done,
    refusals: ["invitation_not_found"],
    run(deps, { actor, params }) {
      withdrawInvitation(deps, actor, params.id);
      return { ok: true };
    },
  }),
];
