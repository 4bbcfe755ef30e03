import { MEASURES, type Measured, type MeasureName, type WitnessField } from "./measures.ts";
import type { Features } from "./timbre.ts";

const WITNESSES = MEASURES.flatMap((row) => ("witness" in row ? [row.witness] : []));
const MADE = MEASURES.flatMap((row) => ("made" in row ? [{ field: row.field, ...row.made }] : []));

/** What is measured beside measures, each a column of numbers in the index of a search. */
export const WITNESS_FIELDS: readonly WitnessField[] = WITNESSES.map(({ field }) => field);

/** The features of an analysis that measures, and what must agree with them, are made of. */
export const MADE_OF: readonly string[] = [
  ...new Set([
    ...MADE.flatMap(({ of }): readonly string[] => of),
    ...WITNESSES.map(({ feature }) => feature),
  ]),
];

/** Returns the measures that are made of features, and what must agree with them. */
export function madeOf(features: Features): Partial<Measured> {
  const values = [
    ...MADE.map(({ field, from }) => [field, from(features)]),
    ...WITNESSES.map(({ field, feature }) => [field, features[feature] ?? null]),
  ];
  // `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(values) as Partial<Measured>;
}

/** Returns what must agree with a measure. */
export function witnessOf(measure: MeasureName): WitnessField | undefined {
  const row = MEASURES.find(({ name }) => name === measure);
  return row && "witness" in row ? row.witness.field : undefined;
}
