import { type Static, Type } from "@sinclair/typebox";
import { MAX_PAGE, USUAL_PAGE } from "../kernel/limits.ts";
import { withDefault } from "./envelope.ts";

/** Query fields of every cursor listing (specification section 4). */
export const pageFields = {
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_PAGE }), USUAL_PAGE),
  cursor: Type.Optional(Type.String({ description: "`paging.next_cursor` of the page before" })),
};

/** The query of a cursor listing without filters. */
export const PageQuery = Type.Object(pageFields);
export type PageQuery = Static<typeof PageQuery>;
