import {
  any,
  type Input,
  type Inputs,
  idOf,
  oneOf,
  type Row,
  required,
  type Shape,
  text,
} from "../notation.ts";

const keyParam: Inputs = { id: idOf("key") };
const scopes: Input = { is: "list", item: { is: "scope" }, min: 1 };

const currentKey = {
  id: "string",
  name: "string",
  scopes: ["string"],
  webhookUrl: "string|null",
  webhookActive: "boolean",
  createdAt: "timestamp",
  lastUsedAt: "timestamp|null",
  expiresAt: "timestamp|null",
  key: "string",
} as const satisfies Shape;

/** Section 4, "Key management". */
export const keyRows: readonly Row[] = [
  {
    method: "POST",
    path: "/integration/api-keys",
    needs: "session token",
    body: {
      name: required(text({ min: 1, max: 100 })),
      scopes,
      days: { is: "integer", min: 1, max: 3650 },
    },
    answer: { key: "string", id: "string" },
    refuses: ["400 invalid_scope", "409 key_limit_reached"],
  },
  { method: "GET", path: "/integration/api-keys", needs: "session token", answer: currentKey },
  {
    method: "GET",
    path: "/integration/api-keys/scopes",
    needs: "session token",
    answer: { scopes: ["string"] },
  },
  {
    method: "POST",
    path: "/integration/api-keys/{id}/scopes",
    needs: "session token",
    params: keyParam,
    body: { scopes: required(scopes) },
    answer: { ok: oneOf(true), id: "string", scopes: ["string"] },
    refuses: ["400 invalid_scope", "404 key_not_found", "409 key_not_active", "409 key_not_editable"],
  },
  {
    method: "POST",
    path: "/integration/api-keys/{id}/webhook",
    needs: "session token",
    params: keyParam,
    body: { url: required(text()), active: required({ is: "boolean" }) },
    answer: {
      ok: oneOf(true),
      id: "string",
      webhookUrl: "string",
      webhookActive: "boolean",
      webhookSecret: "string",
    },
    refuses: ["400 invalid_webhook_url", "404 key_not_found", "409 key_not_active"],
  },
  {
    method: "POST",
    path: "/integration/api-keys/{id}/rotate",
    needs: "session token",
    params: keyParam,
    answer: { id: "string", createdAt: "timestamp", key: "string" },
    refuses: ["404 key_not_found", "409 key_not_active"],
  },
  {
    method: "POST",
    path: "/integration/api-keys/{id}/revoke",
    needs: "session token",
    params: keyParam,
    answer: { ok: oneOf(true) },
    refuses: ["404 key_not_found"],
  },
  {
    method: "GET",
    path: "/integration/usage",
    needs: "session token",
    query: {
      limit: { is: "integer", min: 1, max: 200, default: 50 },
      cursor: { is: "cursor" },
      from: { is: "day" },
      to: { is: "day" },
    },
    answer: {
      items: [
        {
          id: "string",
          keyId: "string",
          route: "string",
          method: "string",
          status: "integer",
          duration: "integer",
          ip: "string",
          timestamp: "timestamp",
        },
      ],
      nextCursor: "string|null",
    },
  },
];

/** Section 9, "Version endpoint". */
export const serviceRows: readonly Row[] = [
  {
    method: "GET",
    path: "/version",
    needs: "nothing",
    answer: {
      version: "string",
      prefix: oneOf("/api/v1"),
      latest: "string",
      status: oneOf("current", "deprecated"),
      sunset: "day|null",
      build: "string|null",
      deprecatedRoutes: any("object"),
    },
  },
];
