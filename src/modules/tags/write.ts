import type { Db } from "../../../db/client.ts";
import { emit } from "../../kernel/events.ts";
import { addOwnerField, findOwnedTrack } from "../catalog/service.ts";
import { recordVerdicts } from "./feedback.ts";
import type { TagCategory, TagRef } from "./model.ts";
import { resolveTagNames } from "./names.ts";
import * as queries from "./queries.ts";

/**
 * Replaces a track's tags of one category. Call it inside the transaction that announces the change. A write of
 * source `file` leaves alone what the owner has written (decision 3.5).
 *
 * @param names Canonical names, as `resolveTagNames` gives them.
 * @throws Error when a name is not in the taxonomy: the caller has not resolved it.
 */
export function writeTags(
  tx: Db,
  ownerId: string,
  trackId: string,
  category: TagCategory,
  names: readonly string[],
  source: "owner" | "file",
): void {
  const { resolved, unknown } = resolveTagNames({ [category]: names });
  if (unknown[category]) throw new Error(`Tags of ${category} that the taxonomy does not know`);
  if (source === "file" && queries.hasOwnerTags(tx, trackId, category)) return;
  queries.replaceTags(tx, { ownerId, trackId, category, tags: resolved.get(category) ?? [], source });
}

/** A decision of the owner on a track's tags: category by category, each whole. */
export type TagDecision = {
  ownerId: string;
  trackId: string;
  /** Canonical tags of every category that is decided on. */
  tags: ReadonlyMap<TagCategory, readonly TagRef[]>;
  /** `apply`: the suggestions were taken as they are. */
  source: "patch" | "apply";
};

/**
 * Writes what the owner decided, remembers what that says of the tags, and announces the categories that now read
 * otherwise. An emptied category stays empty: no later analysis fills it. Call it inside a transaction.
 */
export function decideTags(tx: Db, decision: TagDecision, at: number): void {
  const { ownerId, trackId, tags, source } = decision;
  const changed: string[] = [];
  for (const [category, after] of tags) {
    const before = queries.selectCategory(tx, trackId, category);
    recordVerdicts(tx, { ownerId, trackId, category, before, after, source }, at);
    queries.replaceTags(tx, { ownerId, trackId, category, tags: after, source: "owner" });
    if (after.length === 0) addOwnerField(tx, trackId, category);
    if (!isSameList(before, after)) changed.push(wireName(category));
  }
  if (changed.length > 0) announce(tx, { ownerId, trackId, changed }, at);
}

function announce(
  tx: Db,
  { ownerId, trackId, changed }: { ownerId: string; trackId: string; changed: string[] },
  at: number,
): void {
  const track = findOwnedTrack(tx, ownerId, trackId);
  if (track) emit(tx, ownerId, "track.updated", { trackId, name: track.name, changed }, at);
}

/** Free text is called otherwise where it is written. */
export function wireName(category: TagCategory): string {
  return category === "tags" ? "additionalTags" : category;
}

function isSameList(before: readonly TagRef[], after: readonly TagRef[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ id, name }, index) => id === after[index]?.id && name === after[index]?.name)
  );
}
