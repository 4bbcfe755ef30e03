import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Change } from "./shapes.ts";

/** A call as stored. */
export type CallRow = {
  id: string;
  accountId: LibraryId;
  keyId: string;
  client: string;
  tool: string;
  arguments: string;
  outcome: string;
  isRehearsal: number;
  changes: string;
  undoId: string | null;
  durationMs: number;
  at: number;
  /** Who made the key, or let the program in. */
  personId: PersonId | null;
};

/** A call with its present state. */
export type ListedCall = CallRow & { undoneAt: number | null; undoUntil: number | null; name: string | null };

const insert = prepared((db) =>
  db.$client.prepare<void, [CallRow]>(`
    INSERT INTO assistant_calls (id, account_id, key_id, client, tool, arguments, outcome, is_rehearsal, changes, undo_id,
      duration_ms, at, person_id)
    SELECT $id, $accountId, $keyId, $client, $tool, $arguments, $outcome, $isRehearsal, $changes, $undoId, $durationMs, $at,
      $personId
    WHERE EXISTS (SELECT 1 FROM accounts WHERE id = $accountId)`),
);

/** Keeps a call, unless its account was deleted meanwhile. */
export function insertCall(tx: Db, row: CallRow): void {
  insert(tx).run(row);
}

const confirm = prepared((db) =>
  db.$client.prepare<{ confirm: string }, [string]>(
    "SELECT assistant_confirm AS confirm FROM accounts WHERE id = ?",
  ),
);

/** Returns before what an account's owner wants to be asked. */
export function selectConfirm(db: Db, accountId: string): string | undefined {
  return confirm(db).get(accountId)?.confirm;
}

const LISTED = `
  SELECT c.id, c.account_id AS accountId, c.key_id AS keyId, c.client, c.tool, c.arguments, c.outcome,
    c.is_rehearsal AS isRehearsal, c.changes, c.undo_id AS undoId, c.undone_at AS undoneAt, c.duration_ms AS durationMs, c.at, c.person_id AS personId,
    CASE WHEN u.until > $now THEN u.until END AS undoUntil,
    coalesce(k.name, o.client_name) AS name
  FROM assistant_calls c
  LEFT JOIN undos u ON u.id = c.undo_id
  LEFT JOIN api_keys k ON k.id = c.key_id
  LEFT JOIN oauth_grants o ON o.id = c.key_id`;

/** Returns at most `limit` calls after a place, the newest first. */
export function selectCalls(
  db: Db,
  page: { accountId: LibraryId; now: number; at: number; id: string; limit: number; changed: number },
): ListedCall[] {
  return db.$client
    .query<ListedCall, [typeof page]>(
      `${LISTED} WHERE c.account_id = $accountId AND (c.at, c.id) < ($at, $id)
         AND ($changed = 0 OR (c.changes <> '[]' AND c.is_rehearsal = 0))
       ORDER BY c.at DESC, c.id DESC LIMIT $limit`,
    )
    .all(page);
}

export function findCall(
  db: Db,
  wanted: { accountId: LibraryId; id: string; now: number },
): ListedCall | undefined {
  const found = db.$client
    .query<ListedCall, [typeof wanted]>(`${LISTED} WHERE c.account_id = $accountId AND c.id = $id`)
    .get(wanted);
  return found ?? undefined;
}

/** Which of its own changes a key asks for: that with an undo, or else its last one of a thing. */
export type OwnChange = {
  accountId: LibraryId;
  keyId: string;
  /** Path in the arguments, such as `$.trackId`, and the id that they must have there. */
  argument: string;
  id: string;
  undoId: string | null;
  now: number;
};

/** Returns the change of a key that can be taken back, or was; undefined when there is none. */
export function findOwnChange(db: Db, wanted: OwnChange): ListedCall | undefined {
  const found = db.$client
    .query<ListedCall, [OwnChange]>(
      `${LISTED} WHERE c.account_id = $accountId AND c.key_id = $keyId AND c.undo_id IS NOT NULL
         AND json_extract(c.arguments, $argument) = $id AND ($undoId IS NULL OR c.undo_id = $undoId)
       ORDER BY c.at DESC, c.id DESC LIMIT 1`,
    )
    .get(wanted);
  return found ?? undefined;
}

/** A track that a call was about. */
export type CallTrack = { id: string; name: string; title: string | null; cover: string | null };

/** Returns those of an account's tracks that have the ids, also deleted ones that can come back. */
export function selectCallTracks(db: Db, accountId: LibraryId, ids: readonly string[]): CallTrack[] {
  return db.$client
    .query<CallTrack, [string, string]>(
      "SELECT id, name, title, cover FROM tracks WHERE owner_id = ? AND id IN (SELECT value FROM json_each(?))",
    )
    .all(accountId, JSON.stringify(ids));
}

/** A playlist that a call was about. */
export type CallPlaylist = { id: string; kind: "playlist" | "album"; name: string; image: string | null };

/** Returns those of an account's playlists that have the ids, also deleted ones that can come back. */
export function selectCallPlaylists(db: Db, accountId: LibraryId, ids: readonly string[]): CallPlaylist[] {
  return db.$client
    .query<CallPlaylist, [string, string]>(
      "SELECT id, kind, name, image FROM playlists WHERE owner_id = ? AND id IN (SELECT value FROM json_each(?))",
    )
    .all(accountId, JSON.stringify(ids));
}

/** Returns those of an account's composers that have the ids. */
export function selectCallComposers(
  db: Db,
  accountId: LibraryId,
  ids: readonly string[],
): { id: string; fullName: string }[] {
  return db.$client
    .query<{ id: string; fullName: string }, [string, string]>(
      `SELECT id, full_name AS fullName FROM composers
       WHERE owner_id = ? AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`,
    )
    .all(accountId, JSON.stringify(ids));
}

export function markUndone(tx: Db, id: string, at: number): void {
  tx.$client
    .query<void, [number, string]>("UPDATE assistant_calls SET undone_at = ? WHERE id = ?")
    .run(at, id);
}

export function deleteCallsBefore(db: Db, before: number): void {
  db.$client.query<void, [number]>("DELETE FROM assistant_calls WHERE at < ?").run(before);
}

/** Reads what {@link insertCall} wrote. */
export const readChanges = ({ changes }: Pick<CallRow, "changes">) => JSON.parse(changes) as Change[];
