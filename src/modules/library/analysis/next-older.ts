import { setImmediate } from "node:timers/promises";
import type { Db } from "../../../../db/client.ts";

/** Sequence numbers that are looked at before other work gets its turn. */
const SLICE = 1000;

/** Tracks `t` that a job goes through, the newest first: a statement that ends in a condition, and its values. */
export type Walk = { select: string; values: Readonly<Record<string, string>> };

/** Returns the newest track of a walk that is older than `below`, a sequence number; undefined when there is none. */
export async function nextOlder<Row>(
  { $client }: Db,
  { select, values }: Walk,
  below: number,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const newest = $client.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM tracks").get();
  const query = $client.query<Row, Record<string, string | number>>(
    `${select} AND t.seq >= $from AND t.seq < $below ORDER BY t.seq DESC LIMIT 1`,
  );
  // Who looks for one after the other lets requests in between.
  await setImmediate();
  signal.throwIfAborted();
  for (let to = Math.min(below, (newest?.seq ?? 0) + 1); to > 0; to -= SLICE) {
    const found = query.get({ from: to - SLICE, below: to, ...values });
    if (found) return found;
    await setImmediate();
    signal.throwIfAborted();
  }
  return undefined;
}
