import type { TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";
import type { ValidationError } from "elysia";
import { type DomainError, invalidRequest, type ValidationIssue } from "../kernel/errors.ts";
import { plainSchema } from "./schema.ts";

/** Turns the framework's failed check into the refusal of decision 0.3: it names paths and rules, never values. */
export function validationError(error: ValidationError): DomainError {
  // The framework loses the path of a query number out of range: check again, on the schema as it is meant.
  if (error.type === "query") return invalidRequest(queryIssues(error));
  return invalidRequest(toIssues(error.all as unknown as ValueError[]));
}

function queryIssues({ validator, value }: ValidationError): ValidationIssue[] {
  const schema = plainSchema((validator as { schema: TSchema }).schema);
  // `Convert` reads numbers and booleans from their text.
  return toIssues(Value.Errors(schema, Value.Convert(schema, structuredClone(value))));
}

function toIssues(errors: Iterable<ValueError>): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>();
  for (const error of errors) {
    const path = error.path.slice(1).replaceAll("/", ".");
    // The checker names a missing property more than once; the first word on a path says it best.
    if (!issues.has(path)) issues.set(path, toIssue(path, error));
  }
  return [...issues.values()];
}

function toIssue(path: string, error: ValueError): ValidationIssue {
  if (error.value === undefined) return { path, code: "required", detail: "is required" };
  const code = snakeCase(ValueErrorType[error.type] ?? "invalid");
  return { path, code, detail: `must be ${expectation(error.schema)}` };
}

/** Says in words what a schema allows. */
function expectation(schema: TSchema): string {
  if (schema.anyOf) return [...new Set((schema.anyOf as TSchema[]).map(expectation))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const parts = [
    schema.format ? `a ${schema.format}` : withArticle(String(schema.type ?? "valid")),
    between(schema.minimum, schema.maximum),
    between(schema.minLength, schema.maxLength, " characters"),
    between(schema.minItems, schema.maxItems, " items"),
    schema.pattern === undefined ? "" : "in the documented form",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function between(min: number | undefined, max: number | undefined, unit = ""): string {
  if (min === undefined && max === undefined) return "";
  if (max === undefined) return `${min} or more${unit}`;
  if (min === undefined) return `at most ${max}${unit}`;
  return `from ${min} to ${max}${unit}`;
}

const withArticle = (type: string) =>
  type === "null" ? type : `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
const snakeCase = (name: string) => name.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
