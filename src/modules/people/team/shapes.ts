import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

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
