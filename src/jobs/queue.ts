import type { Db } from "../../db/client.ts";
import { newId } from "../kernel/ids.ts";
import type { NewJob } from "./job.ts";

const DEFAULT_MAX_ATTEMPTS = 5;

/** A waiting job that shares the key is the same promise: it gets the newer payload, the earlier time, fresh tries. */
const ENQUEUE = `
  INSERT INTO jobs (id, name, payload, unique_key, state, run_at, max_attempts, created_at)
  VALUES ($id, $name, $payload, $uniqueKey, 'waiting', $runAt, $maxAttempts, $at)
  ON CONFLICT (name, unique_key) WHERE state = 'waiting' AND unique_key IS NOT NULL
  DO UPDATE SET payload = excluded.payload, run_at = min(run_at, excluded.run_at), attempts = 0,
                max_attempts = excluded.max_attempts
  RETURNING id`;

// A loop that sleeps on the same connection: PRAGMA data_version tells it only of other connections' writes.
const listeners = new WeakMap<Db, () => void>();

/**
 * Promises a job. Call it inside the transaction that makes the job necessary.
 *
 * @returns The job's id; that of the job already waiting when `uniqueKey` has one.
 */
export function enqueue(tx: Db, job: NewJob, at: number): string {
  const row = tx.$client.query<{ id: string }, Record<string, string | number | null>>(ENQUEUE).get({
    id: newId("job"),
    name: job.name,
    payload: JSON.stringify(job.payload),
    uniqueKey: job.uniqueKey ?? null,
    runAt: job.runAt ?? at,
    maxAttempts: job.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    at,
  });
  if (!row) throw new Error(`Job ${job.name} was not stored`);
  listeners.get(tx)?.();
  return row.id;
}

/**
 * Calls `listener` at every {@link enqueue} through this connection, one listener a connection. The transaction is
 * still open then: the listener may only take note. Returns what ends it.
 */
export function onEnqueue(db: Db, listener: () => void): () => void {
  listeners.set(db, listener);
  return () => {
    if (listeners.get(db) === listener) listeners.delete(db);
  };
}
