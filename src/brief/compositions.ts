import type { Composition } from "./compositions/composition.ts";
import { DESCRIPTION } from "./compositions/description.ts";
import { LIBRARY } from "./compositions/library.ts";
import { MEASURE } from "./compositions/measure.ts";
import { MOVE } from "./compositions/move.ts";
import { NEGATION } from "./compositions/negation.ts";
import { QUANTITY } from "./compositions/quantity.ts";

/** The types of phrases that the lexicon does not list form by form; each type comes after the types it is made of. */
export const COMPOSITIONS: readonly Composition[] = [
  ...QUANTITY,
  ...MEASURE,
  ...MOVE,
  ...NEGATION,
  ...DESCRIPTION,
  ...LIBRARY,
];
