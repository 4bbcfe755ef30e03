import { type Static, Type } from "@sinclair/typebox";

/** Query fields of every cursor listing (specification section 4). */
export const pageFields = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ description: "`paging.next_cursor` of the page before" })),
};

/** The query of a cursor listing without filters. */
export const PageQuery = Type.Object(pageFields);
export type PageQuery = Static<typeof PageQuery>;
