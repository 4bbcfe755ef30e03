import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Clients that registered themselves (RFC 7591). Clients with a metadata document have no row. */
export const oauthClients = sqliteTable("oauth_clients", {
  id: text().primaryKey(),
  /** The name that the client gave; null: not given. */
  name: text(),
  redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
  /** IP address; for IPv6, its /64 network. */
  registeredFrom: text("registered_from").notNull(),
  createdAt: integer("created_at").notNull(),
  /** Null: never granted access. */
  lastUsedAt: integer("last_used_at"),
});

/** Open consent pages; each can be answered once. */
export const oauthRequests = sqliteTable("oauth_requests", {
  /** SHA-256 of the token in the page's form. */
  tokenHash: blob("token_hash", { mode: "buffer" }).primaryKey(),
  sessionId: text("session_id").notNull(),
  clientId: text("client_id").notNull(),
  clientName: text("client_name").notNull(),
  redirectUri: text("redirect_uri").notNull(),
  /** The scopes that can be ticked. */
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  state: text(),
  /** S256, base64url. */
  codeChallenge: text("code_challenge").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** What an account allows a client to do. Deleting a grant revokes its code and tokens. */
export const oauthGrants = sqliteTable("oauth_grants", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  clientId: text("client_id").notNull(),
  clientName: text("client_name").notNull(),
  redirectUri: text("redirect_uri").notNull(),
  /** The only address that its tokens work for. */
  resource: text().notNull(),
  /** Never extended later. */
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  createdAt: integer("created_at").notNull(),
  /** Rounded to the minute; null: never used. */
  lastUsedAt: integer("last_used_at"),
  /** Expiry of its newest code or refresh token. */
  expiresAt: integer("expires_at").notNull(),
  /** Whose grant it is. */
  personId: text("person_id").$type<PersonId>(),
});

/** Authorization codes, kept as long as their grant: replaying one ends the grant. */
export const oauthCodes = sqliteTable("oauth_codes", {
  codeHash: blob("code_hash", { mode: "buffer" }).primaryKey(),
  grantId: text("grant_id").notNull(),
  /** S256, base64url. */
  codeChallenge: text("code_challenge").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});

/** Access and refresh tokens. */
export const oauthTokens = sqliteTable("oauth_tokens", {
  tokenHash: blob("token_hash", { mode: "buffer" }).primaryKey(),
  grantId: text("grant_id").notNull(),
  kind: text().$type<"access" | "refresh">().notNull(),
  /** A subset of the grant's scopes. */
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  expiresAt: integer("expires_at").notNull(),
  /** When a refresh token was exchanged: presenting it again ends the grant. */
  usedAt: integer("used_at"),
});
