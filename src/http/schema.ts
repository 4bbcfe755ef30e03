import type { TSchema } from "@sinclair/typebox";

/** Formats by which the framework marks the text form of a value. */
const TEXT_FORMS = ["integer", "numeric", "number", "boolean"];

/**
 * Returns a schema as it is meant: the framework widens a query's numbers and booleans to "that, or a text that looks
 * like it", which is neither what the documents should say nor what an error should name.
 */
export function plainSchema(schema: TSchema): TSchema {
  if (schema.anyOf) {
    const alternatives: TSchema[] = schema.anyOf;
    const asText = alternatives.find((each) => each.type === "string");
    const meant = alternatives.find((each) => each.type !== "string");
    const isWidened = alternatives.length === 2 && TEXT_FORMS.includes(asText?.format ?? "");
    return meant && isWidened ? { ...meant } : { ...schema, anyOf: alternatives.map(plainSchema) };
  }
  if (schema.properties) return { ...schema, properties: mapValues(schema.properties, plainSchema) };
  if (schema.items && !Array.isArray(schema.items)) return { ...schema, items: plainSchema(schema.items) };
  return schema;
}

function mapValues<In, Out>(object: Record<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
