import { type Db, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso } from "../../../kernel/time.ts";
import { type Canonical, canonical } from "./canonical.ts";
import * as queries from "./queries.ts";
import { logIdOf, makeKey, resealSeed, signHead } from "./signing.ts";
import { rootAt } from "./tree.ts";

type LogDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Returns the log that a library's records go to. A new one begins where there is none, or the last one has ended. */
export function logFor(deps: LogDeps, ownerId: string): queries.LogRow {
  return queries.openLog(deps.db).get(ownerId) ?? beginLog(deps, ownerId);
}

/**
 * Begins a log. Its first head contains the last one of the log before, so that whoever holds a head of that one sees where it
 * goes on, and which records it lacks.
 */
function beginLog(deps: LogDeps, ownerId: string): queries.LogRow {
  const { db: tx, secrets } = deps;
  const former = queries.endedLog(tx).get(ownerId);
  const last = former && headOf(deps, former);
  const { logId, publicKey, seed } = makeKey(secrets);
  const { id } = queries.insertLog(tx).get(ownerId, logId, publicKey, seed, deps.now()) ?? { id: 0 };
  const log = queries.logById(tx).get(id);
  if (!log) throw new Error("A log that was begun is missing");
  const successorOf = former
    ? {
        because: former.endedBecause ?? "restored",
        publicKey: Buffer.from(former.publicKey).toString("hex"),
        ...(last && { head: JSON.parse(last.head), signature: Buffer.from(last.signature).toString("hex") }),
      }
    : undefined;
  addHead(deps, log, successorOf);
  if (former) recordAgain(tx, former, last?.size ?? 0);
  return log;
}

/** Notes once more what stands behind the last head of a log that signs nothing more, as far as it is there. */
function recordAgain(tx: Db, former: queries.LogRow, from: number): void {
  tx.$client
    .query<void, [number, number, string]>(
      `INSERT INTO ledger_pending (owner_id, type, subject, part_of, detail)
       SELECT ?3, e.body ->> '$.type', o.subject, o.part_of, o.detail
       FROM ledger_openings o JOIN ledger_entries e ON e.log = o.log AND e.seq = o.seq
       WHERE o.log = ?1 AND o.seq >= ?2 ORDER BY o.seq`,
    )
    .run(former.id, from, former.ownerId);
}

/**
 * Returns the newest signed head of a log. One of all its records is signed if there is none and its key is there; otherwise the last
 * one that was. Undefined when it never signed any.
 */
export function headOf(deps: LogDeps, log: queries.LogRow): queries.HeadRow | undefined {
  const last = queries.lastHead(deps.db).get(log.id) ?? undefined;
  if (last?.size === log.size || log.seed === null) return last;
  try {
    return transact(deps.db, (tx) => addHead({ ...deps, db: tx }, log));
  } catch (error) {
    if (isOpenable(deps, { logId: log.logId, seed: log.seed })) throw error;
    return last; // the master secret that it was sealed with is lost
  }
}

function addHead(deps: LogDeps, log: queries.LogRow, successorOf?: Canonical): queries.HeadRow {
  const at = deps.now();
  const root = rootAt(queries.nodesOf(deps.db, log.id), log.size).toString("hex");
  const head = {
    v: 1,
    log: log.logId,
    size: log.size,
    root,
    at: toIso(at),
    ...(successorOf && { successorOf }),
  };
  const signature = signHead(deps.secrets, { logId: log.logId, seed: log.seed ?? Buffer.alloc(0) }, head);
  queries.insertHead(deps.db).run(log.id, log.size, at, canonical(head), signature);
  return { size: log.size, head: canonical(head), signature, stamp: null, stampedAt: null };
}

/** True when a log's key can be opened with the master secret. */
function isOpenable({ secrets }: Pick<Deps, "secrets">, log: { logId: string; seed: Uint8Array }): boolean {
  try {
    resealSeed(secrets, secrets, log);
    return true;
  } catch {
    return false;
  }
}

/** Ends the logs of all libraries, or of one: their next records begin new ones. Numbers of records are never used twice. */
export function endLogs(tx: Db, at: number, because: queries.EndReason, ownerId?: string): void {
  tx.$client
    .query<void, [number, string, string | null]>(
      `UPDATE ledger_logs SET ended_at = ?1, ended_because = ?2
       WHERE ended_at IS NULL AND size > 0 AND (?3 IS NULL OR owner_id = ?3)`,
    )
    .run(at, because, ownerId ?? null);
}

/** Gives the logs of a library to another one, in which they are history. */
export function transferLogs(tx: Db, from: string, to: string, at: number): void {
  endLogs(tx, at, "moved", from);
  tx.$client
    .query<void, [string]>("DELETE FROM ledger_logs WHERE owner_id = ?1 AND ended_at IS NULL")
    .run(from);
  const give = (sql: string) => tx.$client.query<void, [string, string]>(sql).run(from, to);
  give("UPDATE ledger_logs SET owner_id = ?2 WHERE owner_id = ?1");
  give("UPDATE ledger_pending SET owner_id = ?2 WHERE owner_id = ?1");
  give("UPDATE ledger_erasures SET owner_id = ?2 WHERE owner_id = ?1");
}

/** Seals the keys of all logs for a new master secret. Returns how many there were; those that were lost stay so. */
export function resealLogs(tx: Db, from: Deps["secrets"], to: Deps["secrets"]): number {
  const update = tx.$client.query<void, [number, Uint8Array]>(
    "UPDATE ledger_logs SET seed = ?2 WHERE id = ?1",
  );
  let count = 0;
  for (const { id, logId, seed } of queries.logsOf(tx).all(null)) {
    if (!seed || !isOpenable({ secrets: from }, { logId, seed })) continue;
    update.run(id, resealSeed(from, to, { logId, seed }));
    count++;
  }
  return count;
}

/** True when a log is called as its public key says. */
export const isNamedByKey = ({ logId, publicKey }: queries.LogRow) => logId === logIdOf(publicKey);
