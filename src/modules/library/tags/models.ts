import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { CategorizedTag, TagCategory, TagRef } from "./shapes.ts";

/** Has the models of a category trained again, and begins one for each of the tags that has none. */
export function outdateCategory(
  tx: Db,
  { ownerId, category }: { ownerId: LibraryId; category: TagCategory },
  tags: readonly TagRef[],
): void {
  const begin = tx.$client.query(
    `INSERT INTO tag_models (owner_id, category, tag_id, name) VALUES (?, ?, ?, ?)
     ON CONFLICT (owner_id, category, tag_id) DO NOTHING`,
  );
  for (const { id, name } of tags) begin.run(ownerId, category, id, name);
  tx.$client
    .query(
      `INSERT INTO tag_revisions (owner_id, category, revision) VALUES (?, ?, 1)
       ON CONFLICT (owner_id, category) DO UPDATE SET revision = revision + 1`,
    )
    .run(ownerId, category);
}

/** Has the models trained again that were trained on a track. Returns how many categories that concerns. */
export function outdateModelsOf(tx: Db, ownerId: LibraryId, trackId: string): number {
  return tx.$client
    .query(
      `UPDATE tag_revisions SET revision = revision + 1
       WHERE owner_id = ?1 AND category IN
         (SELECT category FROM tag_feedback WHERE track_id = ?2 AND owner_id = ?1)`,
    )
    .run(ownerId, trackId).changes;
}

/** A model as it is stored. Its parameters are null when there was too little to train it on. */
export type StoredModel = CategorizedTag & {
  ownerId: LibraryId;
  positives: number;
  negatives: number;
  parameters: Buffer | null;
  /** It includes the verdicts up to this revision of its category. */
  revision: number;
  /** What the parameters mean. */
  basis: string;
};

/** Stores a trained model, unless the tag got another verdict in the meantime: then it is trained again. */
export function storeModel(tx: Db, { id: tagId, ...model }: StoredModel): void {
  tx.$client
    .query(
      `UPDATE tag_models SET name = $name, positives = $positives, negatives = $negatives,
              parameters = $parameters, trained_revision = $revision, basis = $basis
       WHERE owner_id = $ownerId AND category = $category AND tag_id = $tagId
         AND $revision = (SELECT revision FROM tag_revisions WHERE owner_id = $ownerId AND category = $category)`,
    )
    .run({ tagId, ...model });
}
