import { type Db, transact } from "../../db/client.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { putSound, soundsOf } from "../../src/modules/library/sounds/service.ts";
import { alikeTarget } from "../../src/modules/search/search/heard/alike.ts";
import { bytesOf, type MadeTrack, near, rowWriter } from "../search-rows.ts";
import { oneMoreTrack } from "./search-library.ts";

/** A search as it is sent. */
export type SeedSearch = { query: string; seedTrackIds: string[]; limit: number; onePerFamily: true };

export type RecallOptions = {
  ownerId: string;
  /** How many seeds, drawn evenly from the library. */
  seeds: number;
  search: (body: SeedSearch) => Promise<readonly { id: string }[]>;
};

const NEAREST = 10;
/** Of this many nearest tracks, ten are of different sets. */
const SCANNED = 100;
/** Distance of a seed from a track: beside a seed that is the same, two would be equally near. */
const APART = 0.1;

/**
 * Measures how many of the ten tracks most like a seed, as the vector extension finds them by a full scan of what is stored,
 * searches find: 0 to 1. Both mean the same likeness, the one that was learnt, with one result per set. A seed is a new
 * track near one of the library. It has no tags, which would count beside the sound.
 */
export async function recallOf(db: Db, { ownerId, seeds, search }: RecallOptions): Promise<number> {
  let found = 0;
  for (const [index, vector] of vectorsOf(db, ownerId, seeds).entries()) {
    const title = `seed${index}`;
    const seed = { vector: near(vector, APART, randomFrom(title)), tags: [] };
    const id = addTrack(db, { ...oneMoreTrack(ownerId, Date.now(), title), ...seed });
    const exact = new Set(nearestByScan(db, ownerId, id));
    const results = await search({ query: "-", seedTrackIds: [id], limit: NEAREST, onePerFamily: true });
    found += results.filter((result) => exact.has(result.id)).length;
  }
  return found / (seeds * NEAREST);
}

/** Adds a track with what its sound is compared by, and returns its id. */
export function addTrack(db: Db, track: MadeTrack): string {
  db.$client.run("PRAGMA foreign_keys = OFF");
  const id = db.$client.transaction(() => rowWriter(db.$client)(track)).immediate();
  db.$client.run("PRAGMA foreign_keys = ON");
  transact(db, (tx) => putSound(tx, id));
  return id;
}

/** Returns the ten tracks most like a track, each of another set, nearest first. */
export function nearestByScan(db: Db, ownerId: string, trackId: string): string[] {
  const seq =
    db.$client.query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE id = ?").get(trackId)?.seq ?? 0;
  const sound = soundsOf(db, ownerId, [seq]).get(seq);
  if (!sound) throw new RangeError(`Track ${trackId} has no sound`);
  const rows = db.$client
    .query<{ id: string; place: string }, [string, number, Uint8Array, number]>(
      `SELECT t.id, coalesce(m.family_id, t.id) AS place
       FROM sound_vectors v JOIN tracks t ON t.seq = v.seq LEFT JOIN family_members m ON m.track_id = t.id
       WHERE t.owner_id = ? AND v.seq <> ? ORDER BY vec_distance_cosine(v.embedding, ?) LIMIT ?`,
    )
    .all(ownerId, seq, bytesOf(alikeTarget(sound).unit), SCANNED);
  const firsts = rows.filter(({ place }, index) => rows.findIndex((row) => row.place === place) === index);
  return firsts.slice(0, NEAREST).map(({ id }) => id);
}

/** Returns what was measured of some of the account's tracks, drawn evenly. */
function vectorsOf({ $client }: Db, ownerId: string, count: number): Float32Array[] {
  const ids = $client
    .query<{ id: string }, [string]>("SELECT id FROM tracks WHERE owner_id = ? ORDER BY seq")
    .all(ownerId)
    .map(({ id }) => id);
  const vector = $client.query<{ embedding: Uint8Array }, [string]>(
    "SELECT embedding FROM track_vectors WHERE track_id = ? AND provider = 'descriptors'",
  );
  return Array.from({ length: count }, (_, index) => {
    const embedding = vector.get(ids[Math.floor((index * ids.length) / count)] ?? "")?.embedding;
    if (!embedding) throw new RangeError("A track of the library was not measured");
    return new Float32Array(embedding.slice().buffer);
  });
}
