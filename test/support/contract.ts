import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type DocumentedRoute, openApiDocument } from "../../src/http/openapi.ts";

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> };
type Checker = {
  find: (method: string, path: string) => Operation | undefined;
  validate: (schema: object) => ValidateFunction;
};

const checkers = new WeakMap<readonly DocumentedRoute[], Checker>();
/** The checkers of this process by all that their document is made of: most apps of a test file share one. */
const checkersOfDocuments = new Map<string, Checker>();

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
  const checker = checkerOf(routes);
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = checker.find(verb, new URL(url).pathname);
  if (!operation || response.status === 304 || response.status === 204) return;
  const name = `${method} ${new URL(url).pathname}`;
  const documented = operation.responses[String(response.status)];
  if (!documented) throw new Error(`${name} answered ${response.status}, which its document does not know`);
  const schema = documented.content?.["application/json"]?.schema;
  if (!schema || method === "HEAD") return;
  // A browser gets the refusal of an API address as a page.
  if (response.status >= 400 && response.headers.get("content-type")?.startsWith("text/html")) return;
  const validate = checker.validate(schema);
  if (!validate(await response.clone().json()))
    throw new Error(
      `${name} answered what its document does not allow: ${JSON.stringify(validate.errors?.slice(0, 3))}`,
    );
}

function checkerOf(routes: readonly DocumentedRoute[]): Checker {
  const known = checkers.get(routes);
  if (known) return known;
  const source = JSON.stringify(
    routes.map(({ method, path, hooks: { detail, query, params, body } }) => [
      method,
      path,
      detail,
      query,
      params,
      body,
    ]),
  );
  const checker = checkersOfDocuments.get(source) ?? createChecker(routes);
  checkersOfDocuments.set(source, checker);
  checkers.set(routes, checker);
  return checker;
}

function createChecker(routes: readonly DocumentedRoute[]): Checker {
  const document = openApiDocument(routes, "http://127.0.0.1:4747");
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", components: closed(document.components) as object });
  const compiled = new WeakMap<object, ValidateFunction>();
  const patterns = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    isTemplate: path.includes("{"),
    operations: operations as Record<string, Operation>,
  }));
  // A literal path takes precedence over a template, as in the router.
  patterns.sort((a, b) => Number(a.isTemplate) - Number(b.isTemplate));
  return {
    find: (method, path) =>
      patterns.find((each) => each.pattern.test(path) && each.operations[method])?.operations[method],
    validate: (schema) => {
      const known = compiled.get(schema);
      if (known) return known;
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(closed(schema)).replaceAll("#/components", "document#/components")),
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
