import type { Wish } from "../../../../brief/interpretation.ts";
import { alikeTarget } from "../heard/alike.ts";
import type { Shard } from "../index/shard.ts";
import { CATEGORY_SETS, categoryBit } from "../index/tag-numbers.ts";
import { centreOf, createSoundChannel, type SoundChannel, type Target } from "./sound.ts";
import { taggedSound } from "./tagged-sound.ts";
import { type Tally, totalWeight } from "./tally.ts";

/** How seeds count, and the reason shown for a track that sounds like them. */
export type Steering = {
  /** Their share of the whole score. */
  seedShare: number;
  reason: string;
};

/** What to steer toward. */
export type Steered = {
  shard: Shard;
  /** Vectors of tracks to steer toward. */
  seeds: readonly Target[];
  /** Vectors of the library's tracks by the artist that the brief refers to. */
  reference: { name: string; targets: readonly Target[] } | undefined;
  /** The share of the seeds in the whole score, and the reason shown for a track that sounds like them. */
  steering?: Steering;
  like?: { soundName: string | undefined };
};

const steeringBy = (name = "a seed track"): Steering => ({ seedShare: 0.5, reason: `sounds like ${name}` });
/** The share of similarity to other targets in the whole score. */
const REFERENCE_SHARE = 0.35;
const TAGGED_SHARE = 0.2;
/** The weight of a tag's sound relative to the tag, on tracks without a written tag of its category. */
const STAND_IN = 0.4;
const COSINES = { range: [0, 1], extraWeights: undefined } as const;

/** A wish, and how much it counts. */
type WeightedWish = { wish: Wish; weight: number };

/** Measures the sound that a search asks for: seeds and reference artists, otherwise the sound of its tags. */
export function soundChannels(
  { shard, seeds, reference, like, steering = steeringBy(like?.soundName) }: Steered,
  tally: Tally,
  wishes: readonly WeightedWish[],
): SoundChannel[] {
  const named = Math.max(totalWeight(tally), 1);
  /** Returns the weight that makes up this share of the whole, next to the named wishes. */
  const part = (share: number) => (named * share) / (1 - share);
  const centre = reference && centreOf(reference.targets);
  const channels: SoundChannel[] = [];
  if (seeds.length > 0) {
    const { seedShare, reason } = steering;
    const targets = seeds.map(alikeTarget);
    const seeded = { channel: "seeds", weight: part(seedShare), targets, reason } as const;
    channels.push(createSoundChannel(shard, { ...COSINES, ...seeded }));
  }
  if (reference && centre) {
    const reason = `sounds like ${reference.name}`;
    const referred = {
      channel: "reference",
      weight: part(REFERENCE_SHARE),
      targets: [centre],
      reason,
    } as const;
    channels.push(createSoundChannel(shard, { ...COSINES, ...referred }));
  }
  const tagged = channels.length > 0 ? undefined : taggedSound(shard, wishes);
  if (tagged)
    channels.push(
      createSoundChannel(shard, {
        channel: "sound",
        weight: part(TAGGED_SHARE),
        targets: [tagged.target],
        range: tagged.range,
        extraWeights: standIns(wishes),
        reason: tagged.isCarried
          ? "sounds like the library's tracks with such tags"
          : `by its sound: ${namesOf(wishes)}`,
      }),
    );
  return channels;
}

/** Names each wish once, by the tag that it was first read as. */
function namesOf(wishes: readonly WeightedWish[]): string {
  return [...new Set(wishes.flatMap(({ wish }) => wish.tags[0]?.entry.name ?? []))].join(", ");
}

/** Returns, by the set of a track's tagged categories, the weight of the wishes for tags of other categories. */
function standIns(wishes: readonly WeightedWish[]): Float32Array {
  const wanted = wishes.map(({ wish, weight }) => ({
    bits: wish.tags.reduce((bits, { entry }) => bits | categoryBit(entry.id), 0),
    weight: weight * STAND_IN,
  }));
  return Float32Array.from({ length: CATEGORY_SETS }, (_, written) =>
    wanted.reduce((sum, { bits, weight }) => ((bits & written) === 0 ? sum + weight : sum), 0),
  );
}
