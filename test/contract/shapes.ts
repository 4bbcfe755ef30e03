import { deepEquals } from "bun";
import type { Json } from "../support/app.ts";
import type { Shape } from "./notation.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const SCALARS: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  unit: (value) => Number.isFinite(value) && value >= 0 && value <= 1,
  boolean: (value) => typeof value === "boolean",
  timestamp: (value) => TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
  day: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value),
  url: (value) => typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Returns the parts of `value` that do not match the shape, each with its path. Additional fields are allowed. */
export function misfits(shape: Shape, value: Json, path = "data"): string[] {
  if (typeof shape === "string") return misfitOfScalar(shape, value, path);
  if (Array.isArray(shape)) return misfitsOfList(shape[0], value, path, "some");
  if (isMark(shape, "any")) return misfitsOfList(shape.any, value, path, "any");
  if (isMark(shape, "orNull")) return value === null ? [] : misfits(shape.orNull, value, path);
  if (isMark(shape, "oneOf")) {
    const isKnown = (shape.oneOf as unknown as unknown[]).some((each) => deepEquals(each, value));
    return isKnown ? [] : [`${path} is ${JSON.stringify(value)}`];
  }
  return misfitsOfObject(shape as Readonly<Record<string, Shape>>, value, path);
}

function misfitsOfList(shape: Shape, values: Json, path: string, count: "some" | "any"): string[] {
  if (!Array.isArray(values)) return [`${path} is no array`];
  if (values.length === 0 && count === "some") return [`${path} has no item to look at`];
  return values.flatMap((value, index) => misfits(shape, value, `${path}.${index}`));
}

function misfitsOfObject(shape: Readonly<Record<string, Shape>>, value: Json, path: string): string[] {
  if (!SCALARS.object?.(value)) return [`${path} is no object but ${JSON.stringify(value)}`];
  const { "*": every, ...fields } = shape;
  const dictionary = every
    ? Object.entries(value).flatMap(([name, each]) => misfits(every, each, `${path}.${name}`))
    : [];
  return [
    ...dictionary,
    ...Object.entries(fields).flatMap(([field, inner]) => misfitsOfField(field, inner, value, path)),
  ];
}

function misfitsOfField(field: string, shape: Shape, value: Json, path: string): string[] {
  const name = field.replace(/\?$/, "");
  if (value[name] !== undefined) return misfits(shape, value[name], `${path}.${name}`);
  return name === field ? [`${path}.${name} is missing`] : [];
}

function misfitOfScalar(shape: string, value: Json, path: string): string[] {
  const [name = "", orNull] = shape.split("|");
  const fits = (orNull && value === null) || SCALARS[name]?.(value);
  return fits ? [] : [`${path} is ${JSON.stringify(value) ?? "missing"} and not ${shape}`];
}

/** Returns whether a shape is one of the marks, and not an object that has a field of that name among others. */
function isMark<Name extends string>(shape: object, name: Name): shape is Readonly<Record<Name, Shape>> {
  return name in shape && Object.keys(shape).length === 1;
}
