import type { Static } from "@sinclair/typebox";
import { t } from "elysia";

/** Query fields of every cursor listing (specification section 4). */
export const pageFields = {
  limit: t.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: t.Optional(t.String({ description: "`paging.next_cursor` of the page before" })),
};

/** The query of a cursor listing without filters. */
export const PageQuery = t.Object(pageFields);
export type PageQuery = Static<typeof PageQuery>;
