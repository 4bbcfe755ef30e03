import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Programs that registered themselves (RFC 7591). Those with a metadata document have no row. */
export const oauthClients = sqliteTable("oauth_clients", {
  id: text().primaryKey(),
  /** Their own word; null: none given. */
  name: text(),
  redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
  /** Address, IPv6 by its /64. */
  registeredFrom: text("registered_from").notNull(),
  createdAt: integer("created_at").notNull(),
  /** Null: nobody has ever let it in. */
  lastUsedAt: integer("last_used_at"),
});

/** Questions that a consent page asks at the moment; each is answered once. */
export const oauthRequests = sqliteTable("oauth_requests", {
  /** SHA-256 of the token in the page's form. */
  tokenHash: blob("token_hash", { mode: "buffer" }).primaryKey(),
  sessionId: text("session_id").notNull(),
  clientId: text("client_id").notNull(),
  clientName: text("client_name").notNull(),
  redirectUri: text("redirect_uri").notNull(),
  /** What may be ticked. */
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  state: text(),
  /** S256, base64url. */
  codeChallenge: text("code_challenge").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** What an account lets a client do. Deleting one ends its code and its tokens. */
export const oauthGrants = sqliteTable("oauth_grants", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  clientId: text("client_id").notNull(),
  clientName: text("client_name").notNull(),
  redirectUri: text("redirect_uri").notNull(),
  /** The only address its tokens are good for. */
  resource: text().notNull(),
  /** Never widened. */
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  createdAt: integer("created_at").notNull(),
  /** To the minute; null: not yet. */
  lastUsedAt: integer("last_used_at"),
  /** Of its newest code or refresh token. */
  expiresAt: integer("expires_at").notNull(),
});

/** Authorization codes, kept as long as their grant: a replay ends that. */
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
  /** Within the grant's. */
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  expiresAt: integer("expires_at").notNull(),
  /** Of a refresh token that was exchanged: presenting it again ends the grant. */
  usedAt: integer("used_at"),
});
