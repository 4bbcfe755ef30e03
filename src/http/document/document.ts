import { TAGS } from "../openapi.ts";
import { createComponents } from "./components.ts";
import type { DocumentedRoute } from "./declared.ts";
import { HEADERS, PARAMETERS } from "./headers.ts";
import { operationOf, sharedResponses } from "./operation.ts";
import { webhooksOf } from "./webhooks.ts";

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
