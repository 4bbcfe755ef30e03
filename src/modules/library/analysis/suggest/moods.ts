import { indexOfHeard } from "../../../../ears/tags.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { degree, type Rule, weigh, within } from "./evidence.ts";
import type { Sound } from "./sound.ts";

/**
 * Returns moods by liveliness, mode and colour. These only hint at the mood, and a key says little by itself, hence the
 * low ceilings.
 */
export function moodsOfSound(sound: Sound): TagSuggestion[] {
  return weigh("moods", [...moving(sound), ...quiet(sound), ...grave(sound), ...grand(sound)]);
}

/** Moods of music that moves, and of music that rests. */
const MOVING = ["Energetic", "Upbeat", "Intense", "Groovy"];
const RESTING = ["Relaxed", "Calm", "Peaceful", "Gentle", "Melancholic"];
/** Tags of the ears for both; a star stands for the second network. */
const MOVED = indicesOf("loud, fast, beat, techno, rock, metal*, dance, party*, hard rock*");
const RESTED = indicesOf("slow, quiet, soft, ambient, Mellow*, chill*, ambient*, new age, sad*");
/** Where music moves as much as it rests, and how far from there it clearly does one of the two, in log-odds. */
const [MIDDLE, CLEAR] = [-1.3, 0.1];

/** Returns moods with those cut down that the ears contradict: music that moves does not rest. See docs/decisions/0137. */
export function moodsUnderEars(moods: readonly TagSuggestion[], heard: ArrayLike<number>): TagSuggestion[] {
  const moves = meanOf(heard, MOVED) - meanOf(heard, RESTED) - MIDDLE;
  return moods.map((mood) => {
    const isMeant = (names: readonly string[]) => names.includes(mood.name);
    const agreed = isMeant(MOVING)
      ? degree(moves, -CLEAR, CLEAR)
      : isMeant(RESTING)
        ? degree(moves, CLEAR, -CLEAR)
        : 1;
    return { ...mood, confidence: agreed * mood.confidence };
  });
}

const meanOf = (heard: ArrayLike<number>, indices: readonly number[]) =>
  indices.reduce((sum, index) => sum + (heard[index] ?? 0), 0) / indices.length;

function indicesOf(names: string): number[] {
  return names.split(", ").map(indexOfHeard);
}

function moving({ beat, busy, lively, minor, major, bpm, attacks }: Sound): Rule[] {
  return [
    { name: "Energetic", ceiling: 0.7, evidence: [degree(lively, 0.55, 0.85)] },
    {
      name: "Upbeat",
      ceiling: 0.65,
      evidence: [major, beat, degree(lively, 0.45, 0.7), degree(bpm, 90, 110)],
    },
    { name: "Intense", ceiling: 0.6, evidence: [minor, degree(lively, 0.6, 0.9), degree(bpm, 122, 136)] },
    {
      name: "Groovy",
      ceiling: 0.65,
      evidence: [beat, degree(attacks, 0.8, 1.1), degree(busy, 0.2, 0.4), within(bpm, [68, 76], [116, 128])],
    },
    {
      name: "Relaxed",
      ceiling: 0.55,
      evidence: [major, beat, degree(lively, 0.65, 0.5), degree(busy, 0.6, 0.45), degree(bpm, 110, 92)],
    },
  ];
}

function quiet(sound: Sound): Rule[] {
  const { held, loud, rangeLu, dark, major, lively, attacksPerSec, attacks } = sound;
  const calm = [held, degree(loud, 0.8, 0.5), degree(rangeLu, 14, 9), degree(dark, 0.9, 0.6)];
  const fewAttacks = Math.min(degree(attacksPerSec, 3.2, 2), degree(attacks, 0.3, 0.4));
  return [
    { name: "Calm", ceiling: 0.65, evidence: calm },
    { name: "Peaceful", ceiling: 0.6, evidence: [...calm, major] },
    { name: "Gentle", ceiling: 0.6, evidence: [fewAttacks, degree(lively, 0.6, 0.4)] },
  ];
}

function grave({ minor, atonal, lively, loud, rangeLu, dark, held, bass }: Sound): Rule[] {
  return [
    {
      name: "Melancholic",
      ceiling: 0.6,
      evidence: [minor, degree(lively, 0.45, 0.2), degree(loud, 0.85, 0.6), degree(rangeLu, 15, 10)],
    },
    // Without a key the mode is unknown, but music with little above a heavy bass is seldom cheerful.
    {
      name: "Dark",
      ceiling: 0.65,
      evidence: [Math.max(minor, 0.75 * atonal), dark, degree(bass, 0.2, 0.35)],
    },
    { name: "Brooding", ceiling: 0.6, evidence: [minor, dark, held, degree(loud, 0.7, 0.4)] },
  ];
}

/** Large rooms and large gestures (orchestras, choirs, pads), by soft attacks, wide range and yet a high level. */
function grand({ rangeLu, loud, attacks, dark, width }: Sound): Rule[] {
  const isFull = [degree(attacks, 0.5, 0.3), degree(loud, 0.42, 0.6), degree(width, 0.05, 0.15)];
  return [
    { name: "Dramatic", ceiling: 0.65, evidence: [degree(rangeLu, 11, 18), degree(loud, 0.4, 0.65)] },
    { name: "Epic", ceiling: 0.55, evidence: [...isFull, degree(rangeLu, 7, 12), degree(dark, 1, 0.7)] },
  ];
}
