import type { TObject } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { toIssues } from "../../http/issues.ts";
import { type Part, unknownNames } from "../../http/unknown.ts";
import { DomainError, invalidRequest, type ValidationIssue } from "../../kernel/errors.ts";

/** More would not be read. */
const MAX_ISSUES = 32;

const ARGUMENTS: Part = { code: "unknown_argument", none: "this tool takes none" };

/** Checks a call's arguments. @throws DomainError `validation_failed`, whose message or data names all that is wrong. */
export type Check = (input: unknown) => void;

/** Makes the check for a schema. The schema is compiled at the first call. */
export function checker(schema: TObject): Check {
  let compiled: TypeCheck<TObject> | undefined;
  return (input) => {
    compiled ??= TypeCompiler.Compile(schema);
    const unknown = unknownNames(schema, input, ARGUMENTS);
    if (unknown.length === 0 && compiled.Check(input)) return;
    const wrong = toIssues(compiled.Errors(input));
    const errors = [...unknown, ...wrong].slice(0, MAX_ISSUES);
    if (unknown.length === 0) throw invalidRequest(errors);
    const words = [...unknownInWords(unknown), ...wrong.map(({ path, detail }) => `${path}: ${detail}`)];
    throw new DomainError("validation_failed", words.slice(0, MAX_ISSUES).join("; "), { data: { errors } });
  };
}

/** Returns what to say of unknown arguments. Those with the same advice share it. */
function unknownInWords(unknown: readonly ValidationIssue[]): string[] {
  return [...Map.groupBy(unknown, ({ detail }) => detail)].map(([advice, issues]) => {
    const paths = issues.map(({ path }) => path).join(" and ");
    return `unknown argument${issues.length > 1 ? "s" : ""} ${paths}, ${advice}`;
  });
}
