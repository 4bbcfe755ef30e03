import { type Db, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { resolveTagNames } from "./names.ts";
import { withNearest } from "./nearest.ts";
import * as queries from "./queries.ts";
import { TAG_CATEGORIES, type TagCategory, type TrackTags, type TrackTagsBody } from "./shapes.ts";
import { decideTags, wireName } from "./write.ts";

/**
 * Replaces the categories that were sent and leaves the others alone; an empty list clears its category. Returns the
 * names in every category after the change.
 *
 * @throws DomainError `validation_failed` with `data.unknown` and `data.nearest` when a name is not in the taxonomy; `track_not_found`.
 */
export async function patchTags(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: string,
  trackId: string,
  { additionalTags, ...named }: TrackTagsBody,
): Promise<TrackTags> {
  const { resolved, unknown } = resolveTagNames({
    ...named,
    ...(additionalTags && { tags: additionalTags }),
  });
  await refuseUnknown(unknown);
  return transact(db, (tx) => {
    getOwnedTrack(tx, ownerId, trackId);
    decideTags(tx, { ownerId, trackId, tags: resolved, source: "patch" }, now());
    return { ok: true, trackId, tags: tagNamesOf(tx, trackId) };
  });
}

/** Returns the names of a track's tags in every category, as a write of tags names them. */
function tagNamesOf(db: Db, trackId: string): TrackTags["tags"] {
  const tags = queries.selectTags(db, [trackId]);
  const namesOf = (category: TagCategory) =>
    tags.filter((tag) => tag.category === category).map(({ name }) => name);
  const entries = TAG_CATEGORIES.map((category) => [wireName(category), namesOf(category)]);
  // Every category has just been put in.
  return Object.fromEntries(entries) as TrackTags["tags"];
}

async function refuseUnknown(unknown: Partial<Record<TagCategory, string[]>>): Promise<void> {
  const errors = Object.keys(unknown).map((category) => ({
    path: category,
    code: "unknown_tag",
    detail: "not in the taxonomy",
  }));
  if (errors.length > 0)
    throw await withNearest(
      new DomainError("validation_failed", "Invalid request", { data: { errors, unknown } }),
    );
}
