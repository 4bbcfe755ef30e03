import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { commentPlaces, comments } from "../../../../db/schema.ts";
import { isInRound, ROUND_NOTES, type VersionRow } from "../../library/catalog/service.ts";
import { type CommentRow, inStates, selectComments } from "./queries.ts";
import type { NoteState } from "./shapes.ts";

export type NotesWanted = {
  version: Pick<VersionRow, "id" | "trackId">;
  states: readonly NoteState[];
  /** Also those on the whole track. */
  hasWhole: boolean;
};

/**
 * Returns at most `limit` notes of a version's round whose passage it has, oldest first (index `comments_by_track`). Their place is
 * that in the version.
 */
export function listNotesIn(
  db: Db,
  { version: { id, trackId }, states, hasWhole }: NotesWanted,
  limit: number,
): CommentRow[] {
  const inRound = sql`SELECT n.id FROM versions v JOIN ${sql.raw(ROUND_NOTES)} n
    ON n.trackId = ${trackId} AND ${sql.raw(isInRound("n", "v"))} WHERE v.id = ${id}`;
  return selectComments(db, id)
    .where(
      and(
        eq(comments.trackId, trackId),
        inStates(states),
        hasWhole ? undefined : isNotNull(comments.positionSec),
        sql`${commentPlaces.how} IS NOT 'gone'`,
        sql`${comments.id} IN (${inRound})`,
      ),
    )
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit)
    .all();
}

const tempoOf = prepared((db) =>
  db.$client.prepare<{ bpm: number | null }, [string]>("SELECT bpm FROM analyses WHERE version_id = ?1"),
);

/** A section of a version, as the analysis found it. */
export type SectionRow = { kind: string; startSec: number; endSec: number };

const sectionsOf = prepared((db) =>
  db.$client.prepare<SectionRow, [string]>(
    `SELECT s.value ->> 'kind' AS kind, s.value ->> 'startSec' AS startSec, s.value ->> 'endSec' AS endSec
     FROM analyses a, json_each(a.structure, '$.sections') s WHERE a.version_id = ?1`,
  ),
);

/** Returns the sections that were found in a version, in order. */
export const listSections = (db: Db, versionId: string): SectionRow[] => sectionsOf(db).all(versionId);

/** Returns the tempo that was measured on a version; undefined when there is none. */
export const findTempo = (db: Db, versionId: string): number | undefined =>
  tempoOf(db).get(versionId)?.bpm ?? undefined;
