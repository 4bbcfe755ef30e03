import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { EARS_VERSION } from "../../../../ears/tags.ts";
import { enqueue } from "../../../../jobs/queue.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { nextOlder } from "../next-older.ts";

/**
 * The job that listens to a whole track; payload `{ trackId }` after its analysis. With `below`, a sequence number, the next
 * older track follows.
 */
export const HEAR_WHOLE_JOB = "hear_whole";

/** A track that these ears know, and have not heard whole, and the file that its measurements are from. */
export type Unplaced = {
  trackId: string;
  seq: number;
  ownerId: LibraryId;
  versionId: string;
  sha256: string;
};

const IS_UNPLACED = `
  EXISTS (SELECT 1 FROM track_vectors h WHERE h.track_id = t.id AND h.provider = 'ears' AND h.version = $ears)
  AND NOT EXISTS (SELECT 1 FROM heard_places p WHERE p.track_id = t.id AND p.version = $ears)`;
/** A track that ended the program again and again is not tried any more. */
const IS_TRIED = `NOT EXISTS (SELECT 1 FROM jobs WHERE name = '${HEAR_WHOLE_JOB}' AND state = 'dead'
                              AND unique_key = t.id || ' ' || $ears)`;
const SELECT = `
  SELECT t.id AS trackId, t.seq, t.owner_id AS ownerId, v.id AS versionId, v.sha256
  FROM tracks t JOIN versions v ON v.id = t.analysis_version_id WHERE ${IS_UNPLACED} AND ${IS_TRIED}`;

/** Returns a track if these ears have not heard it whole. */
export function findUnplaced(db: Db, trackId: string): Unplaced | undefined {
  const query = db.$client.query<Unplaced, Record<string, string>>(`${SELECT} AND t.id = $trackId`);
  return query.get({ trackId, ears: EARS_VERSION }) ?? undefined;
}

/** Returns the newest such track that is older than `below`, a sequence number; undefined when there is none. */
export const nextUnplaced = (db: Db, below: number, signal: AbortSignal): Promise<Unplaced | undefined> =>
  nextOlder(db, { select: SELECT, values: { ears: EARS_VERSION } }, below, signal);

/** After an analysis and after a start there is more urgent work. */
const REST_MS = MINUTE_MS;

const keyOf = (trackId: string) => `${trackId} ${EARS_VERSION}`;

/** Promises to listen to a whole track a minute after its analysis, when nothing else is to be done. */
export function promiseWhole(tx: Db, trackId: string, at: number): void {
  const job = { name: HEAR_WHOLE_JOB, payload: { trackId }, uniqueKey: keyOf(trackId) };
  enqueue(tx, { ...job, runAt: at + REST_MS }, at);
}

/** Promises to listen to an older track, and then to the next older one. */
export function promiseOlder(tx: Db, { trackId, seq }: Unplaced, at: number): void {
  enqueue(tx, { name: HEAR_WHOLE_JOB, payload: { trackId, below: seq }, uniqueKey: keyOf(trackId) }, at);
}

/** Begins with the newest track, where one was not heard whole and none waits. Counts in indexes: a start waits for it. */
export function recoverPlaces({ db, now, settings }: Pick<Deps, "db" | "now" | "settings">): void {
  if (settings.analysisConcurrency === 0) return;
  const { $client } = db;
  const counts = $client.query<{ known: number; placed: number }, [string]>(
    `SELECT (SELECT count(*) FROM track_vectors WHERE provider = 'ears' AND version = ?1) AS known,
       (SELECT count(*) FROM heard_places WHERE version = ?1) AS placed`,
  );
  const { known = 0, placed = 0 } = counts.get(EARS_VERSION) ?? {};
  if (placed >= known) return;
  const waiting = $client.query(
    `SELECT 1 FROM jobs WHERE name = '${HEAR_WHOLE_JOB}' AND state = 'waiting' AND payload ->> '$.below' IS NOT NULL LIMIT 1`,
  );
  const fromTheNewest = { name: HEAR_WHOLE_JOB, payload: { below: Number.MAX_SAFE_INTEGER }, uniqueKey: "" };
  const runAt = now() + REST_MS;
  transact(db, (tx) => {
    if (waiting.get() === null) enqueue(tx, { ...fromTheNewest, runAt }, now());
  });
}
