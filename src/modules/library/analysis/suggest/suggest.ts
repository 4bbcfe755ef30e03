import type { CategorizedTag, TagCategory, TagSuggestion } from "../../tags/shapes.ts";
import { learntSound } from "../learning/sound.ts";
import { probabilityOf, type TagModel } from "../learning/tag-classifier.ts";
import { priorsOf, type SuggestionBasis } from "./priors.ts";

export type { SuggestionBasis } from "./priors.ts";

/** The models learnt from an owner, and the owner's verdicts on the track in question. */
export type Learnt = {
  models: readonly (CategorizedTag & { model: TagModel })[];
  /** By {@link tagKey}: whether the owner wants the tag on this very track. */
  /** `isApplied`: the owner took the suggestion as it was, without a word of their own. */
  verdicts: ReadonlyMap<string, CategorizedTag & { isWanted: boolean; isApplied?: boolean }>;
};
export const NOTHING_LEARNT: Learnt = { models: [], verdicts: new Map() };

/** Rules below this confidence suggest nothing: no suggestion is better than a wrong one. */
const LEAST_OF_RULE = 0.4;
/** A calibrated probability: below it a suggestion would be wrong more often than right. */
const LEAST_OF_MODEL = 0.5;
/** Confidence of the owner's own verdict. */
const SAID = 0.95;

/** The most suggestions in a category; learnt suggestions may exceed it. */
const MOST: Readonly<Record<TagCategory, number>> = {
  genres: 3,
  moods: 3,
  types: 2,
  vocals: 2,
  instruments: 4,
  lyricThemes: 3,
  eras: 1,
  characters: 3,
  movements: 3,
  tags: 5,
};
const MOST_LEARNT = 5;

/** Returns a key that identifies a tag. */
export const tagKey = ({ category, id }: Pick<CategorizedTag, "category" | "id">): string =>
  `${category} ${id}`;

type Candidate = TagSuggestion & { isLearnt: boolean };

/**
 * Returns the tags that a recording suggests: what the rules and the file say, corrected by what was learnt from its
 * owner. The owner's verdicts on this very track override both. Leaves out tags that are not certain enough.
 */
export function suggestTags(basis: SuggestionBasis, learnt: Learnt = NOTHING_LEARNT): TagSuggestion[] {
  const candidates = new Map<string, Candidate>();
  for (const prior of priorsOf(basis)) candidates.set(tagKey(prior), { ...prior, isLearnt: false });
  refine(candidates, basis, learnt.models);
  for (const [key, { isWanted, category, id, name }] of learnt.verdicts)
    candidates.set(key, { category, id, name, confidence: isWanted ? SAID : 0, isLearnt: true });
  return choose([...candidates.values()]);
}

/** Replaces the rules' confidences with the models'; a rule that suggests keeps its own threshold. */
function refine(
  candidates: Map<string, Candidate>,
  { descriptors, heard }: SuggestionBasis,
  models: Learnt["models"],
): void {
  if (!descriptors || models.length === 0) return;
  const sound = learntSound(descriptors, heard);
  for (const { model, ...tag } of models) {
    const prior = candidates.get(tagKey(tag))?.confidence ?? 0;
    const confidence = probabilityOf(model, sound, prior);
    const isLearnt = prior < LEAST_OF_RULE || confidence >= LEAST_OF_MODEL;
    candidates.set(tagKey(tag), { ...tag, confidence, isLearnt });
  }
}

/** Returns the most confident candidates of each category. */
function choose(candidates: readonly Candidate[]): TagSuggestion[] {
  const sure = candidates
    .filter(({ confidence, isLearnt }) => confidence >= (isLearnt ? LEAST_OF_MODEL : LEAST_OF_RULE))
    .sort((a, b) => b.confidence - a.confidence);
  return [...Map.groupBy(sure, ({ category }) => category)].flatMap(([category, members]) =>
    members
      .filter(({ isLearnt }, rank) => rank < (isLearnt ? MOST_LEARNT : MOST[category]))
      // Two decimals already exceed the real precision.
      .map(({ isLearnt: _, confidence, ...tag }) => ({
        ...tag,
        confidence: Math.round(confidence * 100) / 100,
      })),
  );
}
