import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Scopes = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 });

export const CreateKey = shape("CreateKey", {
  name: Name,
  scopes: Type.Optional(Scopes),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: "Days until it expires; leave it out for a key that never expires",
    }),
  ),
});
export type CreateKey = Static<typeof CreateKey>;

export const ReplaceScopes = shape("ReplaceScopes", { scopes: Scopes });
export const KeyParams = Type.Object({ id: Type.String() });

export const CreatedKey = shape("CreatedKey", {
  key: Type.String({ description: "`<KEY_ID>.<SECRET>`, shown only here" }),
  id: Type.String(),
});
export const RotatedKey = shape("RotatedKey", {
  id: Type.String(),
  createdAt: Timestamp,
  key: Type.String(),
});

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  webhookUrl: nullable(Type.String()),
  webhookActive: Type.Boolean(),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
};
export const MaskedKey = shape("ApiKey", keyFields);
export type MaskedKey = Static<typeof MaskedKey>;
export const CurrentKey = shape("CurrentApiKey", { ...keyFields, key: nullable(Type.String()) });
export type CurrentKey = Static<typeof CurrentKey>;

export const ScopeCatalog = shape("ScopeCatalog", { scopes: Type.Array(Type.String()) });
export const ReplacedScopes = shape("ReplacedScopes", {
  ok: Type.Literal(true),
  id: Type.String(),
  scopes: Type.Array(Type.String()),
});
export const Done = shape("Done", { ok: Type.Literal(true) });

export const UsageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String()),
  from: Type.Optional(Type.String({ description: "First day, YYYY-MM-DD" })),
  to: Type.Optional(Type.String({ description: "Last day, YYYY-MM-DD" })),
});

export const UsageRecord = shape("UsageRecord", {
  id: Type.String(),
  keyId: Type.String(),
  route: Type.String({ description: "The route template, such as `/tracks/{trackId}/versions`" }),
  method: Type.String(),
  status: Type.Integer(),
  duration: Type.Integer({ description: "Milliseconds" }),
  ip: Type.String(),
  timestamp: Timestamp,
});
export type UsageRecord = Static<typeof UsageRecord>;
export const UsagePage = shape("UsagePage", {
  items: Type.Array(UsageRecord),
  nextCursor: nullable(Type.String()),
});
export type UsagePage = Static<typeof UsagePage>;
