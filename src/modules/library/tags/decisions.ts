import type { Db } from "../../../../db/client.ts";
import { deleteSuggestion, putSuggestion } from "./queries.ts";
import { selectVerdicts, type TagPlace, type Verdict } from "./verdicts.ts";

/**
 * The state of a tag before a decision: the verdict, and how sure the suggestion was; null: it was not suggested,
 * undefined: that was not noted yet.
 */
export type Remembered = Verdict & { suggested?: number | null };

/** The state of a track's category before one of its owner's decisions. */
export type Decision = {
  /** Ids, sorted. */
  tagsBefore: readonly string[];
  /** One for every tag whose verdict the decision changed. */
  verdictsBefore: readonly Remembered[];
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
 * If a category is about to read as it did before an earlier decision, forgets that decision and all later ones, makes the
 * suggestions what they were before them, and returns the verdicts that were in force. Returns undefined when the category
 * never read like that.
 */
export function takeBack(tx: Db, place: TagPlace, tags: readonly string[]): Verdict[] | undefined {
  const newestFirst = decisionsOn(tx, place);
  const wanted = JSON.stringify(tags);
  const found = newestFirst.findIndex(({ tagsBefore }) => tagsBefore === wanted);
  const oldest = newestFirst[found];
  if (!oldest) return undefined;

  const earlier = new Map<string, Remembered>();
  for (const { verdictsBefore } of newestFirst.slice(0, found + 1))
    for (const verdict of JSON.parse(verdictsBefore) as Remembered[]) earlier.set(verdict.tagId, verdict);
  restoreSuggestions(tx, place, [...earlier.values()]);
  tx.$client
    .query("DELETE FROM tag_decisions WHERE track_id = ? AND category = ? AND seq >= ?")
    .run(place.trackId, place.category, oldest.seq);
  const now = selectVerdicts(tx, place);
  return [...earlier.values()].flatMap(({ suggested: _, ...verdict }) => {
    const current = now.get(verdict.tagId);
    return current?.verdict === verdict.verdict && current.source === verdict.source ? [] : [verdict];
  });
}

function decisionsOn(tx: Db, { ownerId, trackId, category }: TagPlace): Row[] {
  return tx.$client
    .query<Row, [string, string, string]>(
      `SELECT seq, tags_before AS tagsBefore, verdicts_before AS verdictsBefore FROM tag_decisions
       WHERE track_id = ? AND category = ? AND owner_id = ? ORDER BY seq DESC`,
    )
    .all(trackId, category, ownerId);
}

/** Makes the suggestions of tags what they were before the last decision on each of them. */
export function forgetSuggestions(tx: Db, place: TagPlace, tagIds: ReadonlySet<string>): void {
  const last = new Map<string, Remembered>();
  for (const { verdictsBefore } of decisionsOn(tx, place).toReversed())
    for (const each of JSON.parse(verdictsBefore) as Remembered[])
      if (tagIds.has(each.tagId)) last.set(each.tagId, each);
  restoreSuggestions(tx, place, [...last.values()]);
}

/** Makes the suggestions of tags what they were. A suggestion that only a decision made is gone with it. */
export function restoreSuggestions(
  tx: Db,
  { trackId, category }: Pick<TagPlace, "trackId" | "category">,
  before: readonly Remembered[],
): void {
  for (const { tagId: id, name, suggested: confidence } of before)
    if (confidence === null) deleteSuggestion(tx, trackId, category, id);
    else if (confidence !== undefined) putSuggestion(tx, trackId, { category, id, name, confidence });
}
