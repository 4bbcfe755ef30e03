import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../../kernel/errors.ts";
import { ErrorBody } from "../errors.ts";
import type { JsonSchema } from "../schema.ts";
import type { Components } from "./components.ts";
import { type Answer, contentOf, type Declared, type DocumentedRoute, refusals } from "./declared.ts";
import { exampleOf } from "./examples.ts";
import { headersOf, parametersOf } from "./headers.ts";
import { explainedField } from "./meanings.ts";

type Security = readonly Record<string, readonly string[]>[];

const COMMON: readonly ErrorCode[] = [
  "validation_failed",
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
const MEMBER_REFUSALS: readonly ErrorCode[] = ["not_a_member", "insufficient_scope"];
const BODY_REFUSALS: readonly ErrorCode[] = [
  "payload_too_large",
  "idempotency_key_reused",
  "idempotency_in_progress",
];

/** Returns the operation of a route. */
export function operationOf(route: DocumentedRoute, components: Components) {
  const { method } = route;
  const { "x-example": example, ...detail } = route.detail ?? {};
  const security = (detail.security ?? []) as Security;
  const scope = security[0]?.apiKey?.[0];
  const need = security[0]?.session?.[0];
  const isHeld = security.length > 0;
  const requestBody = route.body
    ? { required: true, content: contentOf(route.body) }
    : (detail.requestBody as Declared | undefined);
  const parameters = [
    ...parametersIn("path", route.params, components),
    ...parametersIn("query", route.query, components),
    ...parametersOf(method, { isHeld, isPersons: need !== undefined }),
  ];
  return {
    ...detail,
    description: [detail.description, credentialOf(security)].filter(Boolean).join("\n\n"),
    security: security.map((each) => (each.apiKey ? { apiKey: [] } : { session: [] })),
    ...(scope && { "x-scope": scope }),
    ...(need && { "x-need": need }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody: writtenOut(requestBody, components, { isRequest: true, example }) }),
    responses: responsesOf(
      refusals(commonCodes(route, security)),
      detail.responses as Record<string, Answer>,
      { method, isHeld, components },
    ),
  };
}

function commonCodes({ method, detail }: DocumentedRoute, [needed]: Security): ErrorCode[] {
  return [
    ...COMMON,
    ...(needed?.apiKey ? KEY_REFUSALS : []),
    ...(needed?.session ? SESSION_REFUSALS : []),
    ...(needed?.session && needed.session[0] !== "self" ? MEMBER_REFUSALS : []),
    ...(method === "POST" || method === "PATCH" || method === "PUT" ? BODY_REFUSALS : []),
    ...(detail?.deprecated ? (["not_found"] as const) : []),
  ];
}

/** Returns a sentence that says which credential a caller needs. */
function credentialOf([needed]: Security): string {
  if (needed?.apiKey) return `Needs an API key with the scope \`${needed.apiKey[0]}\`.`;
  return needed?.session ? "Needs a session token." : "Needs no credential.";
}

function parametersIn(place: "path" | "query", schema: TSchema | undefined, components: Components) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = explainedField(name, components.refer(property));
    return {
      name,
      in: place,
      // The handler always gets a property that has a default; the client never needs to send it.
      required: place === "path" || (required.includes(name) && property.default === undefined),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

type Answering = { method: string; isHeld: boolean; components: Components };

function responsesOf(
  common: Record<string, Answer>,
  own: Record<string, Answer>,
  { method, isHeld, components }: Answering,
) {
  const merged: Record<string, unknown> = { 405: { $ref: "#/components/responses/MethodNotAllowed" } };
  if (method === "GET") merged[304] = { $ref: "#/components/responses/NotModified" };
  for (const [status, response] of Object.entries({ ...common, ...own })) {
    const same = own[status] && common[status];
    const description = same ? joinCodes(response.description, same.description) : response.description;
    const headers = headersOf(status, method, isHeld);
    merged[status] = {
      ...writtenOut(response, components, { hasExample: status === "200" }),
      description,
      headers,
    };
  }
  return merged;
}

/** The answers that are the same for every route. */
export function sharedResponses(components: Components) {
  return {
    NotModified: {
      description: "What `If-None-Match` names is still current",
      headers: headersOf("304", "GET", false),
    },
    MethodNotAllowed: {
      ...writtenOut({ content: contentOf(ErrorBody) }, components, {}),
      description: "`method_not_allowed`: the address does not accept this method",
      headers: headersOf("405", "GET", false),
    },
  };
}

const joinCodes = (a: string, b: string) => [...new Set(`${a}, ${b}`.split(", "))].join(", ");

type Showing = { isRequest?: boolean; hasExample?: boolean; example?: unknown };

function writtenOut<Body extends Declared>(
  declared: Body,
  components: Components,
  { isRequest = false, hasExample = isRequest, example }: Showing,
) {
  if (!declared.content) return declared;
  const content = Object.entries(declared.content).map(([type, { schema: given }]) => {
    const schema = typeof given === "function" ? (given(components) as JsonSchema) : (given as JsonSchema);
    const shown = example ?? exampleOf(schema, components.resolve, isRequest);
    return [type, { schema, ...(hasExample && !type.startsWith("text/") && { example: shown }) }];
  });
  return { ...declared, content: Object.fromEntries(content) };
}
