import { type TSchema, Type } from "@sinclair/typebox";

/**
 * Schemas of answers. A client reads all of them with the list of tools, so they name the fields and leave their kinds
 * to the values. They are open: the full form has more fields, and the compact form leaves out what is empty.
 */

type Fields = Record<string, TSchema>;

const any = Type.Unsafe({});

/** Fields by their names, separated by spaces. */
export const fields = (names: string): Fields =>
  Object.fromEntries(names.split(" ").map((name) => [name, any]));

export const object = (properties: Fields) => Type.Unsafe({ properties });
export const list = (properties: Fields) => Type.Unsafe({ items: { properties } });
/** Lists by category. */
export const byCategory = Type.Unsafe({ patternProperties: { "": { items: {} } } });

/** The page that a list answers with. */
export const page = (item: Fields) => ({ data: list(item), paging: object(fields("next_cursor")) });

/** The answer of a tool that destroys or replaces something. */
export const change = (own: Fields) => object({ ...own, ...fields("dryRun changes undo") });

export const TRACK = "id name title artist bpm key durationSec genres moods createdAt link analysis";
export const VERSION = "id label name active visible createdAt";
export const PLAYLIST = "id name trackCount updatedAt";
export const composer: Fields = {
  ...fields("id fullName email artistName pro"),
  tracks: list(fields("id name share role")),
};
