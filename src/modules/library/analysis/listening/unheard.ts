import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { EARS_VERSION } from "../../../../ears/tags.ts";
import { nextOlder } from "../next-older.ts";

/** The job that listens to a track again, see {@link listenHandler}. */
export const LISTEN_JOB = "listen";

/** An analysed track that these ears have not heard yet, and the file that its measurements are from. */
export type Unheard = { trackId: string; seq: number; ownerId: LibraryId; versionId: string; sha256: string };

/** The unique key of a track's job. Another version of the ears tries again what this one gave up. */
export const listenKeyOf = (trackId: string) => `${trackId} ${EARS_VERSION}`;

/**
 * Silence has no descriptors and nothing to hear. Tracks that wait for an analysis are listened to by it. Those in the bin
 * may come back, and are listened to as well.
 */
const IS_UNHEARD = `
  t.analysis_status IN ('completed', 'failed')
  AND EXISTS (SELECT 1 FROM track_vectors d WHERE d.track_id = t.id AND d.provider = 'descriptors')
  AND NOT EXISTS (SELECT 1 FROM track_vectors h WHERE h.track_id = t.id AND h.provider = 'ears' AND h.version = $ears)`;
/** A track that ended the program again and again is not tried any more. */
const IS_TRIED = `NOT EXISTS (SELECT 1 FROM jobs WHERE name = '${LISTEN_JOB}' AND state = 'dead'
                              AND unique_key = t.id || ' ' || $ears)`;
const SELECT = `
  SELECT t.id AS trackId, t.seq, t.owner_id AS ownerId, v.id AS versionId, v.sha256
  FROM tracks t JOIN versions v ON v.id = t.analysis_version_id WHERE ${IS_UNHEARD} AND ${IS_TRIED}`;

/** Returns a track if it is unheard. */
export function findUnheard(db: Db, trackId: string): Unheard | undefined {
  const query = db.$client.query<Unheard, Record<string, string>>(`${SELECT} AND t.id = $trackId`);
  return query.get({ trackId, ears: EARS_VERSION }) ?? undefined;
}

/** Returns the newest unheard track that is older than `below`, a sequence number; undefined when there is none. */
export const nextUnheard = (db: Db, below: number, signal: AbortSignal): Promise<Unheard | undefined> =>
  nextOlder(db, { select: SELECT, values: { ears: EARS_VERSION } }, below, signal);

/** Returns how many tracks of an account are unheard. */
export function countUnheard(db: Db, ownerId: LibraryId): number {
  const query = db.$client.query<{ count: number }, Record<string, string>>(
    `SELECT count(*) AS count FROM tracks t WHERE t.owner_id = $ownerId AND ${IS_UNHEARD}`,
  );
  return query.get({ ownerId, ears: EARS_VERSION })?.count ?? 0;
}

/** How many tracks have a vector of a provider and version. */
type VectorCount = { provider: string; version: string; tracks: number };

/** Returns how many tracks can be listened to, and how many these ears have heard. */
export function progressOf(vectors: readonly VectorCount[]): { tracks: number; heard: number } {
  const sum = (isMeant: (each: VectorCount) => boolean) =>
    vectors.filter(isMeant).reduce((all, { tracks }) => all + tracks, 0);
  return {
    tracks: sum(({ provider }) => provider === "descriptors"),
    heard: sum(({ provider, version }) => provider === "ears" && version === EARS_VERSION),
  };
}

/** True when some analysed track is unheard. Counts in index `track_vectors_by_provider`. */
export function hasUnheard(db: Db): boolean {
  const counts = db.$client.query<VectorCount, []>(
    "SELECT provider, version, count(*) AS tracks FROM track_vectors GROUP BY provider, version",
  );
  const { tracks, heard } = progressOf(counts.all());
  return heard < tracks;
}

/** True when a track already waits to be listened to. */
export function isListening(db: Db): boolean {
  const query = db.$client.query(
    `SELECT 1 FROM jobs WHERE name = '${LISTEN_JOB}' AND state = 'waiting' LIMIT 1`,
  );
  return query.get() !== null;
}
