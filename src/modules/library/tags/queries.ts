import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, tagSuggestions } from "../../../../db/schema.ts";
import { fold } from "../../../kernel/text.ts";
import { noteEdits, updateTrack } from "../catalog/service.ts";
import type { CategorizedTag, TagCategory, TagRef, TagSuggestion } from "./shapes.ts";

/** What {@link replaceTags} writes. */
export type TagWrite = {
  ownerId: LibraryId;
  trackId: string;
  category: TagCategory;
  /** In the order they are to be shown. */
  tags: readonly TagRef[];
  source: "owner" | "file";
};

/**
 * Replaces the track's tags in the category with `tags`. Rows that stay as they are are not written: each write of a tag
 * also keeps what the library counts, lists and searches by it.
 */
export function replaceTags(tx: Db, { ownerId, trackId, category, tags, source }: TagWrite): void {
  const before = new Map(selectStored(tx, trackId, category).map((row) => [row.id, row]));
  const kept = new Set(tags.map(({ id }) => id));
  let isOther = before.size !== kept.size;
  for (const id of before.keys())
    if (!kept.has(id)) {
      isOther = true;
      deleteTag(tx).run(trackId, category, id);
    }
  for (const [position, { id, name }] of tags.entries()) {
    const row = before.get(id);
    isOther ||= row?.name !== name || row.position !== position;
    if (!row) insertTag(tx).run(trackId, category, id, name, fold(name), position, source, ownerId);
    else if (row.name !== name || row.position !== position || row.source !== source)
      updateTag(tx).run(trackId, category, id, name, fold(name), position, source);
  }
  if (isOther) noteEdits(tx, trackId, [wireName(category)]);
}

/** Returns the API's name for a category. Free text has a different name in writes. */
export function wireName(category: TagCategory): string {
  return category === "tags" ? "additionalTags" : category;
}

type StoredTag = TagRef & { source: "owner" | "file"; position: number };

const deleteTag = prepared((db) =>
  db.$client.prepare<void, [string, string, string]>(
    "DELETE FROM track_tags WHERE track_id = ?1 AND category = ?2 AND tag_id = ?3",
  ),
);
const insertTag = prepared((db) =>
  db.$client.prepare<void, [string, string, string, string, string, number, string, string]>(
    `INSERT INTO track_tags (track_id, category, tag_id, name, name_fold, position, source, owner_id)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
  ),
);
const updateTag = prepared((db) =>
  db.$client.prepare<void, [string, string, string, string, string, number, string]>(
    `UPDATE track_tags SET name = ?4, name_fold = ?5, position = ?6, source = ?7
     WHERE track_id = ?1 AND category = ?2 AND tag_id = ?3`,
  ),
);

function selectStored(tx: Db, trackId: string, category: TagCategory): StoredTag[] {
  return tx.$client
    .query<StoredTag, [string, string]>(
      `SELECT tag_id AS id, name, source, position FROM track_tags
       WHERE track_id = ?1 AND category = ?2 ORDER BY position`,
    )
    .all(trackId, category);
}

/** Says of tags of a category that they came with the file. */
export function markAsOfFile(
  tx: Db,
  trackId: string,
  category: TagCategory,
  tagIds: readonly string[],
): void {
  tx.$client
    .query(
      `UPDATE track_tags SET source = 'file'
       WHERE track_id = ? AND category = ? AND tag_id IN (SELECT value FROM json_each(?))`,
    )
    .run(trackId, category, JSON.stringify(tagIds));
}

/** True when the owner has written tags of the category on the track. */
export function hasOwnerTags(tx: Db, trackId: string, category: TagCategory): boolean {
  const row = tx.$client
    .query("SELECT 1 FROM track_tags WHERE track_id = ? AND category = ? AND source = 'owner' LIMIT 1")
    .get(trackId, category);
  return row !== null;
}

/** Returns a track's tags in one category in the order written, each with its source. */
export function selectCategory(
  tx: Db,
  trackId: string,
  category: TagCategory,
): (TagRef & { source: "owner" | "file" })[] {
  return tx.$client
    .query<TagRef & { source: "owner" | "file" }, [string, string]>(
      "SELECT tag_id AS id, name, source FROM track_tags WHERE track_id = ? AND category = ? ORDER BY position",
    )
    .all(trackId, category);
}

/** Returns the tags of many tracks; each track's are ordered by category and then as written. */
export function selectTags(db: Db, trackIds: readonly string[]): (CategorizedTag & { trackId: string })[] {
  return db.$client
    .query<CategorizedTag & { trackId: string }, [string]>(
      `SELECT track_id AS trackId, category, tag_id AS id, name FROM track_tags
       WHERE track_id IN (SELECT value FROM json_each(?)) ORDER BY track_id, category, position`,
    )
    .all(JSON.stringify(trackIds));
}

/** Replaces a track's suggestions with those made by the given model version. */
export function replaceSuggestions(
  tx: Db,
  trackId: string,
  suggestions: readonly TagSuggestion[],
  modelVersion: string,
): void {
  deleteSuggestions(tx, trackId);
  if (suggestions.length > 0)
    tx.insert(tagSuggestions)
      .values(suggestions.map(({ id: tagId, ...rest }) => ({ ...rest, trackId, tagId, modelVersion })))
      .run();
  updateTrack(tx, trackId, { suggestionModel: modelVersion });
}

/** Deletes a track's suggestions and the version of the model that made them. */
export function clearSuggestions(tx: Db, trackId: string): void {
  deleteSuggestions(tx, trackId);
  updateTrack(tx, trackId, { suggestionModel: null });
}

/** Deletes the suggestions for a track's former audio. */
export function deleteSuggestions(tx: Db, trackId: string): void {
  tx.$client.query("DELETE FROM tag_suggestions WHERE track_id = ?").run(trackId);
}

/** Deletes one suggestion, which its owner has rejected. */
export function deleteSuggestion(tx: Db, trackId: string, category: TagCategory, tagId: string): void {
  tx.$client
    .query("DELETE FROM tag_suggestions WHERE track_id = ? AND category = ? AND tag_id = ?")
    .run(trackId, category, tagId);
}

/** Returns a track's suggestions, most confident first. The caller must be allowed to see the track. */
export function selectSuggestions(db: Db, trackId: string): TagSuggestion[] {
  return db.$client
    .query<TagSuggestion, [string]>(
      `SELECT category, tag_id AS id, name, confidence FROM tag_suggestions
       WHERE track_id = ? ORDER BY confidence DESC, category, tag_id`,
    )
    .all(trackId);
}

const suggestedOfTracks = prepared((db) =>
  db.$client.prepare<{ trackId: string; category: TagCategory; name: string }, [string, string]>(
    `SELECT track_id AS trackId, category, name FROM tag_suggestions
     WHERE track_id IN (SELECT value FROM json_each(?1)) AND category IN (SELECT value FROM json_each(?2))
     ORDER BY track_id, category, confidence DESC, tag_id`,
  ),
);

/** Returns the suggestions for many tracks in some categories, of each category the most confident first. */
export function selectSuggestedOf(
  db: Db,
  trackIds: readonly string[],
  categories: readonly TagCategory[],
): { trackId: string; category: TagCategory; name: string }[] {
  return suggestedOfTracks(db).all(JSON.stringify(trackIds), JSON.stringify(categories));
}

/** Returns the tags that are suggested in a category of a track. */
export function selectSuggested(
  tx: Db,
  trackId: string,
  category: TagCategory,
): (TagRef & { confidence: number })[] {
  return tx.$client
    .query<TagRef & { confidence: number }, [string, string]>(
      "SELECT tag_id AS id, name, confidence FROM tag_suggestions WHERE track_id = ? AND category = ?",
    )
    .all(trackId, category);
}

/** Writes one suggestion of a track that has been analysed, as its current model would have made it. */
export function putSuggestion(
  tx: Db,
  trackId: string,
  { category, id, name, confidence }: TagSuggestion,
): void {
  tx.$client
    .query(
      `INSERT INTO tag_suggestions (track_id, category, tag_id, name, confidence, model_version)
       SELECT id, ?, ?, ?, ?, suggestion_model FROM tracks WHERE id = ? AND suggestion_model IS NOT NULL
       ON CONFLICT (track_id, category, tag_id) DO UPDATE SET confidence = excluded.confidence`,
    )
    .run(category, id, name, confidence, trackId);
}
