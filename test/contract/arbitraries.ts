import fc, { type Arbitrary } from "fast-check";
import type { Json } from "../support/app.ts";

/** Meaningful values for a field by its name, both good ones and near misses. */
export type Pools = {
  /** Returns ids for a field by its name, often the right one. */
  idsFor: (name: string) => readonly string[];
  cursors: readonly string[];
  urls: readonly string[];
};

type Schema = { [keyword: string]: Json };

const TIMES = [
  "2026-01-15",
  "2026-01-15T12:00:00.000Z",
  "2027-12-31T23:59:59.999Z",
  "2026-02-30",
  "0000-01-01",
  "9999-12-31",
  "+275760-09-13T00:00:00.000Z",
  "2026-01-15T25:61:00Z",
];
const WORDS = [
  "House",
  "happy",
  "Piano",
  "Warm",
  "1990s",
  "read:tracks",
  "all",
  "F# minor",
  "en",
  "No such tag",
  "a,b",
];
/** Every field that holds a network address must match: the tests must not contact arbitrary hosts. */
const URL_FIELD = /url|cover|link/i;
const ID_FIELD = /id$|ids$|^key$/i;
const TIME_FIELD = /since|until|created|deadline|expires|from|to$|After|Before/;

/** Texts that break code not built for them. */
const oddText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "\uffff",
    "a\u0301\u202e\u200d",
    "🎛️".repeat(50),
    "%00",
    "' OR 1=1 --",
    "__proto__",
    "../../etc/passwd",
    '"(*)^ NEAR AND OR NOT',
    "x".repeat(100_000),
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);
const oddNumber = fc.constantFrom(
  -1,
  0,
  -0,
  0.5,
  1,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e308,
  1e-308,
  998,
  999,
  1000,
);
/** A value that is not useful anywhere. */
const junk: Arbitrary<Json> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom<Json>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    [{}],
    { length: 1 },
    { toString: 1, valueOf: 1 },
  ),
  fc.constantFrom(JSON.parse('{"__proto__":null}'), JSON.parse("[".repeat(3000) + "]".repeat(3000))),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Returns values that a schema allows, and often ones that it does not. */
export function valuesOf(schema: Schema, name: string, pools: Pools): Arbitrary<Json> {
  return fc.oneof({ weight: 9, arbitrary: validOf(schema, name, pools) }, { weight: 1, arbitrary: junk });
}

/** Returns texts for a part of the address: a parameter or a path segment. */
export function textsOf(schema: Schema, name: string, pools: Pools): Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: validOf(schema, name, pools).map(String) },
    { weight: 2, arbitrary: fc.oneof(oddText, oddNumber.map(String)) },
  );
}

function validOf(schema: Schema, name: string, pools: Pools): Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each: Schema) => validOf(each, name, pools)));
  switch (schema.type) {
    case "object":
      return objectOf(schema, pools);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, name, pools), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, Math.max(5, schema.minItems ?? 0)),
      });
    case "integer":
      return fc.oneof(
        fc.constantFrom(...edgesOf(schema)),
        fc.integer({ min: lowest(schema), max: highest(schema) }),
      );
    case "number":
      return fc.oneof(
        fc.constantFrom(...edgesOf(schema)),
        fc.double({ min: lowest(schema), max: highest(schema), noNaN: true }),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return textOf(schema, name, pools);
    default:
      return junk;
  }
}

const lowest = ({ minimum, exclusiveMinimum }: Schema): number => minimum ?? exclusiveMinimum ?? -1000;
const highest = ({ maximum }: Schema): number => maximum ?? 1000;
const edgesOf = (schema: Schema) => [
  lowest(schema),
  highest(schema),
  lowest(schema) - 1,
  highest(schema) + 1,
];

/** Returns objects with nearly all required fields, some others, and sometimes an unknown one. */
function objectOf({ properties = {}, required = [] }: Schema, pools: Pools): Arbitrary<Json> {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fc
      .tuple(fc.nat(19), valuesOf(schema as Schema, name, pools))
      .map(([dice, value]) => (dice < (required.includes(name) ? 19 : 7) ? [[name, value]] : [])),
  );
  const unknown = fc
    .tuple(fc.nat(9), oddText, junk)
    .map(([dice, name, value]) => (dice === 0 ? [[name.slice(0, 50), value]] : []));
  return fc.tuple(...fields, unknown).map((lists) => Object.fromEntries(lists.flat()));
}

function textOf(schema: Schema, name: string, pools: Pools): Arbitrary<Json> {
  const known = poolOf(name, pools);
  if (known) return fc.constantFrom(...known);
  if (/email/i.test(name))
    return fc.oneof(fc.emailAddress(), fc.constantFrom("a@example.com", "nonsense", "@"));
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.min(schema.maxLength ?? 40, 200);
  return fc.oneof(
    fc.constantFrom(...WORDS),
    fc.string({ minLength, maxLength: Math.max(minLength, maxLength) }),
    ...(schema.maxLength
      ? [fc.constantFrom("x".repeat(schema.maxLength), "x".repeat(schema.maxLength + 1))]
      : []),
  );
}

function poolOf(name: string, { idsFor, cursors, urls }: Pools): readonly string[] | undefined {
  if (URL_FIELD.test(name)) return urls;
  if (name === "cursor") return cursors;
  if (ID_FIELD.test(name)) return idsFor(name);
  return TIME_FIELD.test(name) ? TIMES : undefined;
}
