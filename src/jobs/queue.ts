import type { Db } from "../../db/client.ts";
import { createOwnWrites } from "../../db/writes.ts";
import { newId } from "../kernel/ids.ts";
import type { NewJob } from "./job.ts";

const DEFAULT_MAX_ATTEMPTS = 5;

/**
 * A waiting job with the same key is reused: it gets the newer payload, the earlier time and a fresh number of
 * tries.
 */
const ENQUEUE = `
  INSERT INTO jobs (id, name, payload, unique_key, state, run_at, max_attempts, created_at)
  VALUES ($id, $name, $payload, $uniqueKey, 'waiting', $runAt, $maxAttempts, $at)
  ON CONFLICT (name, unique_key) WHERE state = 'waiting' AND unique_key IS NOT NULL
  DO UPDATE SET payload = excluded.payload, run_at = min(run_at, excluded.run_at), attempts = 0,
                max_attempts = excluded.max_attempts
  RETURNING id`;

// Wakes a loop on the same connection.
const promised = createOwnWrites();

/**
 * Adds a job to the queue. Call it inside the transaction that makes the job necessary.
 *
 * @returns The job's id. When a job with the same `uniqueKey` already waits, the id of that job.
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
  promised.report(tx);
  return row.id;
}

/** Calls `listener` at every {@link enqueue} on this connection, see `OwnWrites`. */
export const onEnqueue = promised.listen;

/** Deletes waiting jobs by their unique keys, because what they are about is being deleted. */
export function forgetJobs(tx: Db, uniqueKeys: readonly string[]): void {
  tx.$client
    .query<void, [string]>(
      "DELETE FROM jobs WHERE state = 'waiting' AND unique_key IN (SELECT value FROM json_each(?))",
    )
    .run(JSON.stringify(uniqueKeys));
}
