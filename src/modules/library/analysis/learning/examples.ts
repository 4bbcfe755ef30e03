import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { CategorizedTag, TagCategory } from "../../tags/shapes.ts";
import { priorsOf, type SuggestionBasis } from "../suggest/priors.ts";
import { tagKey } from "../suggest/suggest.ts";
import { type Example, priorLogOdds } from "./inputs.ts";
import { selectBases, selectCategoryVerdicts } from "./queries.ts";
import { learntSound } from "./sound.ts";
import { type Word, wordsOn } from "./words.ts";

/** How many lessons are cached; each takes a few kilobytes. */
const MOST_LESSONS = 2000;

/** What a track contributes to learning any tag: its sound, and its prior confidences by {@link tagKey}. */
export type Lesson = { sound: Float32Array; priors: ReadonlyMap<string, number> };

/** Returns the lesson of a track, or undefined for silence. */
export function lessonOf(basis: SuggestionBasis): Lesson | undefined {
  const { descriptors, heard } = basis;
  if (!descriptors) return undefined;
  return {
    sound: learntSound(descriptors, heard),
    priors: new Map(priorsOf(basis).map((prior) => [tagKey(prior), prior.confidence])),
  };
}

/** Combines a track's lesson with the owner's verdict on a tag. */
export function exampleOf(
  { sound, priors }: Lesson,
  tag: Pick<CategorizedTag, "category" | "id">,
  { isPositive, weight, isSaid }: Omit<Word, "trackId">,
): Example {
  const offset = priorLogOdds(priors.get(tagKey(tag)) ?? 0);
  return { sound, offset, isPositive, weight, isSaid };
}

/** The examples that a tag is learnt from, and the tag's name. */
export type Examples = { name: string; examples: Example[] };

/**
 * Returns a function that gives the examples for each tag of a category, in a fixed order. Tracks that are silent or
 * not yet analysed are left out. The account's verdicts are read once, by this call.
 */
export function examplesOf(
  db: Db,
  ownerId: LibraryId,
  category: TagCategory,
): (tag: CategorizedTag) => Examples {
  const all = selectCategoryVerdicts(db, ownerId, category);
  const byTrack = Map.groupBy(all, ({ trackId }) => trackId);
  const lessons = new Map<string, Lesson | undefined>();

  const bring = (trackIds: readonly string[]) => {
    if (lessons.size > MOST_LESSONS) lessons.clear();
    const missing = trackIds.filter((id) => !lessons.has(id));
    for (const id of missing) lessons.set(id, undefined);
    for (const [id, basis] of selectBases(db, ownerId, missing)) lessons.set(id, lessonOf(basis));
  };

  return (tag) => {
    const words = wordsOn(byTrack, tag.id);
    bring(words.map(({ trackId }) => trackId));
    const examples = words.flatMap((word) => {
      const lesson = lessons.get(word.trackId);
      return lesson ? [exampleOf(lesson, tag, word)] : [];
    });
    return { name: all.find(({ tagId }) => tagId === tag.id)?.name ?? tag.name, examples };
  };
}
