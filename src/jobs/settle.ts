import { type Db, transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { RetryAfter, retryDelayMs } from "./backoff.ts";
import { LEASE_MS } from "./claim.ts";
import type { ClaimedJob } from "./job.ts";

/** Keeps enough of an error to understand it, without filling the database with stack traces. */
const ERROR_LIMIT = 2000;

/** The outcome of a job: `lost` when the run no longer held it and therefore changed nothing. */
export type Settled = "done" | "waiting" | "dead" | "lost";

type Held = { id: string; token: string };
const HELD = "id = $id AND lease_token = $token AND state = 'running'";
const FREE = "lease_token = NULL, lease_until = NULL, worker = NULL, subject = NULL";
/** A newer job with the same key already waits and will do this job's work too. */
const HAS_TWIN = `unique_key IS NOT NULL AND EXISTS (SELECT 1 FROM jobs AS twin
  WHERE twin.state = 'waiting' AND twin.name = jobs.name AND twin.unique_key = jobs.unique_key)`;

/** Records that a job is done by deleting its row. */
export function completeJob({ db }: Pick<Deps, "db">, job: ClaimedJob): Settled {
  return change(db, `DELETE FROM jobs WHERE ${HELD}`, heldBy(job)) ? "done" : "lost";
}

/**
 * Records that a try failed: the job waits for the next try, or is `dead` after its last.
 *
 * @param random A number from 0 up to but not including 1, which spreads the retries.
 */
export function failJob(
  { db, now }: Pick<Deps, "db" | "now">,
  job: ClaimedJob,
  error: unknown,
  random = Math.random(),
): Settled {
  const lastError = describe(error);
  if (job.attempts >= job.maxAttempts) {
    const sql = `UPDATE jobs SET state = 'dead', ${FREE}, last_error = $lastError WHERE ${HELD}`;
    return change(db, sql, { ...heldBy(job), lastError }) ? "dead" : "lost";
  }
  const delayMs = error instanceof RetryAfter ? error.delayMs : retryDelayMs(job.attempts, random);
  return transact(db, (tx) => {
    if (change(tx, `DELETE FROM jobs WHERE ${HELD} AND ${HAS_TWIN}`, heldBy(job))) return "waiting";
    const sql = `UPDATE jobs SET state = 'waiting', ${FREE}, run_at = $runAt, last_error = $lastError WHERE ${HELD}`;
    return change(tx, sql, { ...heldBy(job), runAt: now() + delayMs, lastError }) ? "waiting" : "lost";
  });
}

/**
 * Hands a job back when the program stops, or when the disk had no room for its results. The try does not count.
 *
 * @param notBefore When it may run again, epoch ms. Left out: when it was due.
 */
export function releaseJob({ db }: Pick<Deps, "db">, job: ClaimedJob, notBefore = 0): Settled {
  return transact(db, (tx) => {
    if (change(tx, `DELETE FROM jobs WHERE ${HELD} AND ${HAS_TWIN}`, heldBy(job))) return "waiting";
    const sql = `UPDATE jobs SET state = 'waiting', ${FREE}, attempts = attempts - 1, run_at = max(run_at, $notBefore)
      WHERE ${HELD}`;
    return change(tx, sql, { ...heldBy(job), notBefore }) ? "waiting" : "lost";
  });
}

/** A job whose run crashes the whole program is tried at most this often. */
const LOST_ATTEMPTS = 10;
const LOST_REASON = "The program stopped repeatedly while this job ran";

/**
 * Sets running jobs whose lease ended before `at` to waiting, or to dead after ten tries (or the job's own maximum,
 * if higher). Returns how many jobs it changed.
 */
export function recoverLost({ db }: Pick<Deps, "db">, at: number): number {
  return recover(db, "state = 'running' AND lease_until < $at", { at });
}

/**
 * Applies {@link recoverLost} to every running job of this program, whatever its lease. Workers elsewhere get the time of
 * a lease to come back. Only for the start of the only program that runs jobs.
 */
export function releaseAll({ db, now }: Pick<Deps, "db" | "now">): number {
  const prolong = `UPDATE jobs SET lease_until = max(lease_until, $until)
    WHERE state = 'running' AND worker IS NOT NULL`;
  change(db, prolong, { until: now() + LEASE_MS });
  return recover(db, "state = 'running' AND worker IS NULL", {});
}

function recover(db: Db, isLost: string, values: Record<string, number>): number {
  // Read first, to avoid taking the write lock for nothing.
  if (!db.$client.query(`SELECT 1 FROM jobs WHERE ${isLost} LIMIT 1`).get(values)) return 0;
  return transact(db, (tx) => {
    const spent = `attempts >= max(max_attempts, ${LOST_ATTEMPTS})`;
    const kill = `UPDATE jobs SET state = 'dead', ${FREE}, last_error = $reason WHERE ${isLost} AND ${spent}`;
    const killed = change(tx, kill, { ...values, reason: LOST_REASON });
    const dropped = change(tx, `DELETE FROM jobs WHERE ${isLost} AND ${HAS_TWIN}`, values);
    return (
      killed + dropped + change(tx, `UPDATE jobs SET state = 'waiting', ${FREE} WHERE ${isLost}`, values)
    );
  });
}

const heldBy = (job: ClaimedJob): Held => ({ id: job.id, token: job.leaseToken });

function change(db: Db, sql: string, values: Record<string, string | number>): number {
  return db.$client.query(sql).run(values).changes;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, ERROR_LIMIT);
}
