import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { noteDeed } from "./append.ts";

/**
 * Erases what records say about something of a library, and notes that. The tree stays as it is, and proofs that are out there go on
 * being valid.
 *
 * @returns How many records say nothing any more.
 */
export function eraseAbout(tx: Db, ownerId: LibraryId, subject: string): number {
  const { changes } = tx.$client
    .query<void, [string, string]>(
      `DELETE FROM ledger_openings WHERE (subject = ?2 OR part_of = ?2)
       AND log IN (SELECT id FROM ledger_logs WHERE owner_id = ?1)`,
    )
    .run(ownerId, subject);
  // What waits for its place gets one, and says nothing.
  const waiting = tx.$client
    .query<void, [string, string]>(
      "UPDATE ledger_pending SET detail = '{}' WHERE owner_id = ?1 AND type <> 'gone' AND (subject = ?2 OR part_of = ?2)",
    )
    .run(ownerId, subject);
  if (changes + waiting.changes > 0) noteDeed(tx, ownerId, { type: "entity.erased", subject, detail: {} });
  return changes + waiting.changes;
}

/** How many things are erased in one transaction. */
const AT_ONCE = 200;

type Due = { subject: string; ownerId: LibraryId };

/**
 * Erases what records say about tracks and versions that were deleted, once no undo can bring them back. What is there again
 * keeps its records.
 */
export function eraseDue({ db, now }: Pick<Deps, "db" | "now">): void {
  const due = db.$client.query<Due, [number, number]>(
    "SELECT subject, owner_id AS ownerId FROM ledger_erasures WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2",
  );
  for (let rows = due.all(now(), AT_ONCE); rows.length > 0; rows = due.all(now(), AT_ONCE))
    transact(db, (tx) => {
      for (const { subject, ownerId } of rows) {
        if (!isThere(tx, subject)) eraseAbout(tx, ownerId, subject);
        tx.$client.query<void, [string]>("DELETE FROM ledger_erasures WHERE subject = ?1").run(subject);
      }
    });
}

function isThere(tx: Db, id: string): boolean {
  const found = tx.$client
    .query<{ n: number }, [string]>(
      "SELECT EXISTS (SELECT 1 FROM tracks WHERE id = ?1) + EXISTS (SELECT 1 FROM versions WHERE id = ?1) AS n",
    )
    .get(id);
  return (found?.n ?? 0) > 0;
}
