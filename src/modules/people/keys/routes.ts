import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { nullable, ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  createKey,
  currentKey,
  listKeys,
  type OnRotated,
  replaceScopes,
  revokeKey,
  rotateKey,
  scopeCatalog,
} from "./service.ts";
import {
  CreatedKey,
  CreateKey,
  CurrentKey,
  Done,
  KeyParams,
  MaskedKey,
  ReplacedScopes,
  ReplaceScopes,
  RotatedKey,
  ScopeCatalog,
  UsagePage,
} from "./shapes.ts";
import { listUsage, type UsageRecorder } from "./usage.ts";

const UsageQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: t.Optional(t.String()),
  from: t.Optional(t.String({ description: "First day, YYYY-MM-DD" })),
  to: t.Optional(t.String({ description: "Last day, YYYY-MM-DD" })),
});
const tag = "API keys" as const;

/** `/integration`: an account's API keys. Session tokens only; an API key is never accepted (decision 5.2). */
export const keyRoutes = (
  deps: Deps,
  guard: Guards,
  { usage, onRotated }: { usage: Pick<UsageRecorder, "flush">; onRotated: OnRotated },
) =>
  new Elysia({ prefix: "/integration" })
    .use(guard)
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .post("/api-keys", ({ actor, body }) => ok(createKey(deps, actor.accountId, body)), {
      session: true,
      body: CreateKey,
      detail: describe({
        operationId: "createApiKey",
        tag,
        summary: "Create an API key",
        description: "Without `scopes` the key has every assignable scope, including those added later.",
        answer: CreatedKey,
        refusals: ["invalid_scope", "key_limit_reached"],
      }),
    })
    .get("/api-keys", ({ actor }) => ok(currentKey(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "getCurrentApiKey",
        tag,
        summary: "Get the newest key that is not revoked",
        answer: nullable(CurrentKey),
        refusals: [],
      }),
    })
    .get("/api-keys/all", ({ actor }) => ok(listKeys(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "listApiKeys",
        tag,
        summary: "List the keys that are not revoked, without secrets",
        answer: Type.Array(MaskedKey),
        refusals: [],
      }),
    })
    .get("/api-keys/scopes", () => ok(scopeCatalog()), {
      session: true,
      detail: describe({
        operationId: "listScopes",
        tag,
        summary: "List the scopes that a key may be given",
        answer: ScopeCatalog,
        refusals: [],
      }),
    })
    .post(
      "/api-keys/:id/scopes",
      ({ actor, params, body }) => ok(replaceScopes(deps, actor.accountId, params.id, body.scopes)),
      {
        session: true,
        params: KeyParams,
        body: ReplaceScopes,
        detail: describe({
          operationId: "replaceApiKeyScopes",
          tag,
          summary: "Replace a key's scopes",
          answer: ReplacedScopes,
          refusals: ["key_not_found", "key_not_active", "key_not_editable", "invalid_scope"],
        }),
      },
    )
    .post(
      "/api-keys/:id/rotate",
      ({ actor, params }) => ok(rotateKey(deps, actor.accountId, params.id, onRotated)),
      {
        session: true,
        params: KeyParams,
        detail: describe({
          operationId: "rotateApiKey",
          tag,
          summary: "Give a key a new id and secret",
          answer: RotatedKey,
          refusals: ["key_not_found", "key_not_active"],
        }),
      },
    )
    .post("/api-keys/:id/revoke", ({ actor, params }) => ok(revokeKey(deps, actor.accountId, params.id)), {
      session: true,
      params: KeyParams,
      detail: describe({
        operationId: "revokeApiKey",
        tag,
        summary: "Revoke a key for good",
        answer: Done,
        refusals: ["key_not_found"],
      }),
    })
    .get(
      "/usage",
      ({ actor, query }) => {
        usage.flush();
        return ok(listUsage(deps, actor.accountId, query));
      },
      {
        session: true,
        query: UsageQuery,
        detail: describe({
          operationId: "listUsage",
          tag,
          summary: "List requests made with the account's keys, newest first",
          answer: UsagePage,
          refusals: [],
        }),
      },
    );
