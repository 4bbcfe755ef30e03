import type { TObject, TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { invalidRequest } from "../kernel/errors.ts";
import { plainSchema } from "./schema.ts";
import { toIssues } from "./validation.ts";

/** Reads one part of a request by its schema. @throws DomainError `validation_failed`. */
export type Reader = (value: unknown) => unknown;

/** Compiles a schema at its first use: a start compiles none of them. */
function checker(declared: TSchema): (value: unknown) => void {
  const schema = plainSchema(declared);
  let compiled: { Check: (value: unknown) => boolean } | undefined;
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (!compiled.Check(value)) throw invalidRequest(toIssues(Value.Errors(schema, value)));
  };
}

/** Reads a body that has been parsed from JSON. Null stands for an empty body. Unknown fields are left out. */
export function bodyReader(declared: TSchema): Reader {
  const schema = plainSchema(declared);
  const check = checker(schema);
  const defaults = defaultsOf(schema);
  const isOptional = isOptionalPart(declared);
  return (sent) => {
    if (isOptional && !hasFields(sent)) return sent ?? undefined;
    const value = defaults ? Object.assign({ ...defaults }, sent) : sent;
    const cleaned = Value.Clean(schema, value);
    check(cleaned);
    return cleaned;
  };
}

/** Reads the parameters of a path, which are texts. */
export function paramsReader(declared: TSchema): Reader {
  const check = checker(declared);
  return (params) => {
    check(params);
    return params;
  };
}

type Field = { name: string; read: (text: string) => unknown };

/** Reads the query of an address. Numbers and booleans are converted; unknown parameters are left out. */
export function queryReader(declared: TSchema): (url: string) => unknown {
  const schema = plainSchema(declared) as TObject;
  const check = checker(schema);
  const defaults = defaultsOf(schema) ?? {};
  const fields = new Map<string, Field["read"]>();
  for (const [name, field] of Object.entries(schema.properties)) fields.set(name, fieldReader(field));
  return (url) => {
    const value: Record<string, unknown> = { ...defaults };
    const start = url.indexOf("?");
    if (start !== -1)
      eachPair(url, start + 1, (name, text) => {
        const read = fields.get(name);
        if (read) value[name] = read(text);
      });
    check(value);
    return value;
  };
}

/** Text that does not fit the type of its field stays text, and fails the check. */
function fieldReader({ type }: TSchema): Field["read"] {
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

const isOptionalPart = (schema: TSchema) =>
  Object.getOwnPropertySymbols(schema).some((mark) => mark.description === "TypeBox.Optional");

const hasFields = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;
