import type { OperationCall, RestBody } from "./dispatch.ts";
import { issuesIn } from "./results.ts";

type Input = Readonly<Record<string, unknown>>;

/**
 * Returns a refusal whose faults name the arguments as the caller wrote them. The route names its own fields: where a
 * field holds the value of an argument, or of several, those are named instead.
 */
export function asWritten(body: RestBody, input: Input, request: OperationCall): RestBody {
  const issues = issuesIn(body.data);
  if (issues.length === 0) return body;
  const errors = issues.map((issue) => ({ ...issue, path: argumentAt(issue.path, input, request) }));
  return { ...body, data: { ...(body.data as object), errors } };
}

function argumentAt(path: string, input: Input, { query, body }: OperationCall): string {
  if (valueAt(input, path) !== undefined) return path;
  const sent = valueAt({ ...query, ...body }, path);
  if (sent === undefined) return path;
  const isSent = (value: unknown) => String(value) === String(sent);
  const isPart = (value: unknown) => Array.isArray(sent) && sent.includes(value);
  const names = Object.keys(input);
  const same = names.find((name) => isSent(input[name]));
  return same ?? (names.filter((name) => isPart(input[name])).join(" and ") || path);
}

/** Returns the value at a path such as `items.0.fileUrl`. */
function valueAt(object: object, path: string): unknown {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
