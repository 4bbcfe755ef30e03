/**
 * Writes `src/console/app/api/types.ts`: the types of the routes that the console asks, for `openapi-fetch`, from the
 * OpenAPI document. It has the REST routes under the session door, `/app/library`. A test compares the file.
 *
 * usage: bun scripts/client-types.ts
 *
 * `openapi-typescript` needs the JavaScript API of a TypeScript before version 7. Types imported from the modules would
 * bring the server's global types into the browser's project.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../db/client.ts";
import { createApp } from "../src/app.ts";
import { readSettings } from "../src/config.ts";
import { openApiDocument } from "../src/http/openapi.ts";
import { secretsOf } from "../src/kernel/secrets.ts";

const FILE = join(import.meta.dir, "../src/console/app/api/types.ts");
const METHODS = ["get", "post", "put", "patch", "delete"];
const PLACES = ["query", "header", "path", "cookie"];

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  prefixItems?: Schema[];
  format?: string;
  $ref?: string;
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Reference = { $ref: string };
type Content = Record<string, { schema?: Schema }>;
type Operation = {
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content } | Reference>;
};
type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Returns the source of the types of a document. */
export function clientTypes(document: object): string {
  const { paths, components } = document as OpenApi;
  const routes = Object.entries(paths).flatMap(([path, item]) => {
    const asked = path.replace(/^\/api\/v1(?=\/)/, "/app/library");
    const operations = Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => `    ${method}: ${operationOf(operation)};`);
    return [`  ${JSON.stringify(asked)}: {`, ...operations, "  };"];
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${JSON.stringify(name)}: ${typeOf(schema)};`,
  );
  return [
    "// Written by scripts/client-types.ts from the OpenAPI document; a test compares it.",
    "type Schemas = {",
    ...schemas,
    "};",
    "export type paths = {",
    ...routes,
    "};",
    "",
  ].join("\n");
}

function operationOf({ parameters = [], requestBody, responses }: Operation): string {
  // What is referred to is the same for every route, and no business of the console: the browser does it.
  const own = parameters.filter((each) => "name" in each);
  const groups = PLACES.map((place) => parametersIn(own, place)).join("; ");
  const body = requestBody
    ? `requestBody: { content: ${contentsOf(requestBody.content)} }`
    : "requestBody?: never";
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    "$ref" in response ? [] : [`${status}: { content: ${contentsOf(response.content)} }`],
  );
  return `{ parameters: { ${groups} }; ${body}; responses: { ${answers.join("; ")} } }`;
}

function parametersIn(parameters: readonly Parameter[], place: string): string {
  const own = parameters.filter((each) => each.in === place);
  if (own.length === 0) return `${place}?: never`;
  const fields = own.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? "" : "?"}: ${typeOf(schema)}`,
  );
  return `${place}${own.some(({ required }) => required) ? "" : "?"}: { ${fields.join("; ")} }`;
}

function contentsOf(content: Content | undefined): string {
  if (!content) return "never";
  const kinds = Object.entries(content).map(
    ([type, { schema }]) => `${JSON.stringify(type)}: ${typeOf(schema)}`,
  );
  return `{ ${kinds.join("; ")} }`;
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return "unknown";
  if (schema.$ref) return `Schemas[${JSON.stringify(schema.$ref.split("/").at(-1))}]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map(typeOf));
  if (schema.allOf) return schema.allOf.map(typeOf).map(wrapped).join(" & ");
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(", ")}]`;
  return plainTypeOf(schema);
}

function plainTypeOf(schema: Schema): string {
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      return `${wrapped(typeOf(schema.items))}[]`;
    case "object":
      return objectOf(schema);
    default:
      return "unknown";
  }
}

function objectOf(schema: Schema): string {
  const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  if (!schema.properties) return `Record<string, ${typeof values === "object" ? typeOf(values) : "unknown"}>`;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(
    ([name, value]) => `${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeOf(value)}`,
  );
  return `{ ${fields.join("; ")} }`;
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const union = (parts: readonly string[]) => [...new Set(parts)].join(" | ") || "never";
const wrapped = (type: string) => (/[|&]/.test(type) ? `(${type})` : type);

if (import.meta.main) {
  const { routes } = createApp({
    db: openDb(":memory:"),
    now: Date.now,
    log: () => undefined,
    settings: { ...readSettings({}), dataDir: tmpdir() },
    secrets: secretsOf(Buffer.alloc(32)),
    selfCommand: [],
    ffmpegPath: undefined,
  });
  await Bun.write(FILE, clientTypes(openApiDocument(routes, "")));
}
