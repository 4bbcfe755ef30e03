import { invalidField } from "./errors.ts";

/** A place in a keyset: the sort value and id of the last item given, and what the list was asked with. */
type CursorState = { key: string | number; id: string; list: string };

/**
 * Returns an opaque cursor. `list` says which listing it belongs to (sort and filters); a cursor is refused
 * anywhere else (decision 0.5).
 */
export function encodeCursor(key: string | number, id: string, list: string): string {
  const state = [key, id, listHash(list)];
  return Buffer.from(JSON.stringify(state)).toString("base64url");
}

/**
 * Returns where a cursor points.
 *
 * @throws DomainError `validation_failed` (path `cursor`) for anything that {@link encodeCursor} did not make for
 *   this listing.
 */
export function decodeCursor(cursor: string, list: string): Pick<CursorState, "key" | "id"> {
  const state = parse(cursor);
  if (!state || state.list !== listHash(list))
    throw invalidField("cursor", "invalid_cursor", "not a cursor of this listing");
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
