import { and, desc, eq, gte, lt, lte, or } from "drizzle-orm";
import { type Db, prepared, transactUnsynced } from "../../../../db/client.ts";
import { apiKeys, type LibraryId, usageRecords } from "../../../../db/schema.ts";
import { unnoticed } from "../../../../db/unchanged.ts";
import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { decodeCursor, encodeCursor } from "../../../kernel/paging.ts";
import { DAY_MS, parseBound, SECOND_MS, toIso } from "../../../kernel/time.ts";
import { isAccount } from "../accounts/service.ts";
import { touchSession } from "../people/service.ts";
import { touchMember } from "../team/service.ts";
import { USAGE_KEPT_DAYS, type UsagePage } from "./shapes.ts";

/** How often records are written: a crash loses at most one second of them. */
const FLUSH_MS = SECOND_MS;
/** While nothing can be written. */
const MAX_KEPT = 10_000;

/** A request, as recorded. */
export type UsedKey = {
  keyId: string;
  accountId: LibraryId | null;
  route: string;
  method: string;
  status: number;
  durationMs: number;
  ip: string;
};

/** A session that was used, and the member whose library the request was in. */
export type UsedSession = { sessionId: string; memberId?: string };

/** Collects usage records and last-used times and writes them in batches. */
export type UsageRecorder = {
  recordKey: (used: UsedKey) => void;
  recordSession: (used: UsedSession) => void;
  /** Writes the collected records now. Never throws. */
  flush: () => void;
};

/**
 * Creates a recorder that writes at most once per second, and only when it has something to write. Records that cannot
 * be written, because the disk is full, are kept and written later. Beyond {@link MAX_KEPT} the oldest are dropped.
 */
export function createUsageRecorder({ db, now, log }: Pick<Deps, "db" | "now" | "log">): UsageRecorder {
  let used: UsedRow[] = [];
  let sessionTimes = new Map<string, number>();
  let memberTimes = new Map<string, number>();
  let timer: Timer | undefined;
  let isFailing = false;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used.length === 0 && sessionTimes.size === 0) return;
    try {
      unnoticed(db, () => transactUnsynced(db, (tx) => writeBatch(tx, used, sessionTimes, memberTimes)));
      used = [];
      sessionTimes = new Map();
      memberTimes = new Map();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log("error", "Usage records cannot be written now; they are kept", { error });
      conditionOf(db).report(error);
      isFailing = true;
      dropOldest();
      if (conditionOf(db).damage === undefined) flushLater();
    }
  };
  const dropOldest = () => {
    const dropped = used.splice(0, Math.max(0, used.length - MAX_KEPT)).length;
    if (dropped > 0) log("warn", "The oldest usage records were dropped", { dropped });
    for (const times of [sessionTimes, memberTimes])
      for (const id of times.keys()) {
        if (times.size <= MAX_KEPT) break;
        times.delete(id);
      }
  };
  const flushLater = () => {
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  return {
    recordKey: (request) => {
      used.push({ ...request, id: newId("use"), at: now() });
      flushLater();
    },
    recordSession: ({ sessionId, memberId }) => {
      sessionTimes.set(sessionId, now());
      if (memberId !== undefined) memberTimes.set(memberId, now());
      flushLater();
    },
    flush,
  };
}

type UsedRow = UsedKey & { id: string; at: number };

// Runs for every request: prepared once, and its values are bound by their places, which costs half as much as by names.
const insertRecord = prepared((db) =>
  db.$client.prepare<void, [string, string, string | null, string, string, number, number, string, number]>(
    `INSERT INTO usage_records (id, key_id, account_id, route, method, status, duration_ms, ip, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
);

function writeBatch(
  tx: Db,
  used: readonly UsedRow[],
  sessionTimes: ReadonlyMap<string, number>,
  memberTimes: ReadonlyMap<string, number>,
): void {
  const lastUse = new Map<string, number>();
  const insert = insertRecord(tx);
  const isThere = new Map<string | null, boolean>([[null, true]]);
  for (const { id, keyId, accountId, route, method, status, durationMs, ip, at } of used) {
    // An account may have been deleted meanwhile.
    if (!isThere.has(accountId)) isThere.set(accountId, isAccount({ db: tx }, accountId ?? ""));
    if (isThere.get(accountId)) insert.run(id, keyId, accountId, route, method, status, durationMs, ip, at);
    lastUse.set(keyId, at);
  }
  for (const [id, at] of lastUse) tx.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id)).run();
  for (const [id, at] of sessionTimes) touchSession(tx, id, at);
  for (const [id, at] of memberTimes) touchMember(tx, id, at);
}

/** Deletes records older than {@link USAGE_KEPT_DAYS} (decision 4.38). */
export function pruneUsage({ db, now }: Pick<Deps, "db" | "now">): void {
  db.delete(usageRecords)
    .where(lt(usageRecords.at, now() - USAGE_KEPT_DAYS * DAY_MS))
    .run();
}

/** Deletes at most `limit` records of an account. Returns how many there were. */
export function deleteUsageOf(tx: Db, accountId: LibraryId, limit: number): number {
  return tx.$client
    .query<void, [string, number]>(
      "DELETE FROM usage_records WHERE id IN (SELECT id FROM usage_records WHERE account_id = ? LIMIT ?)",
    )
    .run(accountId, limit).changes;
}

/**
 * Returns requests made with the account's keys, newest first. Served by index `usage_records_by_account`.
 *
 * @throws DomainError `validation_failed` for a bad cursor or date.
 */
export function listUsage(
  { db }: Pick<Deps, "db">,
  accountId: LibraryId,
  { limit, cursor, from, to }: { limit: number; cursor?: string; from?: string; to?: string },
): UsagePage {
  const list = `usage ${from ?? ""} ${to ?? ""}`;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list);
  const rows = db
    .select()
    .from(usageRecords)
    .where(
      and(
        eq(usageRecords.accountId, accountId),
        from === undefined ? undefined : gte(usageRecords.at, bound("from", from, "first")),
        to === undefined ? undefined : lte(usageRecords.at, bound("to", to, "last")),
        after &&
          or(
            lt(usageRecords.at, Number(after.key)),
            and(eq(usageRecords.at, Number(after.key)), lt(usageRecords.id, after.id)),
          ),
      ),
    )
    .orderBy(desc(usageRecords.at), desc(usageRecords.id))
    .limit(limit + 1)
    .all();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ durationMs, at, accountId: _, ...row }) => ({
      ...row,
      duration: durationMs,
      timestamp: toIso(at),
    })),
    nextCursor: rows.length > limit && last ? encodeCursor(last.at, last.id, list) : null,
  };
}

function bound(path: string, text: string, side: "first" | "last"): number {
  const at = parseBound(text, side);
  if (at === undefined) throw invalidField(path, "date", "must be YYYY-MM-DD or an ISO 8601 timestamp");
  return at;
}
