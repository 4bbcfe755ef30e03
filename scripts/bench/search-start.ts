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

/**
 * Measures the first search after a start, sent as soon as the server is up, when the search index is read from a
 * file.
 */
export async function firstSearch(
  dataDir: string,
  { name, size }: { name: string; size: number },
  search: (address: string) => Promise<unknown>,
): Promise<Figure> {
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(dataDir, "log") });
  await server.healthy();
  const startedAt = performance.now();
  await search(server.address);
  const firstMs = performance.now() - startedAt;
  await server.stop();
  const folder = join(dataDir, "search-index");
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  return {
    what: `${name} first search after a start`,
    figure: `${firstMs.toFixed(0)} ms`,
    yardstick: `from a file of ${(bytes / 1e6).toFixed(1)} MB`,
    aim: atMost(firstMs, size < LARGE ? AIM_MS : LARGE_AIM_MS, "ms"),
  };
}
