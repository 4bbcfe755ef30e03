import { type Db, transact } from "../../../../../db/client.ts";
import { PASSAGE_VERSION } from "../../../../audio/descriptors/passages.ts";
import { FAULTS_VERSION } from "../../../../audio/faults/version.ts";
import { enqueue } from "../../../../jobs/queue.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { nextOlder } from "../next-older.ts";

/**
 * The job that looks for faults, the structure and the passages of a track that was analysed before these were measured;
 * payload `{ trackId, below }`, or `{ below }` to begin.
 */
export const MEASURE_READINESS_JOB = "measure_readiness";

/** A track with versions in whose sound nobody has looked for these faults, a structure, or passages of the analysed one. */
export type Unchecked = { seq: number; trackId: string };

// Silence has no descriptors and no passages.
const LACKS_PASSAGES = `(t.analysis_version_id = a.version_id
  AND EXISTS (SELECT 1 FROM track_vectors d WHERE d.track_id = t.id AND d.provider = 'descriptors')
  AND NOT EXISTS (SELECT 1 FROM track_passages p WHERE p.track_id = t.id AND p.version = $passages))`;
const IS_UNCHECKED = `(a.structure IS NULL OR ${LACKS_PASSAGES}
  OR NOT EXISTS (SELECT 1 FROM readiness_results r WHERE r.version_id = a.version_id AND r.rules = $rules))`;
const VERSIONS = { rules: FAULTS_VERSION, passages: PASSAGE_VERSION };
/** A track that ended the program again and again is not tried any more. */
const IS_TRIED = `EXISTS (SELECT 1 FROM jobs WHERE name = '${MEASURE_READINESS_JOB}' AND state = 'dead'
  AND unique_key = t.id || ' ' || $rules)`;

/** Returns the unchecked versions of a track, and their files. */
export function uncheckedVersions(db: Db, trackId: string): { id: string; sha256: string }[] {
  const query = db.$client.query<{ id: string; sha256: string }, Record<string, string>>(
    `SELECT v.id, v.sha256 FROM versions v JOIN analyses a ON a.version_id = v.id JOIN tracks t ON t.id = v.track_id
     WHERE v.track_id = $trackId AND ${IS_UNCHECKED}`,
  );
  return query.all({ trackId, ...VERSIONS });
}

/** True when a version is the analysed one of its track, and its passages were not measured. */
export function lacksPassages({ $client }: Db, trackId: string, versionId: string): boolean {
  const query = $client.query<unknown, Record<string, string>>(
    `SELECT 1 FROM analyses a JOIN tracks t ON t.id = a.track_id
     WHERE a.version_id = $versionId AND t.id = $trackId AND ${LACKS_PASSAGES}`,
  );
  return query.get({ trackId, versionId, passages: PASSAGE_VERSION }) !== null;
}

const SELECT = `SELECT t.seq, t.id AS trackId FROM tracks t
  WHERE EXISTS (SELECT 1 FROM analyses a WHERE a.track_id = t.id AND ${IS_UNCHECKED}) AND NOT ${IS_TRIED}`;

/** Returns the newest unchecked track that is older than `below`, a sequence number; undefined when there is none. */
export const nextUnchecked = (db: Db, below: number, signal: AbortSignal): Promise<Unchecked | undefined> =>
  nextOlder(db, { select: SELECT, values: VERSIONS }, below, signal);

/** Promises the job of a track. Another version of what is measured tries again what this one gave up. */
export function promiseCheck(tx: Db, { trackId, seq }: Unchecked, at: number): void {
  const uniqueKey = `${trackId} ${FAULTS_VERSION}`;
  enqueue(tx, { name: MEASURE_READINESS_JOB, payload: { trackId, below: seq }, uniqueKey }, at);
}

/** Begins with the newest track, where one is unchecked and none waits. Counts in indexes: a start waits for it. */
export function recoverChecking({ db, now }: Pick<Deps, "db" | "now">): void {
  const { $client } = db;
  const counts = $client.query<{ unchecked: number; unparted: number; isPlain: 0 | 1 }, typeof VERSIONS>(
    `SELECT (SELECT count(*) FROM analyses) - (SELECT count(*) FROM readiness_results WHERE rules = $rules) AS unchecked,
       EXISTS (SELECT 1 FROM analyses WHERE structure IS NULL) AS isPlain,
       (SELECT count(*) FROM track_vectors WHERE provider = 'descriptors')
         - (SELECT count(*) FROM track_passages WHERE version = $passages) AS unparted`,
  );
  const { unchecked = 0, unparted = 0, isPlain = 0 } = counts.get(VERSIONS) ?? {};
  if (unchecked <= 0 && unparted <= 0 && isPlain === 0) return;
  const fromTheNewest = { name: MEASURE_READINESS_JOB, payload: { below: Number.MAX_SAFE_INTEGER } };
  const waiting = $client.query(
    `SELECT 1 FROM jobs WHERE name = '${MEASURE_READINESS_JOB}' AND state = 'waiting' LIMIT 1`,
  );
  transact(db, (tx) => {
    if (waiting.get() === null) enqueue(tx, { ...fromTheNewest, uniqueKey: "" }, now());
  });
}
