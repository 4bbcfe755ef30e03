import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Keys in people's devices, with which they sign in. */
export const passkeys = sqliteTable("passkeys", {
  /** The credential's id, base64url. */
  id: text().primaryKey(),
  personId: text("person_id").$type<PersonId>().notNull(),
  /** COSE. */
  publicKey: blob("public_key", { mode: "buffer" }).notNull(),
  /** The authenticator's; 0: it does not count. */
  counter: integer().notNull(),
  transports: text({ mode: "json" }).$type<string[]>().notNull(),
  name: text().notNull(),
  backedUp: integer("backed_up", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

/** What a flow is for. */
export type FlowKind = "passkey" | "add_passkey" | "provider" | "prove";

/** Attempts to sign in that go through a device or a provider. Each works once. Only a hash of the token is kept. */
export const signInFlows = sqliteTable("sign_in_flows", {
  /** SHA-256 of the token. */
  tokenHash: blob("token_hash", { mode: "buffer" }).primaryKey(),
  kind: text().$type<FlowKind>().notNull(),
  challenge: text(),
  nonce: text(),
  verifier: text(),
  /** Who began it; null: nobody was signed in. */
  personId: text("person_id").$type<PersonId>(),
  invitationId: text("invitation_id"),
  /** Where to go afterwards. */
  next: text(),
  expiresAt: integer("expires_at").notNull(),
});

/** What a person is at the house's own provider. */
export const identities = sqliteTable(
  "identities",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    personId: text("person_id").$type<PersonId>().notNull(),
    /** As the provider said it last; it decides nothing. */
    email: text(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

/** Codes that sign a person in when everything else is lost. Each works once, and only a hash is kept. */
export const recoveryCodes = sqliteTable("recovery_codes", {
  /** SHA-256 of the code. */
  codeHash: blob("code_hash", { mode: "buffer" }).primaryKey(),
  personId: text("person_id").$type<PersonId>().notNull(),
  createdAt: integer("created_at").notNull(),
});
