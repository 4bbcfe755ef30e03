import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { invalidRequest, type ValidationIssue } from "../kernel/errors.ts";
import { toIssues } from "./issues.ts";
import { LIBRARY_PARAMETER } from "./library-choice.ts";
import type { Input } from "./operation.ts";
import { stateOf } from "./request-state.ts";
import { type Part, refusedNames, unknownNames } from "./unknown.ts";

/** What a caller sent, as the schemas of an operation understand it. */
export type Read = { params: unknown; query: unknown; body: unknown };

/**
 * Prepares the reading of what callers send to an operation. Names that no schema knows are refused, or dropped for a caller
 * who sends `Dubplate-Lenient: 1`. An operation that takes no body does not look at one.
 *
 * @returns A function of the request, the parameters of its path, and its body as parsed from JSON, null for an empty one.
 *   It throws `validation_failed`, which names everything that is wrong with the parameters, with the query or with the
 *   body.
 */
export function inputReader(input: Input) {
  let read: ReturnType<typeof preparedReader> | undefined;
  // Prepared at its first use: a start would prepare hundreds that nobody asks for.
  return (request: Request, path: unknown, sent: unknown): Read => {
    read ??= preparedReader(input);
    return read(request, path, sent);
  };
}

/** Prepares the reading of a route's query, as {@link inputReader} does. Names that the schema does not know are let pass. */
export function looseQueryReader(query: TSchema) {
  let read: ReturnType<typeof queryReader> | undefined;
  return (request: Request): unknown => {
    read ??= queryReader(query);
    return read(request);
  };
}

function preparedReader({ params, query, body }: Input) {
  const checkParams = params && checker(params);
  const readQuery = queryReader(query ?? NOTHING, (name) => isIn(body, name) && "it belongs in the body");
  const readBody = body && bodyReader(body, (name) => isIn(query, name) && "it belongs in the query");
  // A path without parameters has none to read.
  return (request: Request, path: unknown = NONE, sent: unknown): Read => {
    checkParams?.(path);
    const asked = readQuery(request);
    return { params: path, query: query && asked, body: readBody?.(request, sent) };
  };
}

const NOTHING = Type.Object({});
const NONE = {};

const isIn = (schema: TSchema | undefined, name: string) =>
  schema !== undefined && Object.hasOwn((schema as Partial<TObject>).properties ?? {}, name);

type Elsewhere = (name: string) => string | false;

function checker(schema: TSchema): (value: unknown, unknown?: readonly ValidationIssue[]) => void {
  const compiled = TypeCompiler.Compile(schema);
  return (value, unknown = []) => {
    const isRight = compiled.Check(value);
    if (isRight && unknown.length === 0) return;
    throw invalidRequest([...unknown, ...(isRight ? [] : toIssues(Value.Errors(schema, value)))]);
  };
}

function bodyReader(schema: TSchema, elsewhere: Elsewhere) {
  const check = checker(schema);
  const defaults = defaultsOf(schema);
  const part = partOf("unknown_field", "it takes none", elsewhere);
  return (request: Request, sent: unknown): unknown => {
    const value = defaults ? Object.assign({ ...defaults }, sent) : sent;
    const unknown = unknownNames(schema, value, part);
    // What only another alternative knows goes as well.
    const cleaned = Value.Clean(schema, value);
    check(cleaned, refusedNames(request, unknown));
    return cleaned;
  };
}

/** Numbers and booleans are converted from their texts. Without `elsewhere`, unknown names are let pass. */
function queryReader(declared: TSchema, elsewhere?: Elsewhere) {
  const schema = declared as TObject;
  const check = checker(schema);
  const defaults = defaultsOf(schema) ?? {};
  const fields = new Map<string, ReadText>();
  for (const [name, field] of Object.entries(schema.properties)) fields.set(name, fieldReader(field));
  const part = elsewhere && partOf("unknown_parameter", "this operation takes none", elsewhere);
  return (request: Request): unknown => {
    const { url, headers } = request;
    const value: Record<string, unknown> = { ...defaults };
    const start = url.indexOf("?");
    if (start === -1) {
      if (fields.size > 0) check(value);
      return value;
    }
    const others: Record<string, string> = Object.create(null);
    eachPair(url, start + 1, (name, text) => {
      const read = fields.get(name);
      if (read) value[name] = read(text);
      else if (name !== LIBRARY_PARAMETER || !stateOf(request).sessionActor) others[name] = text;
    });
    check(value, part && refusedNames({ headers }, unknownNames(schema, others, part)));
    return value;
  };
}

const partOf = (code: Part["code"], none: string, elsewhere: Elsewhere): Part => ({
  code,
  none,
  elsewhere: (name) => elsewhere(name) || undefined,
});

type ReadText = (text: string) => unknown;

/** Text that does not fit the type of its field stays text, and fails the check. */
function fieldReader({ type }: TSchema): ReadText {
  if (type === "boolean") return (text) => text === "true" || (text === "false" ? false : text);
  if (type === "integer" || type === "number")
    return (text) => (text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : text);
  return (text) => text;
}

/** Calls `take` for every `name=value` of a query; the last of the same name counts. */
function eachPair(url: string, start: number, take: (name: string, text: string) => void): void {
  let at = start;
  while (at < url.length) {
    let end = url.indexOf("&", at);
    if (end === -1) end = url.length;
    const equals = url.indexOf("=", at);
    const hasValue = equals !== -1 && equals < end;
    if (end > at)
      take(
        decoded(url.slice(at, hasValue ? equals : end)),
        hasValue ? decoded(url.slice(equals + 1, end)) : "",
      );
    at = end + 1;
  }
}

/** Text that is not well-formed stays as it was sent. @see WHATWG URL, application/x-www-form-urlencoded parsing */
function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function defaultsOf(schema: TSchema): object | undefined {
  if (schema.type !== "object") return undefined;
  const value = Value.Default(schema, {}) as object;
  return Object.keys(value).length === 0 ? undefined : value;
}
