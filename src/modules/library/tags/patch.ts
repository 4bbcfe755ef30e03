import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import { resolveTagNames } from "./names.ts";
import { withNearest } from "./nearest.ts";
import * as queries from "./queries.ts";
import {
  MAX_NAMES,
  TAG_CATEGORIES,
  type TagCategory,
  type TagRef,
  type TrackTags,
  type TrackTagsBody,
} from "./shapes.ts";
import { decideTags, type TagDecision } from "./write.ts";

/**
 * Replaces the categories that were sent, or adds the tags to them or removes them, and leaves other categories alone; an
 * empty list clears a category that is replaced. Returns the names in every category after the change.
 *
 * @throws DomainError `validation_failed` with `data.unknown` and `data.nearest` when a name is not in the taxonomy, and
 *   when a category would have more than {@link MAX_NAMES} tags; `track_not_found`.
 */
export async function patchTags(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  trackId: string,
  { additionalTags, mode = "replace", ...named }: TrackTagsBody,
): Promise<TrackTags> {
  const { resolved, unknown } = resolveTagNames({
    ...named,
    ...(additionalTags && { tags: additionalTags }),
  });
  await refuseUnknown(unknown);
  return transact(db, (tx) => {
    getOwnedTrack(tx, ownerId, trackId);
    const decision = mode === "replace" ? { tags: resolved } : amend(tx, trackId, resolved, mode);
    decideTags(tx, { ownerId, trackId, ...decision, source: "patch" }, now());
    return { ok: true, trackId, tags: tagNamesOf(tx, trackId) };
  });
}

type Tags = ReadonlyMap<TagCategory, readonly TagRef[]>;

/** Returns the decision to add single tags or to remove them, which says nothing about others. */
function amend(
  db: Db,
  trackId: string,
  named: Tags,
  mode: "add" | "remove",
): Pick<TagDecision, "tags" | "about"> {
  const about = new Set([...named.values()].flat().map(({ id }) => id));
  const tags = new Map<TagCategory, TagRef[]>();
  for (const [category, refs] of named) {
    const before = queries.selectCategory(db, trackId, category).map(({ id, name }) => ({ id, name }));
    const known = new Set(before.map(({ id }) => id));
    const after =
      mode === "add"
        ? [...before, ...refs.filter(({ id }) => !known.has(id))]
        : before.filter(({ id }) => !about.has(id));
    if (after.length > Math.max(MAX_NAMES, before.length))
      throw invalidField(
        queries.wireName(category),
        "too_many",
        `must not have more than ${MAX_NAMES} tags after the change`,
      );
    tags.set(category, after);
  }
  return { tags, about };
}

/** Returns the names of a track's tags in every category, as a write of tags names them. */
function tagNamesOf(db: Db, trackId: string): TrackTags["tags"] {
  const tags = queries.selectTags(db, [trackId]);
  const namesOf = (category: TagCategory) =>
    tags.filter((tag) => tag.category === category).map(({ name }) => name);
  const entries = TAG_CATEGORIES.map((category) => [queries.wireName(category), namesOf(category)]);
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
