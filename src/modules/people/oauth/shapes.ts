import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MadeBy } from "../people/shapes.ts";

/** How long a client that does not return keeps its access. */
export const GRANT_IDLE_DAYS = 30;
/** How long a registered client is kept that no owner has let in, and one that no longer has a grant. */
export const NEW_CLIENT_KEPT_DAYS = 1;
export const CLIENT_KEPT_DAYS = 90;
/** From one address. */
export const MAX_REGISTRATIONS_PER_HOUR = 20;
/** What a crowd of addresses can register; an ordinary server has under a thousandth of it. */
export const MAX_CLIENTS = 5000;
export const MAX_REDIRECT_URIS = 10;
/** Characters. */
export const MAX_REDIRECT_URI = 2000;

export const Grant = shape("Grant", {
  id: Type.String(),
  clientId: Type.String({ description: "The address of the client's metadata document, or a registered id" }),
  clientName: Type.String({ description: "What the client calls itself; not verified" }),
  redirectHost: Type.String({ description: "The host that users are sent back to" }),
  scopes: Type.Array(Type.String(), { description: "The scopes consented to; they never widen" }),
  madeBy: MadeBy,
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
  expiresAt: Type.String({
    format: "date-time",
    description: "When the grant ends if the client does not return",
  }),
});
export type Grant = Static<typeof Grant>;

export const RevokeGrantsQuery = Type.Object({
  id: Type.Optional(Type.String({ description: "The grant to end; leave it out to end every grant" })),
});

export const RevokedGrants = shape("Revoked", {
  ok: Type.Literal(true),
  revoked: Type.Integer({ minimum: 0 }),
});
