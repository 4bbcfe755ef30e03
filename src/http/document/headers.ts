import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY } from "../../kernel/limits.ts";
import { LIBRARY_PARAMETER } from "../library-choice.ts";
import type { JsonSchema } from "../schema.ts";

type Header = { description: string; schema: JsonSchema; example: string | number };
const text: JsonSchema = { type: "string" };

/** The header fields of answers. */
export const HEADERS = {
  "X-Service-Api-Version": {
    description: "The version of the API",
    schema: text,
    example: "1",
  },
  "X-Request-Id": {
    description:
      "The id of the request in the server's log: that of the request's own `X-Request-Id`, or a new one",
    schema: text,
    example: "0d6b2c0e-6f5c-4d3b-9a43-3c1a2f7e8b90",
  },
  RateLimit: {
    description:
      "How many requests are left in this window, and in how many seconds it ends; while a limit is set",
    schema: text,
    example: '"default";r=93;t=41',
  },
  "RateLimit-Policy": {
    description: "The limit: so many requests in so many seconds; while a limit is set",
    schema: text,
    example: '"default";q=100;w=60',
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt",
    schema: { type: "integer", minimum: 0 },
    example: 12,
  },
  ETag: {
    description:
      "Identifies the current answer: send it as `If-None-Match`, and an unchanged answer is a 304",
    schema: text,
    example: 'W/"5d41402abc4b2a76"',
  },
  "Idempotency-Replayed": {
    description: "`true`: the answer is that of the first request with this `Idempotency-Key`",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  Allow: { description: "The methods that the address accepts", schema: text, example: "GET, HEAD, OPTIONS" },
  Deprecation: {
    description: "Since when the route is deprecated; only on routes that will be removed (RFC 9745)",
    schema: text,
    example: "@1790000000",
  },
  Sunset: {
    description: "When the route is removed; only on routes with a day for it (RFC 8594)",
    schema: text,
    example: "Wed, 30 Jun 2027 00:00:00 GMT",
  },
  Link: {
    description: "The documentation and the successor of a deprecated route (RFC 8288)",
    schema: text,
    example: '</api/v1/tracks>; rel="successor-version"',
  },
} as const satisfies Record<string, Header>;
type HeaderName = keyof typeof HEADERS;

const EVERY = ["X-Service-Api-Version", "X-Request-Id", "RateLimit", "RateLimit-Policy"] as const;
const DEPRECATED = ["Deprecation", "Sunset", "Link"] as const;
/** Refusals that say when to come back. */
const COME_BACK = ["429", "503"];

/** Returns the header fields that an answer of a status may have, as references. */
export function headersOf(status: string, method: string, isHeld: boolean): Record<string, { $ref: string }> {
  const names: HeaderName[] = [...EVERY];
  if (status === "200") names.push(...DEPRECATED, ...ofSuccess(method, isHeld));
  if (status === "304") names.push("ETag");
  if (status === "405") names.push("Allow");
  if (COME_BACK.includes(status)) names.push("Retry-After");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const ofSuccess = (method: string, isHeld: boolean): HeaderName[] => [
  ...(method === "GET" ? (["ETag"] as const) : []),
  ...(method === "POST" && isHeld ? (["Idempotency-Replayed"] as const) : []),
];

/** What every request may say besides what its operation asks. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: `A text of your own; for ${IDEMPOTENCY_HOURS} hours the same request with the same key gets the first one's answer`,
    schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
    example: "mix-folder-2026-11-22",
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` of an answer that you have: while it is still current, you get a 304 without a body",
    schema: text,
    example: 'W/"5d41402abc4b2a76"',
  },
  Library: {
    name: "X-Library",
    in: "header",
    required: false,
    description: "One of the person's libraries; left out: `in`, or the one that the session chose last",
    schema: text,
    example: "usr_5Nv1cR8t",
  },
  In: {
    name: LIBRARY_PARAMETER,
    in: "query",
    required: false,
    description: "As `X-Library`, for what sends no header fields",
    schema: text,
    example: "usr_5Nv1cR8t",
  },
} as const;

/** Returns what a request may say besides, as references. `isPersons`: with a session. */
export function parametersOf(
  method: string,
  { isHeld, isPersons }: { isHeld: boolean; isPersons: boolean },
): { $ref: string }[] {
  const names: (keyof typeof PARAMETERS)[] = [];
  if (method === "GET") names.push("IfNoneMatch");
  if (method === "POST" && isHeld) names.push("IdempotencyKey");
  if (isPersons) names.push("Library", "In");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
