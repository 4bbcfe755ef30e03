import type { Deps } from "../kernel/deps.ts";
import { newToken } from "../kernel/ids.ts";
import { MINUTE_MS } from "../kernel/time.ts";
import type { ClaimedJob } from "./job.ts";

/** How long a run holds its job without renewing the lease. Far longer than the event loop is ever busy. */
export const LEASE_MS = MINUTE_MS;

// `NOT EXISTS` reads only the few running rows (index jobs_leased is partial).
const NEXT_OF_NAME = `
  FROM jobs AS next
  WHERE next.state = 'waiting' AND next.name = $name
    AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.state = 'running'
                    AND other.name = next.name AND other.unique_key = next.unique_key)`;
const NEXT_DUE_AT = `SELECT next.run_at AS runAt ${NEXT_OF_NAME} ORDER BY next.run_at, next.id LIMIT 1`;
const CLAIM = `
  UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_token = $leaseToken, lease_until = $leaseUntil,
                  worker = $worker
  WHERE id = (SELECT next.id ${NEXT_OF_NAME} AND next.run_at <= $at ORDER BY next.run_at, next.id LIMIT 1)
  RETURNING id, name, payload, unique_key AS uniqueKey, attempts, max_attempts AS maxAttempts,
            lease_token AS leaseToken`;

/**
 * Returns when the next job of a name may run, in epoch milliseconds; undefined when no job waits. Writes nothing.
 */
export function nextDueAt({ db }: Pick<Deps, "db">, name: string): number | undefined {
  return db.$client.query<{ runAt: number }, { name: string }>(NEXT_DUE_AT).get({ name })?.runAt;
}

/**
 * Claims the job of a name that has been due longest, or returns undefined when no job is due. Counts as a try.
 *
 * @param worker The worker elsewhere that will do it; null: this program.
 */
export function claimJob(
  { db, now }: Pick<Deps, "db" | "now">,
  name: string,
  { leaseToken = newToken(16), worker = null }: { leaseToken?: string; worker?: string | null } = {},
): ClaimedJob | undefined {
  const at = now();
  const row = db.$client
    .query<ClaimedJob & { payload: string }, Record<string, string | number | null>>(CLAIM)
    .get({ name, at, leaseToken, leaseUntil: at + LEASE_MS, worker });
  return row ? { ...row, payload: JSON.parse(row.payload) } : undefined;
}

/** Renews a lease. Returns false when the job was lost: another run took it, or it was deleted. */
export function renewLease({ db, now }: Pick<Deps, "db" | "now">, job: ClaimedJob): boolean {
  return (
    db.$client
      .query(
        "UPDATE jobs SET lease_until = $until WHERE id = $id AND lease_token = $token AND state = 'running'",
      )
      .run({ until: now() + LEASE_MS, id: job.id, token: job.leaseToken }).changes === 1
  );
}
