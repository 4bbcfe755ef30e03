import { type ObjectOptions, type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { MAX_PAGE } from "../kernel/limits.ts";

/** A successful answer (specification section 4; decision 4.1). */
export type Envelope<Data, Extra = unknown> = {
  status: 200;
  messageCode: 200;
  message: "OK";
  data: Data;
} & Extra;

/** Wraps a payload. `extra` holds siblings of `data`, such as `paging`. */
export function ok<Data>(data: Data): Envelope<Data>;
export function ok<Data, Extra extends object>(data: Data, extra: Extra): Envelope<Data, Extra>;
export function ok(data: unknown, extra: object = {}): Envelope<unknown> {
  return { status: 200, messageCode: 200, message: "OK", data, ...extra };
}

/** Schema of {@link ok} over a payload's schema. */
export function envelopeOf(data: TSchema, extra: Record<string, TSchema> = {}): TSchema {
  return Type.Object({
    status: Type.Literal(200),
    messageCode: Type.Literal(200),
    message: Type.String(),
    data,
    ...extra,
  });
}

/**
 * An object that the documents call by its own name, so that every client knows it by that name. Two shapes never share
 * one.
 */
export const shape = <Fields extends TProperties>(
  name: string,
  fields: Fields,
  options: ObjectOptions = {},
) => Type.Object(fields, { ...options, $id: name });

/** `paging` beside `data` in cursor listings; `next_cursor` is null on the last page. */
export const Paging = shape("Paging", {
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE }),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export type Paging = Static<typeof Paging>;

/** A value that may be null. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Fields that share a schema. */
export const fieldsOf = <Name extends string, Schema extends TSchema>(
  names: readonly Name[],
  schema: Schema,
) => Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** A schema with a description of its own, for one that several fields share. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

/** A value that callers may leave out. Operations always get one. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: Static<Schema>) => ({
  ...schema,
  default: value,
});

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = Type.String({ format: "date-time" });
