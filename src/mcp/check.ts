import type { TObject } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { jsonSchema } from "../http/schema.ts";
import type { ValidationIssue } from "../kernel/errors.ts";

const MAX_ISSUES = 8;

/** Returns what is wrong with a call's arguments, nothing when they fit. Unknown arguments are ignored. */
export type Check = (input: unknown) => ValidationIssue[];

/** Makes the check of a schema; it is compiled at the first call. */
export function checker(schema: TObject): Check {
  let compiled: TypeCheck<TObject> | undefined;
  return (input) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (compiled.Check(input)) return [];
    const issues: ValidationIssue[] = [];
    for (const error of compiled.Errors(input)) {
      const path = error.path.slice(1).replaceAll("/", ".");
      if (issues.some((issue) => issue.path === path)) continue;
      issues.push({ path, code: "invalid", detail: describe(error.schema, error.message) });
      if (issues.length === MAX_ISSUES) break;
    }
    return issues;
  };
}

/** What a value must be, from its schema; never the value itself. */
function describe(schema: Parameters<typeof jsonSchema>[0], message: string): string {
  const { enum: words } = jsonSchema(schema) as { enum?: string[] };
  return words ? `must be one of ${words.join(", ")}` : message;
}
