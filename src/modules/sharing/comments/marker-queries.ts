import { and, asc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { commentPlaces, comments, versions } from "../../../../db/schema.ts";
import type { VersionRow } from "../../library/catalog/service.ts";
import { type CommentRow, inStates, selectComments } from "./queries.ts";
import type { NoteState } from "./shapes.ts";

export type NotesWanted = {
  version: Pick<VersionRow, "id" | "trackId" | "versionOrder">;
  states: readonly NoteState[];
  /** Also those on the whole track. */
  hasWhole: boolean;
};

/**
 * Returns at most `limit` notes that were made on a version, or on an earlier one whose passage it still has, oldest first: index
 * `comments_by_track`. Their place is that in the version.
 */
export function listNotesIn(
  db: Db,
  { version: { id, trackId, versionOrder }, states, hasWhole }: NotesWanted,
  limit: number,
): CommentRow[] {
  // Of a later version, only what was carried back; one that was deleted came before.
  const isOfIt = or(
    isNotNull(commentPlaces.how),
    isNull(versions.versionOrder),
    lte(versions.versionOrder, versionOrder),
  );
  return selectComments(db, id)
    .where(
      and(
        eq(comments.trackId, trackId),
        isNull(comments.parentId),
        inStates(states),
        hasWhole ? undefined : isNotNull(comments.positionSec),
        sql`${commentPlaces.how} IS NOT 'gone'`,
        isOfIt,
      ),
    )
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit)
    .all();
}

const tempoOf = prepared((db) =>
  db.$client.prepare<{ bpm: number | null }, [string]>("SELECT bpm FROM analyses WHERE version_id = ?1"),
);

/** Returns the tempo that was measured on a version; undefined when there is none. */
export const findTempo = (db: Db, versionId: string): number | undefined =>
  tempoOf(db).get(versionId)?.bpm ?? undefined;
