import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { RULES_VERSION } from "./versions.ts";

/** The progress of an account's learning. */
export type Learner = { modelVersion: string; refreshedVersion: string | null; learntSeq: number };

/** Returns the progress of an account's learning; an account without verdicts has only the rules. */
export function getLearner(db: Db, ownerId: LibraryId): Learner {
  const row = db.$client
    .query<Learner, [string]>(
      `SELECT model_version AS modelVersion, refreshed_version AS refreshedVersion, learnt_seq AS learntSeq
       FROM tag_learners WHERE owner_id = ?`,
    )
    .get(ownerId);
  return row ?? { modelVersion: RULES_VERSION, refreshedVersion: null, learntSeq: 0 };
}

/** Stores the progress of an account's learning, unless the account was deleted meanwhile. */
export function putLearner(tx: Db, ownerId: LibraryId, learner: Learner): void {
  tx.$client
    .query(
      `INSERT INTO tag_learners (owner_id, model_version, refreshed_version, learnt_seq)
       SELECT id, ?2, ?3, ?4 FROM accounts WHERE id = ?1
       ON CONFLICT (owner_id) DO UPDATE SET model_version = excluded.model_version,
         refreshed_version = excluded.refreshed_version, learnt_seq = excluded.learnt_seq`,
    )
    .run(ownerId, learner.modelVersion, learner.refreshedVersion, learner.learntSeq);
}

/** Returns the accounts whose models or suggestions are out of date after a crash or another basis of the models. */
export function selectBehind(db: Db, basis: string): string[] {
  return db.$client
    .query<{ id: string }, { basis: string }>(
      `SELECT id FROM accounts
       WHERE EXISTS (SELECT 1 FROM tag_models m JOIN tag_revisions r USING (owner_id, category)
                     WHERE m.owner_id = accounts.id
                       AND (m.trained_revision IS NOT r.revision OR m.basis IS NOT $basis))
          OR EXISTS (SELECT 1 FROM tag_learners l WHERE l.owner_id = accounts.id
                     AND l.refreshed_version IS NOT l.model_version)`,
    )
    .all({ basis })
    .map(({ id }) => id);
}

/** Returns the accounts that have not been looked at with these rules. */
export function selectUnseen(db: Db): string[] {
  return db.$client
    .query<{ id: string }, { rules: string }>(
      `SELECT id FROM accounts
       WHERE NOT EXISTS (SELECT 1 FROM tag_learners l WHERE l.owner_id = accounts.id
                         AND substr(l.model_version, 1, length($rules)) = $rules)`,
    )
    .all({ rules: RULES_VERSION })
    .map(({ id }) => id);
}

/** True when tracks of an account have suggestions by other rules. It reads every track, in the order of the file. */
export function hasOtherSuggestions(db: Db, ownerId: LibraryId): boolean {
  return (
    db.$client
      .query(
        "SELECT 1 FROM tracks INDEXED BY tracks_by_owner_id WHERE owner_id = ? AND suggestion_model <> ? LIMIT 1",
      )
      .get(ownerId, RULES_VERSION) !== null
  );
}

/** Notes that all suggestions of an account without verdicts are by these rules. */
export function noteSeen(tx: Db, ownerId: LibraryId): void {
  tx.$client
    .query(
      `INSERT INTO tag_learners (owner_id, model_version, refreshed_version, learnt_seq)
       VALUES (?1, ?2, ?2, 0) ON CONFLICT (owner_id) DO NOTHING`,
    )
    .run(ownerId, RULES_VERSION);
}
