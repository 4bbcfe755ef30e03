import type { Db } from "../../../db/client.ts";
import { TAXONOMY, type TaxonomyCategory } from "../../../db/taxonomy.ts";
import type { Interpretation, Wish } from "../../brief/interpretation.ts";
import { parseBrief } from "../../brief/read.ts";
import { eligibleOf } from "./filters/eligibility.ts";
import { targetsOf, toHits } from "./find.ts";
import { loadRecords } from "./index/load.ts";
import { type Mirror, shardOf, slotOf } from "./index/mirror.ts";
import { FULL_TRUST } from "./index/postings.ts";
import { TAG_IDS } from "./index/tag-numbers.ts";
import type { SearchHit } from "./model.ts";
import { NOTHING_NAMED } from "./names/find-named.ts";
import { selectOwn } from "./queries.ts";
import { rank } from "./ranking/rank.ts";

/** A request for tracks similar to one of the owner's. */
export type SimilarTask = { ownerId: string; trackId: string; limit: number };

/** Similarity is mostly sound; the rest is tags. */
const STEERING = { seedShare: 0.75, reason: "sounds like the track" };
const PLAIN_WEIGHT = 0.8;

const TAGS = new Map(
  Object.entries(TAXONOMY).flatMap(([category, entries]) =>
    // `Object.entries` loses the type of its keys.
    entries.map((entry) => [entry.id, { category: category as TaxonomyCategory, entry }] as const),
  ),
);

/** Returns the owner's tracks most similar to one of them, best first; undefined when that track does not exist. */
export function findSimilar(
  db: Db,
  mirror: Mirror,
  { ownerId, trackId, limit }: SimilarTask,
): SearchHit[] | undefined {
  const [track] = selectOwn(db, ownerId, [trackId]);
  if (!track) return undefined;
  const shard = shardOf(mirror, ownerId);
  const itself = new Set([slotOf(mirror, shard, track.seq)]);
  const { ranked } = rank({
    db,
    mirror,
    shard,
    limit,
    reference: undefined,
    named: NOTHING_NAMED,
    steering: STEERING,
    eligible: eligibleOf(db, shard, {}, itself),
    brief: { ...WITHOUT_PROSE, wanted: wishesOf(db, ownerId, track.seq) },
    seeds: targetsOf(db, ownerId, [track.seq]),
  });
  return toHits(
    db,
    ranked.filter(({ score }) => score > 0),
    {},
  );
}

const WITHOUT_PROSE: Interpretation = parseBrief("", { findArtist: () => undefined });

/** Returns the track's written tags as wishes. */
function wishesOf(db: Db, ownerId: string, seq: number): Wish[] {
  const tags = loadRecords(db, ownerId, [seq]).flatMap((record) => record.tags);
  return tags
    .filter(({ trust }) => trust === FULL_TRUST)
    .flatMap(({ number }) => TAGS.get(TAG_IDS[number] ?? "") ?? [])
    .map((tag) => ({ tags: [tag], weight: PLAIN_WEIGHT, source: "prose" }));
}
