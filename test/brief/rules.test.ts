import { describe, expect, test } from "bun:test";
import { TYPED_WORDS } from "../../db/lexicon.ts";
import { COMPOSITIONS } from "../../src/brief/compositions.ts";
import { CORRECTED_LENGTH, LENGTH_RULES } from "../../src/brief/duration.ts";
import { YEAR } from "../../src/brief/era.ts";
import { KEY_NOTATIONS, KEY_RULES, MODE_RULES, readNotation } from "../../src/brief/key.ts";
import { LANGUAGE_RULES } from "../../src/brief/language.ts";
import { phrasesOf } from "../../src/brief/phrases.ts";
import { endOf, readingOf } from "../../src/brief/reading.ts";
import { apply, type Rule } from "../../src/brief/rule.ts";
import { CORRECTED_TEMPO, TEMPO_RULES } from "../../src/brief/tempo.ts";
import { plainOf } from "../../src/brief/text.ts";
import { keyName } from "../../src/kernel/musical-key.ts";

const RULES: readonly [topic: string, rule: Rule<unknown>][] = [
  ...[...TEMPO_RULES, CORRECTED_TEMPO].map((rule) => ["tempo", rule] as [string, Rule<unknown>]),
  ...[...LENGTH_RULES, CORRECTED_LENGTH].map((rule) => ["length", rule] as [string, Rule<unknown>]),
  ...KEY_RULES.map((rule) => ["key", rule] as [string, Rule<unknown>]),
  ...MODE_RULES.map((rule) => ["mode", rule] as [string, Rule<unknown>]),
  ...LANGUAGE_RULES.map((rule) => ["language", rule] as [string, Rule<unknown>]),
  ["era", YEAR],
];
const named = RULES.map(([topic, rule]) => [`${topic}: ${rule.name}`, rule] as const);

describe("each rule reads its example", () => {
  test.each(named)("%s", (_, rule) => {
    const [input, reads] = rule.example;

    const [found] = apply(readingOf(plainOf(input)), rule);

    expect(found?.value).toEqual(reads);
  });

  test.each(KEY_NOTATIONS.map((notation) => [notation.name, notation] as const))(
    "the rule of keys reads its example: %s",
    (_, notation) => {
      const [text, reads] = notation.example;

      const [found] = readNotation(notation, { text, reading: readingOf(plainOf(text)) });

      expect(found && keyName(found.value)).toBe(reads);
    },
  );

  test.each(COMPOSITIONS.map((composition) => [composition.type, composition] as const))(
    "%s",
    (type, one) => {
      const [input, phrase] = one.example;
      const reading = readingOf(plainOf(input));

      const places = [...Array(input.length + 1).keys()].filter((at) => input.startsWith(phrase, at));

      expect(places.some((at) => endOf(reading, type, at) === at + phrase.length)).toBe(true);
    },
  );
});

describe("the lexicon", () => {
  const forms = Object.values(TYPED_WORDS).flatMap((topics) =>
    Object.entries(topics).flatMap(([topic, lines]) =>
      lines.flatMap(({ heads, forms }) => forms.map((form) => ({ type: `${topic}.${heads[0]}`, form }))),
    ),
  );
  const patterns = [
    ...RULES.flatMap(([, { patterns }]) => patterns),
    ...KEY_NOTATIONS.map(({ pattern }) => pattern.source),
    ...COMPOSITIONS.flatMap(({ patterns }) => patterns),
    ...forms.map(({ form }) => form),
  ];

  test("every form of a word is well written, and names only existing types", () => {
    const types = new Set([...forms, ...COMPOSITIONS].map(({ type }) => type));

    for (const type of types) expect(() => phrasesOf(type)).not.toThrow();
    for (const pattern of patterns)
      for (const [, type = ""] of pattern.matchAll(/(?<!\?)<([a-z][a-z ]*\.[^<>=]+)(?:=\w+)?>/g))
        expect(() => phrasesOf(type)).not.toThrow();
  });

  test("an unknown type is reported by name", () => {
    expect(() => phrasesOf("tempo.nothing")).toThrow("No phrase has the type tempo.nothing");
  });

  test("no pattern is longer than 120 characters", () => {
    expect(patterns.filter((pattern) => pattern.length > 120)).toEqual([]);
  });
});
