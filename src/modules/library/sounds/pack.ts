import { type Db, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { type Chunk, selectChunks, selectIdsIn, VECTOR_TABLES, type VectorTable } from "./chunks.ts";
import { movePassage } from "./passages.ts";
import { readFill, writeFill } from "./queries.ts";
import { moveSound } from "./store.ts";

/** How often dead space is looked for. */
const EVERY_MS = 7 * DAY_MS;
/** Dead space is cleared away when there is this much of it, in vectors, and this share. */
const DEAD_LEAST = 10_000;
const DEAD_SHARE = 0.25;
/** How much more than it needs an account may have afterwards. */
const SPARE_SHARE = 0.05;
/** Vectors per transaction: about 20 ms of work. */
const AT_ONCE = 256;

/** What counts as much dead space. */
type Bounds = { least: number; share: number };

/**
 * Moves vectors together where deleted ones have left much space, once a week. sqlite-vec reuses no place in a chunk but
 * the newest of an account; a chunk without vectors is freed. Answers are right at every commit. Returns how many vectors
 * were moved.
 */
export async function packSounds(
  { db, now }: Pick<Deps, "db" | "now">,
  bounds: Bounds = { least: DEAD_LEAST, share: DEAD_SHARE },
): Promise<number> {
  const isDue = transact(db, (tx) => {
    const at = now();
    if (at - readFill(tx).packedAt < EVERY_MS) return false;
    writeFill(tx, { packedAt: at });
    return true;
  });
  let moved = 0;
  for (const table of isDue ? VECTOR_TABLES : [])
    for (const ids of batchesOf(sparseIn(selectChunks(db, table), bounds))) {
      const startedAt = performance.now();
      moved += transact(db, (tx) => emptyChunks(tx, table, ids));
      await Bun.sleep(performance.now() - startedAt);
    }
  return moved;
}

/** Takes the vectors out of chunks and puts them into the newest ones of their accounts. */
function emptyChunks(tx: Db, table: VectorTable, chunks: readonly number[]): number {
  const ids = chunks.flatMap((chunk) => selectIdsIn(tx, table, chunk));
  const move = table === "sound_vectors" ? moveSound : movePassage;
  for (const id of ids) move(tx, id);
  return ids.length;
}

/** Returns the chunks to empty, the emptiest of each account first; none while there is little dead space. */
function sparseIn(chunks: readonly Chunk[], { least, share }: Bounds): Chunk[] {
  const accounts = [...Map.groupBy(chunks, ({ ownerId }) => ownerId).values()];
  const places = sum(chunks, ({ size }) => size);
  const dead = sum(accounts, (own) => (own.length - needed(own)) * sizeOf(own));
  if (dead < least || dead <= share * places) return [];
  return accounts.flatMap(sparseOf);
}

function sparseOf(own: readonly Chunk[]): Chunk[] {
  const room = Math.ceil(needed(own) * (1 + SPARE_SHARE));
  const size = sizeOf(own);
  const newest = own.at(-1);
  const sparse: Chunk[] = [];
  let rows = 0;
  for (const chunk of own.toSorted((a, b) => a.rows - b.rows)) {
    // What remains, and what the emptied ones need.
    if (own.length - sparse.length + Math.ceil(rows / size) <= room) break;
    if (chunk === newest) continue;
    sparse.push(chunk);
    rows += chunk.rows;
  }
  return sparse;
}

function batchesOf(chunks: readonly Chunk[]): number[][] {
  const batches: number[][] = [];
  let rows = AT_ONCE;
  for (const chunk of chunks) {
    if (rows + chunk.rows > AT_ONCE) {
      batches.push([]);
      rows = 0;
    }
    batches.at(-1)?.push(chunk.id);
    rows += chunk.rows;
  }
  return batches;
}

const sizeOf = ([first]: readonly Chunk[]) => first?.size ?? 1;
const needed = (own: readonly Chunk[]) => Math.ceil(sum(own, ({ rows }) => rows) / sizeOf(own));
const sum = <Each>(all: readonly Each[], of: (each: Each) => number) =>
  all.reduce((total, each) => total + of(each), 0);
