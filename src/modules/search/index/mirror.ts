import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Db } from "../../../../db/client.ts";
import type { Log } from "../../../kernel/log.ts";
import { listSearchable, loadRecords } from "./load.ts";
import { addTrack, createShard, isWorn, removeTrack, type Shard } from "./shard.ts";
import { readSnapshot } from "./snapshot-file.ts";
import { countChanges, findSnapshotName, snapshotFolder } from "./snapshots.ts";

/** The copy in memory of what searches read: a shard an account, each read when it is first needed. */
export type Mirror = {
  readonly db: Db;
  /** Most recently used last. */
  readonly shards: Map<string, Shard>;
  /** Shards that are being read. */
  readonly loading: Map<string, Promise<void>>;
  /** Where a track stands in its account's shard, by its number. Whoever looks must check that it is that track. */
  slotOfSeq: Uint32Array<ArrayBuffer>;
  /** Tracks that are kept; beyond them the shards that were not used for longest go. */
  readonly maxTracks: number;
  readonly log: Log;
};

/** Some 250 bytes a track: half a gigabyte. An account that has more is kept whole all the same, alone. */
export const MAX_TRACKS = 2_000_000;
/** Read between two turns of the event loop: a few milliseconds. */
const CHUNK_TRACKS = 250;
const CHANGES_AT_ONCE = 2000;
/** What was there when the feed of changes began has revision 0. */
const BEFORE_ALL = -1;
/** So many changes are quicker read anew than followed: one costs some 200 microseconds, a track that is read 20 to 40. */
const ANEW_SHARE = 0.2;

/** Returns an empty mirror over a connection that nobody else may write through while a search runs. */
export function createMirror(db: Db, maxTracks = MAX_TRACKS, log: Log = () => {}): Mirror {
  return { db, shards: new Map(), loading: new Map(), slotOfSeq: new Uint32Array(0), maxTracks, log };
}

/** Reads an account's shard unless it is there; many may ask at once. Follow with {@link shardOf}. */
export async function prepare(mirror: Mirror, ownerId: string): Promise<void> {
  const known = mirror.shards.get(ownerId);
  if (known && !isWorn(known) && !isFarBehind(mirror, known)) {
    while (follow(mirror, known, CHUNK_TRACKS) === CHUNK_TRACKS) await setImmediate();
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
 * Returns an account's shard with every change in it that the database has. Call it inside the read transaction of the
 * search, after {@link prepare}.
 */
export function shardOf(mirror: Mirror, ownerId: string): Shard {
  const shard = mirror.shards.get(ownerId) ?? createShard(ownerId, BEFORE_ALL);
  // To the end of the order: it was used just now.
  mirror.shards.delete(ownerId);
  mirror.shards.set(ownerId, shard);
  while (follow(mirror, shard, CHANGES_AT_ONCE) === CHANGES_AT_ONCE);
  return shard;
}

/** Returns the slot of a track in the shard, or -1 when it is not there. */
export function slotOf({ slotOfSeq }: Mirror, { columns, length }: Shard, seq: number): number {
  const slot = slotOfSeq[seq] ?? length;
  return slot < length && columns.seq[slot] === seq && columns.isAlive[slot] === 1 ? slot : -1;
}

async function load(mirror: Mirror, ownerId: string): Promise<void> {
  const kept = mirror.shards.has(ownerId) ? undefined : readKept(mirror, ownerId);
  const shard = kept ?? (await build(mirror, ownerId));
  // All at once: until now the account may have been searched in its old shard.
  for (let slot = 0; slot < shard.length; slot++)
    if (shard.columns.isAlive[slot] === 1) setSlot(mirror, shard.columns.seq[slot] ?? 0, slot);
  mirror.shards.delete(ownerId);
  mirror.shards.set(ownerId, shard);
  forgetOldest(mirror);
  while (follow(mirror, shard, CHUNK_TRACKS) === CHUNK_TRACKS) await setImmediate();
}

async function build(mirror: Mirror, ownerId: string): Promise<Shard> {
  // What changes from here on is followed once the rest is in.
  const shard = createShard(ownerId, newestRevision(mirror.db));
  const seqs = listSearchable(mirror.db, ownerId);
  for (let at = 0; at < seqs.length; at += CHUNK_TRACKS) {
    for (const record of loadRecords(mirror.db, ownerId, seqs.slice(at, at + CHUNK_TRACKS)))
      addTrack(shard, record);
    await setImmediate();
  }
  return shard;
}

/** Returns the account's shard as it was last written to a file, unless reading the database is quicker or safer. */
function readKept(mirror: Mirror, ownerId: string): Shard | undefined {
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
    // A file is a copy: whatever is wrong with it, the database has it all.
    const reason = error instanceof Error ? error.message : String(error);
    mirror.log("warn", "The file of a search index is of no use, the database is read", { name, reason });
    return undefined;
  }
}

/** Puts in the next changes since the shard was last looked at. Returns how many there were, at most `limit`. */
function follow(mirror: Mirror, shard: Shard, limit: number): number {
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
