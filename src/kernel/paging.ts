import { invalidField } from "./errors.ts";

/** A place in a keyset: the sort value and id of the last item returned, and the listing it belongs to. */
type CursorState = { key: string | number; id: string; list: string };

/**
 * Returns an opaque cursor. `list` names the listing it belongs to (sort and filters); every other listing refuses
 * it (decision 0.5).
 */
export function encodeCursor(key: string | number, id: string, list: string): string {
  const state = [key, id, listHash(list)];
  return Buffer.from(JSON.stringify(state)).toString("base64url");
}

/**
 * Returns the place that a cursor points to.
 *
 * @throws DomainError `validation_failed` (path `cursor`) unless {@link encodeCursor} made the cursor for this
 *   listing.
 */
export function decodeCursor(cursor: string, list: string): Place {
  const state = parse(cursor);
  if (!state || state.list !== listHash(list))
    throw invalidField(
      "cursor",
      "invalid_cursor",
      "must be the `paging.next_cursor` of an earlier page of this listing",
    );
  return state;
}

function parse(cursor: string): CursorState | undefined {
  try {
    const [key, id, list]: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isKey = typeof key === "string" || typeof key === "number";
    return isKey && typeof id === "string" && typeof list === "string" ? { key, id, list } : undefined;
  } catch {
    return undefined;
  }
}

function listHash(list: string): string {
  return Bun.hash(list).toString(36);
}

/** The page of a listing that a client asks for. */
export type PageRequest = { limit: number; cursor?: string };

/** One page of a listing and where the next begins. */
export type Page<Item> = { items: Item[]; paging: { limit: number; next_cursor: string | null } };

/** A place in a listing ordered by time: the time and id of the row before it. */
export type Place = { key: string | number; id: string };

/** The place before every row of such a listing. */
const BEGINNING: Place = { key: Number.MAX_SAFE_INTEGER, id: "" };

/** The place before every row of a listing ordered oldest first. */
export const OLDEST_FIRST: Place = { key: -1, id: "" };

/**
 * Returns a page of a listing ordered newest first, or in another order that begins at `beginning`. `list` names the listing and its owner for the cursors.
 * `select` is asked for one row more than the page holds, which shows whether there is a next page.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function cutPage<Row extends { id: string }>(
  { limit, cursor }: PageRequest,
  list: string,
  select: (after: Place, limit: number) => Row[],
  timeOf: (row: Row) => number,
  beginning: Place = BEGINNING,
): Page<Row> {
  const rows = select(cursor === undefined ? beginning : decodeCursor(cursor, list), limit + 1);
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(timeOf(last), last.id, list) : null;
  return { items, paging: { limit, next_cursor: nextCursor } };
}
