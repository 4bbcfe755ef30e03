/** The notation of the specification's tables in the tests: requests and answers. */

/** Kinds of items that have ids. */
export type Thing = "track" | "version" | "playlist" | "composer" | "brief" | "key" | "file request";

/** The values that a request field may have. Bounds are inclusive except `above`. */
export type Input = (
  | { is: "text"; min?: number; max?: number }
  | { is: "integer" | "number"; min?: number; max?: number; above?: number; clampedAt?: number }
  | { is: "choice" | "csv"; of: readonly string[] }
  | { is: "list"; item: Input; min?: number; max?: number; orCsv?: true; csvOnly?: true }
  | { is: "object"; fields: Inputs }
  | { is: "id"; of: Thing }
  | { is: "boolean" | "day" | "moment" | "cursor" | "url" | "email" | "scope" | "file" | "json" }
) & {
  required?: true;
  /** Leaving the field out means the same as sending this. */
  default?: string | number | boolean;
  /** The platform API is lenient: unusable values are ignored, not refused. */
  lenient?: true;
  /** In a PATCH, null clears the field. */
  clears?: true;
};
export type Inputs = Readonly<Record<string, Input>>;

/**
 * The form of an answer field. A name with `?` may be absent; `|null` may be null; `[shape]` has at least one item
 * in examples made for it; `{any: shape}` may be empty; `{"*": shape}` is a dictionary.
 */
export type Shape =
  | Scalar
  | `${Scalar}|null`
  | readonly [Shape]
  | { readonly any: Shape }
  | { readonly oneOf: readonly unknown[] }
  | { readonly orNull: Shape }
  | { readonly "*": Shape }
  | { readonly [field: string]: Shape };
type Scalar = "string" | "integer" | "number" | "unit" | "boolean" | "timestamp" | "url" | "day" | "object";

export type Scope = `${string}:${string}`;

/** One row of an endpoint table. */
export type Row = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `{base_url}`; paths of key management are complete. */
  path: `/${string}`;
  /** The credential that the caller needs. */
  needs: Scope | "session token" | "nothing";
  params?: Inputs;
  query?: Inputs;
  body?: Inputs;
  form?: Inputs;
  /** The shape of `data`. */
  answer: Shape;
  /** Set when `paging` is beside `data`. */
  paging?: true;
  /** `status messageCode` of every refusal except those from credentials and field limits. */
  refuses?: readonly `${number} ${string}`[];
  /** Recoverable problems inside a 200. */
  inBody?: readonly string[];
};

/** A row's name in tests and tables: `GET /tracks/count`. */
export const nameOf = ({ method, path }: Pick<Row, "method" | "path">) => `${method} ${path}`;

export const required = <I extends Input>(input: I) => ({ ...input, required: true as const });
export const text = (bounds: { min?: number; max?: number } = {}): Input => ({ is: "text", ...bounds });
export const idOf = (of: Thing): Input => ({ is: "id", of });
export const orNull = (shape: Shape): Shape => ({ orNull: shape });
export const any = (shape: Shape): Shape => ({ any: shape });
export const oneOf = (...values: readonly unknown[]): Shape => ({ oneOf: values });

/** Cursor pages: `limit` 1-200, default 50, and `cursor` (specification section 4). */
export const cursorPage: Inputs = {
  limit: { is: "integer", min: 1, max: 200, default: 50 },
  cursor: { is: "cursor" },
};
