import type { TagSuggestion } from "../../tags/model.ts";
import { degree, weigh } from "./evidence.ts";

const VOICES = ["Lead Vocals", "Male Vocals", "Female Vocals", "Backing Vocals", "Rap", "Spoken Word"];
/** Too low to be suggested: the likelihood of a voice detects syllables, not singers. */
const CEILING = 0.35;

/**
 * Returns the priors that learning starts from for vocals. They are too uncertain to be suggested by themselves.
 *
 * @param likelihood The `voiceLikelihood` of src/audio; undefined when it was not measured.
 */
export function vocalsOfSound(likelihood: number | undefined): TagSuggestion[] {
  if (likelihood === undefined) return [];
  return weigh("vocals", [
    ...VOICES.map((name) => ({ name, ceiling: CEILING, evidence: [degree(likelihood, 0.5, 0.95)] })),
    { name: "Instrumental", ceiling: CEILING, evidence: [degree(likelihood, 0.5, 0.1)] },
  ]);
}
