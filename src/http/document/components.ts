import type { TSchema } from "@sinclair/typebox";
import { documentSchema, type JsonSchema } from "../schema.ts";
import { explained } from "./meanings.ts";

/** The named schemas that a document has met, which operations refer to. */
export type Components = {
  /** Returns a schema with every named part, itself included, replaced by a reference to its component. */
  refer: (schema: TSchema) => JsonSchema;
  /** Every component met, by its name. */
  schemas: () => Record<string, JsonSchema>;
  /** Follows a reference. */
  resolve: (schema: JsonSchema) => JsonSchema;
};

const PREFIX = "#/components/schemas/";

/** Makes the place where named schemas are collected while a document is written. */
export function createComponents(): Components {
  const found = new Map<string, { source: string; schema: JsonSchema }>();

  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift);
    if (typeof value !== "object" || value === null) return value;
    const { $id, ...schema } = open(value as JsonSchema);
    return typeof $id === "string" ? named($id, schema) : lifted(schema);
  };
  const lifted = (schema: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, lift(value)]));
  const named = (name: string, schema: JsonSchema): JsonSchema => {
    const source = JSON.stringify(schema);
    const known = found.get(name);
    if (known && known.source !== source) throw new Error(`Two shapes are called ${name}`);
    if (!known) {
      const entry = { source, schema: {} };
      found.set(name, entry);
      entry.schema = explained(lifted(schema), name);
    }
    return { $ref: `${PREFIX}${name}` };
  };

  return {
    refer: (schema) => explained(lift(documentSchema(schema)) as JsonSchema),
    schemas: () =>
      Object.fromEntries([...found].map(([name, { schema }]): [string, JsonSchema] => [name, schema]).sort()),
    resolve: (schema) => {
      const name = typeof schema.$ref === "string" ? schema.$ref.slice(PREFIX.length) : "";
      return found.get(name)?.schema ?? schema;
    },
  };
}

/**
 * Returns a schema that allows fields it does not know: a later version may have more. What the server refuses today, it
 * refuses by itself.
 */
function open(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== false) return schema;
  const { additionalProperties: _, ...rest } = schema;
  return rest;
}
