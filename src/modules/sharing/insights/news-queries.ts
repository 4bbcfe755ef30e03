import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";

/** Who visits the console of which library. */
export type Visitor = Pick<SessionActor, "accountId" | "personId">;

/** When a person was at the console of a library. */
export type VisitRow = { since: number | null; lastAt: number };

export function findVisit(db: Db, { accountId, personId }: Visitor): VisitRow | undefined {
  const row = db.$client
    .query<VisitRow, [string, string]>(
      "SELECT since, last_at AS lastAt FROM account_visits WHERE account_id = ? AND person_id = ?",
    )
    .get(accountId, personId);
  return row ?? undefined;
}

export function writeVisit(tx: Db, { accountId, personId }: Visitor, { since, lastAt }: VisitRow): void {
  tx.$client
    .query<void, [string, string, number | null, number]>(
      `INSERT INTO account_visits (account_id, person_id, since, last_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, person_id) DO UPDATE SET since = excluded.since, last_at = excluded.last_at`,
    )
    .run(accountId, personId, since, lastAt);
}

const submissions = prepared((db) =>
  db.$client.prepare<{ count: number }, [string, number]>(
    `SELECT count(*) AS count FROM briefs b JOIN brief_submissions s ON s.brief_id = b.id AND s.created_at > ?2
     WHERE b.owner_id = ?1`,
  ),
);

/** Returns how much came in for an account's briefs after a time. */
export function countSubmissions(db: Db, accountId: LibraryId, after: number): number {
  return submissions(db).get(accountId, after)?.count ?? 0;
}
