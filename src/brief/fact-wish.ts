import type { FactName } from "../kernel/facts.ts";
import type { Created } from "./created.ts";

/** Limits of a number; the outer ones are not met by the limit itself: "more than five". */
export type FactRange = { above?: number; least?: number; most?: number; below?: number };

/** Whom or what an event is about: the names as they are stored; none where nobody is called so. */
export type FactPerson = {
  name: string;
  stored: readonly string[];
  /** Everybody else is meant. */
  isExcepted?: true;
};

/** What a brief says of something that the library stores. */
export type FactWish = {
  fact: FactName;
  /** It is not so, or did not happen. */
  isNot: boolean;
  range?: FactRange;
  time?: Created;
  person?: FactPerson;
  /** Wishes with the same number are met by one of them: "explicit or made with AI". */
  either?: number;
};

/** Whoever asks, in place of a name. */
export const ME = "me";
/** Returns who a text names among those whom a fact knows; undefined when it names nobody. */
export type FindPerson = (fact: FactName, text: string) => FactPerson | undefined;
/** The name that the pieces of a query have for a wish, by its place in `filters.facts`. */
export const factPieceName = (index: number): string => `fact ${index}`;
