import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/value";
import type { ValidationIssue } from "../kernel/errors.ts";

/** Returns what is wrong in a value, one issue for each path: what it must be, never what it is. */
export function toIssues(errors: Iterable<ValueError>): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>();
  for (const error of errors) {
    const path = error.path.slice(1).replaceAll("/", ".");
    // The checker reports a missing property more than once. The first error for a path says it best.
    if (!issues.has(path)) issues.set(path, toIssue(path, error));
  }
  return [...issues.values()];
}

function toIssue(path: string, error: ValueError): ValidationIssue {
  if (error.value === undefined) return { path, code: "required", detail: "is required" };
  const code = snakeCase(ValueErrorType[error.type] ?? "invalid");
  return { path, code, detail: `must be ${expectation(error.schema)}` };
}

/** Returns in words what a schema allows. */
function expectation(schema: TSchema): string {
  if (schema.anyOf) return choice(schema.anyOf);
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

/** Many words read better as a list. */
function choice(alternatives: TSchema[]): string {
  const isOfWords = alternatives.length > 2 && alternatives.every((each) => typeof each.const === "string");
  if (isOfWords) return `one of ${alternatives.map((each) => each.const).join(", ")}`;
  return [...new Set(alternatives.map(expectation))].join(" or ");
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
