import { TAXONOMY, type TaxonomyCategory, type TaxonomyEntry } from "../../../../../db/taxonomy.ts";
import type { Wish } from "../../../../brief/interpretation.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import { clockText } from "../../../../kernel/time.ts";
import { FULL_TRUST, type Postings } from "../index/postings.ts";
import type { Shard } from "../index/shard.ts";
import { tagNumber } from "../index/tag-numbers.ts";
import { type Evidence, type Facts, type FoundTag, WORTH_SAYING } from "./evidence.ts";
import { addWeight, factorsOf, type Tally, totalWeight } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** How well a written tag meets a wish. */
const EXACT = 1;
const CHILD = 0.9;
const PARENT = 0.55;
const RELATED = 0.45;

/** The weight of a wish, by category. */
const WEIGHTS: Readonly<Record<TaxonomyCategory, number>> = {
  genres: 3,
  moods: 2,
  instruments: 1.5,
  vocalTypes: 1.5,
  lyricThemes: 1.2,
  audioTypes: 1.2,
  eras: 1.2,
  characters: 1,
  movements: 1,
  tempos: 1,
};
/** Rare tags say more than common ones: a wish gets between these shares of its category's weight. */
const COMMON_PART = 0.7;
const RARE_PART = 1.3;

/** The names of the categories in reasons. */
const NOUNS: Readonly<Record<TaxonomyCategory, string>> = {
  genres: "genre",
  moods: "mood",
  instruments: "instrument",
  vocalTypes: "vocals",
  lyricThemes: "lyrics about",
  audioTypes: "type",
  eras: "era",
  characters: "character",
  movements: "movement",
  tempos: "tempo",
};

/** The share of a score that remains with an unwanted tag. */
const UNWANTED_FACTOR = 0.2;

/** A tag that meets a wish, and how well it does, 0 to 1. */
export type Meaning = { tag: TaxonomyTag; strength: number };
/** What a tag is worth for one wish, by tag id. */
type Worth = ReadonlyMap<string, Meaning>;
/** A track's match for a wish: how well it meets the wish, and how far its tag is trusted. */
type Match = Meaning & Pick<FoundTag, "trust">;

/**
 * Adds the tracks that meet a wish by its own tag, or by a narrower, broader or related one. A suggested tag counts
 * less than a written one. Returns the wish's weight, and how to explain it.
 *
 * @param leastSaid Tags that meet the wish less than this are no reason.
 */
export function addWish(tally: Tally, wish: Wish, leastSaid = 0): Evidence {
  const { shard } = tally;
  const worth = worthOf(wish);
  const weight = weightOf(shard, wish, worth);
  addWeight(tally, "tags", weight);
  // If several tags meet the wish, the best one counts.
  const best = new Map<Postings, number>();
  for (const [id, { strength }] of worth) {
    const postings = shard.tags[tagNumber(id) ?? -1];
    if (postings) best.set(postings, strength / FULL_TRUST);
  }
  addBest(tally, best, weight);
  return {
    weight,
    scoreOf: (facts) => worthOfMatch(bestMatch(facts, worth)),
    explain: (facts) => {
      const match = bestMatch(facts, worth);
      return match && match.strength >= leastSaid ? explainMatch(match, wish, facts) : undefined;
    },
  };
}

/** All tags that seeds share weigh this much of everything else that the brief says. */
const SHARED_PART = 0.5;

/** Adds the tracks with tags that the seeds share, so that together they stay a part of the score. */
export function addShared(tally: Tally, wishes: readonly Wish[]): Evidence[] {
  const whole = wishes.reduce((sum, wish) => sum + weightOf(tally.shard, wish, worthOf(wish)), 0);
  if (whole === 0) return [];
  const scale = Math.min(1, (SHARED_PART * Math.max(1, totalWeight(tally))) / whole);
  return wishes.map((wish) => addWish(tally, { ...wish, weight: wish.weight * scale }, CHILD));
}

/**
 * Lowers the score of tracks with an unwanted tag or a narrower one by most of its value, and by less for a suggested
 * tag.
 */
export function subtractWish(tally: Tally, wish: Wish): Evidence {
  const worth = new Map([...worthOf(wish)].filter(([, meaning]) => isSameKind(meaning)));
  const factors = factorsOf(tally);
  const off = (1 - UNWANTED_FACTOR) * strictness(wish);
  for (const id of worth.keys()) {
    const postings = tally.shard.tags[tagNumber(id) ?? -1];
    if (postings) takeOff(factors, tally.scratch, postings, off);
  }
  tally.scratch.fill(0);
  return {
    weight: 0,
    scoreOf: () => 0,
    explain: (facts) => {
      const match = bestMatch(facts, worth);
      return match && `lowered: ${nameOf(match)} is not wanted`;
    },
  };
}

/** Returns the numbers of the tags that a track must have to meet a wish exactly. */
export function exactTagNumbers(wish: Wish): number[] {
  return wish.tags.flatMap(({ entry }) => tagNumber(entry.id) ?? []);
}

function addBest(tally: Tally, lists: ReadonlyMap<Postings, number>, weight: number): void {
  for (const [postings, unit] of lists) addBetter(tally, postings, unit, weight);
  for (const { slots, length } of lists.keys())
    for (let i = 0; i < length; i++) tally.scratch[slots[i] as number] = 0;
}

/**
 * If a track has several unwanted tags of one wish, the most trusted one counts; `scratch` holds the part taken off.
 */
function takeOff(factors: Float32Array, scratch: Float32Array, postings: Postings, off: number): void {
  const { slots, trusts, length } = postings;
  for (let i = 0; i < length; i++) {
    const slot = slots[i] as number;
    const before = scratch[slot] as number;
    const now = (off * (trusts[i] as number)) / FULL_TRUST;
    if (now <= before) continue;
    scratch[slot] = now;
    factors[slot] = ((factors[slot] as number) / (1 - before)) * (1 - now);
  }
}

/** Adds the amount by which a list's tag meets the wish better than the best tag so far, which `scratch` holds. */
function addBetter({ totals, scratch }: Tally, postings: Postings, unit: number, weight: number): void {
  const { slots, trusts, length } = postings;
  for (let i = 0; i < length; i++) {
    const slot = slots[i] as number;
    const score = unit * (trusts[i] as number);
    const before = scratch[slot] as number;
    if (score <= before) continue;
    scratch[slot] = score;
    totals[slot] = (totals[slot] as number) + weight * (score - before);
  }
}

/** @see Spärck Jones 1972: the rarer a term is in a collection, the more it tells. */
function weightOf(shard: Shard, wish: Wish, worth: Worth): number {
  const plain = Math.max(...wish.tags.map(({ category }) => WEIGHTS[category]));
  let carriers = 0;
  for (const [id, { strength }] of worth)
    if (strength >= CHILD) carriers += shard.tags[tagNumber(id) ?? -1]?.alive ?? 0;
  // A tag that no track here has cannot tell tracks apart.
  const rarity =
    carriers === 0
      ? 0
      : Math.log((shard.alive + 1) / (Math.min(carriers, shard.alive) + 1)) / Math.log(shard.alive + 1);
  return plain * wish.weight * (COMMON_PART + (RARE_PART - COMMON_PART) * rarity);
}

/** Returns how much a wish counts: in full when the brief states it plainly or more strongly. */
const strictness = ({ weight }: Wish) => Math.min(1, weight / 0.8);

function bestMatch({ tags }: Facts, worth: Worth): Match | undefined {
  let best: Match | undefined;
  for (const { id, trust } of tags) {
    const meaning = worth.get(id);
    if (meaning && meaning.strength * trust > worthOfMatch(best)) best = { ...meaning, trust };
  }
  return best;
}

const worthOfMatch = (match: Match | undefined) => (match ? match.strength * match.trust : 0);

function explainMatch(match: Match, wish: Wish, { heardFrom }: Facts): string | undefined {
  const from = heardFrom(match.tag);
  const name = from === undefined ? nameOf(match) : `${nameOf(match)} from ${clockText(from)}`;
  if (match.strength >= CHILD) return name;
  const asked = wish.tags.find(({ category }) => category === match.tag.category)?.entry.name;
  return match.strength >= WORTH_SAYING || asked ? `${name}, related to ${asked}` : undefined;
}

const nameOf = ({ tag, trust }: Match) =>
  `${trust < 1 ? "suggested " : ""}${NOUNS[tag.category]} ${tag.entry.name}`;

/** True for the tag asked for, and for those that are kinds of it. */
export const isSameKind = ({ strength }: Meaning): boolean => strength >= CHILD;

/** Returns the tags that meet a wish, each with how well it does. */
export const meaningsOf = (wish: Wish): Meaning[] => [...worthOf(wish).values()];

/** Returns every tag that meets the wish, with its best strength. */
function worthOf({ tags }: Wish): Worth {
  const worth = new Map<string, Meaning>();
  const offer = (category: TaxonomyCategory, entry: TaxonomyEntry, strength: number) => {
    if (strength > (worth.get(entry.id)?.strength ?? 0))
      worth.set(entry.id, { tag: { category, entry }, strength });
  };
  for (const { category, entry } of tags) {
    offer(category, entry, EXACT);
    for (const { other, strength } of kinOf(category, entry)) offer(category, other, strength);
  }
  return worth;
}

type Kin = { other: TaxonomyEntry; strength: number };
const kin = new Map<string, readonly Kin[]>();

/** Returns the taxonomy entries similar in meaning to an entry, looked up once per entry. */
function kinOf(category: TaxonomyCategory, entry: TaxonomyEntry): readonly Kin[] {
  let known = kin.get(entry.id);
  if (!known) {
    known = TAXONOMY[category]
      .map((other) => ({ other, strength: kinship(entry, other) }))
      .filter(({ strength }) => strength > 0);
    kin.set(entry.id, known);
  }
  return known;
}

/** A narrower tag inherits what its parent is related to: files name "Thrash Metal" where people ask for rock. */
function kinship(asked: TaxonomyEntry, other: TaxonomyEntry): number {
  if (other.parent === asked.code) return CHILD;
  if (asked.parent === other.code) return PARENT;
  if (asked.related?.includes(other.code)) return RELATED;
  return other.parent !== undefined && asked.related?.includes(other.parent) ? RELATED * CHILD : 0;
}
