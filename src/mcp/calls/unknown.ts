import type { TObject, TSchema } from "@sinclair/typebox";
import type { ValidationIssue } from "../../kernel/errors.ts";
import { nearestNames } from "./nearest.ts";

const MAX_UNKNOWN = 32;
const MAX_NAME = 60;

/**
 * Returns the arguments of a call that its schema does not know, including those of nested objects, each with the
 * nearest valid names or with all of them (decision 4.39). A model whose filter is silently dropped would believe
 * that it filtered.
 */
export function unknownArguments(schema: TObject, input: unknown): ValidationIssue[] {
  return findUnknown(schema, input, "").take(MAX_UNKNOWN).toArray();
}

function* findUnknown(schema: TSchema, value: unknown, path: string): Generator<ValidationIssue> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value) && schema.items)
    for (const [index, item] of value.entries()) yield* findUnknown(schema.items, item, `${path}${index}.`);
  if (Array.isArray(value) || !schema.properties) return;
  for (const [name, each] of Object.entries(value))
    if (Object.hasOwn(schema.properties, name))
      yield* findUnknown(schema.properties[name], each, `${path}${name}.`);
    else yield { path: path + shown(name), code: "unknown_argument", detail: advice(schema, name) };
}

function advice(schema: TSchema, name: string): string {
  const names = namesIn(schema);
  const nearest = nearestNames(name, names);
  if (nearest.length > 0) return `did you mean ${nearest.join(" or ")}?`;
  const known = Object.keys(schema.properties);
  return known.length > 0 ? `the known ones are ${known.join(", ")}` : "this tool takes none";
}

/** Returns the names of an object's properties, including nested ones: `audioProfile.genres`, `items[].visible`. */
function namesIn(schema: TSchema, path = ""): string[] {
  const [own, mark] = schema.items ? [schema.items, "[]"] : [schema, ""];
  const start = path === "" ? "" : `${path}${mark}.`;
  return Object.entries<TSchema>(own.properties ?? {}).flatMap(([name, inner]) => [
    `${start}${name}`,
    ...namesIn(inner, `${start}${name}`),
  ]);
}

/** Returns a name from outside in a form that is safe to repeat. */
const shown = (name: string) =>
  /^[\w.$-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, MAX_NAME));
