import type { Wish } from "../../../brief/interpretation.ts";
import { CATEGORY_SETS, categoryBit } from "../index/tag-numbers.ts";
import type { Ranking } from "../ranking/rank.ts";
import { centreOf, createSoundChannel, type SoundChannel } from "./sound.ts";
import { taggedSound } from "./tagged-sound.ts";
import { type Tally, totalWeight } from "./tally.ts";

/** How seeds count, and how it is said that a track sounds like them. */
export type Steering = {
  /** What part of the whole score they make. */
  seedShare: number;
  reason: string;
};

const PLAIN_STEERING: Steering = { seedShare: 0.5, reason: "sounds like a seed track" };
/** What part of the whole score nearness to other things makes. */
const REFERENCE_SHARE = 0.35;
const TAGGED_SHARE = 0.2;
/** What the sound of a tag counts where nobody has written any tag of its kind, beside the tag itself. */
const STAND_IN = 0.4;
const COSINES = { range: [0, 1], extraWeights: undefined } as const;

/** What is wished for, and how much it counts. */
type WeightedWish = { wish: Wish; weight: number };

/** Measures what a search steers by ear: seeds and reference artists, or else what its tags sound like here. */
export function soundChannels(
  { shard, seeds, reference, steering = PLAIN_STEERING }: Ranking,
  tally: Tally,
  wishes: readonly WeightedWish[],
): SoundChannel[] {
  const named = Math.max(totalWeight(tally), 1);
  /** A weight that makes this part of the whole, beside what is named. */
  const part = (share: number) => (named * share) / (1 - share);
  const centre = reference && centreOf(reference.targets);
  const channels: SoundChannel[] = [];
  if (seeds.length > 0) {
    const { seedShare, reason } = steering;
    const seeded = { channel: "seeds", weight: part(seedShare), targets: seeds, reason } as const;
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
        reason: "sounds like the library's tracks with such tags",
      }),
    );
  return channels;
}

/** By the set of categories written on a track: the weight of the wishes for tags of other categories. */
function standIns(wishes: readonly WeightedWish[]): Float32Array {
  const wanted = wishes.map(({ wish, weight }) => ({
    bits: wish.tags.reduce((bits, { entry }) => bits | categoryBit(entry.id), 0),
    weight: weight * STAND_IN,
  }));
  return Float32Array.from({ length: CATEGORY_SETS }, (_, written) =>
    wanted.reduce((sum, { bits, weight }) => ((bits & written) === 0 ? sum + weight : sum), 0),
  );
}
