import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../kernel/errors.ts";
import { envelopeOf } from "./envelope.ts";
import { ErrorBody, STATUS } from "./errors.ts";
import { jsonSchema } from "./schema.ts";

/** The chapters of the document, in reading order. */
const TAGS = {
  Tracks: "Upload tracks, list them, and read what the analysis found",
  Versions: "Every audio file of a track, and the way back to the original",
  Playlists: "Ordered lists of tracks, each behind one public link",
  Composers: "The people who have a part in tracks",
  Analytics: "Plays, views, downloads, saves, shares and comments",
  Briefs: "Calls for submissions, and the submissions received",
  Platform: "Reports across accounts, for the operator's partners",
  App: "What the web app does for a signed-in owner",
  Search: "Find tracks by describing them; the constraints always apply",
  Tags: "The words that describe tracks",
  "Sign-in": "Accounts and sessions of people",
  "API keys": "Keys for programs: what each may do and what it did",
  Webhooks: "Signed notifications of changes, and the state of each delivery",
  Service: "The server itself",
} as const;

/** How a route describes itself. */
export type Description = {
  operationId: string;
  tag: keyof typeof TAGS;
  summary: string;
  description?: string;
  /** Schema of the payload inside the envelope; a `bare` answer has no envelope (decision 4.3). */
  answer: TSchema;
  bare?: boolean;
  /** Schemas of the fields beside `data`, such as `paging`. */
  siblings?: Record<string, TSchema>;
  /** Refusals beyond those that every route of its kind has. */
  refusals: readonly ErrorCode[];
  /** The schema of a streamed body, for routes that read the body themselves. */
  requestBody?: { contentType: string; schema: TSchema };
};

/** Returns the `detail` of an operation for its route, which ends up in the OpenAPI document. */
export function describe(route: Description) {
  const schema = route.bare ? route.answer : envelopeOf(route.answer, route.siblings);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag],
    responses: { 200: { description: "OK", content: contentOf(schema) }, ...refusals(route.refusals) },
    ...(route.requestBody && {
      requestBody: {
        required: true,
        content: contentOf(route.requestBody.schema, route.requestBody.contentType),
      },
    }),
  };
}

/** The parts of a registered route that the document generator reads. */
export type DocumentedRoute = {
  method: string;
  path: string;
  hooks: {
    detail?: Record<string, unknown>;
    query?: unknown;
    params?: unknown;
    body?: unknown;
  };
};

/** Returns the OpenAPI 3.1 document of the routes that have a description. */
export function openApiDocument(routes: readonly DocumentedRoute[], serverUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (!route.hooks.detail?.operationId) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Dubplate",
      version: "1",
      summary: "The self-hosted home for unreleased music",
      description:
        "Keep demos, mixes and masters; find them by description; share them. Successful answers are wrapped in " +
        "an envelope `{status, messageCode, message, data}`. Error answers have no envelope and carry a stable " +
        "`messageCode`.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Operator of this server", url: serverUrl },
    },
    servers: [{ url: serverUrl, description: "This server" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Error: jsonSchema(ErrorBody) },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "`<KEY_ID>.<SECRET>`" },
        session: { type: "http", scheme: "bearer", description: "Session token of POST /auth/login" },
      },
    },
  };
}

const COMMON: readonly ErrorCode[] = [
  "rate_limit_exceeded",
  "origin_not_allowed",
  "request_timeout",
  "internal_error",
];
const KEY_REFUSALS: readonly ErrorCode[] = [
  "missing_api_key",
  "invalid_key",
  "expired_key",
  "insufficient_scope",
];
const SESSION_REFUSALS: readonly ErrorCode[] = [
  "missing_session_token",
  "invalid_session_token",
  "expired_session_token",
];
const BODY_REFUSALS: readonly ErrorCode[] = [
  "validation_failed",
  "payload_too_large",
  "idempotency_key_reused",
  "idempotency_in_progress",
];

function operation({ method, hooks }: DocumentedRoute) {
  const detail = hooks.detail ?? {};
  const security = (detail.security ?? []) as Record<string, readonly string[]>[];
  const scope = security[0]?.apiKey?.[0];
  const declared = detail.responses as Record<string, DeclaredContent & { description: string }>;
  const requestBody = hooks.body
    ? { required: true, content: contentOf(hooks.body as TSchema) }
    : (detail.requestBody as DeclaredContent | undefined);
  const common = refusals([
    ...COMMON,
    ...(security[0]?.apiKey ? KEY_REFUSALS : []),
    ...(security[0]?.session ? SESSION_REFUSALS : []),
    ...(method === "POST" || method === "PATCH" || method === "PUT" ? BODY_REFUSALS : []),
    ...(hooks.query || hooks.params ? (["validation_failed"] as const) : []),
    ...(detail.deprecated ? (["not_found"] as const) : []),
  ]);
  return {
    ...detail,
    description: [detail.description, credentialOf(security)].filter(Boolean).join("\n\n"),
    security: security.map((each) => (each.apiKey ? { apiKey: [] } : each)),
    ...(scope && { "x-scope": scope }),
    ...parameters(hooks),
    ...(requestBody && { requestBody: writtenOut(requestBody) }),
    responses: mergeResponses(common, declared),
  };
}

/** Returns a sentence that says which credential a caller needs. */
function credentialOf([needed]: Record<string, readonly string[]>[]): string {
  if (needed?.apiKey) return `Needs an API key with the scope \`${needed.apiKey[0]}\`.`;
  return needed?.session ? "Needs a session token." : "Needs no credential.";
}

function parameters({ query, params }: DocumentedRoute["hooks"]) {
  const all = [...parametersIn("path", params), ...parametersIn("query", query)];
  return all.length > 0 ? { parameters: all } : {};
}

function parametersIn(place: "path" | "query", schema: unknown) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    // The handler always gets a property that has a default; the client never needs to send it.
    required: place === "path" || (required.includes(name) && property.default === undefined),
    ...(property.description && { description: property.description }),
    schema: jsonSchema(property),
  }));
}

/** Returns one response per status, which names each messageCode of that status. */
function refusals(codes: readonly ErrorCode[]): Record<string, { description: string }> {
  const byStatus = Map.groupBy(new Set(codes), (code) => STATUS[code]);
  const entries = [...byStatus].map(([status, group]) => [
    String(status),
    {
      description: group.map((code) => `\`${code}\``).join(", "),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  ]);
  return Object.fromEntries(entries);
}

function mergeResponses(
  common: Record<string, { description: string }>,
  own: Record<string, DeclaredContent & { description: string }>,
) {
  const merged: Record<string, { description: string }> = { ...common };
  for (const [status, response] of Object.entries(own ?? {})) {
    const same = common[status];
    const description = same ? joinCodes(response.description, same.description) : response.description;
    merged[status] = { ...writtenOut(response), description };
  }
  return merged;
}

const joinCodes = (a: string, b: string) => [...new Set(`${a}, ${b}`.split(", "))].join(", ");
/** Routes declare the schemas of their bodies at the start; what the document says of them is made with the document. */
type DeclaredContent = { content?: Record<string, { schema: unknown }> };

const contentOf = (schema: TSchema, type = "application/json") => ({
  // Elysia carries the function as it is; `writtenOut` calls it.
  [type]: { schema: (() => jsonSchema(schema)) as unknown as Record<string, unknown> },
});

function writtenOut<Declared extends DeclaredContent>(declared: Declared) {
  if (!declared.content) return declared;
  const content = Object.entries(declared.content).map(([type, { schema }]) => [
    type,
    { schema: typeof schema === "function" ? schema() : schema },
  ]);
  return { ...declared, content: Object.fromEntries(content) };
}
