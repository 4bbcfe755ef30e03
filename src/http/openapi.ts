import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../kernel/errors.ts";
import { createComponents } from "./document/components.ts";
import { HEADERS, PARAMETERS } from "./document/headers.ts";
import {
  contentOf,
  type DocumentedRoute,
  operationOf,
  refusals,
  sharedResponses,
} from "./document/operation.ts";
import { webhooksOf } from "./document/webhooks.ts";
import { envelopeOf } from "./envelope.ts";

export type { DocumentedRoute } from "./document/operation.ts";

/** The chapters of the document, in reading order. */
const TAGS = {
  Tracks: "Upload tracks, list them, and read what the analysis found",
  Versions: "Every audio file of a track, and the way back to the original",
  Playlists: "Ordered lists of tracks, each behind one public link",
  Composers: "The people who have a part in tracks",
  Shares: "Links to tracks and playlists, and who listened through them",
  Deliveries: "Packages for stores, agencies and plants, and what went to whom",
  Comments: "What people say about tracks, and about moments in them",
  Notifications: "News for the account's owner",
  Analytics: "Plays, views, downloads, saves, shares and comments",
  Briefs: "Calls for submissions, and the submissions received",
  Platform: "Reports across accounts, for the operator's partners",
  Search: "Find tracks by describing them; the constraints always apply",
  Tags: "The words that describe tracks",
  "Sign-in": "Accounts and sessions of people",
  "API keys": "Keys for programs: what each may do and what it did",
  Webhooks: "Signed notifications of changes, and the state of each delivery",
  Service: "The server itself",
} as const;

/** A chapter of the document. */
export type Tag = keyof typeof TAGS;

/** How a route describes itself. */
export type Description = {
  operationId: string;
  tag: Tag;
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
  /** A request as people send it, where one made of the schema says little or too much. */
  example?: unknown;
};

/** Returns the `detail` of an operation for its route, which ends up in the OpenAPI document. */
export function describe(route: Description) {
  const schema = route.bare ? route.answer : envelopeOf(route.answer, route.siblings);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag],
    ...(route.example !== undefined && { "x-example": route.example }),
    responses: { 200: { description: "OK", content: contentOf(schema) }, ...refusals(route.refusals) },
    ...(route.requestBody && {
      requestBody: {
        required: true,
        content: contentOf(route.requestBody.schema, route.requestBody.contentType),
      },
    }),
  };
}

/** Returns the OpenAPI 3.1 document of the routes that have a description. */
export function openApiDocument(routes: readonly DocumentedRoute[], serverUrl: string) {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (!route.detail?.operationId) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  const shared = sharedResponses(components);
  const webhooks = webhooksOf(components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Dubplate",
      version: "1",
      summary: "The self-hosted home for unreleased music",
      // 431 is not declared for each operation: it has no body, so generated clients would type every error as nullable.
      description:
        "Keep demos, mixes and masters; find them by description; share them. Successful answers are wrapped in " +
        "an envelope `{status, messageCode, message, data}`. Error answers have no envelope and carry a stable " +
        "`messageCode`. A request line and header fields of more than 16 KiB together are answered with 431, without a body.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Operator of this server", url: serverUrl },
    },
    servers: [{ url: serverUrl, description: "This server" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      responses: shared,
      schemas: components.schemas(),
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "`<KEY_ID>.<SECRET>`" },
        session: { type: "http", scheme: "bearer", description: "Session token of POST /auth/login" },
      },
    },
  };
}
