/** Phrases of one type, composed from phrases of other types. */
export type Composition = {
  type: string;
  patterns: readonly string[];
  /** A text, and the part of it that has this type. */
  example: readonly [input: string, phrase: string];
};
