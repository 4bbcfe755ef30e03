import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { type Power, ROLES } from "../../../kernel/roles.ts";
import type { OrdinaryScope } from "../../../kernel/scopes.ts";

/** The most characters that each may have. */
export const MAX_EMAIL = 254;
export const MAX_NAME = 200;
export const MAX_PASSWORD = 200;
export const MIN_PASSWORD = 8;

/** A session ends this long after its last use, and in any case this long after it began. */
export const SESSION_IDLE_DAYS = 30;
export const SESSION_LONGEST_DAYS = 90;
/** Cookies live as long as a session may go unused. */
export const SESSION_IDLE_SEC = SESSION_IDLE_DAYS * 24 * 3600;
/** How long somebody need not prove again who they are. */
export const PROOF_MINUTES = 10;
/** How long a link that sets a new password works. */
export const RESET_LINK_HOURS = 1;

export const Email = Type.String({
  minLength: 3,
  maxLength: MAX_EMAIL,
  pattern: "^\\s*[^@\\s]+@[^@\\s]+\\s*$",
  description: "E-mail address",
});
export const Password = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: `At least ${MIN_PASSWORD} characters`,
});

export const Login = shape("Login", {
  email: Type.String({ maxLength: MAX_EMAIL }),
  password: Type.String({ maxLength: MAX_PASSWORD }),
});
export type Login = Static<typeof Login>;

export const User = shape("User", { id: Type.String(), email: Type.String(), name: Type.String() });

export const SignedIn = shape("SignedIn", {
  token: Type.String({ description: "Session token: send it as `Authorization: Bearer <token>`" }),
  expiresAt: Timestamp,
  user: User,
});
export type SignedIn = Static<typeof SignedIn>;

const Role = Type.Unsafe<(typeof ROLES)[number]>(Type.Union(ROLES.map((role) => Type.Literal(role))));

export const CurrentLibrary = shape("CurrentLibrary", {
  id: Type.String(),
  name: Type.String(),
  role: Role,
  scopes: Type.Array(Type.Unsafe<OrdinaryScope>(Type.String())),
  powers: Type.Array(Type.Unsafe<Power>(Type.String())),
  reach: Type.Union([Type.Literal("library"), Type.Literal("rooms")], {
    description: "How much of the library the person reaches",
  }),
  rooms: Type.Array(
    Type.Object({
      playlistId: Type.String(),
      name: Type.String({ description: "What the playlist is called" }),
      role: Type.Union([Type.Literal("artist"), Type.Literal("listener")]),
      seesSplits: Type.Boolean(),
      seesListening: Type.Boolean({ description: "Sees who listened" }),
    }),
    { description: "The playlists of a guest, and what they are in each; empty for everybody else" },
  ),
});
export type CurrentLibrary = Static<typeof CurrentLibrary>;

export const OwnLibrary = shape("OwnLibrary", {
  id: Type.String(),
  name: Type.String(),
  role: Role,
  isCurrent: Type.Boolean({ description: "The library that the request is in" }),
});
export type OwnLibrary = Static<typeof OwnLibrary>;

export const CurrentSession = shape("CurrentSession", {
  id: Type.String(),
  expiresAt: Timestamp,
  user: User,
  library: nullable(CurrentLibrary),
  libraries: Type.Array(OwnLibrary),
  mayFound: Type.Boolean({ description: "Whether the person may found another library on this server" }),
});
export type CurrentSession = Static<typeof CurrentSession>;

export const SessionRow = shape("Session", {
  id: Type.String(),
  current: Type.Boolean(),
  userAgent: nullable(Type.String()),
  ip: nullable(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
  method: Type.Union(
    (["password", "passkey", "provider", "operator", "invitation"] as const).map((each) =>
      Type.Literal(each),
    ),
    { description: "How it began" },
  ),
  device: Type.String({
    description: "The browser and where it runs; of another program, what it calls itself",
    examples: ["Chrome on Windows"],
  }),
  place: nullable(
    Type.String({
      description: "The address, or `This network` for one that is not public",
      examples: ["203.0.113.7"],
    }),
  ),
  library: nullable(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: "The library chosen last there; null: none chosen, or the person has left it" },
    ),
  ),
});
export type SessionRow = Static<typeof SessionRow>;

export const RevokeSessionsQuery = Type.Object({
  id: Type.Optional(
    Type.String({ description: "The session to end; leave it out to end every session but this one" }),
  ),
});

export const Done = shape("Done", { ok: Type.Literal(true) });
export const Revoked = shape("Revoked", {
  ok: Type.Literal(true),
  revoked: Type.Integer({ minimum: 0 }),
});

/** A person as others in a library see them. */
export const NamedPerson = shape(
  "NamedPerson",
  {
    id: Type.String({ description: "The person" }),
    name: Type.String({ description: "`Former member` when they are no longer in the library" }),
  },
  { description: "A person, as others in the library see them" },
);
export type NamedPerson = Static<typeof NamedPerson>;

/** Who made something. */
export const MadeBy = described(
  nullable(NamedPerson),
  "Who made it; null: before the library had members, or the operator",
);
