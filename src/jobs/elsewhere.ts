import type { Db } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { newToken } from "../kernel/ids.ts";
import { sha256 } from "../kernel/secrets.ts";
import { claimJob } from "./claim.ts";
import type { ClaimedJob } from "./job.ts";

type QueueDeps = Pick<Deps, "db" | "now">;

/** A job that a worker on another machine does, and what the worker was given. */
export type JobElsewhere = ClaimedJob & { subject: unknown };

/** How a worker proves that it holds a job. */
export type Proof = { id: string; token: string; worker: string };

/** The queue stores only a hash of the token: neither the database nor a backup of it opens anything. */
const hashOf = (token: string) => sha256(token).toString("base64url");

/** Claims a job as `claimJob` does, for a worker. The holder of the token and of the worker's key may do the job. */
export function claimForWorker(
  deps: QueueDeps,
  name: string,
  worker: string,
): { job: ClaimedJob; token: string } | undefined {
  const token = newToken(32);
  const job = claimJob(deps, name, { leaseToken: hashOf(token), worker });
  return job && { job, token };
}

/** Notes what a worker was given. Until then nothing is known of the job by {@link findElsewhere}. */
export function noteSubject(db: Db, job: ClaimedJob, subject: object): void {
  db.$client
    .query("UPDATE jobs SET subject = $subject WHERE id = $id AND lease_token = $token")
    .run({ subject: JSON.stringify(subject), id: job.id, token: job.leaseToken });
}

type Row = ClaimedJob & { payload: string; subject: string };

/** Returns the job that a worker holds; undefined when it is done, was given to another, or its lease has run out. */
export function findElsewhere(
  { db, now }: QueueDeps,
  { id, token, worker }: Proof,
): JobElsewhere | undefined {
  const row = db.$client
    .query<Row, Record<string, string | number>>(
      `SELECT id, name, payload, unique_key AS uniqueKey, attempts, max_attempts AS maxAttempts,
              lease_token AS leaseToken, subject
       FROM jobs WHERE id = $id AND lease_token = $token AND worker = $worker AND state = 'running'
         AND lease_until >= $at AND subject IS NOT NULL`,
    )
    .get({ id, token: hashOf(token), worker, at: now() });
  return row ? { ...row, payload: JSON.parse(row.payload), subject: JSON.parse(row.subject) } : undefined;
}
