import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { tagDecisions, tagFeedback, tagModels, tagRevisions, trackTags } from "../../../../db/schema.ts";
import { requestLearning } from "./verdicts.ts";

/**
 * Gives the tags of an account, and what its owner said of them, to another one. The models of both are trained again, on
 * everything that was said.
 */
export function transferTags(tx: Db, from: string, to: string, at: number): void {
  for (const table of [trackTags, tagFeedback, tagDecisions])
    tx.update(table).set({ ownerId: to }).where(eq(table.ownerId, from)).run();
  tx.$client
    .query(
      `INSERT INTO tag_models (owner_id, category, tag_id, name)
       SELECT ?2, category, tag_id, name FROM tag_models WHERE owner_id = ?1
       ON CONFLICT (owner_id, category, tag_id) DO NOTHING`,
    )
    .run(from, to);
  tx.$client
    .query(
      `INSERT INTO tag_revisions (owner_id, category, revision)
       SELECT ?2, category, revision FROM tag_revisions WHERE owner_id = ?1
       ON CONFLICT (owner_id, category) DO UPDATE SET revision = tag_revisions.revision + 1`,
    )
    .run(from, to);
  tx.delete(tagModels).where(eq(tagModels.ownerId, from)).run();
  tx.delete(tagRevisions).where(eq(tagRevisions.ownerId, from)).run();
  requestLearning(tx, to, at);
}
