import { type Db, prepared } from "../../../../db/client.ts";
import type { Node } from "./tree.ts";

/** Why a log ended: its library was restored or moved, or its key was lost or replaced. */
export type EndReason = "restored" | "moved" | "key_lost" | "key_renewed";

/** The log of a library. `edge` are the hashes of its complete subtrees in one piece. */
export type LogRow = {
  id: number;
  ownerId: string;
  logId: string;
  publicKey: Uint8Array;
  /** Sealed. Null: it signs nothing more. */
  seed: Uint8Array | null;
  size: number;
  edge: Uint8Array;
  endedAt: number | null;
  endedBecause: EndReason | null;
};

/** A deed that waits for its place. `detail` is a JSON object whose members may be null. */
export type PendingRow = {
  id: number;
  ownerId: string;
  type: string;
  subject: string;
  partOf: string | null;
  detail: string;
};

export type EntryRow = { log: number; seq: number; body: string };
export type OpeningRow = { salt: Uint8Array; detail: string };
/** `head` is canonical JSON. */
export type HeadRow = {
  size: number;
  head: string;
  signature: Uint8Array;
  /** The token of a time stamp, and the time that it states; null: none. */
  stamp: Uint8Array | null;
  stampedAt: number | null;
};

const LOG = `SELECT id, owner_id AS ownerId, log_id AS logId, public_key AS publicKey, seed, size, edge,
  ended_at AS endedAt, ended_because AS endedBecause FROM ledger_logs`;

/** What is read of heads. */
export const HEAD = "SELECT size, head, signature, stamp, stamped_at AS stampedAt FROM ledger_heads";

/** The log of a library that goes on. */
export const openLog = prepared((db: Db) =>
  db.$client.prepare<LogRow, [string]>(`${LOG} WHERE owner_id = ?1 AND ended_at IS NULL`),
);

/** The newest log of a library that has ended. */
export const endedLog = prepared((db: Db) =>
  db.$client.prepare<LogRow, [string]>(
    `${LOG} WHERE owner_id = ?1 AND ended_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
  ),
);

export const logById = prepared((db: Db) => db.$client.prepare<LogRow, [number]>(`${LOG} WHERE id = ?1`));

/** Every log of the server, or of one library. */
export const logsOf = prepared((db: Db) =>
  db.$client.prepare<LogRow, [string | null]>(`${LOG} WHERE ?1 IS NULL OR owner_id = ?1 ORDER BY id`),
);

type NewLog = [owner: string, logId: string, publicKey: Uint8Array, seed: Uint8Array, at: number];
export const insertLog = prepared((db: Db) =>
  db.$client.prepare<{ id: number }, NewLog>(
    "INSERT INTO ledger_logs (owner_id, log_id, public_key, seed, started_at) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
  ),
);

export const growLog = prepared((db: Db) =>
  db.$client.prepare<void, [number, number, Uint8Array]>(
    "UPDATE ledger_logs SET size = ?2, edge = ?3 WHERE id = ?1",
  ),
);

export const insertEntry = prepared((db: Db) =>
  db.$client.prepare<void, [number, number, string, string]>(
    "INSERT INTO ledger_entries (log, seq, subject, body) VALUES (?1, ?2, ?3, ?4)",
  ),
);

type NewOpening = [
  log: number,
  seq: number,
  subject: string,
  partOf: string | null,
  salt: Uint8Array,
  detail: string,
];
export const insertOpening = prepared((db: Db) =>
  db.$client.prepare<void, NewOpening>(
    "INSERT INTO ledger_openings (log, seq, subject, part_of, salt, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
  ),
);

const putNode = prepared((db: Db) =>
  db.$client.prepare<void, [number, number, number, Uint8Array]>(
    "INSERT INTO ledger_nodes (log, level, place, hash) VALUES (?1, ?2, ?3, ?4)",
  ),
);

export function insertNodes(tx: Db, log: number, nodes: readonly Node[]): void {
  for (const { level, place, hash } of nodes) putNode(tx).run(log, level, place, hash);
}

const node = prepared((db: Db) =>
  db.$client.prepare<{ hash: Uint8Array }, [number, number, number]>(
    "SELECT hash FROM ledger_nodes WHERE log = ?1 AND level = ?2 AND place = ?3",
  ),
);

/** Returns the reader of a log's hashes. It throws an Error for one that is missing. */
export const nodesOf = (db: Db, log: number) => (level: number, place: number) => {
  const row = node(db).get(log, level, place);
  if (!row) throw new Error(`The ledger lacks hash ${place} of level ${level}`);
  return row.hash;
};

export const lastHead = prepared((db: Db) =>
  db.$client.prepare<HeadRow, [number]>(`${HEAD} WHERE log = ?1 ORDER BY size DESC LIMIT 1`),
);

/** The first head of a log with a time stamp that covers a record. */
export const firstStamped = prepared((db: Db) =>
  db.$client.prepare<HeadRow, [number, number]>(
    `${HEAD} WHERE log = ?1 AND size > ?2 AND stamp IS NOT NULL ORDER BY size LIMIT 1`,
  ),
);

export const insertHead = prepared((db: Db) =>
  db.$client.prepare<void, [number, number, number, string, Uint8Array]>(
    "INSERT INTO ledger_heads (log, size, at, head, signature) VALUES (?1, ?2, ?3, ?4, ?5)",
  ),
);

/** Records about something of a library whose details are still there, the earliest first. */
export const entriesAbout = prepared((db: Db) =>
  db.$client.prepare<EntryRow & OpeningRow, [string, string]>(
    `SELECT e.log, e.seq, e.body, o.salt, o.detail FROM ledger_entries e
       JOIN ledger_logs l ON l.id = e.log JOIN ledger_openings o ON o.log = e.log AND o.seq = e.seq
     WHERE e.subject = ?2 AND l.owner_id = ?1 ORDER BY e.log, e.seq`,
  ),
);

/** The next deeds that wait, of all libraries or of one. */
export const pendingOf = prepared((db: Db) =>
  db.$client.prepare<PendingRow, [string | null, number]>(
    `SELECT id, owner_id AS ownerId, type, subject, part_of AS partOf, detail FROM ledger_pending
     WHERE ?1 IS NULL OR owner_id = ?1 ORDER BY id LIMIT ?2`,
  ),
);

export const deletePending = prepared((db: Db) =>
  db.$client.prepare<void, [string]>(
    "DELETE FROM ledger_pending WHERE id IN (SELECT value FROM json_each(?1))",
  ),
);

type NewPending = [ownerId: string, type: string, subject: string, partOf: string | null, detail: string];
export const insertPending = prepared((db: Db) =>
  db.$client.prepare<void, NewPending>(
    "INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
  ),
);
