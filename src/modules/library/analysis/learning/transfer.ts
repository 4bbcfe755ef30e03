import type { Db } from "../../../../../db/client.ts";

/** Has the whole library of an account looked at again, now that it holds another one's tracks. */
export function transferLearning(tx: Db, from: string, to: string): void {
  tx.$client.query("DELETE FROM tag_learners WHERE owner_id = ?").run(from);
  tx.$client.query("UPDATE tag_learners SET refreshed_version = NULL WHERE owner_id = ?").run(to);
}
