import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { Email, MAX_EMAIL, MAX_NAME } from "../../people/people/shapes.ts";
import { Role } from "../../people/team/shapes.ts";

const Count = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0 });
const text = nullable(Type.String());

const Finding = shape("ServerFinding", {
  check: Type.String({ description: "What was looked at" }),
  ok: Type.Boolean({ description: "False when something is to be done" }),
  found: Type.String({ description: "What was found, in words" }),
  remedy: nullable(Type.String({ description: "What to do about it" })),
});
export type Finding = Static<typeof Finding>;

/** What the last check of the library found. */
export const Verification = shape("Verification", {
  isRunning: Type.Boolean({ description: "True while files are read" }),
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  isSound: nullable(Type.Boolean({ description: "Null until a check has ended" })),
  faults: Type.Array(Type.Object({ path: text, detail: Type.String() }), { description: "At most 100" }),
  faultCount: Count,
});
export type Verification = Static<typeof Verification>;

/** Payload of `GET /app/server`. */
export const Server = shape("Server", {
  version: Type.String({ description: "Version of Dubplate" }),
  build: nullable(Type.String({ description: "Opaque id of the build" })),
  program: Type.String({ description: "How the program is started in a terminal" }),
  dataDir: Type.String({ description: "The data folder" }),
  disk: Type.Object({ freeBytes: Bytes, totalBytes: Bytes }),
  sizes: Type.Object({
    databaseBytes: Bytes,
    originalsBytes: Type.Integer({ minimum: 0, description: "Audio files as they were uploaded" }),
    renditionsBytes: Type.Integer({ minimum: 0, description: "Copies that browsers can play" }),
  }),
  counts: Type.Object({ accounts: Count, tracks: Count, versions: Count }),
  queue: Type.Object({
    waiting: Count,
    running: Count,
    dead: Type.Integer({ minimum: 0, description: "Given up after several attempts" }),
  }),
  ffmpeg: nullable(Type.String({ description: "Where it is; null: only the built-in decoders are used" })),
  backup: Type.Object({
    schedule: nullable(
      Type.Object({
        dir: Type.String({ description: "The folder of the snapshots" }),
        everyHours: Type.Number({ minimum: 0 }),
        keep: Type.Record(Type.String(), Type.Integer(), {
          description: "For how many periods of each length a snapshot is kept",
        }),
      }),
    ),
    lastSuccessAt: nullable(Timestamp),
    lastBytes: nullable(Bytes),
    lastFailureAt: nullable(Timestamp),
  }),
  verification: Verification,
});
export type Server = Static<typeof Server>;

export const Findings = shape("ServerFindings", {
  findings: Type.Array(Finding, { description: "What the command doctor says" }),
});

/** An account, for the operator. */
export const ServerAccount = shape("ServerAccount", {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
  active: Type.Boolean({ description: "False: the account is disabled" }),
  credits: nullable(Count),
  isOperator: Type.Boolean({ description: "True for the account that may do this" }),
  tracks: Count,
  owner: Type.Object(
    { id: Type.String(), name: Type.String(), email: Type.String() },
    { description: "Who owns the library" },
  ),
  members: Type.Integer({ minimum: 1, description: "How many people are in it, the owner included" }),
});
export type ServerAccount = Static<typeof ServerAccount>;

export const Invite = shape("Invite", {
  name: Type.String({ minLength: 1, maxLength: MAX_NAME }),
  email: Email,
});
export type Invite = Static<typeof Invite>;

export const Invitation = shape("Invitation", {
  id: Type.String(),
  email: Type.String(),
  url: Type.String({ description: "Where the person sets a password; works once" }),
  expiresAt: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

export const ChangeServerAccount = shape("ChangeServerAccount", {
  active: Type.Optional(Type.Boolean({ description: "False disables the account, and everything stays" })),
  credits: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "Null: unlimited" })),
  ),
});
export type ChangeServerAccount = Static<typeof ChangeServerAccount>;

export const DeleteServerAccount = shape("DeleteServerAccount", {
  email: Type.String({ maxLength: MAX_EMAIL, description: "The account's address once more, as a check" }),
});

export const DeletedAccount = shape("DeletedAccount", { id: Type.String(), tracks: Count, files: Count });
export type DeletedAccount = Static<typeof DeletedAccount>;

/** The new owner of a library, by the address that they sign in with. */
export const NewOwner = shape("NewOwner", { email: Email });

/** Somebody who signs in, for the operator. */
export const ServerPerson = shape("ServerPerson", {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
  active: Type.Boolean({ description: "False: the person is blocked" }),
  isOperator: Type.Boolean({ description: "True for the person who may do this" }),
  lastSeenAt: nullable(Timestamp),
  libraries: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      role: Role,
      active: Type.Boolean({ description: "False: the library is disabled" }),
    }),
  ),
});
export type ServerPerson = Static<typeof ServerPerson>;

export const ChangeServerPerson = shape("ChangeServerPerson", {
  active: Type.Boolean({ description: "False blocks the person: nothing of theirs opens anything" }),
});

export const PersonParams = Type.Object({ id: Type.String() });

export const AccountParams = Type.Object({ id: Type.String() });
