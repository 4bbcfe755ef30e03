import { TAXONOMY, type TaxonomyEntry } from "../../db/taxonomy.ts";
import { gaussian, type MadeTrack, normalised, randomUnit, type TagName } from "../../scripts/search-rows.ts";
import { DESCRIPTOR_DIMENSIONS } from "../../src/audio/analyzer.ts";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { HOUR_MS } from "../../src/kernel/time.ts";

/** What a track really is. Its tags and measurements are only a noisy copy of this. */
export type Truth = {
  genre: TaxonomyEntry;
  moods: readonly TaxonomyEntry[];
  instruments: readonly TaxonomyEntry[];
  hasVoice: boolean;
  bpm: number;
  /** Such as "A minor". */
  key: string;
  durationSec: number;
};
export type WorldTrack = { truth: Truth; made: MadeTrack };

/** Share of tracks without tags: libraries are badly kept. */
const UNTAGGED = 0.3;
const CATEGORY_EMPTY = 0.15;
const TAG_WRITTEN = 0.65;
const TAG_WRONG = 0.08;
const SUGGESTED = 0.55;
const SUGGESTED_WRONG = 0.1;
const TEMPO_OCTAVE_OFF = 0.06;
const VOICE_WRITTEN = 0.55;
const PITCH_WRITTEN = 0.3;
/** Amount of noise in a vector, relative to the track's signal. */
const VECTOR_NOISE = 1.2;

const KEYS = "C,C#,D,Eb,E,F,F#,G,Ab,A,Bb,B"
  .split(",")
  .flatMap((tonic) => [`${tonic} major`, `${tonic} minor`]);
const PLACES =
  "harbour lantern orchard quarry meadow signal canal lighthouse attic marble thunder velvet".split(" ");

/** The part of the taxonomy that this world uses, small enough that each tag is on several tracks. */
type Palette = { genres: TaxonomyEntry[]; moods: TaxonomyEntry[]; instruments: TaxonomyEntry[] };

/** Makes a library whose truth is known. The same seed makes the same world. */
export function makeWorld(seed: string, count: number, ownerId: string): WorldTrack[] {
  const random = randomFrom(`world ${seed}`);
  const palette = paletteOf(random);
  const directions = directionsOf(palette);
  return Array.from({ length: count }, (_, index) => {
    const truth = truthOf(palette, random);
    return { truth, made: madeOf(truth, { ownerId, index, palette, directions, random }) };
  });
}

function paletteOf(random: Random): Palette {
  const some = (entries: readonly TaxonomyEntry[], count: number) =>
    shuffled(entries, random).slice(0, count);
  const withBpm = TAXONOMY.genres.filter(({ bpmRange }) => bpmRange !== undefined);
  const withFeel = TAXONOMY.moods.filter(({ arousal }) => arousal !== undefined);
  return {
    genres: some(withBpm, 60),
    moods: some(withFeel, 50),
    instruments: some(TAXONOMY.instruments, 40),
  };
}

function truthOf({ genres, moods, instruments }: Palette, random: Random): Truth {
  const genre = pick(genres, random);
  const [low, high] = genre.bpmRange ?? [80, 140];
  // Moods that appear together are similar.
  const first = pick(moods, random);
  const alike = moods.filter((mood) => mood !== first && feelDistance(first, mood) < 0.6);
  return {
    genre,
    moods: [first, ...shuffled(alike, random).slice(0, 1 + Math.floor(random() * 2))],
    instruments: shuffled(instruments, random).slice(0, 2 + Math.floor(random() * 3)),
    hasVoice: random() < 0.5,
    bpm: low + random() * (high - low),
    key: pick(KEYS, random),
    durationSec: 30 + random() ** 0.7 * 270,
  };
}

function feelDistance(a: TaxonomyEntry, b: TaxonomyEntry): number {
  return Math.hypot((a.valence ?? 0) - (b.valence ?? 0), (a.arousal ?? 0) - (b.arousal ?? 0));
}

type Making = {
  ownerId: string;
  index: number;
  palette: Palette;
  directions: ReadonlyMap<string, Float32Array>;
  random: Random;
};

function madeOf(truth: Truth, making: Making): MadeTrack {
  const { ownerId, index, random } = making;
  const isTagged = random() >= UNTAGGED;
  return {
    ownerId,
    createdAt: Date.UTC(2026, 0, 1) + index * HOUR_MS,
    title: `${pick(PLACES, random)} ${pick(PLACES, random)} ${1 + Math.floor(random() * 99)}`,
    artist: `Artist ${Math.floor(random() * 200)}`,
    bpm: measuredTempo(truth.bpm, random),
    key: random() < 0.85 ? truth.key : pick(KEYS, random),
    durationSec: truth.durationSec,
    energy: Math.min(1, Math.max(0, energyOf(truth) + 0.1 * gaussian(random))),
    lyrics: truth.hasVoice && random() < 0.3 ? "la la la" : null,
    // People describe a track in its notes, in their own words.
    notes: random() < PITCH_WRITTEN ? `${pick(truth.moods, random).name} ${truth.genre.name} piece` : null,
    tags: isTagged ? writtenTags(truth, making) : [],
    suggestions: suggestionsOf(truth, making),
    vector: vectorOf(truth, making),
  };
}

function measuredTempo(bpm: number, random: Random): number {
  const octave = random() < TEMPO_OCTAVE_OFF ? (bpm > 110 ? 0.5 : 2) : 1;
  return Math.round(bpm * octave * (1 + 0.003 * gaussian(random)) * 10) / 10;
}

/** 0 to 1. */
function energyOf({ moods }: Truth): number {
  return (moods.reduce((sum, { arousal = 0 }) => sum + arousal, 0) / moods.length + 1) / 2;
}

function writtenTags({ genre, moods, instruments, hasVoice }: Truth, { palette, random }: Making): TagName[] {
  const write = (category: TagName[0], truly: readonly TaxonomyEntry[], wrong: TaxonomyEntry): TagName[] => {
    if (random() < CATEGORY_EMPTY) return [];
    const right = truly.filter(() => random() < TAG_WRITTEN);
    const all = random() < TAG_WRONG ? [...right, wrong] : right;
    return all.map(({ name }): TagName => [category, name]);
  };
  return [
    ...write("genres", [genre], pick(palette.genres, random)),
    ...write("moods", moods, pick(palette.moods, random)),
    ...write("instruments", instruments, pick(palette.instruments, random)),
    ...(random() < VOICE_WRITTEN
      ? [["vocals", hasVoice ? "Lead Vocals" : "Instrumental"] as const satisfies TagName]
      : []),
  ];
}

/** Returns suggestions like those of a model: often right when it is confident. */
function suggestionsOf({ genre, moods }: Truth, { palette, random }: Making) {
  const suggest = (category: "genres" | "moods", entry: TaxonomyEntry, confidence: number) =>
    [category, entry.name, confidence] as const;
  return [
    ...(random() < SUGGESTED ? [suggest("genres", genre, 0.5 + 0.45 * random())] : []),
    ...moods.filter(() => random() < SUGGESTED).map((mood) => suggest("moods", mood, 0.5 + 0.4 * random())),
    ...(random() < SUGGESTED_WRONG
      ? [suggest("genres", pick(palette.genres, random), 0.3 + 0.3 * random())]
      : []),
  ];
}

/** Returns a direction in the sound space for each tag; narrower genres lie near their parent. */
function directionsOf({ genres, moods, instruments }: Palette): Map<string, Float32Array> {
  const direction = (text: string) => randomUnit(DESCRIPTOR_DIMENSIONS, randomFrom(text));
  return new Map(
    [...genres, ...moods, ...instruments].map((entry) => {
      const family = direction(`family ${entry.parent ?? entry.code}`);
      const own = direction(entry.id);
      return [entry.id, family.map((value, i) => value + 0.7 * (own[i] ?? 0))];
    }),
  );
}

function vectorOf({ genre, moods, instruments }: Truth, { directions, random }: Making): Float32Array {
  const sum = Float32Array.from(
    { length: DESCRIPTOR_DIMENSIONS },
    () => (VECTOR_NOISE * gaussian(random)) / Math.sqrt(DESCRIPTOR_DIMENSIONS),
  );
  const add = (entry: TaxonomyEntry, weight: number) => {
    for (const [i, value] of (directions.get(entry.id) ?? []).entries())
      sum[i] = (sum[i] ?? 0) + weight * value;
  };
  add(genre, 1);
  for (const mood of moods) add(mood, 0.5);
  for (const instrument of instruments) add(instrument, 0.3);
  return normalised(sum);
}

/** Returns one of the choices. */
export function pick<Choice>(choices: readonly Choice[], random: Random): Choice {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new RangeError("There is nothing to choose from");
  return choice;
}

/** Returns the items in a random order. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
