import { tagById } from "../../../../db/taxonomy.ts";
import { PROMPTS } from "../../models/service.ts";
import type { TagSuggestion } from "../../tags/model.ts";

/** The provider name under which a model's tag scores are stored: one number per prompt, scaled to length 1. */
export const SCORES_PROVIDER = "model-tags";

/** The highest confidence: a cosine is not a probability, and these are not calibrated. */
const CEILING = 0.6;
/** Standard deviations above a category's mean at which a tag gets half the ceiling, and how fast it rises. */
const CENTRE = 2.2;
const SLOPE = 2.5;

/**
 * Returns what a learned model's scores suggest: tags that stand out from their category. Models differ in which
 * cosines are high, so only the distance from the category's mean counts.
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
