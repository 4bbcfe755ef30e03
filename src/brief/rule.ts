import type { Reading } from "./match.ts";
import { compile } from "./pattern.ts";
import { indexed, type Phrases } from "./phrases.ts";
import { type Match, matchesOf, matchFrom } from "./reading.ts";
import type { Span } from "./text.ts";

/** A way in which briefs say something: patterns over typed phrases, and what it means. */
export type Rule<Value> = {
  name: string;
  patterns: readonly string[];
  /** A text, and what the rule reads in it. */
  example: readonly [input: string, reads: Value];
  /** Returns what a match means, undefined when it means nothing here. */
  read: (match: Match, reading: Reading) => Value | undefined;
  /** What of the match was read; otherwise all of it. */
  span?: (match: Match, reading: Reading) => Span;
};

/** A reading with the place it was read from. */
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

/** Applies one rule to a text, wherever it fits. */
export function apply<Value>(reading: Reading, rule: Rule<Value>): Found<Value>[] {
  const phrases = compiled.get(rule) ?? indexed(rule.patterns.map(compile));
  compiled.set(rule, phrases);
  return matchesOf(reading, phrases).flatMap((match) => {
    const value = rule.read(match, reading);
    const span = rule.span?.(match, reading) ?? { start: match.start, end: match.end };
    return value === undefined ? [] : [{ value, span }];
  });
}
