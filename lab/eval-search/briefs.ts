import type { TaxonomyEntry } from "../../db/taxonomy.ts";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { isSameKey, parseKey } from "../../src/kernel/musical-key.ts";
import { pick, type Truth, type WorldTrack } from "./world.ts";

/** What a person really wants, and the words that they use. */
export type Brief = { wish: LatentWish; query: string };
export type LatentWish = {
  genre?: TaxonomyEntry;
  moods: readonly TaxonomyEntry[];
  instrument?: TaxonomyEntry;
  without?: TaxonomyEntry;
  hasVoice?: boolean;
  bpmRange?: readonly [number, number];
  durationRange?: readonly [number, number];
  key?: string;
};

/** How much each wish matters to a listener, independent of the weights in the ranking. */
const WORTH = { genre: 3, mood: 2, instrument: 1.5, voice: 2, tempo: 2, duration: 1, key: 1 };
/** A piece with an unwanted tag is worth little, whatever else it has. */
const WITH_UNWANTED = 0.25;
/** A neighbouring genre is worth half. */
const SAME_FAMILY = 0.5;

const OPENINGS = ["We need", "Looking for", "Can you send", "Hi! I am after", "Brief:", "Please pitch"];
const NOUNS = ["a track", "something", "a cue", "music", "a piece"];
const USES = [
  "for a documentary about bees",
  "for our spring campaign",
  "for scene 12",
  "for the second act",
  "for a client who knows what they like",
  "",
];
const WITH_VOICE = ["with singing", "vocals please", "sung", "has to have a vocalist"];
const WITHOUT_VOICE = ["instrumental only", "no vocals", "without any singing", "no lyrics please"];

/** Makes briefs of people who want tracks like those in the world. */
export function makeBriefs(seed: string, count: number, world: readonly WorldTrack[]): Brief[] {
  const random = randomFrom(`briefs ${seed}`);
  return Array.from({ length: count }, () => {
    const wish = wishOf(pick(world, random).truth, world, random);
    return { wish, query: proseOf(wish, random) };
  });
}

/** Returns a wish from the properties of one track, so there is always something to find. */
function wishOf(truth: Truth, world: readonly WorldTrack[], random: Random): LatentWish {
  const other = pick(pick(world, random).truth.instruments, random);
  const hasGenre = random() < 0.75;
  const moods = truth.moods.slice(0, random() < 0.4 ? 2 : 1);
  return {
    moods: hasGenre && random() < 0.2 ? [] : moods,
    ...(hasGenre && { genre: truth.genre }),
    ...(random() < 0.3 && { instrument: pick(truth.instruments, random) }),
    ...(random() < 0.2 && !truth.instruments.includes(other) && { without: other }),
    ...(random() < 0.4 && { hasVoice: truth.hasVoice }),
    ...(random() < 0.35 && { bpmRange: [Math.floor(truth.bpm - 4), Math.ceil(truth.bpm + 4)] as const }),
    ...(random() < 0.2 && {
      durationRange: [Math.max(0, truth.durationSec - 25), truth.durationSec + 25] as const,
    }),
    ...(random() < 0.1 && { key: truth.key }),
  };
}

function proseOf(wish: LatentWish, random: Random): string {
  const { genre, moods, instrument, without, hasVoice, bpmRange, durationRange, key } = wish;
  const say = (entry: TaxonomyEntry) => wordOf(entry, random);
  const subject = [...moods.map(say), genre ? say(genre) : ""].filter((word) => word !== "");
  const parts = [
    `${pick(OPENINGS, random)} ${pick(NOUNS, random)} ${pick(USES, random)}`.trim(),
    `${pick(["think", "mood:", "it should be", "the sound is"], random)} ${subject.join(pick([" ", ", ", " and "], random))}`,
    instrument ? `${pick(["featuring", "with", "led by"], random)} ${say(instrument)}` : "",
    without ? `${pick(["no", "without", "please avoid"], random)} ${say(without)}` : "",
    hasVoice === undefined ? "" : pick(hasVoice ? WITH_VOICE : WITHOUT_VOICE, random),
    bpmRange ? tempoProse(bpmRange, random) : "",
    durationRange ? durationProse(durationRange, random) : "",
    key ? `in ${key}` : "",
  ].filter((part) => part !== "");
  return parts.join(pick([", ", "; ", ". "], random));
}

/** Returns a word that people use for a tag: its name or, equally often, an alias. */
function wordOf({ name, aliases = [] }: TaxonomyEntry, random: Random): string {
  return random() < 0.5 || aliases.length === 0 ? name.toLowerCase() : pick(aliases, random);
}

function tempoProse([low, high]: readonly [number, number], random: Random): string {
  const middle = Math.round((low + high) / 2);
  return pick([`${low}-${high} bpm`, `around ${middle} BPM`, `between ${low} and ${high} bpm`], random);
}

function durationProse([shortest, longest]: readonly [number, number], random: Random): string {
  const [low, high] = [Math.round(shortest), Math.round(longest)];
  const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return pick([`${low} to ${high} seconds`, `between ${clock(low)} and ${clock(high)} long`], random);
}

/** Returns how well a track truly fits a wish, 0 to 1. */
export function relevance(wish: LatentWish, truth: Truth): number {
  const votes = [
    ...wish.moods.map((mood) => ({ worth: WORTH.mood, fit: moodFit(mood, truth.moods) })),
    vote(WORTH.genre, wish.genre, (genre) => genreFit(genre, truth.genre)),
    vote(WORTH.instrument, wish.instrument, (instrument) => (truth.instruments.includes(instrument) ? 1 : 0)),
    vote(WORTH.voice, wish.hasVoice, (hasVoice) => (hasVoice === truth.hasVoice ? 1 : 0)),
    vote(WORTH.tempo, wish.bpmRange, (range) => rangeFit(truth.bpm, range, 0.1)),
    vote(WORTH.duration, wish.durationRange, (range) => rangeFit(truth.durationSec, range, 0.3)),
    vote(WORTH.key, wish.key, (key) => keyFit(key, truth.key)),
  ].filter((each) => each !== undefined);
  const total = votes.reduce((sum, { worth }) => sum + worth, 0);
  const met = votes.reduce((sum, { worth, fit }) => sum + worth * fit, 0) / total;
  return wish.without && truth.instruments.includes(wish.without) ? met * WITH_UNWANTED : met;
}

function vote<Asked>(worth: number, asked: Asked | undefined, fitOf: (asked: Asked) => number) {
  return asked === undefined ? undefined : { worth, fit: fitOf(asked) };
}

function genreFit(asked: TaxonomyEntry, genre: TaxonomyEntry): number {
  if (asked === genre || genre.parent === asked.code) return 1;
  const isFamily =
    asked.parent === genre.code || (asked.parent !== undefined && asked.parent === genre.parent);
  return isFamily || asked.related?.includes(genre.code) ? SAME_FAMILY : 0;
}

/** Rates moods: one that feels similar counts partly. */
function moodFit(asked: TaxonomyEntry, moods: readonly TaxonomyEntry[]): number {
  if (moods.includes(asked)) return 1;
  return moods.some((mood) => asked.related?.includes(mood.code)) ? 0.5 : 0;
}

function rangeFit(value: number, [min, max]: readonly [number, number], reach: number): number {
  if (value >= min && value <= max) return 1;
  const distance = value < min ? (min - value) / min : (value - max) / max;
  return Math.max(0, 1 - distance / reach);
}

function keyFit(asked: string, key: string): number {
  const [a, b] = [parseKey(asked), parseKey(key)];
  return a && b && isSameKey(a, b) ? 1 : 0;
}
