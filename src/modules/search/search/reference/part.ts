import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { clockText } from "../../../../kernel/time.ts";
import {
  likestPassages,
  type PassageTarget,
  passagesIn,
  passageTarget,
  type Span,
  tracksNear,
} from "../../../library/sounds/service.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import { type HitRow, selectOwn } from "../queries.ts";
import type { SearchHit } from "../shapes.ts";
import { addScores, type Tally, totalWeight } from "../signals/tally.ts";

/** A part of one of the owner's tracks. */
export type OwnPassage = Span & { trackId: string };

/** The part of a sound that a search compares the parts of tracks with. */
export type Part = {
  target: PassageTarget;
  /** How many passages in a row are as long. */
  count: number;
  /** Whether it was chosen, so that tracks with a part like it come before others. */
  isChosen: boolean;
};

/** Returns the part of an owner's track; undefined where its passages are not known. */
export function partOfTrack(
  db: Db,
  ownerId: LibraryId,
  passage: OwnPassage | undefined,
): (Part & { seq: number }) | undefined {
  const [track] = passage ? selectOwn(db, ownerId, [passage.trackId]) : [];
  const target = passage && track && passageTarget(db, ownerId, track.seq, passage);
  return target && { seq: track.seq, target, count: passagesIn(passage), isChosen: true };
}

/** The share of the likest part in a score. */
const SHARE = 0.15;
/** In libraries with more tracks, some million passages, only those of the results are looked at. */
const MOST_TRACKS = 42_000;

/** Returns which passages a search looks at. */
export function passagesLookedAt({ alive }: Pick<Shard, "alive">): "all" | "nearest tracks" {
  return alive > MOST_TRACKS ? "nearest tracks" : "all";
}

/** Lifts the tracks whose likest parts are among the nearest of all. */
export function addPassages(
  { db, mirror, shard, limit }: { db: Db; mirror: Mirror; shard: Shard; limit: number },
  tally: Tally,
  part: Part | undefined,
): void {
  if (!part?.isChosen || passagesLookedAt(shard) !== "all") return;
  const { marks } = tally.eligible;
  const slotsOf = (seqs: Iterable<number>) => [...seqs].map((seq) => slotOf(mirror, shard, seq));
  const isEnough = (seqs: readonly number[]) =>
    slotsOf(seqs).filter((slot) => marks[slot] === 1).length >= limit;
  const { cosines, others } = tracksNear(db, shard.ownerId, part.target, isEnough);
  const scores = new Map(
    [...cosines].map(([seq, cosine]) => [slotOf(mirror, shard, seq), (cosine - others) / (1 - others)]),
  );
  addScores(tally, "passage", (totalWeight(tally) * SHARE) / (1 - SHARE), (slot) => scores.get(slot) ?? 0);
}

/** A likeness below this is not worth a reason. */
const ALIKE = 0.5;

/** Adds the part of each result that is most like the one looked for. */
export function withPassages(
  db: Db,
  ownerId: LibraryId,
  part: Part | undefined,
  rows: readonly HitRow[],
  hits: readonly SearchHit[],
): SearchHit[] {
  if (!part) return [...hits];
  const seqs = rows.map(({ seq }) => seq);
  const likest = likestPassages(db, ownerId, part.target, part.count, seqs);
  return hits.map((hit, i) => {
    const found = likest.get(rows[i]?.seq ?? 0);
    if (!found) return hit;
    const toSec = Math.min(found.toSec, hit.durationSec ?? found.toSec);
    const passage = { fromSec: found.fromSec, toSec, likeness: Math.round(found.likeness * 1000) / 1000 };
    const said = `${clockText(passage.fromSec)}-${clockText(toSec)} sounds most like it`;
    return { ...hit, passage, reason: found.likeness < ALIKE ? hit.reason : [...hit.reason, said] };
  });
}
