import { decodeCursor, encodeCursor } from "../../kernel/paging.ts";
import type { PageQuery } from "./app-model.ts";
import type { Place } from "./queries.ts";

/** One page of a list and where the next begins. */
export type Page<Item> = { items: Item[]; paging: { limit: number; next_cursor: string | null } };

/** Before every row of a list ordered newest first. */
const BEGINNING = { key: Number.MAX_SAFE_INTEGER, id: "" };

/**
 * Cuts a page out of a list ordered newest first. `list` names the listing, and whose it is, for its cursors;
 * `select` gets one more than the page holds, which tells whether there is a next one.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function cutPage<Row extends { id: string; createdAt: number }>(
  { limit, cursor }: PageQuery,
  list: string,
  select: (after: Place, limit: number) => Row[],
): Page<Row> {
  const rows = select(cursor === undefined ? BEGINNING : decodeCursor(cursor, list), limit + 1);
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items,
    paging: { limit, next_cursor: last ? encodeCursor(last.createdAt, last.id, list) : null },
  };
}
