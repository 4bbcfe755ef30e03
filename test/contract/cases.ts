import type { Json } from "../support/app.ts";
import type { Input, Inputs, Row } from "./notation.ts";

/** A value of one field, and whether the service accepts it. */
export type Case = {
  /** The field, such as `query.limit` or `body.items.0.fileUrl`. */
  place: string;
  what: string;
  accepted: boolean;
  /** A list of a given size is made once the rest of the request is ready. */
  value?: Json;
  size?: number;
};

/** Returns every limit of a row at its edge and one past it, every choice, and values of the wrong type. */
export function casesOf({ query = {}, body = {}, form = {} }: Row): Case[] {
  return [...casesIn("query", query), ...casesIn("body", body), ...casesIn("form", form)];
}

/** Returns the places of a row's fields that hold ids of an account's items. */
export function idPlacesOf({ params = {}, query = {}, body = {} }: Row): { place: string; csv: boolean }[] {
  const walk = (place: string, input: Input): { place: string; csv: boolean }[] => {
    if (input.is === "id") return input.of === "file request" ? [] : [{ place, csv: false }];
    if (input.is === "list" && input.csvOnly) return [{ place, csv: true }];
    if (input.is === "list") return walk(`${place}.0`, input.item);
    return input.is === "object" ? all(place, input.fields) : [];
  };
  const all = (place: string, inputs: Inputs) =>
    Object.entries(inputs).flatMap(([name, input]) => walk(`${place}.${name}`, input));
  return [...all("params", params), ...all("query", query), ...all("body", body)];
}

const casesIn = (place: string, inputs: Inputs): Case[] =>
  Object.entries(inputs).flatMap(([name, input]) => casesOfField(`${place}.${name}`, input));

function casesOfField(place: string, input: Input): Case[] {
  const take = (what: string, value: Json): Case => ({ place, what, accepted: true, value });
  // A lenient field accepts everything.
  const refuse = (what: string, value: Json): Case => ({
    place,
    what,
    accepted: input.lenient ?? false,
    value,
  });
  const isTyped = place.startsWith("body.");
  return [
    ...(input.required ? [refuse("nothing", undefined)] : []),
    ...(input.clears ? [take("null", null)] : []),
    ...(isTyped ? [refuse("a value of another type", wrongType(input))] : []),
    ...valuesOf(input).map(([what, value, accepted]) => (accepted ? take(what, value) : refuse(what, value))),
    ...sizesOf(place, input),
    ...(input.is === "object" ? casesIn(place, input.fields) : []),
    ...(input.is === "list" && input.item.is === "object" ? casesIn(`${place}.0`, input.item.fields) : []),
  ];
}

type Value = [what: string, value: Json, accepted: boolean];

function valuesOf(input: Input): Value[] {
  switch (input.is) {
    case "text":
      return textValues(input);
    case "integer":
    case "number":
      return numberValues(input);
    case "choice":
      return [...input.of.map((each): Value => [each, each, true]), ["nonsense", "nonsense", false]];
    case "csv":
      return [
        ["all names", input.of.join(), true],
        ["an unknown name", `${input.of[0]},nonsense`, false],
      ];
    case "day":
      return [
        ["a day", "2026-01-15", true],
        ["a day that does not exist", "2026-02-30", false],
        ["words", "yesterday", false],
      ];
    case "moment":
      return [
        ["a day", "2026-01-15", true],
        ["a moment", "2026-01-15T12:00:00.000Z", true],
        ["words", "yesterday", false],
      ];
    case "cursor":
      return [["one that nobody gave out", "nonsense", false]];
    case "url":
      return [
        ["an address without a protocol", "example.com/a.wav", false],
        ["another protocol", "ftp://example.com/a.wav", false],
      ];
    case "email":
      return [["one that is none", "nonsense", false]];
    case "json":
      return [["malformed JSON", "[{", false]];
    default:
      return [];
  }
}

function textValues({ min, max }: { min?: number; max?: number }): Value[] {
  const chars = (count: number, accepted: boolean): Value => [
    `${count} characters`,
    "x".repeat(count),
    accepted,
  ];
  return [
    ...(min === undefined ? [] : [chars(min, true), chars(min - 1, false)]),
    ...(max === undefined ? [] : [chars(max, true), chars(max + 1, false)]),
  ];
}

function numberValues(input: Input & { is: "integer" | "number" }): Value[] {
  const { min, max, above, clampedAt } = input;
  const number = (value: number, accepted: boolean): Value => [String(value), value, accepted];
  return [
    ...(min === undefined ? [] : [number(min, true), number(min - 1, false)]),
    ...(above === undefined ? [] : [number(above + 0.5, true), number(above, false)]),
    ...(max === undefined ? [] : [number(max, true), number(max + 1, false)]),
    ...(clampedAt === undefined ? [] : [number(clampedAt, true), number(clampedAt + 1, true)]),
    ...(input.is === "integer" ? [number((min ?? 0) + 0.5, false)] : []),
    ["words", "ten", false],
  ];
}

function sizesOf(place: string, input: Input): Case[] {
  if (input.is !== "list") return [];
  const { min, max } = input;
  const list = (size: number, accepted: boolean): Case => ({ place, what: `${size} items`, accepted, size });
  return [
    ...(min === undefined ? [] : [list(min, true), list(min - 1, false)]),
    ...(max === undefined ? [] : [list(max, true), list(max + 1, false)]),
  ];
}

function wrongType({ is, ...input }: Input): Json {
  if (is === "list") return "orCsv" in input ? 7 : "nonsense";
  return is === "object" || is === "boolean" || is === "integer" || is === "number" ? "nonsense" : 7;
}
