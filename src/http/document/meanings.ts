import type { JsonSchema } from "../schema.ts";
import { FIELDS, SHAPES, VALUES } from "./glossary.ts";

/**
 * Returns a schema in which every field and every value of a choice says what it means. What a model says itself goes
 * before the glossary.
 *
 * @param name The component that the schema is, if it is one.
 */
export function explained(schema: JsonSchema, name?: string): JsonSchema {
  const meaning = name === undefined ? undefined : SHAPES[name];
  return { ...(meaning && !schema.description && { description: meaning }), ...within(schema) };
}

/** Returns a field's schema with its meaning. */
export function explainedField(name: string, schema: JsonSchema): JsonSchema {
  const plain = within(schema);
  const [inner, outer] = hoisted(plain);
  const description = outer ?? FIELDS[name]?.[0];
  return withValues({ ...inner, ...(description && { description }) });
}

function within(schema: JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  const { properties, items, anyOf, patternProperties, additionalProperties } = schema;
  if (properties) copy.properties = fieldsOf(properties as Record<string, JsonSchema>);
  if (isSchema(items)) copy.items = within(items);
  if (Array.isArray(anyOf)) copy.anyOf = anyOf.map(within);
  if (isSchema(patternProperties))
    copy.patternProperties = mapped(patternProperties as Record<string, JsonSchema>, within);
  if (isSchema(additionalProperties)) copy.additionalProperties = within(additionalProperties);
  return withValues(copy);
}

const fieldsOf = (fields: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, explainedField(name, field)]));

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function mapped<In, Out>(object: Record<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** A value that may be null is described as a whole, not in one of its alternatives. */
function hoisted(schema: JsonSchema): [JsonSchema, string | undefined] {
  const own = schema.description as string | undefined;
  if (own || !Array.isArray(schema.anyOf)) return [schema, own];
  const described = (schema.anyOf as JsonSchema[]).filter(
    (each) => each.description && !each.$ref && !each["x-enumDescriptions"],
  );
  const [only] = described;
  if (!only || described.length > 1) return [schema, undefined];
  const { description, ...rest } = only;
  const anyOf = (schema.anyOf as JsonSchema[]).map((each) => (each === only ? rest : each));
  return [{ ...schema, anyOf }, description as string];
}

/** Says what each value of a choice means. */
function withValues(schema: JsonSchema): JsonSchema {
  const choices = choicesOf(schema);
  if (!choices || schema["x-enumDescriptions"]) return schema;
  const meanings = VALUES.find((each) => sameWords(Object.keys(each), choices));
  if (!meanings) return schema;
  const list = choices.map((value) => `- \`${value}\`: ${meanings[value]}`).join("\n");
  const description = [schema.description, list].filter(Boolean).join("\n\n");
  return { ...schema, description, "x-enumDescriptions": meanings };
}

/** Returns the words of a choice between two or more. */
function choicesOf(schema: JsonSchema): string[] | undefined {
  return Array.isArray(schema.enum) && schema.enum.length > 1 ? (schema.enum as string[]) : undefined;
}

const sameWords = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && b.every((word) => a.includes(word));
