import type { TObject } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { jsonSchema } from "../../http/schema.ts";
import { DomainError, invalidRequest, type ValidationIssue } from "../../kernel/errors.ts";
import { unknownArguments } from "./unknown.ts";

const MAX_ISSUES = 8;

/** Checks a call's arguments. @throws DomainError `validation_failed`; unknown arguments are named in its message. */
export type Check = (input: unknown) => void;

/** Makes the check for a schema. The schema is compiled at the first call. */
export function checker(schema: TObject): Check {
  let compiled: TypeCheck<TObject> | undefined;
  return (input) => {
    compiled ??= TypeCompiler.Compile(schema);
    const unknown = unknownArguments(schema, input);
    if (unknown.length === 0 && compiled.Check(input)) return;
    const errors = [...unknown, ...issuesOf(compiled, input)].slice(0, MAX_ISSUES);
    if (unknown.length === 0) throw invalidRequest(errors);
    const words = unknown.map(({ path, detail }) => `unknown argument ${path}, ${detail}`);
    throw new DomainError("validation_failed", words.join("; "), { data: { errors } });
  };
}

function issuesOf(compiled: TypeCheck<TObject>, input: unknown): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const error of compiled.Errors(input)) {
    const path = error.path.slice(1).replaceAll("/", ".");
    if (issues.some((issue) => issue.path === path)) continue;
    issues.push({ path, code: "invalid", detail: describe(error.schema, error.message) });
    if (issues.length === MAX_ISSUES) break;
  }
  return issues;
}

/** Describes what a value must be, from its schema. Never repeats the value itself. */
function describe(schema: Parameters<typeof jsonSchema>[0], message: string): string {
  const { enum: words } = jsonSchema(schema) as { enum?: string[] };
  return words ? `must be one of ${words.join(", ")}` : message;
}
