import type { TSchema } from "@sinclair/typebox";

/** A schema as the documents have it. */
export type JsonSchema = { [keyword: string]: unknown };

function mapValues<In, Out>(object: Record<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** Returns a TypeBox schema as plain JSON Schema 2020-12, which allows no arrays under `items`; names are left out. */
export function jsonSchema(schema: TSchema): Record<string, unknown> {
  return withoutNames(documentSchema(schema)) as Record<string, unknown>;
}

/** Returns what {@link jsonSchema} does; parts that have a name keep it, as `$id`. */
export function documentSchema(schema: TSchema): Record<string, unknown> {
  // Converting to text and back keeps the keywords and drops the library's own marks.
  return modernise(JSON.parse(JSON.stringify(schema))) as Record<string, unknown>;
}

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== "object" || value === null) return value;
  const { $id: _, ...schema } = mapValues(value as Record<string, unknown>, withoutNames);
  return schema;
}

function modernise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modernise);
  if (typeof value !== "object" || value === null) return value;
  const { additionalItems: _, ...schema } = mapValues(value as Record<string, unknown>, modernise);
  if (Array.isArray(schema.items)) return { ...schema, ...tupleKeywords(schema.items) };
  return asEnum(schema);
}

/**
 * A tuple of one kind, such as `[min, max]`, becomes an array of that kind; minItems and maxItems give its length.
 */
function tupleKeywords(items: unknown[]): Record<string, unknown> {
  const isOfOneKind = new Set(items.map((item) => JSON.stringify(item))).size === 1;
  return isOfOneKind ? { items: items[0] } : { prefixItems: items, items: false };
}

/** A choice between literal texts reads better as an `enum`. */
function asEnum(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema;
  const alternatives = (Array.isArray(anyOf) ? anyOf : []) as { const?: unknown }[];
  const isEnum = alternatives.length > 0 && alternatives.every((each) => typeof each.const === "string");
  return isEnum ? { ...rest, type: "string", enum: alternatives.map((each) => each.const) } : schema;
}
