import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TriageState } from "./briefs.ts";
import type { PersonId, Role, SessionMethod } from "./person.ts";

/** Libraries. An account is a library; who signs in is one of {@link people}, and {@link members} joins the two. */
export const accounts = sqliteTable("accounts", {
  id: text().primaryKey(),
  name: text().notNull(),
  username: text(),
  active: integer({ mode: "boolean" }).notNull().default(true),
  /** Null: unlimited. */
  credits: integer(),
  createdAt: integer("created_at").notNull(),
  /** `file_request`; null: unknown. */
  acquisitionSource: text("acquisition_source"),
  acquisitionBriefId: text("acquisition_brief_id"),
  /** Null: the console shows the first steps until all are done. */
  firstStepsDismissedAt: integer("first_steps_dismissed_at"),
  /** What senders are told in the place of our sentences, by decision; null: ours. */
  thanks: text({ mode: "json" }).$type<Partial<Record<TriageState, string>>>(),
  /** When assistants that can ask a person do so before they act. */
  assistantConfirm: text("assistant_confirm", { enum: ["deletes", "never"] })
    .notNull()
    .default("deletes"),
  /** Music apps get in. */
  musicApps: integer("music_apps", { mode: "boolean" }).notNull().default(false),
});

/** Who signs in. Whoever had an account when people came has its id. */
export const people = sqliteTable("people", {
  id: text().$type<PersonId>().primaryKey(),
  /** Trimmed, lower case. */
  email: text().notNull(),
  name: text().notNull(),
  /** Argon2id, PHC string; null: signs in another way. */
  passwordHash: text("password_hash"),
  active: integer({ mode: "boolean" }).notNull().default(true),
  /** At most one person has it. */
  operator: integer({ mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
});

/** Who is in which library, and as what. */
export const members = sqliteTable("members", {
  /** A new one at each joining. */
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  personId: text("person_id").$type<PersonId>().notNull(),
  /** One member of a library is its owner. */
  role: text().$type<Role>().notNull(),
  reach: text().$type<"library" | "rooms">().notNull().default("library"),
  seesSplits: integer("sees_splits", { mode: "boolean" }).notNull().default(false),
  seesListening: integer("sees_listening", { mode: "boolean" }).notNull().default(false),
  /** A person; null: the first one, or the operator. */
  addedBy: text("added_by").$type<PersonId>(),
  joinedAt: integer("joined_at").notNull(),
  /** Null: no end. */
  endsAt: integer("ends_at"),
  seenAt: integer("seen_at"),
});

/** Who may join a library, or a room of it. Only a hash of the link's token is kept. */
export const invitations = sqliteTable("invitations", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  /** Trimmed, lower case. */
  email: text().notNull(),
  role: text().$type<Exclude<Role, "owner">>().notNull(),
  /** Into this room only; null: into the library. */
  playlistId: text("playlist_id"),
  seesSplits: integer("sees_splits", { mode: "boolean" }).notNull().default(false),
  seesListening: integer("sees_listening", { mode: "boolean" }).notNull().default(false),
  /** The end of the membership; null: no end. */
  memberUntil: integer("member_until"),
  /** Null: the operator, or an import. */
  madeBy: text("made_by").$type<PersonId>(),
  /** SHA-256 of the token in the link; null: an open seat, which needs a new link. */
  tokenHash: blob("token_hash", { mode: "buffer" }),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  acceptedAt: integer("accepted_at"),
  acceptedBy: text("accepted_by").$type<PersonId>(),
  withdrawnAt: integer("withdrawn_at"),
});

/** Who sees a room: a playlist with a cast, whose members reach only their rooms. */
export const roomMembers = sqliteTable(
  "room_members",
  {
    playlistId: text("playlist_id").notNull(),
    memberId: text("member_id").notNull(),
    role: text().$type<Extract<Role, "artist" | "listener">>().notNull(),
    seesSplits: integer("sees_splits", { mode: "boolean" }).notNull().default(false),
    seesListening: integer("sees_listening", { mode: "boolean" }).notNull().default(false),
    /** Null: the operator. */
    addedBy: text("added_by").$type<PersonId>(),
    addedAt: integer("added_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.playlistId, table.memberId] })],
);

/** Signed-in browsers and programs. Only a hash of the token is kept. */
export const sessions = sqliteTable("sessions", {
  id: text().primaryKey(),
  personId: text("person_id").$type<PersonId>().notNull(),
  /** The library chosen last; null: none yet, or it is gone. */
  accountId: text("account_id"),
  /** SHA-256 of the token. */
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  userAgent: text("user_agent"),
  ip: text(),
  method: text().$type<SessionMethod>().notNull().default("password"),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at").notNull(),
  absoluteExpiresAt: integer("absolute_expires_at").notNull(),
  /** When the person last proved who they are. */
  provedAt: integer("proved_at").notNull().default(0),
});

/** Links that set a new password, one per person. Only a hash of the token is kept. */
export const passwordResets = sqliteTable("password_resets", {
  personId: text("person_id").$type<PersonId>().primaryKey(),
  /** SHA-256 of the token. */
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** API keys, ordinary and platform. */
export const apiKeys = sqliteTable("api_keys", {
  id: text().primaryKey(),
  /** Null: a platform key, which belongs to the operator. */
  accountId: text("account_id"),
  name: text().notNull(),
  /** Null: every assignable scope, including any added later. */
  scopes: text({ mode: "json" }).$type<string[]>(),
  /** SHA-256 of the secret. */
  secretHash: blob("secret_hash", { mode: "buffer" }).notNull(),
  /** AES-256-GCM of the secret, additional data = id (decision 2.21). */
  secretCopy: blob("secret_copy", { mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  /** Null: never. */
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  /** The key that replaced this one. */
  rotatedTo: text("rotated_to"),
  webhookUrl: text("webhook_url"),
  webhookActive: integer("webhook_active", { mode: "boolean" }).notNull().default(false),
  /** AES-256-GCM of the `whsec_` text; null until a webhook is set. */
  webhookSecret: blob("webhook_secret", { mode: "buffer" }),
  /** The key may do no more than this person may. Null: made by the operator, or a platform key. */
  madeBy: text("made_by").$type<PersonId>(),
});

/** Actions of the operator and the owners that must be traceable. Append-only. */
export const auditLog = sqliteTable("audit_log", {
  id: text().primaryKey(),
  at: integer().notNull(),
  /** `operator`, or the id of a person or key. */
  actor: text().notNull(),
  action: text().notNull(),
  subject: text(),
  detail: text({ mode: "json" }).$type<Record<string, unknown>>(),
  /** The library that it concerns. */
  accountId: text("account_id"),
  personId: text("person_id").$type<PersonId>(),
  keyId: text("key_id"),
});

/** One row for each request made with a key, kept 90 days. */
export const usageRecords = sqliteTable("usage_records", {
  id: text().primaryKey(),
  keyId: text("key_id").notNull(),
  accountId: text("account_id"),
  /** The route template, never the actual values. */
  route: text().notNull(),
  method: text().notNull(),
  status: integer().notNull(),
  durationMs: integer("duration_ms").notNull(),
  ip: text().notNull(),
  at: integer().notNull(),
});

/** Answers kept for a day, so that a repeated POST does not run twice (decision 0.11). */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** Id of the key; or of the person, with `/` and the library behind it where the two differ. */
    principal: text().notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    /** SHA-256 of path and body; empty while a form is being read. */
    requestHash: blob("request_hash", { mode: "buffer" }).notNull(),
    /** Null: still running. */
    status: integer(),
    /** AES-256-GCM of the answer: it may hold a secret that is shown once. */
    body: blob({ mode: "buffer" }),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.principal, table.idempotencyKey] })],
);
