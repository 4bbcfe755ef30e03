import { type Db, transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { RetryAfter, retryDelayMs } from "./backoff.ts";
import type { ClaimedJob } from "./job.ts";

/** Enough of an error to understand it, without filling the database with stack traces. */
const ERROR_LIMIT = 2000;

/** What became of a job: `lost` when the run no longer held it, and so changed nothing. */
export type Settled = "done" | "waiting" | "dead" | "lost";

type Held = { id: string; token: string };
const HELD = "id = $id AND lease_token = $token AND state = 'running'";
const FREE = "lease_token = NULL, lease_until = NULL";
/** A newer job with the same key waits already: it does this one's work too. */
const HAS_TWIN = `unique_key IS NOT NULL AND EXISTS (SELECT 1 FROM jobs AS twin
  WHERE twin.state = 'waiting' AND twin.name = jobs.name AND twin.unique_key = jobs.unique_key)`;

/** Notes that a job's work is done: its row is gone. */
export function completeJob({ db }: Pick<Deps, "db">, job: ClaimedJob): Settled {
  return change(db, `DELETE FROM jobs WHERE ${HELD}`, heldBy(job)) ? "done" : "lost";
}

/**
 * Notes that a try failed: the job waits for the next one, or is `dead` after its last.
 *
 * @param random A number from 0 to below 1, spreading the retries.
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

/** Hands a job back as if it had not been taken: the program stops, and the try does not count. */
export function releaseJob({ db }: Pick<Deps, "db">, job: ClaimedJob): Settled {
  return transact(db, (tx) => {
    if (change(tx, `DELETE FROM jobs WHERE ${HELD} AND ${HAS_TWIN}`, heldBy(job))) return "waiting";
    const sql = `UPDATE jobs SET state = 'waiting', ${FREE}, attempts = attempts - 1 WHERE ${HELD}`;
    return change(tx, sql, heldBy(job)) ? "waiting" : "lost";
  });
}

/** A run that takes the whole program down with it is tried this often, not for ever. */
const LOST_ATTEMPTS = 10;
const LOST_REASON = "The program stopped while this job ran, again and again";

/**
 * Sets running jobs whose lease ended before `at` to waiting, or to dead after ten tries (or the job's own number
 * of tries, when that is more). Returns how many there were.
 */
export function recoverLost({ db }: Pick<Deps, "db">, at: number): number {
  const isLost = "state = 'running' AND lease_until < $at";
  // Looked at first: the write lock is not taken for nothing.
  if (!db.$client.query(`SELECT 1 FROM jobs WHERE ${isLost} LIMIT 1`).get({ at })) return 0;
  return transact(db, (tx) => {
    const spent = `attempts >= max(max_attempts, ${LOST_ATTEMPTS})`;
    const kill = `UPDATE jobs SET state = 'dead', ${FREE}, last_error = $reason WHERE ${isLost} AND ${spent}`;
    const killed = change(tx, kill, { at, reason: LOST_REASON });
    const dropped = change(tx, `DELETE FROM jobs WHERE ${isLost} AND ${HAS_TWIN}`, { at });
    return (
      killed + dropped + change(tx, `UPDATE jobs SET state = 'waiting', ${FREE} WHERE ${isLost}`, { at })
    );
  });
}

/** {@link recoverLost} for every running job, whatever its lease: for the start of the only program that runs any. */
export function releaseAll(deps: Pick<Deps, "db">): number {
  return recoverLost(deps, Number.MAX_SAFE_INTEGER);
}

const heldBy = (job: ClaimedJob): Held => ({ id: job.id, token: job.leaseToken });

function change(db: Db, sql: string, values: Record<string, string | number>): number {
  return db.$client.query(sql).run(values).changes;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, ERROR_LIMIT);
}
