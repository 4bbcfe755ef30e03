import { type TSchema, Type } from "@sinclair/typebox";

/**
 * Schemas of answers. A client reads all of them with the list of tools, so they say the kinds that a program must know to
 * read a list: ids, numbers, booleans and lists. A field without a kind is a text or null, and of a single value the name
 * must do. All are open: the full form has more fields, and the compact form leaves out empty values.
 */

type Fields = Record<string, TSchema>;

const fieldsOf =
  (schema: object, orNull: object = schema) =>
  (names: string): Fields =>
    Object.fromEntries(
      names
        .split(" ")
        .map((name) =>
          name.endsWith("?") ? [name.slice(0, -1), Type.Unsafe(orNull)] : [name, Type.Unsafe(schema)],
        ),
    );

/** Fields by their names, separated by spaces. */
export const fields = fieldsOf({});
/** Fields of a kind. A name with `?` may be null. */
export const texts = fieldsOf({ type: "string" });
export const numbers = fieldsOf({ type: "number" }, { type: ["number", "null"] });
export const flags = fieldsOf({ type: "boolean" });
/** Lists of texts. */
export const lists = fieldsOf({ type: "array", items: { type: "string" } });

/** An id, and texts by their names. */
export const withId = (names: string): Fields => ({ ...texts("id"), ...fields(names) });

export const object = (properties: Fields) => Type.Unsafe({ properties });
/** A list of objects. */
export const list = (properties: Fields) => Type.Unsafe({ type: "array", items: { properties } });
/** Lists by category. */
export const byCategory = Type.Unsafe({ patternProperties: { "": { type: "array" } } });

/** The page that a list answers with. */
export const page = (item: Fields) => ({ data: list(item), paging: object(fields("next_cursor")) });

/** The answer of a tool that destroys or replaces something. */
export const change = (own: Fields) => object({ ...own, ...fields("changes undo") });

export const TRACK: Fields = {
  ...withId("name title artist key createdAt link"),
  ...numbers("bpm durationSec"),
  ...lists("genres moods"),
  ...fields("analysis"),
};
export const VERSION: Fields = {
  ...withId("label name createdAt"),
  ...flags("active visible"),
  ...fields("review"),
};
export const PLAYLIST: Fields = { ...withId("name kind updatedAt"), ...numbers("trackCount") };
export const COMPOSER: Fields = {
  ...withId("fullName email artistName pro"),
  tracks: list({ ...withId("name role"), ...numbers("share") }),
};
