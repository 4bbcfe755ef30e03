import type { Db } from "../../../db/client.ts";
import { selectVerdicts, type TagPlace, type Verdict } from "./verdicts.ts";

/** The state of a track's category before one of its owner's decisions. */
export type Decision = {
  /** Ids, sorted. */
  tagsBefore: readonly string[];
  /** One for every tag whose verdict the decision changed. */
  verdictsBefore: readonly Verdict[];
};
type Row = { seq: number; tagsBefore: string; verdictsBefore: string };

/** How many decisions are remembered for each category of a track. */
const REMEMBERED = 20;

/** Remembers what a decision changed, and drops the oldest one when there are too many. */
export function rememberDecision(
  tx: Db,
  { ownerId, trackId, category }: TagPlace,
  decision: Decision,
  at: number,
): void {
  const { tagsBefore, verdictsBefore } = decision;
  tx.$client
    .query(
      `INSERT INTO tag_decisions (owner_id, track_id, category, tags_before, verdicts_before, at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(ownerId, trackId, category, JSON.stringify(tagsBefore), JSON.stringify(verdictsBefore), at);
  tx.$client
    .query(
      `DELETE FROM tag_decisions WHERE seq IN
         (SELECT seq FROM tag_decisions WHERE track_id = ? AND category = ? ORDER BY seq DESC LIMIT -1 OFFSET ?)`,
    )
    .run(trackId, category, REMEMBERED);
}

/**
 * If a category is about to read as it did before an earlier decision, forgets that decision and all later ones, and
 * returns the verdicts that were in force before them. Returns undefined when the category never read like that.
 */
export function takeBack(tx: Db, place: TagPlace, tags: readonly string[]): Verdict[] | undefined {
  const newestFirst = tx.$client
    .query<Row, [string, string, string]>(
      `SELECT seq, tags_before AS tagsBefore, verdicts_before AS verdictsBefore FROM tag_decisions
       WHERE track_id = ? AND category = ? AND owner_id = ? ORDER BY seq DESC`,
    )
    .all(place.trackId, place.category, place.ownerId);
  const wanted = JSON.stringify(tags);
  const found = newestFirst.findIndex(({ tagsBefore }) => tagsBefore === wanted);
  const oldest = newestFirst[found];
  if (!oldest) return undefined;

  const earlier = new Map<string, Verdict>();
  for (const { verdictsBefore } of newestFirst.slice(0, found + 1))
    for (const verdict of JSON.parse(verdictsBefore) as Verdict[]) earlier.set(verdict.tagId, verdict);
  tx.$client
    .query("DELETE FROM tag_decisions WHERE track_id = ? AND category = ? AND seq >= ?")
    .run(place.trackId, place.category, oldest.seq);
  const now = selectVerdicts(tx, place);
  return [...earlier.values()].filter(({ tagId, verdict, source }) => {
    const current = now.get(tagId);
    return current?.verdict !== verdict || current.source !== source;
  });
}
