import { Type } from "@sinclair/typebox";
import { nullable } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { createOwnKey, currentOwnKey, listOwnKeys, makerAfter, requireKey, requireOwnScopes } from "./own.ts";
import { type OnRotated, replaceScopes, revokeKey, rotateKey, scopeCatalog } from "./service.ts";
import {
  CreatedKey,
  CreateKey,
  CurrentKey,
  Done,
  KeyParams,
  ListedKey,
  MAX_OWN_KEYS,
  ReplacedScopes,
  ReplaceScopes,
  RotatedKey,
  ScopeCatalog,
  UsagePage,
  UsageQuery,
} from "./shapes.ts";
import { listUsage, type UsageRecorder } from "./usage.ts";

export type KeyParts = { usage: Pick<UsageRecorder, "flush">; onRotated: OnRotated };

const tag = "API keys";

/** An account's API keys, and what they did. For sessions only: no key makes keys (decision 5.2). */
export const keyOperations = (parts: KeyParts) => [...readOperations(parts), ...changeOperations(parts)];

const readOperations = ({ usage }: KeyParts) => [
  op({
    at: "GET /integration/api-keys",
    isAtRoot: true,
    id: "getCurrentApiKey",
    session: "member",
    isSecret: true,
    tag,
    summary: "Get the newest key that you made and that is not revoked",
    answer: nullable(CurrentKey),
    refusals: [],
    run: (deps, { actor }) => currentOwnKey(deps, actor),
  }),
  op({
    at: "GET /integration/api-keys/all",
    isAtRoot: true,
    id: "listApiKeys",
    session: "member",
    isSecret: true,
    tag,
    summary: "List the keys that are not revoked, without secrets",
    description: "Your own; with `manage:keys`, those of everyone in the library.",
    answer: Type.Array(ListedKey),
    refusals: [],
    run: (deps, { actor }) => listOwnKeys(deps, actor),
  }),
  op({
    at: "GET /integration/api-keys/scopes",
    isAtRoot: true,
    id: "listScopes",
    session: "member",
    isSecret: true,
    tag,
    summary: "List the scopes that a key may be given",
    answer: ScopeCatalog,
    refusals: [],
    run: scopeCatalog,
  }),
  op({
    at: "GET /integration/usage",
    isAtRoot: true,
    id: "listUsage",
    session: "manage:keys",
    isSecret: true,
    input: { query: UsageQuery },
    tag,
    summary: "List requests made with the account's keys, newest first",
    answer: UsagePage,
    refusals: [],
    run(deps, { actor, query }) {
      usage.flush();
      return listUsage(deps, actor.accountId, query);
    },
  }),
];

const changeOperations = ({ onRotated }: KeyParts) => [
  op({
    at: "POST /integration/api-keys",
    isAtRoot: true,
    id: "createApiKey",
    session: "member",
    isSecret: true,
    input: { body: CreateKey },
    tag,
    summary: "Create an API key",
    description:
      "Without `scopes` the key has every assignable scope, including those added later; it never does more than whoever made it may now. " +
      `Without \`manage:keys\`, at most ${MAX_OWN_KEYS} keys.`,
    answer: CreatedKey,
    refusals: ["invalid_scope", "key_limit_reached"],
    run: (deps, { actor, body }) => createOwnKey(deps, actor, body),
  }),
  op({
    at: "POST /integration/api-keys/:id/scopes",
    isAtRoot: true,
    id: "replaceApiKeyScopes",
    session: "member",
    isSecret: true,
    input: { params: KeyParams, body: ReplaceScopes },
    tag,
    summary: "Replace a key's scopes",
    answer: ReplacedScopes,
    refusals: ["key_not_found", "key_not_active", "key_not_editable", "invalid_scope"],
    run(deps, { actor, params, body }) {
      requireKey(deps.db, actor, params.id);
      requireOwnScopes(actor, body.scopes);
      return replaceScopes(deps, actor.accountId, params.id, body.scopes);
    },
  }),
  op({
    at: "POST /integration/api-keys/:id/rotate",
    isAtRoot: true,
    id: "rotateApiKey",
    session: "member",
    isSecret: true,
    input: { params: KeyParams },
    tag,
    summary: "Give a key a new id and secret",
    answer: RotatedKey,
    refusals: ["key_not_found", "key_not_active"],
    run(deps, { actor, params }) {
      requireKey(deps.db, actor, params.id);
      return rotateKey(deps, actor.accountId, params.id, onRotated, makerAfter(deps.db, actor, params.id));
    },
  }),
  op({
    at: "POST /integration/api-keys/:id/revoke",
    isAtRoot: true,
    id: "revokeApiKey",
    session: "member",
    isSecret: true,
    input: { params: KeyParams },
    tag,
    summary: "Revoke a key for good",
    answer: Done,
    refusals: ["key_not_found"],
    run(deps, { actor, params }) {
      requireKey(deps.db, actor, params.id);
      return revokeKey(deps, actor.accountId, params.id);
    },
  }),
];
