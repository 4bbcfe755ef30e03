import { call, GoneError } from "../backup/items.ts";
import type { Box } from "./box.ts";

/** A write that was acknowledged: the n-th of its writer, at `at` (ms of `performance.now()`). */
export type Acknowledged = { writer: string; n: number; at: number };

/** Everything that a server said it had written. */
export type Ledger = { acknowledged: Acknowledged[] };

/** Every so many rows are also changed. */
const CHANGED = 20;
/** Kills should hit Litestream at any point of its second, not a processor that is full. */
const PAUSE_MS = 15;

/**
 * Writes until the server is gone, or until `isOver`: the n-th step makes a composer of that name, and changes an
 * earlier one, so rows are added and others changed.
 */
export async function writeNumbers(
  { client }: Pick<Box, "client">,
  { writer, ledger, isOver }: { writer: string; ledger: Ledger; isOver: () => boolean },
): Promise<void> {
  const made: string[] = [];
  try {
    for (let n = 1; !isOver(); n++) {
      const name = `${writer} ${n}`;
      const body = { fullName: name, email: `${name.replace(" ", ".")}@example.com` };
      const { id } = (await call(client, "POST", "/api/v1/composers", body)) as { id: string };
      made[n % CHANGED] ??= id;
      ledger.acknowledged.push({ writer, n, at: performance.now() });
      await call(client, "PATCH", "/api/v1/composers", { id: made[n % CHANGED], artistName: name });
      await Bun.sleep(PAUSE_MS);
    }
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
  }
}
