import type { Reading } from "./match.ts";
import { compile } from "./pattern.ts";
import { indexed, type Phrases } from "./phrases.ts";
import { type Match, matchesOf, matchFrom } from "./reading.ts";
import type { Span } from "./text.ts";

/** A way in which briefs say something: patterns over typed phrases, and their meaning. */
export type Rule<Value> = {
  name: string;
  patterns: readonly string[];
  /** A text, and the value that the rule reads from it. */
  example: readonly [input: string, reads: Value];
  /** Returns the meaning of a match; undefined when it has no meaning here. */
  read: (match: Match, reading: Reading) => Value | undefined;
  /** Returns the part of the match that was read; without this function, all of it. */
  span?: (match: Match, reading: Reading) => Span;
};

/** A value with the place that it was read from. */
export type Found<Value> = { value: Value; span: Span };

/** Compiles one phrase for {@link matchAt}. */
export function compilePhrase(source: string): Phrases {
  return indexed([compile(source)]);
}

/** Returns the longest match that begins at an offset. */
export function matchAt(reading: Reading, phrases: Phrases, offset: number): Match | undefined {
  return matchFrom(reading, phrases, reading.indexAt[offset] ?? reading.pieces.length);
}

const compiled = new WeakMap<object, Phrases>();

/** Applies one rule to a text, everywhere it matches. */
export function apply<Value>(reading: Reading, rule: Rule<Value>): Found<Value>[] {
  const phrases = compiled.get(rule) ?? indexed(rule.patterns.map(compile));
  compiled.set(rule, phrases);
  return matchesOf(reading, phrases).flatMap((match) => {
    const value = rule.read(match, reading);
    const span = rule.span?.(match, reading) ?? { start: match.start, end: match.end };
    return value === undefined ? [] : [{ value, span }];
  });
}
