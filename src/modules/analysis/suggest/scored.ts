import { tagById } from "../../../../db/taxonomy.ts";
import { PROMPTS } from "../../models/service.ts";
import type { TagSuggestion } from "../../tags/model.ts";

/** Under this name the scores of a model's tags lie beside its vector: one number a prompt, of length 1 together. */
export const SCORES_PROVIDER = "model-tags";

/** Never surer than this: a cosine is no probability, and nobody has calibrated these. */
const CEILING = 0.6;
/** Standard deviations above the mean of a category at which a tag has half of that, and how soon it has all. */
const CENTRE = 2.2;
const SLOPE = 2.5;

/**
 * Returns what a learned model's scores suggest: tags that stand out of their category. Which cosines are high differs
 * from model to model, so only their distance from the category's mean counts.
 *
 * @param scores One number for each of PROMPTS, at any scale.
 */
export function scoredTags(scores: Float32Array): TagSuggestion[] {
  if (scores.length !== PROMPTS.length) return [];
  const scored = PROMPTS.map(({ category, id }, i) => ({ category, id, score: scores[i] ?? 0 }));
  return [...Map.groupBy(scored, ({ category }) => category)].flatMap(([category, members]) => {
    const mean = members.reduce((sum, { score }) => sum + score, 0) / members.length;
    const spread = Math.sqrt(
      members.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / members.length,
    );
    if (spread === 0) return [];
    return members.flatMap(({ id, score }): TagSuggestion[] => {
      const confidence = CEILING / (1 + Math.exp(-SLOPE * ((score - mean) / spread - CENTRE)));
      const tag = tagById(id);
      return tag && score > mean ? [{ category, id, name: tag.name, confidence }] : [];
    });
  });
}
