import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type DocumentedRoute, openApiDocument } from "../../src/http/openapi.ts";

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> };
type Finder = (method: string, path: string) => Operation | undefined;

const ADDRESS = "http://127.0.0.1:4747";
const finders = new WeakMap<readonly DocumentedRoute[], Finder>();
/** The validators of this process by schema: every app has the same ones, and compiling them takes longer than using them. */
const validators = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: "document", components: openApiDocument([], ADDRESS).components });

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
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = finderOf(routes)(verb, new URL(url).pathname);
  if (!operation || response.status === 304 || response.status === 204) return;
  const name = `${method} ${new URL(url).pathname}`;
  const documented = operation.responses[String(response.status)];
  if (!documented) throw new Error(`${name} answered ${response.status}, which its document does not know`);
  const schema = documented.content?.["application/json"]?.schema;
  if (!schema || method === "HEAD") return;
  // A browser gets the refusal of an API address as a page.
  if (response.status >= 400 && response.headers.get("content-type")?.startsWith("text/html")) return;
  const validate = validatorOf(schema);
  if (!validate(await response.clone().json()))
    throw new Error(
      `${name} answered what its document does not allow: ${JSON.stringify(validate.errors?.slice(0, 3))}`,
    );
}

/** Finds the operation of an address. Only the operations that a test calls are described. */
function finderOf(routes: readonly DocumentedRoute[]): Finder {
  const known = finders.get(routes);
  if (known) return known;
  const patterns = routes
    .filter(({ hooks }) => hooks.detail?.operationId)
    .map((route) => ({
      method: route.method.toLowerCase(),
      pattern: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`),
      isTemplate: route.path.includes(":"),
      operation: lazily(() => describe(route)),
    }));
  // A literal path takes precedence over a template, as in the router.
  patterns.sort((a, b) => Number(a.isTemplate) - Number(b.isTemplate));
  const find: Finder = (method, path) =>
    patterns.find((each) => each.method === method && each.pattern.test(path))?.operation();
  finders.set(routes, find);
  return find;
}

function describe(route: DocumentedRoute): Operation {
  const [operations = {}] = Object.values(openApiDocument([route], ADDRESS).paths);
  return operations[route.method.toLowerCase()] as Operation;
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(closed(schema)).replaceAll("#/components", "document#/components");
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  return validate;
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
