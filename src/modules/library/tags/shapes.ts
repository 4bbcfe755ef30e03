import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { fieldsOf, shape } from "../../../http/envelope.ts";

/** The ten categories that tags are written and stored under; `tags` is free text (decision 2.15). */
export const TAG_CATEGORIES = [
  "genres",
  "moods",
  "types",
  "vocals",
  "instruments",
  "lyricThemes",
  "eras",
  "characters",
  "movements",
  "tags",
] as const;
export type TagCategory = (typeof TAG_CATEGORIES)[number];

/** A tag as tracks carry it. */
export type TagRef = { id: string; name: string };
/** A tag of a track with the category it was written under. */
export type CategorizedTag = TagRef & { category: TagCategory };
/** A tag suggested for a track; free text only where it was learnt from the owner's tags. Confidence is 0 to 1. */
export type TagSuggestion = CategorizedTag & { confidence: number };

/** The name that wraps each item of a relation: `genres: [{genre: {id, name}}]` (decision 2.4). */
const SINGULAR = {
  genres: "genre",
  moods: "mood",
  types: "type",
  vocals: "vocal",
  instruments: "instrument",
  lyricThemes: "lyricTheme",
  eras: "era",
  characters: "character",
  movements: "movement",
  tags: "tag",
} as const satisfies Record<TagCategory, string>;

/** One item of a relation, as the API sends it. */
export type TagRelation<Category extends TagCategory> = { [Key in (typeof SINGULAR)[Category]]: TagRef };

const TagRefSchema = shape("Tag", { id: Type.String(), name: Type.String() });
const relationOf = <Singular extends string>(singular: Singular) =>
  Type.Array(Type.Object(fieldsOf([singular], TagRefSchema)));

/** Schemas of a track's tag relations: arrays that are always present, in the order written. */
export const TagRelations = {
  genres: relationOf(SINGULAR.genres),
  moods: relationOf(SINGULAR.moods),
  types: relationOf(SINGULAR.types),
  vocals: relationOf(SINGULAR.vocals),
  instruments: relationOf(SINGULAR.instruments),
  lyricThemes: relationOf(SINGULAR.lyricThemes),
  eras: relationOf(SINGULAR.eras),
  characters: relationOf(SINGULAR.characters),
  movements: relationOf(SINGULAR.movements),
  tags: relationOf(SINGULAR.tags),
} satisfies Record<TagCategory, TSchema>;

/** Returns the items of one category as the API sends them: `{genre: {id, name}}` for `genres`. */
export function toRelation<Category extends TagCategory>(
  tags: readonly CategorizedTag[],
  category: Category,
): TagRelation<Category>[] {
  return tags
    .filter((tag) => tag.category === category)
    .map(({ id, name }) => ({ [SINGULAR[category]]: { id, name } }) as TagRelation<Category>);
}

const TaxonomyEntry = shape("TaxonomyEntry", {
  id: Type.String(),
  name: Type.String({
    description: "The name to use when writing tags; case does not matter; contains no comma",
  }),
  code: Type.String({ description: "Stable snake_case" }),
  order: Type.Integer({ minimum: 0 }),
});
const Entries = Type.Array(TaxonomyEntry);

/** Payload of `GET /taxonomy`: all ten categories in display order. */
export const Taxonomy = shape("Taxonomy", {
  genres: Entries,
  moods: Entries,
  instruments: Entries,
  vocalTypes: Entries,
  lyricThemes: Entries,
  audioTypes: Entries,
  tempos: Entries,
  eras: Entries,
  characters: Entries,
  movements: Entries,
});

/** The categories of the taxonomy, in display order. */
export const TAXONOMY_CATEGORIES = Object.keys(Taxonomy.properties) as (keyof typeof Taxonomy.properties)[];

export const TaxonomyQuery = Type.Object({
  category: Type.Optional(
    Type.Union(
      TAXONOMY_CATEGORIES.map((category) => Type.Literal(category)),
      { description: "Only this category; the others are empty then" },
    ),
  ),
});
export type TaxonomyQuery = Static<typeof TaxonomyQuery>;

/** The most tags of a category that one write names, and that a track gets by it. */
export const MAX_NAMES = 100;
/** Characters. */
export const MAX_TAG = 500;
const NamesOf = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: MAX_TAG }), { maxItems: MAX_NAMES, description }));

export const TrackTagsQuery = Type.Object({ id: Type.String({ minLength: 1, description: "The track" }) });

/** What a write of tags does with those that a category has. */
export const TAG_MODES = ["replace", "add", "remove"] as const;

/**
 * Body of `PATCH /tracks/tags`. Each category sent replaces the track's tags in it, and `[]` clears it, unless `mode` says
 * otherwise.
 */
export const TrackTagsBody = shape("TrackTagsBody", {
  mode: Type.Optional(
    Type.Union(
      TAG_MODES.map((mode) => Type.Literal(mode)),
      {
        description: "Left out: `replace`. `add` and `remove` leave the other tags of a category as they are",
      },
    ),
  ),
  genres: NamesOf("Taxonomy names in any case, as in every list but the last"),
  moods: NamesOf("Taxonomy: moods"),
  types: NamesOf("Taxonomy: audioTypes"),
  vocals: NamesOf("Taxonomy: vocalTypes"),
  instruments: NamesOf("Taxonomy: instruments"),
  lyricThemes: NamesOf("Taxonomy: lyricThemes"),
  eras: NamesOf("Taxonomy: eras"),
  characters: NamesOf("Taxonomy: characters"),
  movements: NamesOf("Taxonomy: movements"),
  additionalTags: NamesOf("Free text"),
});
export type TrackTagsBody = Static<typeof TrackTagsBody>;

const Names = Type.Array(Type.String());

/** Payload of `PATCH /tracks/tags`: every category as it is after the write. */
export const TrackTags = shape("TrackTags", {
  ok: Type.Literal(true),
  trackId: Type.String(),
  tags: Type.Object({
    genres: Names,
    moods: Names,
    types: Names,
    vocals: Names,
    instruments: Names,
    lyricThemes: Names,
    eras: Names,
    characters: Names,
    movements: Names,
    additionalTags: Names,
  }),
});
export type TrackTags = Static<typeof TrackTags>;
