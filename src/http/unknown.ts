import { type TSchema, Type } from "@sinclair/typebox";
import { invalidRequest, type ValidationIssue } from "../kernel/errors.ts";
import { didYouMean, nearestNames } from "../kernel/nearest.ts";

const MAX_UNKNOWN = 32;
const MAX_NAME = 60;

/** How the names of one part of a request are spoken of. */
export type Part = {
  code: "unknown_argument" | "unknown_field" | "unknown_parameter";
  /** What is said where the schema knows no names. */
  none: string;
  /** Returns where else a name of the outermost object belongs, such as "it belongs in the query". */
  elsewhere?: (name: string) => string | undefined;
};

/**
 * Returns the names in `value` that its schema does not know, including those in nested objects, each with the nearest valid
 * names or with all of them (decision 4.39). A caller whose filter is silently dropped would believe that it filtered.
 */
export function unknownNames(schema: TSchema, value: unknown, part: Part): ValidationIssue[] {
  return findUnknown(schema, value, "", part).take(MAX_UNKNOWN).toArray();
}

/**
 * Returns what is refused of the unknown names: all of them, or nothing for a caller who sends `Dubplate-Lenient: 1`, who has
 * them dropped.
 */
export function refusedNames(
  { headers }: Pick<Request, "headers">,
  unknown: readonly ValidationIssue[],
): ValidationIssue[] {
  if (unknown.length === 0 || headers.get("dubplate-lenient") === "1") return [];
  return unknown.map((issue) => ({ ...issue, detail: `is unknown: ${issue.detail}` }));
}

const OF_FORM: Part = { code: "unknown_field", none: "it takes none" };

/**
 * Makes a check of the names of a form's fields. It returns a refusal of each that is not among `known`; without `known`
 * every name is let pass.
 */
export function formNames(known: readonly string[] | undefined) {
  if (known === undefined) return () => [];
  const schema = Type.Object(Object.fromEntries(known.map((name) => [name, Type.Unknown()])));
  return (request: Request, names: Iterable<string>): ValidationIssue[] => {
    const sent = Object.fromEntries(Array.from(names, (name) => [name, null]));
    return refusedNames(request, unknownNames(schema, sent, OF_FORM));
  };
}

/**
 * Refuses unknown names in the JSON of a form's field.
 *
 * @throws DomainError `validation_failed`.
 */
export function checkNamesIn(request: Request, schema: TSchema, value: unknown, field: string): void {
  const unknown = refusedNames(request, unknownNames(schema, value, OF_FORM));
  if (unknown.length > 0)
    throw invalidRequest(unknown.map((issue) => ({ ...issue, path: `${field}.${issue.path}` })));
}

function* findUnknown(schema: TSchema, value: unknown, path: string, part: Part): Generator<ValidationIssue> {
  if (typeof value !== "object" || value === null) return;
  const { properties, items } = knownBy(schema);
  const isList = Array.isArray(value);
  if (isList ? !items : !properties) return;
  for (const [name, each] of namesToCheck(schema, value)) {
    const known = isList ? items : knownField(properties, name);
    if (known) yield* findUnknown(known, each, `${path}${name}.`, part);
    else
      yield { path: path + shown(name), code: part.code, detail: advice(properties ?? {}, name, path, part) };
  }
}

/** Another party adds fields over the years to what is open: they are let pass. */
function namesToCheck({ additionalProperties, properties }: TSchema, value: object): [string, unknown][] {
  const entries = Object.entries(value);
  return additionalProperties === true ? entries.filter(([name]) => knownField(properties, name)) : entries;
}

const knownField = (properties: Properties | undefined, name: string): TSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

type Properties = Readonly<Record<string, TSchema>>;
type Known = { properties?: Properties; items?: TSchema };

/** What a schema knows: of alternatives, what any of them knows. A map with names of its own is left alone. */
function knownBy(schema: TSchema): Known {
  const found = known.get(schema) ?? findKnown(schema);
  known.set(schema, found);
  return found;
}

/** Asked of the same schemas with every body. */
const known = new WeakMap<TSchema, Known>();

function findKnown({ anyOf, allOf, properties, items }: TSchema): Known {
  const alternatives: TSchema[] | undefined = anyOf ?? allOf;
  if (!alternatives) return { properties, items: Array.isArray(items) ? undefined : items } as Known;
  const each = alternatives.map(knownBy);
  const objects = each.filter((one) => one.properties).map((one) => one.properties);
  const list = each.find((one) => one.items)?.items;
  return {
    ...(objects.length > 0 && { properties: Object.assign({}, ...objects.toReversed()) }),
    ...(list && { items: list }),
  };
}

function advice(properties: Properties, name: string, path: string, { none, elsewhere }: Part): string {
  const other = path === "" ? elsewhere?.(name) : undefined;
  if (other !== undefined) return other;
  const nearest = nearestNames(name, namesIn(properties));
  if (nearest.length > 0) return didYouMean(nearest);
  const known = Object.keys(properties);
  return known.length > 0 ? `the known ones are ${known.join(", ")}` : none;
}

/** Returns the names of an object's properties, including nested ones: `audioProfile.genres`, `items[].visible`. */
function namesIn(properties: Properties, path = ""): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { properties: own, items } = knownBy(schema);
    const [inner, mark] = items ? [knownBy(items).properties, "[]"] : [own, ""];
    return [`${path}${name}`, ...(inner ? namesIn(inner, `${path}${name}${mark}.`) : [])];
  });
}

/** Returns a name from outside in a form that is safe to repeat. */
const shown = (name: string) =>
  /^[\w.$-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, MAX_NAME));
