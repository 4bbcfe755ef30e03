import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp, withDefault } from "../../../http/envelope.ts";
import { Email } from "../people/shapes.ts";
import { Until } from "../team/shapes.ts";
import { MadeSentInvitation, SendsMail, SentInvitation } from "./invite-shapes.ts";

const RoomRole = Type.Union([Type.Literal("artist"), Type.Literal("listener")], {
  description: "What the guest is in this room",
});
const SeesSplits = Type.Boolean({ description: "Sees composers and splits of these tracks" });
const SeesListening = Type.Boolean({ description: "Sees how often these tracks were played" });

export const CastMember = shape(
  "CastMember",
  {
    id: Type.String({ description: "The membership, in whatever room" }),
    person: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
    role: RoomRole,
    seesSplits: SeesSplits,
    seesListening: SeesListening,
    addedAt: described(Timestamp, "When they came into the room"),
    until: nullable(Timestamp),
    lastSeenAt: nullable(Timestamp),
  },
  { description: "A guest in a room" },
);
export type CastMember = Static<typeof CastMember>;

export const Cast = shape(
  "Cast",
  {
    members: Type.Array(CastMember, { description: "The guests, by when they came" }),
    invitations: Type.Array(SentInvitation, {
      description: "Invitations into this room that nobody has accepted",
    }),
  },
  { description: "The guests of a room: a playlist that people see who see nothing else of the library" },
);
export type Cast = Static<typeof Cast>;

export const AddToCast = shape(
  "AddToCast",
  {
    email: Email,
    role: RoomRole,
    seesSplits: withDefault(SeesSplits, false),
    seesListening: withDefault(SeesListening, false),
    until: Type.Optional(Until),
    mail: SendsMail,
  },
  { description: "Whom to let into a room, and as what" },
);
export type AddToCast = Static<typeof AddToCast>;

export const AddedToCast = shape(
  "AddedToCast",
  {
    member: described(nullable(CastMember), "The guest who is in the room; null: somebody is invited"),
    invitation: described(
      nullable(MadeSentInvitation),
      "The invitation with its link; null: nobody had to be invited",
    ),
  },
  {
    description:
      "A guest of the library is in the room at once (`member`); anybody else is invited (`invitation`)",
  },
);
export type AddedToCast = Static<typeof AddedToCast>;

export const ChangeInCast = shape(
  "ChangeInCast",
  {
    role: Type.Optional(RoomRole),
    seesSplits: Type.Optional(SeesSplits),
    seesListening: Type.Optional(SeesListening),
    until: Type.Optional(Until),
  },
  { description: "What to change of a guest; `until` is of all their rooms" },
);
export type ChangeInCast = Static<typeof ChangeInCast>;

export const CastParams = Type.Object({ playlistId: Type.String() });
export const CastMemberParams = Type.Object({
  playlistId: Type.String(),
  memberId: Type.String({ description: "The guest, by their membership" }),
});
