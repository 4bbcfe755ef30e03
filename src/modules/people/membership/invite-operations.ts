import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { InvitationParams } from "../team/shapes.ts";
import { InviteByMail, MadeSentInvitation, RenewQuery, SentInvitation } from "./invite-shapes.ts";
import { inviteMember, listSentInvitations, renewMember } from "./service.ts";

const tag = "Sign-in";

/** Who is invited into the whole library, and by which mail. */
export const inviteOperations = [
  op({
    at: "GET /team/invitations",
    id: "listMemberInvitations",
    session: "manage:team",
    isSecret: true,
    tag,
    summary: "List the invitations that nobody has accepted, newest first",
    description: "Also those whose link has ended, which a new link revives.",
    answer: Type.Array(SentInvitation),
    refusals: [],
    run: (deps, { actor }) => listSentInvitations(deps, actor),
  }),
  op({
    at: "POST /team/invitations",
    id: "inviteMember",
    session: "manage:team",
    isSecret: true,
    input: { body: InviteByMail },
    tag,
    summary: "Invite somebody into this library",
    description:
      "The link works once, for that address, for seven days, and only while whoever made it may still do so. Only the owner invites " +
      "managers. 409 `duplicate_email`: a member has the address. A new invitation of an address replaces the earlier one. You send the " +
      "link yourself, or with `mail` the server does.",
    answer: MadeSentInvitation,
    refusals: ["duplicate_email", "team_full", "mail_off", "mail_limit"],
    run: (deps, { actor, body }) => inviteMember(deps, actor, body),
  }),
  op({
    at: "POST /team/invitations/:id/renew",
    id: "renewMemberInvitation",
    session: "manage:team",
    isSecret: true,
    input: { params: InvitationParams, query: RenewQuery },
    tag,
    summary: "Make a new link for an invitation",
    description: "The old link does not work any more.",
    answer: MadeSentInvitation,
    refusals: ["invitation_not_found", "duplicate_email", "team_full", "mail_off", "mail_limit"],
    run: (deps, { actor, params, query }) => renewMember(deps, actor, params.id, query),
  }),
];
