import { asc, eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { analyses, tagSuggestions, tracks, trackTags, versions } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportPaths,
  type ExportSource,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";
import { fileStem, withoutExtension } from "../../../kernel/safe-names.ts";

type TrackRow = typeof tracks.$inferSelect;
type VersionRow = typeof versions.$inferSelect;

export const lists: ExportLists = { tracks: tracksOf };

/** What only this database uses. */
const INTERNAL = ["seq", "ownerId", "nameFold", "titleFold", "nextVersionOrder", "cover"];

/** Returns the tracks of an account, oldest first, and names their files. */
function* tracksOf({ db, accountId, files }: ExportSource): Iterable<Plain> {
  const own = db.select({ id: tracks.id }).from(tracks).where(eq(tracks.ownerId, accountId));
  for (const { id } of own.orderBy(asc(tracks.createdAt), asc(tracks.id)).all()) {
    const track = db.select().from(tracks).where(eq(tracks.id, id)).get();
    if (!track) continue;
    const stem = stemOf(track);
    yield {
      ...plain(track, INTERNAL),
      coverFile: files.addPicture(track.cover, stem),
      tags: tagsOf(db, id),
      suggestions: suggestionsOf(db, id),
      versions: versionsOf(db, track, stem, files),
    };
  }
}

/** `Artist - Title`, as far as they are known. */
function stemOf({ title, artist, name }: TrackRow): string {
  if (!title) return withoutExtension(name);
  return artist ? `${artist} - ${title}` : title;
}

/** Tags by category, in the order that the owner gave them. */
function tagsOf(db: Db, trackId: string): Plain {
  const { category, name, position } = trackTags;
  const rows = db.select({ category, name }).from(trackTags).where(eq(trackTags.trackId, trackId));
  const byCategory = Map.groupBy(rows.orderBy(asc(category), asc(position)).all(), (row) => row.category);
  return Object.fromEntries([...byCategory].map(([each, tags]) => [each, tags.map((tag) => tag.name)]));
}

function suggestionsOf(db: Db, trackId: string): Plain[] {
  const { category, name, confidence } = tagSuggestions;
  return db
    .select({ category, name, confidence })
    .from(tagSuggestions)
    .where(eq(tagSuggestions.trackId, trackId))
    .all();
}

/** A single version is one file; several have a folder, each named by its place in the history. */
function versionsOf(db: Db, { id, activeVersionId }: TrackRow, stem: string, files: ExportPaths): Plain[] {
  const rows = db.select().from(versions).where(eq(versions.trackId, id));
  const history = rows.orderBy(asc(versions.versionOrder)).all();
  const folder = history.length > 1 ? `${files.folder("tracks/", stem)}/` : "tracks/";
  return history.map((version) => ({
    ...plain(version, ["trackId"]),
    active: version.id === activeVersionId,
    file: files.addOriginal(version, folder, history.length > 1 ? versionStem(version) : stem),
    analysis: analysisOf(db, version.id),
  }));
}

/** `v3 (rough mix) Night Drive`. */
function versionStem({ versionOrder, label, name }: VersionRow): string {
  const number = `v${versionOrder + 1}`;
  const mark = label && label !== number ? ` (${label})` : "";
  return `${number}${mark} ${fileStem(withoutExtension(name))}`;
}

function analysisOf(db: Db, versionId: string): Plain | null {
  const row = db.select().from(analyses).where(eq(analyses.versionId, versionId)).get();
  return row ? plain(row, ["versionId", "trackId"]) : null;
}
