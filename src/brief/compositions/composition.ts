/** Phrases of one type, put together from phrases of others. */
export type Composition = {
  type: string;
  patterns: readonly string[];
  /** A text, and the piece of it that is of this type. */
  example: readonly [input: string, phrase: string];
};
