import { FACT_MEANINGS, FACT_ORDER_MEANINGS } from "../../kernel/facts.ts";
import { MEANINGS, MORE, ORDER_MEANINGS } from "../../kernel/measures.ts";
import examples from "./glossary/examples.json" with { type: "json" };
import fields from "./glossary/fields.json" with { type: "json" };
import shapes from "./glossary/shapes.json" with { type: "json" };
import values from "./glossary/values.json" with { type: "json" };

/** What a field means, and an example of it. */
type FieldMeaning = readonly [meaning: string, example?: unknown];

/** What a field means wherever its model does not say it. */
export const FIELDS = fields as unknown as Readonly<Record<string, FieldMeaning>>;
/**
 * Examples of fields whose meaning says too little, by `field`, or by `place.field`: the place is the field that holds
 * the object, such as `genres`, or the name of its shape.
 */
export const EXAMPLES: Readonly<Record<string, unknown>> = examples;
/** What a named shape is. */
export const SHAPES: Readonly<Record<string, string>> = shapes;
/** What the values of each choice mean; a choice is known by its values. */
export const VALUES: readonly Readonly<Record<string, string>>[] = [
  ...(values as unknown as readonly Readonly<Record<string, string>>[]),
  MEANINGS,
  { ...ORDER_MEANINGS, ...FACT_ORDER_MEANINGS },
  FACT_MEANINGS,
  { more: MORE, less: "the opposite of `more`", same: "as close as possible", other: "anything else" },
];
