import { findTag, TAXONOMY, type TaxonomyCategory } from "../../../../db/taxonomy.ts";
import { fold, isBlank } from "../../../kernel/text.ts";
import { TAG_CATEGORIES, type TagCategory, type TagRef } from "./shapes.ts";

/** The taxonomy category that each category's names come from; `tags` is free text (decision 2.15). */
export const TAXONOMY_CATEGORY: Readonly<Record<Exclude<TagCategory, "tags">, TaxonomyCategory>> = {
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

/** Names as a request sends them, by category. */
export type TagNames = Partial<Record<TagCategory, readonly string[]>>;
/** What {@link resolveTagNames} made of a request's names. */
export type ResolvedTags = {
  /** Canonical tags of every category that was sent, without duplicates, in the order sent. */
  resolved: Map<TagCategory, TagRef[]>;
  /** Names that are not in the taxonomy, as sent. An empty object means that all are known. */
  unknown: Partial<Record<TagCategory, string[]>>;
};

/** Matches names against the taxonomy, ignoring case (decision 2.16). Free text is trimmed and kept. */
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

/** Code of each tag of the taxonomy, by id. */
const CODES = new Map(
  Object.values(TAXONOMY)
    .flat()
    .map(({ id, code }) => [id, code]),
);

/** Returns the stable codes of tags; free text has none. */
export function codesOf(tags: readonly TagRef[]): string[] {
  return tags.flatMap(({ id }) => CODES.get(id) ?? []);
}

/** Keeps the first spelling of each tag. */
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
  return isBlank(text) ? undefined : { id: `tag_free_${Bun.hash(fold(text)).toString(36)}`, name: text };
}
