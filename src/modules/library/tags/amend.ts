import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { findTag } from "../../../../db/taxonomy.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { fold } from "../../../kernel/text.ts";
import { hasOwnerField, removeOwnerField } from "../catalog/service.ts";
import { resolveTagNames, TAXONOMY_CATEGORY } from "./names.ts";
import * as queries from "./queries.ts";
import { TAG_CATEGORIES, type TagCategory, type TagRef } from "./shapes.ts";
import { decideTags } from "./write.ts";

/** A tag as a bulk change names it: a category is needed only where several have the name. */
export type LooseTag = string | { category: string; name: string };

/** The names added to a track's tags, and those removed; without a category, from all of them. */
export type TagAmendment = {
  add: ReadonlyMap<TagCategory, readonly TagRef[]>;
  remove: readonly { category: TagCategory | undefined; nameFold: string }[];
};

/** A category before and after an amendment, for {@link undoAmendment}. */
export type AmendedCategory = {
  category: TagCategory;
  before: (TagRef & { source: "owner" | "file" })[];
  after: TagRef[];
  /** The owner had emptied it before. */
  wasEmptied: boolean;
};

/**
 * Reads the tags of a bulk change. A name without a category is a tag of the first category of the taxonomy that has it,
 * or else free text.
 *
 * @throws DomainError `validation_failed` for an unknown category, or a name that its category does not have.
 */
export function readAmendment(add: readonly LooseTag[], remove: readonly LooseTag[]): TagAmendment {
  const names: Partial<Record<TagCategory, string[]>> = {};
  for (const tag of add) {
    const category = categoryOf(tag, "addTags") ?? categoryKnowing(nameOf(tag));
    names[category] = [...(names[category] ?? []), nameOf(tag)];
  }
  const { resolved, unknown } = resolveTagNames(names);
  if (Object.keys(unknown).length > 0)
    throw invalidField("addTags", "unknown_tag", "must be names of their categories in the taxonomy");
  return {
    add: resolved,
    remove: remove.map((tag) => ({ category: categoryOf(tag, "removeTags"), nameFold: fold(nameOf(tag)) })),
  };
}

const nameOf = (tag: LooseTag) => (typeof tag === "string" ? tag : tag.name).trim();

function categoryOf(tag: LooseTag, path: string): TagCategory | undefined {
  if (typeof tag === "string") return undefined;
  const category = TAG_CATEGORIES.find((each) => each === tag.category);
  if (category) return category;
  throw invalidField(path, "unknown_category", `must have a category of ${TAG_CATEGORIES.join(", ")}`);
}

function categoryKnowing(name: string): TagCategory {
  const known = (Object.keys(TAXONOMY_CATEGORY) as (keyof typeof TAXONOMY_CATEGORY)[]).find(
    (category) => findTag(TAXONOMY_CATEGORY[category], name) !== undefined,
  );
  return known ?? "tags";
}

/**
 * Adds tags to a track and takes others off, as its owner's decision. Call it inside a transaction. Returns the categories
 * that are different now. The caller requests the learning, once for many tracks.
 */
export function amendTags(
  tx: Db,
  { ownerId, trackId }: { ownerId: LibraryId; trackId: string },
  { add, remove }: TagAmendment,
  at: number,
): AmendedCategory[] {
  const isRemoved = (category: TagCategory, { name }: TagRef) =>
    remove.some((each) => each.nameFold === fold(name) && (each.category ?? category) === category);
  const amended = categoriesOf(tx, trackId, { add, remove }).flatMap((category): AmendedCategory[] => {
    const before = queries.selectCategory(tx, trackId, category);
    const kept = before.filter((tag) => !isRemoved(category, tag));
    const known = new Set(kept.map(({ id }) => id));
    const added = (add.get(category) ?? []).filter(({ id }) => !known.has(id));
    if (kept.length === before.length && added.length === 0) return [];
    const after = [...kept, ...added].map(({ id, name }) => ({ id, name }));
    return [{ category, before, after, wasEmptied: hasOwnerField(tx, trackId, category) }];
  });
  const tags = new Map(amended.map(({ category, after }) => [category, after]));
  if (tags.size > 0) decideTags(tx, { ownerId, trackId, tags, source: "patch", learnsLater: true }, at);
  return amended;
}

/** Returns the categories that an amendment may change. */
function categoriesOf(tx: Db, trackId: string, { add, remove }: TagAmendment): TagCategory[] {
  if (remove.length === 0) return [...add.keys()];
  const present = queries.selectTags(tx, [trackId]).map(({ category }) => category);
  return [...new Set([...add.keys(), ...present])];
}

/**
 * Undoes an amendment. A category that still reads as the amendment left it becomes exactly what it was; of one that was
 * changed since, only what the amendment did is taken back. Call it inside a transaction. The caller requests the learning.
 */
export function undoAmendment(
  tx: Db,
  { ownerId, trackId }: { ownerId: LibraryId; trackId: string },
  amended: readonly AmendedCategory[],
  at: number,
): void {
  const tags = new Map(amended.map((change) => [change.category, unamended(tx, trackId, change)]));
  decideTags(tx, { ownerId, trackId, tags, source: "patch", isUndo: true, learnsLater: true }, at);
  for (const { category, before, wasEmptied } of amended) {
    const ofFile = before.filter(({ source }) => source === "file").map(({ id }) => id);
    queries.markAsOfFile(tx, trackId, category, ofFile);
    if (!wasEmptied) removeOwnerField(tx, trackId, category);
  }
}

function unamended(tx: Db, trackId: string, { category, before, after }: AmendedCategory): TagRef[] {
  const current = queries.selectCategory(tx, trackId, category);
  const isUntouched = current.map(({ id }) => id).join() === after.map(({ id }) => id).join();
  if (isUntouched) return before.map(({ id, name }) => ({ id, name }));
  const has = (tags: readonly TagRef[], { id }: TagRef) => tags.some((tag) => tag.id === id);
  const kept = current.filter((tag) => !has(after, tag) || has(before, tag));
  const lost = before.filter((tag) => !has(after, tag) && !has(kept, tag));
  return [...kept, ...lost].map(({ id, name }) => ({ id, name }));
}
