import type { Db } from "../../../db/client.ts";
import { CATEGORIES, findTag, TAXONOMY, type TaxonomyCategory } from "../../../db/taxonomy.ts";
import { fold } from "../../kernel/text.ts";
import { type CategorizedTag, TAG_CATEGORIES, type TagCategory, type TagRef } from "./model.ts";
import { hasOwnerTags, replaceTags, selectTags } from "./queries.ts";

/** Where the names of a category come from; `tags` is free text (decision 2.15). */
const TAXONOMY_CATEGORY: Readonly<Record<Exclude<TagCategory, "tags">, TaxonomyCategory>> = {
  genres: "genres",
  moods: "moods",
  types: "audioTypes",
  vocals: "vocalTypes",
  instruments: "instruments",
  lyricThemes: "lyricThemes",
  eras: "eras",
  characters: "characters",
  movements: "movements",
};

/** Names as a request has them, by category. */
export type TagNames = Partial<Record<TagCategory, readonly string[]>>;
/** What {@link resolveTagNames} made of a request's names. */
export type ResolvedTags = {
  /** Canonical tags of every category that was sent, without repetitions, in the order sent. */
  resolved: Map<TagCategory, TagRef[]>;
  /** Names that the taxonomy does not know, as sent. Empty object: all are known. */
  unknown: Partial<Record<TagCategory, string[]>>;
};

/** Matches names with the taxonomy without regard to case (decision 2.16). Free text is trimmed and kept. */
export function resolveTagNames(input: TagNames): ResolvedTags {
  const resolved: ResolvedTags["resolved"] = new Map();
  const unknown: ResolvedTags["unknown"] = {};
  for (const category of TAG_CATEGORIES) {
    const names = input[category];
    if (!names) continue;
    const tags = names.map((name) => toTag(category, name));
    const strangers = names.filter((_, index) => tags[index] === undefined);
    if (strangers.length > 0 && category !== "tags") unknown[category] = strangers;
    resolved.set(category, distinct(tags));
  }
  return { resolved, unknown };
}

/**
 * Replaces a track's tags of one category. Call it inside the transaction that announces the change. A write of
 * source `file` leaves alone what the owner has written (decision 3.5).
 *
 * @param names Canonical names, as {@link resolveTagNames} gives them.
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
  if (source === "file" && hasOwnerTags(tx, trackId, category)) return;
  replaceTags(tx, { ownerId, trackId, category, tags: resolved.get(category) ?? [], source });
}

/**
 * Returns the tags of each track, in the order written within a category. A track without tags is not in the map.
 * The ids must be those of tracks the caller may see.
 */
export function tagsOfTracks(db: Db, trackIds: readonly string[]): Map<string, CategorizedTag[]> {
  const byTrack = new Map<string, CategorizedTag[]>();
  for (const { trackId, ...tag } of selectTags(db, trackIds)) {
    const tags = byTrack.get(trackId);
    if (tags) tags.push(tag);
    else byTrack.set(trackId, [tag]);
  }
  return byTrack;
}

type WireEntry = { id: string; name: string; code: string; order: number };

const WIRE_TAXONOMY = Object.fromEntries(
  CATEGORIES.map((category) => [
    category,
    TAXONOMY[category].map(({ id, name, code, order }): WireEntry => ({ id, name, code, order })),
  ]),
);

/** Returns the whole taxonomy as the wire has it, each category in display order (decision 4.48). */
export function listTaxonomy(): Readonly<Record<string, readonly WireEntry[]>> {
  return WIRE_TAXONOMY;
}

/** The first spelling of a tag stays. */
function distinct(tags: readonly (TagRef | undefined)[]): TagRef[] {
  const byId = new Map<string, TagRef>();
  for (const tag of tags) if (tag && !byId.has(tag.id)) byId.set(tag.id, tag);
  return [...byId.values()];
}

/** Undefined: not in the taxonomy, or empty free text. */
function toTag(category: TagCategory, name: string): TagRef | undefined {
  const text = name.trim().replace(/\s+/g, " ");
  if (category !== "tags") {
    const entry = findTag(TAXONOMY_CATEGORY[category], text);
    return entry && { id: entry.id, name: entry.name };
  }
  // The same words in another case are the same tag.
  return text === "" ? undefined : { id: `tag_free_${Bun.hash(fold(text)).toString(36)}`, name: text };
}
