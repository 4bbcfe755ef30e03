import type { TObject } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { toIssues } from "../../http/validation.ts";
import { DomainError, invalidRequest } from "../../kernel/errors.ts";
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
    const errors = [...unknown, ...toIssues(compiled.Errors(input))].slice(0, MAX_ISSUES);
    if (unknown.length === 0) throw invalidRequest(errors);
    const words = unknown.map(({ path, detail }) => `unknown argument ${path}, ${detail}`);
    throw new DomainError("validation_failed", words.join("; "), { data: { errors } });
  };
}
