import type { Reading } from "./match.ts";
import type { TaxonomyTag } from "./meaning.ts";
import { spansOf } from "./reading.ts";
import type { Found } from "./said.ts";
import type { Scopes } from "./scopes.ts";
import { isWithin } from "./text.ts";

/** How lively and how pleasant the music should feel, each 0 to 1; null when the brief does not say. */
export type Affect = { energy: number | null; valence: number | null };

/** One vote on energy or valence: a value from -1 to 1, and its weight. */
type Vote = { value: number; weight: number };

const LIVELY_AROUSAL = 0.7;
const QUIET_AROUSAL = -0.6;
/** A negated word votes the other way, with less force: "not so loud" says less than "quiet". */
const TAKEN_BACK = -0.5;

/** Categories whose tags say how music feels, and their weights. Instruments and themes have no vote. */
const WEIGHTS: Readonly<Partial<Record<TaxonomyTag["category"], number>>> = {
  moods: 1,
  movements: 0.6,
  characters: 0.5,
  tempos: 0.8,
  genres: 0.4,
};

/** Derives energy and valence from the wanted and unwanted tags, and from words such as "slow" or "high energy". */
export function findAffect(
  reading: Reading,
  scopes: Scopes,
  wanted: readonly TaxonomyTag[],
  unwanted: readonly TaxonomyTag[],
): Affect {
  const words = [
    ...wordVotes(reading, scopes, "strength.lively", LIVELY_AROUSAL),
    ...wordVotes(reading, scopes, "strength.quiet", QUIET_AROUSAL),
  ];
  const neutral = spansOf(reading, "strength.neutral").map(() => ({ value: 0, weight: 1 }));
  // "No techno" asks for another genre, which may be as lively.
  const refused = unwanted.filter(({ category }) => category !== "genres");
  const arousal = [...words, ...tagVotes(wanted, "arousal", 1), ...tagVotes(refused, "arousal", TAKEN_BACK)];
  const valence = [
    ...neutral,
    ...tagVotes(wanted, "valence", 1),
    ...tagVotes(refused, "valence", TAKEN_BACK),
  ];
  return { energy: toUnit(arousal), valence: toUnit(valence) };
}

/** Returns the words that ask for lively or quiet music themselves, with "high" or "low" as their name. */
export function findEnergy(reading: Reading, scopes: Scopes): Found[] {
  const named = (type: string, name: string, opposite: string) =>
    spansOf(reading, type)
      .filter(({ start }) => !isWithin(scopes.indifferent, start))
      .map((span) => ({
        about: "energy" as const,
        name: isWithin(scopes.unwanted, span.start) ? opposite : name,
        spans: [span],
      }));
  return [...named("strength.lively", "high", "low"), ...named("strength.quiet", "low", "high")];
}

function wordVotes(reading: Reading, scopes: Scopes, type: string, value: number): Vote[] {
  return spansOf(reading, type)
    .filter(({ start }) => !isWithin(scopes.indifferent, start))
    .map(({ start }) => ({
      value: isWithin(scopes.unwanted, start) ? value * TAKEN_BACK : value,
      weight: 1.5,
    }));
}

function tagVotes(tags: readonly TaxonomyTag[], axis: "arousal" | "valence", factor: number): Vote[] {
  return tags.flatMap(({ category, entry }) => {
    const value = entry[axis];
    const weight = WEIGHTS[category];
    return value === undefined || weight === undefined ? [] : [{ value: value * factor, weight }];
  });
}

/** Returns the weighted mean of votes from -1 to 1, scaled to 0 to 1 with two decimals. */
function toUnit(votes: readonly Vote[]): number | null {
  const weight = votes.reduce((sum, vote) => sum + vote.weight, 0);
  if (weight === 0) return null;
  const mean = votes.reduce((sum, vote) => sum + vote.value * vote.weight, 0) / weight;
  return Math.round((mean + 1) * 50) / 100;
}
