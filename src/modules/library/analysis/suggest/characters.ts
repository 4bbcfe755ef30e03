import type { TagSuggestion } from "../../tags/shapes.ts";
import { degree, type Rule, weigh } from "./evidence.ts";
import type { Sound } from "./sound.ts";

/** Returns how the recording sounds: its space, its colour and its weight. It does not recognise instruments. */
export function charactersOfSound(sound: Sound): TagSuggestion[] {
  return weigh("characters", [...space(sound), ...colour(sound), ...weight(sound)]);
}

function space({ width, attacks, held, loud, rangeLu }: Sound): Rule[] {
  return [
    { name: "Spacious", ceiling: 0.65, evidence: [degree(width, 0.3, 0.5), degree(attacks, 0.8, 0.5)] },
    {
      name: "Atmospheric",
      ceiling: 0.65,
      evidence: [held, degree(width, 0.1, 0.25), degree(loud, 0.85, 0.6)],
    },
    {
      name: "Cinematic",
      ceiling: 0.65,
      evidence: [degree(rangeLu, 10, 15), degree(attacks, 0.7, 0.4), degree(width, 0.15, 0.3)],
    },
  ];
}

function colour({ bright, brightness, major, lively }: Sound): Rule[] {
  return [
    { name: "Bright", ceiling: 0.75, evidence: [bright] },
    {
      name: "Warm",
      ceiling: 0.55,
      evidence: [major, degree(brightness, 0.4, 0.25), degree(lively, 0.6, 0.4)],
    },
  ];
}

function weight({ beat, bass, attacks, percussive, loud, attacksPerSec, lively }: Sound): Rule[] {
  return [
    {
      name: "Punchy",
      ceiling: 0.65,
      evidence: [beat, degree(attacks, 0.7, 1.1), degree(percussive, 0.3, 0.4), degree(loud, 0.5, 0.8)],
    },
    {
      name: "Heavy",
      ceiling: 0.6,
      evidence: [degree(bass, 0.35, 0.55), degree(loud, 0.55, 0.8), degree(attacks, 0.4, 0.7)],
    },
    {
      name: "Sparse",
      ceiling: 0.7,
      evidence: [degree(attacksPerSec, 3, 2), degree(attacks, 0.3, 0.4)],
    },
    { name: "Soft", ceiling: 0.6, evidence: [degree(loud, 0.35, 0.1), degree(lively, 0.5, 0.3)] },
  ];
}
