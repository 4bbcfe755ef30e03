import type { TagSuggestion } from "../../tags/model.ts";
import { degree, weigh } from "./evidence.ts";

const VOICES = ["Lead Vocals", "Male Vocals", "Female Vocals", "Backing Vocals", "Rap", "Spoken Word"];
/** Below what is suggested: the likelihood of a voice knows syllables, not singers. */
const CEILING = 0.35;

/**
 * Returns where learning begins with vocals. Nothing of it is sure enough to be suggested by itself.
 *
 * @param likelihood As `voiceLikelihood` of the audio part; undefined when nothing was measured.
 */
export function vocalsHeard(likelihood: number | undefined): TagSuggestion[] {
  if (likelihood === undefined) return [];
  return weigh("vocals", [
    ...VOICES.map((name) => ({ name, ceiling: CEILING, evidence: [degree(likelihood, 0.5, 0.95)] })),
    { name: "Instrumental", ceiling: CEILING, evidence: [degree(likelihood, 0.5, 0.1)] },
  ]);
}
