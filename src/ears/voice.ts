import { indexOfHeard } from "./tags.ts";

/** Tags that say that someone sings or speaks, and tags that say that no one does. */
const VOICE = indicesOf(
  "vocal, singing, vocals, voice, female, male, woman, man, female vocal, male vocal, male voice, female voice, " +
    "opera, choir, choral, female vocalists*, male vocalists*, female vocalist*",
);
const NO_VOICE = indicesOf("no vocals, no vocal, no voice, instrumental*");

const FEMALE = indicesOf("female, woman, female vocal, female voice, female vocalists*, female vocalist*");
const MALE = indicesOf("male, man, male vocal, male voice, male vocalists*");
/** What voices without instruments are taken for, choirs and speakers alike. */
const ALONE = indicesOf("choir, choral, opera");
const SOLO = indicesOf("solo");

/** What the likelihood of syllables adds to what was heard, per unit of its log-odds, which are limited to this many. */
const SYLLABLES = 0.3;
const MOST_SYLLABLES = 3.9;
/** The middle between what is sung and what is not, and how fast the one becomes the other. */
const MIDDLE = 0.25;
const SLOPE = 1.76;

/**
 * Returns how likely it is that someone sings or speaks, 0 to 1, from what the ears heard and the likelihood of
 * syllables. Flutes, harps and accordions have syllables, but no singer. See docs/decisions/0037.
 *
 * @param syllables The `voiceLikelihood` of src/audio, 0 to 1.
 */
export function voiceIn(heard: ArrayLike<number>, syllables: number): number {
  const logOdds = Math.log(syllables / (1 - syllables));
  const spoken = Math.max(-MOST_SYLLABLES, Math.min(MOST_SYLLABLES, logOdds));
  return likelihoodOf(voiceTagsOf(heard) + SYLLABLES * spoken);
}

/** Returns how likely it is that someone sings or speaks in a passage, 0 to 1, whose syllables were not counted. */
export const voiceInPassage = (heard: ArrayLike<number>): number => likelihoodOf(voiceTagsOf(heard));

const voiceTagsOf = (heard: ArrayLike<number>) => logSum(heard, VOICE) - logSum(heard, NO_VOICE);
const likelihoodOf = (sum: number) => 1 / (1 + Math.exp(-SLOPE * (sum - MIDDLE)));

/** How a voice sounds to the ears, in log-odds. Means nothing where there is none. */
export type HeardVoice = {
  /** Above 0 rather a woman than a man. Without a singer it is about 1. */
  female: number;
  /** How much it sounds like voices without instruments. */
  alone: number;
  /** How much it sounds like a soloist: who sings alone does, who speaks does not. */
  solo: number;
};

/** Returns how the voice sounds that the ears heard. */
export function heardVoice(heard: ArrayLike<number>): HeardVoice {
  return {
    female: logSum(heard, FEMALE) - logSum(heard, MALE),
    alone: logSum(heard, ALONE),
    solo: logSum(heard, SOLO),
  };
}

function logSum(heard: ArrayLike<number>, indices: readonly number[]): number {
  return Math.log(indices.reduce((sum, index) => sum + Math.exp(heard[index] ?? 0), 0));
}

function indicesOf(names: string): number[] {
  return names.split(", ").map(indexOfHeard);
}
