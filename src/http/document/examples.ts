import type { JsonSchema } from "../schema.ts";
import { EXAMPLES, FIELDS } from "./glossary.ts";

/** Follows a reference to a component. */
type Resolve = (schema: JsonSchema) => JsonSchema;

/** Values of the formats that fields have. */
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-11-22T09:30:00.000Z",
  uri: "https://music.example/track/Qm8sT2xV",
  binary: "(the file)",
};
/** Components contain one another, but never this deep. */
const DEEPEST = 12;

/**
 * Returns a value that a schema allows. A schema's own example goes first, then the glossary's for the field, if it
 * fits.
 *
 * @param isRequest A request leaves out what it need not say.
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve, isRequest = false): unknown {
  return make(schema, { resolve, isRequest, depth: 0 });
}

/** `holder` is the field whose value the object with this field is; `shape` is the name of the object's shape. */
type Making = {
  resolve: Resolve;
  isRequest: boolean;
  depth: number;
  field?: string;
  holder?: string;
  shape?: string;
};

function make(schema: JsonSchema, making: Making): unknown {
  const known = resolved(schema, making.resolve);
  const given = givenBy(known);
  if (given !== undefined) return given.value;
  const own = fieldExamples(making).find((each) => fits(each, known));
  const alternatives = known.anyOf as JsonSchema[] | undefined;
  if (alternatives) {
    const fitting = alternatives.find((each) => fieldExamples(making).some((one) => fits(one, each)));
    return make(fitting ?? alternatives.find((each) => each.type !== "null") ?? {}, making);
  }
  if (own !== undefined) return own;
  if (known.type === "object") return objectOf(known, making, nameOf(schema));
  if (known.type === "array") return arrayOf(known, making);
  return scalarOf(known);
}

const resolved = (schema: JsonSchema, resolve: Resolve) => (schema.$ref ? resolve(schema) : schema);
const nameOf = (schema: JsonSchema) =>
  typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;

/** Returns what the glossary has for a field, what fits its place best first. */
function fieldExamples({ field, holder, shape }: Making): unknown[] {
  if (field === undefined) return [];
  const places = [`${holder}.${field}`, `${shape}.${field}`, field];
  return [...places.map((place) => EXAMPLES[place]), FIELDS[field]?.[1]];
}

/** What the schema itself says its value may be. */
function givenBy(schema: JsonSchema): { value: unknown } | undefined {
  const [example] = (schema.examples as unknown[] | undefined) ?? [];
  for (const value of [example, schema.const, schema.default]) if (value !== undefined) return { value };
  return Array.isArray(schema.enum) ? { value: schema.enum[0] } : undefined;
}

/** True when an example of the glossary is of the kind that a schema asks for. */
function fits(example: unknown, schema: JsonSchema): boolean {
  if (example === undefined || schema.format !== undefined) return false;
  if (Array.isArray(example)) return schema.type === "array" && fitsItems(example, schema);
  if (schema.type === "integer") return Number.isInteger(example) && inBounds(example as number, schema);
  if (typeof example === "number") return schema.type === "number" && inBounds(example, schema);
  const isMatched = !schema.pattern || new RegExp(schema.pattern as string, "u").test(String(example));
  return typeof example === schema.type && isMatched && !schema.enum;
}

function fitsItems(example: readonly unknown[], schema: JsonSchema): boolean {
  const { items, minItems = 0 } = schema as { items?: JsonSchema; minItems?: number };
  return (
    example.length >= minItems &&
    example.every((each) => !items || alternativesOf(items).some((one) => fits(each, one)))
  );
}

const alternativesOf = (schema: JsonSchema) => (schema.anyOf as JsonSchema[] | undefined) ?? [schema];

function inBounds(value: number, schema: JsonSchema): boolean {
  const { minimum = value, maximum = value } = schema as { minimum?: number; maximum?: number };
  return value >= minimum && value <= maximum;
}

function objectOf(schema: JsonSchema, making: Making, shape = ""): unknown {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  if (making.depth > DEEPEST) return {};
  const names = Object.keys(properties);
  const needed =
    making.isRequest && required.length > 0 ? names.filter((each) => required.includes(each)) : names;
  return Object.fromEntries(
    needed.map((name) => [
      name,
      make(properties[name] ?? {}, {
        ...making,
        field: name,
        holder: making.field ?? making.holder ?? "",
        shape,
        depth: making.depth + 1,
      }),
    ]),
  );
}

function arrayOf(schema: JsonSchema, making: Making): unknown[] {
  const { items, prefixItems } = schema as { items?: JsonSchema; prefixItems?: JsonSchema[] };
  const { field: _, ...rest } = making;
  const inner = { ...rest, holder: making.field ?? "", depth: making.depth + 1 };
  if (prefixItems) return prefixItems.map((each) => make(each, inner));
  const one = items ? make(items, inner) : "";
  return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () => one);
}

function scalarOf(schema: JsonSchema): unknown {
  switch (schema.type) {
    case "string":
      return FORMATS[String(schema.format)] ?? "text".padEnd(Number(schema.minLength ?? 0), "x");
    case "integer":
    case "number":
      return schema.minimum ?? Math.min(1, Number(schema.maximum ?? 1));
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return {};
  }
}
