import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Interpretation } from "../../../brief/interpretation.ts";
import { parseBrief } from "../../../brief/read.ts";
import { type Span, soundOfPart } from "../../library/sounds/service.ts";
import { hitsOf } from "./answer/hits.ts";
import { eligibleOf } from "./filters/eligibility.ts";
import { waitingSlots } from "./filters/waiting.ts";
import { loadRecords, loadSounds } from "./index/load.ts";
import { type Mirror, shardOf, slotOf } from "./index/mirror.ts";
import { NOTHING_NAMED } from "./names/find-named.ts";
import { selectOwn } from "./queries.ts";
import { rank } from "./ranking/rank.ts";
import { partOfTrack } from "./reference/part.ts";
import { sharedWishes } from "./seeds/shared.ts";
import type { SearchHit } from "./shapes.ts";

/** A request for tracks similar to one of the owner's. */
export type SimilarTask = { ownerId: LibraryId; trackId: string; limit: number; span?: Span };

/** Similarity is mostly sound; the rest is tags. */
const STEERING = { seedShare: 0.75, reason: "sounds like the track" };

/** Returns the owner's tracks most similar to one of them, best first; undefined when that track does not exist. */
export function findSimilar(
  db: Db,
  mirror: Mirror,
  { ownerId, trackId, limit, span }: SimilarTask,
): SearchHit[] | undefined {
  const [track] = selectOwn(db, ownerId, [trackId]);
  if (!track) return undefined;
  const part = partOfTrack(db, ownerId, span && { trackId, ...span });
  const shard = shardOf(mirror, ownerId);
  const leftOut = waitingSlots(db, mirror, shard).add(slotOf(mirror, shard, track.seq));
  const { ranked } = rank({
    db,
    mirror,
    shard,
    limit,
    reference: undefined,
    named: NOTHING_NAMED,
    steering: STEERING,
    eligible: eligibleOf(db, shard, {}, leftOut),
    brief: { ...WITHOUT_PROSE, wanted: sharedWishes(loadRecords(db, ownerId, [track.seq])) },
    seeds: loadSounds(db, ownerId, [track.seq]).map((sound) =>
      part ? soundOfPart(sound, part.target) : sound,
    ),
    part,
  });
  const found = ranked.filter(({ score }) => score > 0);
  return hitsOf(db, { ownerId, filter: {} }, found, part);
}

const WITHOUT_PROSE: Interpretation = parseBrief("", { findArtist: () => undefined });
