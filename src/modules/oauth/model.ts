import { type Static, Type } from "@sinclair/typebox";
import { nullable, Timestamp } from "../../http/envelope.ts";

export const Grant = Type.Object({
  id: Type.String(),
  clientId: Type.String({ description: "The address of the client's metadata document, or a registered id" }),
  clientName: Type.String({ description: "What the client calls itself; nobody checked it" }),
  redirectHost: Type.String({ description: "Where its people are sent back to" }),
  scopes: Type.Array(Type.String(), { description: "Consented to; never widened" }),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
  expiresAt: Type.String({
    format: "date-time",
    description: "When it ends if the client does not come back",
  }),
});
export type Grant = Static<typeof Grant>;

export const RevokeGrantsQuery = Type.Object({
  id: Type.Optional(Type.String({ description: "One grant; left out: every grant" })),
});

export const RevokedGrants = Type.Object({ ok: Type.Literal(true), revoked: Type.Integer({ minimum: 0 }) });

/** Who a request with an access token acts as. */
export type GrantActor = { grantId: string; accountId: string; scopes: readonly string[] };
