import { heardVoice, voiceIn } from "../../../../ears/voice.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { degree, weigh } from "./evidence.ts";

const VOICES = ["Lead Vocals", "Male Vocals", "Female Vocals", "Backing Vocals", "Rap", "Spoken Word"];
/** Too low to be suggested: a likelihood alone does not say what kind of voice it is. */
const UNSAID = 0.35;
/** With half of the evidence, a tag is just suggested. */
const CEILING = 0.8;

/**
 * Returns the priors that learning starts from for vocals. They are too uncertain to be suggested by themselves.
 *
 * @param likelihood How likely a voice is, 0 to 1; undefined when it was not measured.
 */
export function vocalsOfSound(likelihood: number | undefined): TagSuggestion[] {
  if (likelihood === undefined) return [];
  return weigh("vocals", [
    ...VOICES.map((name) => ({ name, ceiling: UNSAID, evidence: [degree(likelihood, 0.5, 0.95)] })),
    { name: "Instrumental", ceiling: UNSAID, evidence: [degree(likelihood, 0.5, 0.1)] },
  ]);
}

/**
 * Returns the vocals that the ears heard, and the priors for the others. Somebody sings, with instruments or alone, or speaks
 * without them; a voice that is neither for certain, such as speech over music or a choir, is left open.
 *
 * @param features The result of `summarise` in src/audio.
 */
export function vocalsHeard(
  heard: ArrayLike<number>,
  features: Readonly<Record<string, number>>,
): TagSuggestion[] {
  const { voiceLikelihood: syllables, pulseClarity = 1, scaleFit = 1 } = features;
  if (syllables === undefined) return [];
  const likelihood = voiceIn(heard, syllables);
  const { female, alone, solo } = heardVoice(heard);
  // A choir and a singer without a band sound alike but for "solo", which speech does not have either.
  const sung = Math.min(
    degree(likelihood, 0.8, 1),
    Math.max(degree(alone, -5, -6), degree(solo, -4.5, -3.5)),
  );
  const spoken = Math.min(
    degree(likelihood, 0.8, 1),
    degree(pulseClarity, 0.2, 0.05),
    degree(scaleFit, 0.85, 0.65),
    degree(solo, -4.5, -5.5),
  );
  return [
    ...vocalsOfSound(likelihood),
    ...weigh("vocals", [
      { name: "Lead Vocals", ceiling: CEILING, evidence: [sung] },
      { name: "Female Vocals", ceiling: CEILING, evidence: [sung, degree(female, 1.2, 2)] },
      { name: "Male Vocals", ceiling: CEILING, evidence: [sung, degree(female, -0.4, -1.4)] },
      { name: "Spoken Word", ceiling: CEILING, evidence: [spoken] },
      { name: "Instrumental", ceiling: CEILING, evidence: [degree(likelihood, 0.36, 0)] },
    ]),
  ];
}
