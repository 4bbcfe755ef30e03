import { type Db, prepared } from "../../../../db/client.ts";
import { type Canonical, canonical } from "./canonical.ts";
import { isNamedByKey } from "./logs.ts";
import * as queries from "./queries.ts";
import { isSigned } from "./signing.ts";
import { stampedAt } from "./stamp.ts";
import { appendLeaf, hashOf, leafHash, type Node, type ReadNode, rootOf } from "./tree.ts";

/** What is wrong with a ledger, and where. */
export type LedgerFault = { kind: "damaged" | "missing"; id: string; detail: string };
type Report = (fault: LedgerFault) => void;

/**
 * Computes the ledgers of all libraries, or of one, anew from their records, and reports what differs: records, hashes, heads and
 * details; and versions that have no record. Of the hashes, only the first that differs in a log is reported.
 *
 * @returns How many records there are.
 */
export function checkLedgers(db: Db, report: Report, ownerId?: string): number {
  let count = 0;
  for (const log of queries.logsOf(db).all(ownerId ?? null)) {
    const said = (kind: LedgerFault["kind"], place: string, detail: string) =>
      report({ kind, id: `${log.logId} ${place}`, detail });
    if (!isNamedByKey(log)) said("damaged", "key", "The ledger is not called by its key");
    count += checkLog(db, log, said);
    checkOpenings(db, log, said);
  }
  for (const { id } of unrecorded(db).all(ownerId ?? null))
    report({ kind: "missing", id, detail: "The ledger has no record of the version" });
  return count;
}

/** Versions that have no record and do not wait for one. */
const unrecorded = prepared((db: Db) =>
  db.$client.prepare<{ id: string }, [string | null]>(
    `SELECT v.id FROM versions v JOIN tracks t ON t.id = v.track_id
     WHERE (?1 IS NULL OR t.owner_id = ?1) AND NOT EXISTS (
         SELECT 1 FROM ledger_entries e WHERE e.subject = v.id AND e.body ->> '$.type' = 'version.added')
       AND v.id NOT IN (SELECT subject FROM ledger_pending WHERE type = 'version.added')`,
  ),
);

type Said = (kind: LedgerFault["kind"], place: string, detail: string) => void;

function checkLog(db: Db, log: queries.LogRow, said: Said): number {
  const heads = headsOf(db, log.id);
  const isSame = hashChecker(queries.nodesOf(db, log.id), said);
  let [size, edge]: [number, Uint8Array[]] = [0, []];
  const checkHeadHere = () => {
    checkHead(log, heads.get(size), rootOf(edge), said);
    heads.delete(size);
  };
  checkHeadHere();
  for (const { seq, body } of entriesOf(db, log.id)) {
    if (seq !== size) said("missing", `record ${size}`, "A record of the ledger is missing");
    if (!isRecord(body, seq))
      said("damaged", `record ${seq}`, "A record of the ledger is not what was written");
    const added = appendLeaf(size, edge, leafHash(body));
    isSame(added.nodes);
    edge = added.edge;
    size++;
    checkHeadHere();
  }
  for (const missing of heads.keys())
    said("missing", `head ${missing}`, "The ledger lacks records of a signed head");
  if (size !== log.size)
    said("missing", `record ${size}`, "The ledger has another number of records than it says");
  else if (!isEqual(() => log.edge, Buffer.concat(edge)))
    said("damaged", "edge", "The edge of the ledger's tree is not that of its records");
  return size;
}

/** Returns a function that compares stored hashes with those of the records, until one differs. */
function hashChecker(read: ReadNode, said: Said): (nodes: readonly Node[]) => void {
  let isSame = true;
  return (nodes) => {
    for (const { level, place, hash } of nodes) {
      if (!isSame || isEqual(() => read(level, place), hash)) continue;
      said("damaged", `hash ${place} of level ${level}`, "A hash of the ledger is not that of its records");
      isSame = false;
    }
  };
}

function checkHead(log: queries.LogRow, row: queries.HeadRow | undefined, root: Buffer, said: Said): void {
  if (!row) return;
  const head = parsed(row.head);
  if (!isSigned(log.publicKey, row.head, row.signature))
    said("damaged", `head ${row.size}`, "The signature of a head does not fit");
  else if (head?.root !== root.toString("hex") || head.size !== row.size || head.log !== log.logId)
    said("damaged", `head ${row.size}`, "A signed head is not that of the records");
  else if (row.stamp && !isEqualTime(row.head, row.stamp, row.stampedAt))
    said("damaged", `head ${row.size}`, "The time stamp of a head is not of that head");
}

function isEqualTime(head: string, stamp: Uint8Array, at: number | null): boolean {
  try {
    return stampedAt(head, stamp) === at;
  } catch {
    return false;
  }
}

function isRecord(body: string, seq: number): boolean {
  const record = parsed(body);
  return record?.seq === seq && canonical(record as Canonical) === body;
}

function checkOpenings(db: Db, log: queries.LogRow, said: Said): void {
  const openings = db.$client.query<queries.EntryRow & queries.OpeningRow, [number]>(
    `SELECT e.log, e.seq, e.body, o.salt, o.detail FROM ledger_openings o
       JOIN ledger_entries e ON e.log = o.log AND e.seq = o.seq WHERE o.log = ?1`,
  );
  for (const { seq, body, salt, detail } of openings.iterate(log.id))
    if (parsed(body)?.commitment !== hashOf(salt, detail).toString("hex"))
      said("damaged", `details ${seq}`, "The details of a record are not those that it committed to");
}

const entriesOf = (db: Db, log: number) =>
  db.$client
    .query<queries.EntryRow, [number]>(
      "SELECT log, seq, body FROM ledger_entries WHERE log = ?1 ORDER BY seq",
    )
    .iterate(log);

function headsOf(db: Db, log: number): Map<number, queries.HeadRow> {
  const rows = db.$client.query<queries.HeadRow, [number]>(`${queries.HEAD} WHERE log = ?1`).all(log);
  return new Map(rows.map((row) => [row.size, row]));
}

type Parsed = {
  seq?: Canonical;
  size?: Canonical;
  log?: Canonical;
  root?: Canonical;
  commitment?: Canonical;
};

function parsed(text: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEqual(read: () => Uint8Array, hash: Uint8Array): boolean {
  try {
    return Buffer.compare(read(), hash) === 0;
  } catch {
    return false;
  }
}
