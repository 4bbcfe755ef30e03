import { op } from "../../../http/operation.ts";
import { Done } from "../people/shapes.ts";
import { changeMember, getTeam, withdrawInvitation } from "./service.ts";
import { ChangeMember, InvitationParams, Member, MemberParams, Team } from "./shapes.ts";

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
