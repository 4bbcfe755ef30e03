import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../db/client.ts";
import { atMost, type Figure } from "./figures.ts";
import { freePort, spawnDubplate } from "./processes.ts";

/** The first search reads the account's file; a large account's takes longer. */
const [AIM_MS, LARGE_AIM_MS] = [200, 2000];
const LARGE = 1_000_000;
const WRITING_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** What somebody takes to type a few words. */
const TYPING_MS = 3000;

/** Resolves once the search index of an account is in a file. */
export async function untilKept({ $client }: Db, accountId: string): Promise<void> {
  const until = performance.now() + WRITING_TIMEOUT_MS;
  while (performance.now() < until) {
    const row = $client.query("SELECT 1 FROM search_snapshots WHERE owner_id = ?").get(accountId);
    if (row) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error("The search index was not written to its file in time");
}

/** What a first search sends: the requests of somebody who opens the program, and their search. */
type Requests = {
  open: (address: string) => Promise<unknown>;
  search: (address: string) => Promise<unknown>;
};

/**
 * Measures the first search after a start, when the search index is read from a file: by somebody who opened the program
 * a few seconds before, and sent as soon as the server is up.
 */
export async function firstSearch(
  dataDir: string,
  { name, size }: { name: string; size: number },
  { open, search }: Requests,
): Promise<Figure> {
  const first = async (before: (address: string) => Promise<unknown>) => {
    const server = spawnDubplate({ dataDir, port: freePort(), log: join(dataDir, "log") });
    await server.healthy();
    await before(server.address);
    const startedAt = performance.now();
    await search(server.address);
    const ms = performance.now() - startedAt;
    await server.stop();
    return ms;
  };
  const firstMs = await first(async (address) => {
    await open(address);
    await Bun.sleep(TYPING_MS);
  });
  const atOnceMs = await first(() => Promise.resolve());
  const folder = join(dataDir, "search-index");
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  return {
    what: `${name} first search after a start, ${TYPING_MS / 1000} s after the first request`,
    figure: `${firstMs.toFixed(0)} ms`,
    yardstick: `${atOnceMs.toFixed(0)} ms as the first request; from a file of ${(bytes / 1e6).toFixed(1)} MB`,
    aim: atMost(firstMs, size < LARGE ? AIM_MS : LARGE_AIM_MS, "ms"),
  };
}
