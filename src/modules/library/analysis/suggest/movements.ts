import type { TagSuggestion } from "../../tags/shapes.ts";
import { degree, type Rule, weigh, within } from "./evidence.ts";
import type { Sound } from "./sound.ts";

/** Returns how the music moves: its feel from beat, attacks and tempo, its course from the range of loudness. */
export function movementsOfSound(sound: Sound): TagSuggestion[] {
  return weigh("movements", [...feel(sound), ...course(sound)]);
}

function feel({ beat, busy, lively, bpm, attacks, pulse, bass }: Sound): Rule[] {
  return [
    {
      name: "Driving",
      ceiling: 0.75,
      evidence: [beat, degree(busy, 0.35, 0.6), degree(lively, 0.5, 0.75), degree(bpm, 108, 122)],
    },
    {
      name: "Grooving",
      ceiling: 0.65,
      evidence: [
        beat,
        degree(attacks, 0.7, 1.05),
        degree(busy, 0.2, 0.45),
        within(bpm, [66, 74], [122, 132]),
      ],
    },
    {
      name: "Pounding",
      ceiling: 0.65,
      evidence: [beat, degree(attacks, 1, 1.5), degree(bass, 0.2, 0.4), degree(bpm, 115, 125)],
    },
    { name: "Rhythmic", ceiling: 0.6, evidence: [beat, degree(busy, 0.3, 0.6)] },
    {
      name: "Pulsing",
      ceiling: 0.55,
      evidence: [
        degree(busy, 0.1, 0.3),
        degree(pulse, 0.35, 0.55),
        within(attacks, [0.25, 0.4], [0.5, 0.75]),
      ],
    },
  ];
}

function course({ beat, held, rangeLu, pulse, loud, bass }: Sound): Rule[] {
  return [
    { name: "Dynamic", ceiling: 0.75, evidence: [degree(rangeLu, 12, 18)] },
    { name: "Steady", ceiling: 0.55, evidence: [beat, degree(rangeLu, 5, 2)] },
    { name: "Sustained", ceiling: 0.65, evidence: [degree(held, 0.7, 1)] },
    {
      name: "Floating",
      ceiling: 0.55,
      evidence: [
        held,
        degree(pulse, 0.15, 0.05),
        degree(rangeLu, 12, 8),
        degree(loud, 0.7, 0.5),
        degree(bass, 0.35, 0.2),
      ],
    },
  ];
}
