import type { Db } from "../../../../db/client.ts";
import type { Eligible } from "../eligibility.ts";
import type { Shard } from "../index/shard.ts";
import type { Evidence } from "./evidence.ts";
import { addScores, type Tally, totalWeight } from "./tally.ts";

/** A brief as a learned model reads it: a direction among the vectors of what it has heard. */
export type HeardBrief = { provider: string; version: string; unit: Float32Array };

/** What part of the whole score it makes. */
const SHARE = 0.35;
/** Cosines that differ less than this over a library tell nothing. */
const LEAST_SPREAD = 0.02;
/** Nearness that is worth a reason, of the nearest track's. */
const WORTH_SAYING = 0.8;

/**
 * Adds how near the brief is to what the model has heard. Models differ in which cosines are high, so the mean of the
 * tracks counts as 0 and the nearest as 1.
 */
export function addHeard(db: Db, shard: Shard, tally: Tally, brief: HeardBrief): Evidence[] {
  const cosines = textSimilarity(db, shard, tally.eligible, brief);
  if (cosines.size === 0) return [];
  const all = [...cosines.values()];
  const mean = all.reduce((sum, cosine) => sum + cosine, 0) / all.length;
  const most = all.reduce((a, b) => Math.max(a, b), -1);
  if (most - mean < LEAST_SPREAD) return [];
  const scoreAt = (slot: number) => Math.max(0, ((cosines.get(slot) ?? mean) - mean) / (most - mean));
  const weight = (Math.max(totalWeight(tally), 1) * SHARE) / (1 - SHARE);
  addScores(tally, "heard", weight, scoreAt);
  const explain = ({ slot }: { slot: number }) =>
    scoreAt(slot) >= WORTH_SAYING ? "a model that has heard it finds the brief in it" : undefined;
  return [{ weight, scoreOf: ({ slot }) => scoreAt(slot), explain }];
}

/** Returns the cosine of each eligible track that the model has heard, by slot. */
function textSimilarity(
  db: Db,
  { ownerId, columns }: Shard,
  { slots }: Eligible,
  { provider, version, unit }: HeardBrief,
): Map<number, number> {
  const slotOf = new Map(Array.from(slots, (slot) => [columns.seq[slot] as number, slot]));
  const rows = db.$client
    .query<{ seq: number; distance: number | null }, Record<string, string | number | Uint8Array>>(
      `SELECT t.seq, vec_distance_cosine(v.embedding, $unit) AS distance
       FROM tracks t CROSS JOIN track_vectors v ON v.track_id = t.id AND v.provider = $provider
       WHERE t.owner_id = $ownerId AND v.version = $version AND v.dimensions = $dimensions`,
    )
    .all({
      ...{ ownerId, provider, version, dimensions: unit.length },
      unit: new Uint8Array(unit.buffer, unit.byteOffset, unit.byteLength),
    });
  return new Map(
    rows.flatMap(({ seq, distance }) => {
      const slot = slotOf.get(seq);
      // A vector of zeros has no direction: its distance is null.
      return slot === undefined || distance === null ? [] : [[slot, 1 - distance] as const];
    }),
  );
}
