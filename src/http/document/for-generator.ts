type Shape = Record<string, unknown>;
type Union = { anyOf: Shape[] };

const MOST_INT32 = 2 ** 31 - 1;

const isShape = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isUnion = (shape: Shape): shape is Shape & Union =>
  Array.isArray(shape.anyOf) &&
  shape.anyOf.every(isShape) &&
  !shape.anyOf.some(({ type }) => type === "null");

/**
 * Returns a document as openapi-generator 7 can read it (decision 0069): each shape that it turns into code that does not compile or
 * misreads an answer becomes one that says the same to people and that it reads well.
 */
export function forOpenApiGenerator<Document extends { webhooks: unknown }>({
  webhooks: _,
  ...document
}: Document): Omit<Document, "webhooks"> {
  const named: unknown = Reflect.get(Object(Reflect.get(document, "components")), "schemas");
  const schemas = isShape(named) ? named : {};
  return JSON.parse(JSON.stringify(document), (_key, value) =>
    isShape(value) ? withPlainUnion(withPlainScalar(withoutBounds(value)), schemas) : value,
  );
}

/** Go checks the bounds of a list of files through a pointer that is none. */
function withoutBounds(shape: Shape): Shape {
  if (shape.type !== "array" || !isShape(shape.items) || shape.items.format !== "binary") return shape;
  const { minItems: _min, maxItems: _max, ...unbounded } = shape;
  return unbounded;
}

/**
 * Python compares the constant true with the text "true". Without a format, Go reads an integer into 32 bits, which the size of a
 * file can exceed, and a number into a float of 32 bits.
 */
function withPlainScalar(shape: Shape): Shape {
  const { const: _, ...plain } = shape;
  if (shape.type === "boolean") return plain;
  if (shape.type === "number") return { format: "double", ...plain };
  if (shape.type === "integer" && !isSmall(shape)) return { format: "int64", ...plain };
  return shape;
}

const isSmall = ({ maximum }: Shape) => typeof maximum === "number" && maximum <= MOST_INT32;

/**
 * TypeScript makes one type with the fields of all members out of `anyOf`; `oneOf` becomes a union. A member with the fields of
 * another would match it too, so the refusals of an answer become one. Of a list or a text with commas, the list
 * is enough.
 */
function withPlainUnion(shape: Shape, schemas: Shape): Shape {
  if (!isUnion(shape)) return shape;
  const { anyOf, ...rest } = shape;
  const list = anyOf.find(({ type }) => type === "array");
  if (list) return { ...list, ...rest };
  const shapes = anyOf.map((member) => namedBy(member, schemas));
  const refusals = anyOf.filter((_, place) => isRefusal(shapes[place] ?? {}));
  if (refusals.length < 2) return { ...rest, oneOf: anyOf };
  const merged = mergedRefusal(shapes.filter(isRefusal));
  return { ...rest, oneOf: [...anyOf.filter((member) => !refusals.includes(member)), merged] };
}

function namedBy(member: Shape, schemas: Shape): Shape {
  const name = typeof member.$ref === "string" ? member.$ref.split("/").at(-1) : undefined;
  const shape = name === undefined ? member : schemas[name];
  return isShape(shape) ? shape : member;
}

const isRefusal = ({ required }: Shape) =>
  Array.isArray(required) && required.includes("ok") && required.includes("error");

/** Returns the shape of all refusals of an answer: `error` says which one it is. */
function mergedRefusal(refusals: readonly Shape[]): Shape {
  const fields = refusals.map(({ properties }) => (isShape(properties) ? properties : {}));
  const errors = fields.map(({ error }) => (isShape(error) ? error.const : undefined));
  const properties = Object.assign({}, ...fields);
  const [first = [], ...others] = refusals.map(({ required }) => (Array.isArray(required) ? required : []));
  const { const: _, ...error } = properties.error;
  return {
    type: "object",
    required: first.filter((name) => others.every((names) => names.includes(name))),
    properties: { ...properties, error: { ...error, enum: errors } },
  };
}
