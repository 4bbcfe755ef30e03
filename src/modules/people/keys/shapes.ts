import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { MadeBy } from "../people/shapes.ts";

/** Characters. */
export const MAX_KEY_NAME = 100;
const MAX_SCOPES = 100;
const MAX_SCOPE = 100;
/** The most keys of one account that work at a time. */
export const MAX_LIVE_KEYS = 50;
/** The most of them that somebody may have who does not manage keys. */
export const MAX_OWN_KEYS = 5;
/** The longest that a key may last, where it ends at all; a platform key always does. */
export const MAX_KEY_DAYS = 3650;
export const MAX_PLATFORM_KEY_DAYS = 365;
/** How long the requests made with keys are kept on record. */
export const USAGE_KEPT_DAYS = 90;

const Name = Type.String({ minLength: 1, maxLength: MAX_KEY_NAME });
const Scopes = Type.Array(Type.String({ maxLength: MAX_SCOPE }), { minItems: 1, maxItems: MAX_SCOPES });

export const CreateKey = shape("CreateKey", {
  name: Name,
  scopes: Type.Optional(Scopes),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_KEY_DAYS,
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
export type CreatedKey = Static<typeof CreatedKey>;
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
const Masked = Type.Object(keyFields);
export type MaskedKey = Static<typeof Masked>;
const listedFields = {
  ...keyFields,
  madeBy: MadeBy,
  effectiveScopes: Type.Array(Type.String(), {
    description: "The scopes that work: those that its maker has now, too",
  }),
};
export const ListedKey = shape("ApiKey", listedFields);
export type ListedKey = Static<typeof ListedKey>;
export const CurrentKey = shape("CurrentApiKey", { ...listedFields, key: nullable(Type.String()) });
export type CurrentKey = Static<typeof CurrentKey>;

export const ScopeCatalog = shape("ScopeCatalog", { scopes: Type.Array(Type.String()) });
export const ReplacedScopes = shape("ReplacedScopes", {
  ok: Type.Literal(true),
  id: Type.String(),
  scopes: Type.Array(Type.String()),
});
export const Done = shape("Done", { ok: Type.Literal(true) });

export const UsageQuery = Type.Object({
  limit: pageFields.limit,
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
