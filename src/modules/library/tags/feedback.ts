import type { Db } from "../../../../db/client.ts";
import { forgetSuggestions, type Remembered, rememberDecision, takeBack } from "./decisions.ts";
import { selectSuggested } from "./queries.ts";
import type { TagRef } from "./shapes.ts";
import { insertVerdicts, selectVerdicts, type TagPlace, type Verdict } from "./verdicts.ts";

/** What the owner did with the tags of one category of a track. */
export type CategoryChange = TagPlace & {
  before: readonly (TagRef & { source: "owner" | "file" })[];
  after: readonly TagRef[];
  source: "patch" | "apply";
  /** The ids of the tags that it is about; left out: about all of them. */
  about?: ReadonlySet<string>;
  /** True: it takes back what an earlier change did, and says nothing by itself. */
  isUndo?: boolean;
  /** True: the caller requests the learning. */
  learnsLater?: boolean;
};

/**
 * Records what a change says about each tag, for learning. `accepted`: the tag was suggested, and the owner kept it.
 * `added`: the owner wrote it without a suggestion. `rejected`: it was suggested or present, and the owner removed it.
 * Applying suggestions says nothing about the tags they replace. A verdict that the tag already has is not repeated.
 * If a category reads again as it did before an earlier change, that change and its verdicts are taken back. Call
 * this before the change is written.
 */
export function recordVerdicts(tx: Db, change: CategoryChange, at: number): void {
  const { ownerId, trackId, category, learnsLater = false } = change;
  const place = { ownerId, trackId, category, learnsLater };
  const [before, after] = [idsOf(change.before), idsOf(change.after)];
  const isOtherNow = before.join() !== after.join();
  const restored = isOtherNow ? takeBack(tx, place, after) : undefined;
  if (restored) {
    insertVerdicts(tx, place, restored, at);
    return;
  }
  const known = selectVerdicts(tx, place);
  if (change.isUndo) {
    withdraw(tx, place, change, known, at);
    return;
  }
  const suggested = selectSuggested(tx, trackId, category);
  const said = saidBy(change, suggested).filter(({ tagId }) => change.about?.has(tagId) ?? true);
  const changed = said.filter(({ tagId, verdict }) => known.get(tagId)?.verdict !== verdict);
  insertVerdicts(tx, place, changed, at);
  if (!isOtherNow) return;
  const sure = new Map(suggested.map(({ id, confidence }) => [id, confidence]));
  const verdictsBefore = changed.map(
    (verdict): Remembered => ({
      ...(known.get(verdict.tagId) ?? nothingSaid(verdict)),
      suggested: sure.get(verdict.tagId) ?? null,
    }),
  );
  rememberDecision(tx, place, { tagsBefore: before, verdictsBefore }, at);
}

/** Takes back the verdicts on the tags that come or go, and the suggestions that they led to. */
function withdraw(
  tx: Db,
  place: TagPlace,
  { before, after }: CategoryChange,
  known: ReadonlyMap<string, Verdict>,
  at: number,
): void {
  const moved = new Set(idsOf(before)).symmetricDifference(new Set(idsOf(after)));
  const said = [...known.values()].filter(
    ({ tagId, verdict }) => moved.has(tagId) && verdict !== "withdrawn",
  );
  forgetSuggestions(tx, place, moved);
  insertVerdicts(tx, place, said.map(nothingSaid), at);
}

const idsOf = (tags: readonly TagRef[]) => tags.map(({ id }) => id).sort();
const nothingSaid = (verdict: Verdict): Verdict => ({ ...verdict, verdict: "withdrawn" });

/** Returns the verdicts that a change implies by itself; the last one on a tag counts. */
function saidBy({ before, after, source }: CategoryChange, suggested: readonly TagRef[]): Verdict[] {
  const verdicts = new Map<string, Verdict>();
  const say = ({ id, name }: TagRef, verdict: Verdict["verdict"]) =>
    verdicts.set(id, { tagId: id, name, verdict, source });
  const stands = new Set(after.map(({ id }) => id));
  const isSuggested = new Set(suggested.map(({ id }) => id));
  const wasOwners = new Set(before.filter((tag) => tag.source === "owner").map(({ id }) => id));
  for (const tag of after)
    if (isSuggested.has(tag.id)) say(tag, "accepted");
    else if (!wasOwners.has(tag.id)) say(tag, "added");
  if (source === "patch")
    for (const tag of [...suggested, ...before]) if (!stands.has(tag.id)) say(tag, "rejected");
  return [...verdicts.values()];
}
