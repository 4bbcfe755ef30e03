import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { emit } from "../../../kernel/events.ts";
import { addOwnerField, findOwnedTrack } from "../catalog/service.ts";
import { recordVerdicts } from "./feedback.ts";
import { resolveTagNames } from "./names.ts";
import * as queries from "./queries.ts";
import type { TagCategory, TagRef } from "./shapes.ts";

/**
 * Replaces a track's tags in one category. Call it inside the transaction that announces the change. A write with
 * source `file` does not touch tags that the owner wrote (decision 3.5).
 *
 * @param names Canonical names, as `resolveTagNames` returns them.
 * @throws Error when a name is not in the taxonomy, which means that the caller did not resolve it.
 */
export function writeTags(
  tx: Db,
  ownerId: LibraryId,
  trackId: string,
  category: TagCategory,
  names: readonly string[],
  source: "owner" | "file",
): void {
  const { resolved, unknown } = resolveTagNames({ [category]: names });
  if (unknown[category]) throw new Error(`Some tags of ${category} are not in the taxonomy`);
  if (source === "file" && queries.hasOwnerTags(tx, trackId, category)) return;
  queries.replaceTags(tx, { ownerId, trackId, category, tags: resolved.get(category) ?? [], source });
}

/** An owner's decision on a track's tags: the complete tags of each category it covers. */
export type TagDecision = {
  ownerId: LibraryId;
  trackId: string;
  /** Canonical tags of every category that the decision covers. */
  tags: ReadonlyMap<TagCategory, readonly TagRef[]>;
  /** `apply`: the suggestions were taken as they are. */
  source: "patch" | "apply";
  /** The ids of the tags that it is about; left out: about every tag of its categories. */
  about?: ReadonlySet<string>;
  /** True: it takes back an earlier decision. */
  isUndo?: boolean;
  /** True: the caller requests the learning afterwards, once for many tracks. */
  learnsLater?: boolean;
};

/**
 * Writes what the owner decided, records the verdicts it implies, and announces the categories that changed. An
 * emptied category stays empty: later analyses do not fill it. Call it inside a transaction.
 */
export function decideTags(tx: Db, decision: TagDecision, at: number): void {
  const { tags, about, ...said } = decision;
  const { ownerId, trackId } = said;
  const changed: string[] = [];
  for (const [category, after] of tags) {
    const before = queries.selectCategory(tx, trackId, category);
    recordVerdicts(tx, { ...said, category, before, after, ...(about && { about }) }, at);
    // A rejected suggestion leaves the tags as they are: they do not become the owner's by it.
    if (about && isSameList(before, after)) continue;
    queries.replaceTags(tx, { ownerId, trackId, category, tags: after, source: "owner" });
    if (after.length === 0) addOwnerField(tx, trackId, category);
    if (!isSameList(before, after)) changed.push(queries.wireName(category));
  }
  if (changed.length > 0) announce(tx, { ownerId, trackId, changed }, at);
}

function announce(
  tx: Db,
  { ownerId, trackId, changed }: { ownerId: LibraryId; trackId: string; changed: string[] },
  at: number,
): void {
  const track = findOwnedTrack(tx, ownerId, trackId);
  if (track) emit(tx, ownerId, "track.updated", { trackId, name: track.name, changed }, at);
}

function isSameList(before: readonly TagRef[], after: readonly TagRef[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ id, name }, index) => id === after[index]?.id && name === after[index]?.name)
  );
}
