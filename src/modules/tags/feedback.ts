import type { Db } from "../../../db/client.ts";
import { newId } from "../../kernel/ids.ts";
import type { TagCategory, TagRef } from "./model.ts";
import * as queries from "./queries.ts";

/** What the owner did with the tags of one category of a track. */
export type CategoryChange = {
  ownerId: string;
  trackId: string;
  category: TagCategory;
  before: readonly (TagRef & { source: "owner" | "file" })[];
  after: readonly TagRef[];
  source: "patch" | "apply";
};

/**
 * Remembers what a change says of each tag, for learning: `accepted` was suggested and stands now, `added` was
 * written unasked, `rejected` was suggested or there and is not wanted. Applying suggestions says nothing of what
 * they replace. A verdict that the tag has already is not repeated. Call it before the change is written.
 */
export function recordVerdicts(tx: Db, change: CategoryChange, at: number): void {
  const { ownerId, trackId, category, source } = change;
  const known = queries.selectVerdicts(tx, trackId, category);
  for (const [tagId, verdict] of verdictsOf(change, queries.selectSuggested(tx, trackId, category)))
    if (known.get(tagId) !== verdict)
      queries.insertVerdict(tx, { id: newId("fb"), ownerId, trackId, category, tagId, verdict, source, at });
}

function verdictsOf(
  { before, after, source }: CategoryChange,
  suggested: ReadonlySet<string>,
): Map<string, queries.Verdict> {
  const verdicts = new Map<string, queries.Verdict>();
  const stands = new Set(after.map(({ id }) => id));
  const wasOwners = new Set(before.filter((tag) => tag.source === "owner").map(({ id }) => id));
  for (const id of stands)
    if (suggested.has(id)) verdicts.set(id, "accepted");
    else if (!wasOwners.has(id)) verdicts.set(id, "added");
  if (source === "apply") return verdicts;
  for (const id of [...suggested, ...before.map((tag) => tag.id)])
    if (!stands.has(id)) verdicts.set(id, "rejected");
  return verdicts;
}
