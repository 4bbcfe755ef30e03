import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp, withDefault } from "../../../http/envelope.ts";
import { MAX_TIME } from "../../../kernel/limits.ts";
import { Email } from "../people/shapes.ts";

/** The most members of a library. */
export const MAX_MEMBERS = 100;
/** The most invitations of a library that can be accepted at a time. */
export const MAX_INVITATIONS = 50;
/** The most libraries that a person may be in. */
export const MAX_LIBRARIES = 20;
/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;
/** How long an invitation whose link has ended is still listed. */
export const INVITATION_KEPT_DAYS = 30;

export const Role = Type.Union(
  [
    Type.Literal("owner"),
    Type.Literal("manager"),
    Type.Literal("producer"),
    Type.Literal("artist"),
    Type.Literal("listener"),
  ],
  { description: "What the member may do: see the roles of docs/team.md" },
);

export const Member = shape(
  "Member",
  {
    id: Type.String(),
    person: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: nullable(Type.String({ description: "Null without `manage:team`" })),
    }),
    role: Role,
    reach: Type.Union([Type.Literal("library"), Type.Literal("rooms")], {
      description: "How much of the library they reach",
    }),
    seesSplits: Type.Boolean(),
    seesListening: Type.Boolean({ description: "Sees who listened, and how often" }),
    joinedAt: Timestamp,
    until: nullable(Timestamp),
    lastSeenAt: nullable(Timestamp),
    isYou: Type.Boolean(),
  },
  { description: "Somebody who is in a library" },
);
export type Member = Static<typeof Member>;

export const Team = shape(
  "Team",
  {
    library: Type.Object({ id: Type.String(), name: Type.String() }),
    me: Member,
    members: Type.Array(Member),
  },
  { description: "The people in a library" },
);
export type Team = Static<typeof Team>;

const GivenRole = Type.Union(
  [Type.Literal("manager"), Type.Literal("producer"), Type.Literal("artist"), Type.Literal("listener")],
  { description: "What the member may do: see the roles of docs/team.md. Only the owner appoints managers" },
);
export type GivenRole = Static<typeof GivenRole>;

const SeesSplits = Type.Boolean({ description: "Sees composers and splits" });
const SeesListening = Type.Boolean({ description: "Sees who listened, and how often" });
export const Until = nullable(
  Type.String({
    maxLength: MAX_TIME,
    description:
      "When the membership ends: ISO 8601, in the future; a date without a time means the end of that day (UTC). Null: no end",
    examples: ["2026-12-31"],
  }),
);

export const Invite = shape(
  "InviteMember",
  {
    email: Email,
    role: GivenRole,
    seesSplits: withDefault(SeesSplits, false),
    seesListening: Type.Optional(
      described(SeesListening, "Sees who listened, and how often. Left out: true for a producer"),
    ),
    until: Type.Optional(Until),
  },
  { description: "Whom to invite, and as what" },
);
export type Invite = Static<typeof Invite>;

export const Invitation = shape(
  "MemberInvitation",
  {
    id: Type.String(),
    email: Type.String(),
    role: GivenRole,
    seesSplits: SeesSplits,
    seesListening: SeesListening,
    until: nullable(Timestamp),
    by: nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: "Who made the link; null: the operator, or an import" },
      ),
    ),
    createdAt: Timestamp,
    expiresAt: nullable(Timestamp),
  },
  {
    description:
      "An invitation that nobody has accepted. `expiresAt` null: it has no link yet, and needs a new one",
  },
);
export type Invitation = Static<typeof Invitation>;

export const MadeInvitation = shape(
  "MadeInvitation",
  {
    ...Invitation.properties,
    url: Type.String({ description: "The link, shown only here: send it to that person" }),
  },
  { description: "An invitation with its link, which works once, for its address" },
);
export type MadeInvitation = Static<typeof MadeInvitation>;

export const InvitationParams = Type.Object({ id: Type.String() });
export const MemberParams = Type.Object({ id: Type.String() });

export const ChangeMember = shape(
  "ChangeMember",
  {
    role: Type.Optional(GivenRole),
    seesSplits: Type.Optional(SeesSplits),
    seesListening: Type.Optional(SeesListening),
    until: Type.Optional(Until),
  },
  { description: "What to change of a member" },
);
export type ChangeMember = Static<typeof ChangeMember>;
