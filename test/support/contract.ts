import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../src/http/document/document.ts";
import type { DocumentedRoute } from "../../src/http/openapi.ts";

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> };
type Checker = { operation: Operation; validate: (schema: object) => ValidateFunction };
type Finder = (method: string, path: string) => DocumentedRoute | undefined;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const finders = new WeakMap<readonly DocumentedRoute[], Finder>();
/** The checkers of this process by all that their document is made of: the apps of a test file share them. */
const checkers = new Map<string, Checker>();

/**
 * Checks an answer against the OpenAPI document: its status must be documented and its JSON must match. Objects may
 * not have undeclared fields.
 *
 * @throws Error that names the operation and the mismatch.
 */
export async function checkAgainstDocument(
  routes: readonly DocumentedRoute[],
  method: string,
  url: string,
  response: Response,
): Promise<void> {
  const find = finders.get(routes) ?? createFinder(routes);
  finders.set(routes, find);
  const route = find(method === "HEAD" ? "GET" : method, new URL(url).pathname);
  if (!route || response.status === 304 || response.status === 204) return;
  const { operation, validate } = checkerOf(route);
  const name = `${method} ${new URL(url).pathname}`;
  const documented = operation.responses[String(response.status)];
  if (!documented) throw new Error(`${name} answered ${response.status}, which its document does not know`);
  const schema = documented.content?.["application/json"]?.schema;
  if (!schema || method === "HEAD") return;
  // A browser gets the refusal of an API address as a page.
  if (response.status >= 400 && response.headers.get("content-type")?.startsWith("text/html")) return;
  const check = validate(schema);
  if (!check(await response.clone().json()))
    throw new Error(
      `${name} answered what its document does not allow: ${JSON.stringify(check.errors?.slice(0, 3))}`,
    );
}

function createFinder(routes: readonly DocumentedRoute[]): Finder {
  const described = routes.filter(({ detail }) => detail?.operationId);
  const patterns = described.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`),
    isTemplate: route.path.includes(":"),
  }));
  // A literal path takes precedence over a template, as in the router.
  patterns.sort((a, b) => Number(a.isTemplate) - Number(b.isTemplate));
  return (method, path) =>
    patterns.find(({ route, pattern }) => route.method.toUpperCase() === method && pattern.test(path))?.route;
}

function checkerOf(route: DocumentedRoute): Checker {
  const { detail, query, params, body } = route;
  const source = JSON.stringify([route.method, route.path, detail, query, params, body]);
  const checker = checkers.get(source) ?? createChecker(route);
  checkers.set(source, checker);
  return checker;
}

/** Makes the document of one route: to make that of all two hundred takes longer than many a test file. */
function createChecker(route: DocumentedRoute): Checker {
  const document = openApiDocument([route], "http://127.0.0.1:4747");
  const [operations = {}] = Object.values(document.paths);
  const id = `document-${checkers.size}`;
  ajv.addSchema({ $id: id, components: closed(document.components) as object });
  const compiled = new WeakMap<object, ValidateFunction>();
  return {
    operation: operations[route.method.toLowerCase()] as Operation,
    validate: (schema) => {
      const known = compiled.get(schema);
      if (known) return known;
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(closed(schema)).replaceAll("#/components", `${id}#/components`)),
      );
      compiled.set(schema, validate);
      return validate;
    },
  };
}

/** Returns the schema with `additionalProperties: false` on every object that lists its properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  if (
    copy.type === "object" &&
    copy.properties &&
    copy.additionalProperties === undefined &&
    copy.patternProperties === undefined
  )
    copy.additionalProperties = false;
  return copy;
}
