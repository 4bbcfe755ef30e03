import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Log } from "../../../../kernel/log.ts";
import { addNames } from "../names/vocabulary.ts";
import { listSearchable, loadRecords } from "./load.ts";
import { addTrack, createShard, isWorn, removeTrack, type Shard } from "./shard.ts";
import { readSnapshot } from "./snapshot-file.ts";
import { countChanges, findSnapshotName, snapshotFolder } from "./snapshots.ts";

/** The copy in memory of what searches read: one shard per account, each read when first needed. */
export type Mirror = {
  readonly db: Db;
  /** Most recently used last. */
  readonly shards: Map<string, Shard>;
  /** Shards that are being read now. */
  readonly loading: Map<string, Promise<void>>;
  /**
   * Slot of a track in its account's shard, by the track's number. Callers must check that the slot holds this track.
   */
  slotOfSeq: Uint32Array<ArrayBuffer>;
  /** The most tracks to keep; beyond it, the least recently used shards are dropped. */
  readonly maxTracks: number;
  readonly log: Log;
};

/** At about 370 bytes per track, some seven hundred megabytes. An account with more tracks is still kept whole, alone. */
export const MAX_TRACKS = 2_000_000;
/** Tracks read between two turns of the event loop, which takes a few milliseconds. */
const CHUNK_TRACKS = 250;
const CHANGES_AT_ONCE = 2000;
/** A revision before the first one: tracks older than the feed of changes have revision 0. */
const BEFORE_ALL = -1;
/**
 * Above this share of changes, reading again is faster: a change costs about 200 µs to follow, a track 20 to 40 to
 * read.
 */
const ANEW_SHARE = 0.2;

/** Returns an empty mirror over a connection through which nothing may be written while a search runs. */
export function createMirror(db: Db, maxTracks = MAX_TRACKS, log: Log = () => {}): Mirror {
  return { db, shards: new Map(), loading: new Map(), slotOfSeq: new Uint32Array(0), maxTracks, log };
}

/** Reads an account's shard unless it is in memory; calls may overlap. Call {@link shardOf} afterwards. */
export async function prepare(mirror: Mirror, ownerId: LibraryId): Promise<void> {
  const known = mirror.shards.get(ownerId);
  if (known && !isWorn(known) && !isFarBehind(mirror, known)) {
    while (follow(mirror, known, CHUNK_TRACKS)) await setImmediate();
    return;
  }
  const running = mirror.loading.get(ownerId) ?? load(mirror, ownerId);
  mirror.loading.set(ownerId, running);
  try {
    await running;
  } finally {
    mirror.loading.delete(ownerId);
  }
}

/**
 * Returns an account's shard, up to date with the database. Call it inside the read transaction of the search, after
 * {@link prepare}.
 */
export function shardOf(mirror: Mirror, ownerId: LibraryId): Shard {
  const shard = mirror.shards.get(ownerId) ?? createShard(ownerId, BEFORE_ALL);
  // Moves the shard to the end of the order, as the most recently used one.
  mirror.shards.delete(ownerId);
  mirror.shards.set(ownerId, shard);
  while (follow(mirror, shard, CHANGES_AT_ONCE));
  return shard;
}

/** Returns the slot of a track in the shard, or -1 when the shard does not hold it. */
export function slotOf({ slotOfSeq }: Mirror, { columns, length }: Shard, seq: number): number {
  const slot = slotOfSeq[seq] ?? length;
  return slot < length && columns.seq[slot] === seq && columns.isAlive[slot] === 1 ? slot : -1;
}

async function load(mirror: Mirror, ownerId: LibraryId): Promise<void> {
  const kept = mirror.shards.has(ownerId) ? undefined : readKept(mirror, ownerId);
  const shard = kept ?? (await build(mirror, ownerId));
  // Without a pause: until now searches may have used the account's old shard.
  for (let slot = 0; slot < shard.length; slot++)
    if (shard.columns.isAlive[slot] === 1) setSlot(mirror, shard.columns.seq[slot] ?? 0, slot);
  mirror.shards.delete(ownerId);
  mirror.shards.set(ownerId, shard);
  forgetOldest(mirror);
  while (follow(mirror, shard, CHUNK_TRACKS)) await setImmediate();
}

async function build(mirror: Mirror, ownerId: LibraryId): Promise<Shard> {
  // Later changes are followed once the rest has been read.
  const shard = createShard(ownerId, newestRevision(mirror.db));
  const seqs = listSearchable(mirror.db, ownerId);
  for (let at = 0; at < seqs.length; at += CHUNK_TRACKS) {
    for (const record of loadRecords(mirror.db, ownerId, seqs.slice(at, at + CHUNK_TRACKS)))
      addTrack(shard, record);
    await setImmediate();
  }
  return shard;
}

/** Returns the account's shard from its file, unless the file is unusable or reading the database is faster. */
function readKept(mirror: Mirror, ownerId: LibraryId): Shard | undefined {
  const folder = snapshotFolder(mirror.db);
  const name = folder && findSnapshotName(mirror.db, ownerId);
  if (folder === undefined || name === undefined) return undefined;
  try {
    const startedAt = performance.now();
    const shard = readSnapshot(join(folder, name), { name, ownerId });
    if (isWorn(shard) || isFarBehind(mirror, shard)) return undefined;
    const ms = Math.round(performance.now() - startedAt);
    mirror.log("info", "Read a search index from its file", { tracks: shard.alive, ms });
    return shard;
  } catch (error) {
    // A file is only a copy: whatever is wrong with it, the database has all the data.
    const reason = error instanceof Error ? error.message : String(error);
    mirror.log("warn", "The file of a search index cannot be used; the database is read instead", {
      name,
      reason,
    });
    return undefined;
  }
}

/** Applies the next changes to the shard, at most `limit` of a kind. Returns whether there may be more. */
function follow(mirror: Mirror, shard: Shard, limit: number): boolean {
  const counts = [followTracks(mirror, shard, limit), followNames(mirror, shard, limit)];
  return counts.includes(limit);
}

/** Adds the words of names beside the tracks; a renamed one keeps its former words too. */
function followNames({ db }: Mirror, shard: Shard, limit: number): number {
  const names = selectNames(db, shard, limit);
  for (const { id, text } of names) {
    addNames(shard.vocabulary, text);
    shard.newestName = id;
  }
  return names.length;
}

function selectNames({ $client }: Db, { ownerId, newestName }: Shard, limit: number) {
  return $client
    .query<{ id: number; text: string }, [string, number, number]>(
      "SELECT id, text FROM library_names WHERE owner_id = ? AND id > ? ORDER BY id LIMIT ?",
    )
    .all(ownerId, newestName, limit);
}

function followTracks(mirror: Mirror, shard: Shard, limit: number): number {
  const changes = selectChanges(mirror.db, shard, limit);
  const last = changes.at(-1);
  if (!last) return 0;
  const seqs = changes.map(({ seq }) => seq);
  for (const seq of seqs) {
    const slot = slotOf(mirror, shard, seq);
    if (slot !== -1) removeTrack(shard, slot);
  }
  for (const record of loadRecords(mirror.db, shard.ownerId, seqs))
    setSlot(mirror, record.seq, addTrack(shard, record));
  shard.revision = last.revision;
  return changes.length;
}

function selectChanges(
  { $client }: Db,
  { ownerId, revision }: Shard,
  limit: number,
): { seq: number; revision: number }[] {
  return $client
    .query<{ seq: number; revision: number }, [string, number, number]>(
      `SELECT seq, revision FROM search_changes WHERE owner_id = ? AND revision > ?
       ORDER BY revision LIMIT ?`,
    )
    .all(ownerId, revision, limit);
}

function isFarBehind({ db }: Mirror, { ownerId, revision, alive }: Shard): boolean {
  const many = Math.max(CHANGES_AT_ONCE, Math.ceil(alive * ANEW_SHARE));
  return countChanges(db, ownerId, { since: revision, limit: many }) >= many;
}

function newestRevision({ $client }: Db): number {
  const row = $client.query<{ newest: number }, []>(
    "SELECT coalesce(max(revision), 0) AS newest FROM search_changes",
  );
  return row.get()?.newest ?? 0;
}

function setSlot(mirror: Mirror, seq: number, slot: number): void {
  if (seq >= mirror.slotOfSeq.length) {
    const next = new Uint32Array(Math.ceil(seq * 1.25) + 64);
    next.set(mirror.slotOfSeq);
    mirror.slotOfSeq = next;
  }
  mirror.slotOfSeq[seq] = slot;
}

function forgetOldest({ shards, maxTracks }: Mirror): void {
  let total = shards.values().reduce((sum, { length }) => sum + length, 0);
  for (const [ownerId, { length }] of shards) {
    if (total <= maxTracks || shards.size === 1) return;
    shards.delete(ownerId);
    total -= length;
  }
}
