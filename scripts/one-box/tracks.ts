import { statSync } from "node:fs";
import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { median } from "../bench/figures.ts";
import { createOwner, openLibraryIn } from "../bench/library.ts";
import { residentMb } from "../bench/memory.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "../bench/processes.ts";
import { QUERIES } from "../bench/search.ts";
import { addSearchLibrary } from "../bench/search-library.ts";
import { untilKept } from "../bench/search-start.ts";

const ROUNDS = 20;
/** Pages into the library: whoever scrolls gets there. */
const DEEP_PAGES = 40;

type Ask = (
  path: string,
  body?: object,
) => Promise<{ data: unknown; paging?: { next_cursor: string | null } }>;

/** Measures a server on a library of so many tracks in one account, rows only. Times in milliseconds. */
export async function measureTracks(rows: number): Promise<object> {
  const folder = temporaryFolder("one-box");
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  const began = performance.now();
  addSearchLibrary(deps, owner.accountId, rows);
  const madeSeconds = Math.round((performance.now() - began) / 1000);
  closeLibrary(deps);
  const databaseMb = Math.round(statSync(join(dataDir, "dubplate.db")).size / 1e6);
  const start = () => spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });

  const first = start();
  await first.healthy();
  const coldSearchMs = await timed(() => askOf(first, owner.key)("/tracks/search", QUERIES[0]));
  const reader = openLibraryIn(dataDir);
  await untilKept(reader.db, owner.accountId);
  closeLibrary(reader);
  await first.stop();

  const server = start();
  const startMs = await server.healthy();
  const startedMb = residentMb(server.pid).now;
  const ask = askOf(server, owner.key);
  const firstSearchMs = await timed(() => ask("/tracks/search", QUERIES[0]));
  const searches = await repeat((at) => ask("/tracks/search", QUERIES[at % QUERIES.length]));
  let cursor = "";
  for (let page = 0; page < DEEP_PAGES; page++) {
    const next = (await ask(`/tracks?limit=100${cursor}`)).paging?.next_cursor;
    if (next) cursor = `&cursor=${next}`;
  }
  const pages = await repeat(() => ask("/tracks?limit=50"));
  const deepPages = await repeat(() => ask(`/tracks?limit=50${cursor}`));
  const row = {
    rows,
    madeSeconds,
    databaseMb,
    startMs: Math.round(startMs),
    startedMb: Math.round(startedMb),
    pageMs: pages,
    deepPageMs: deepPages,
    searchMs: searches,
    firstSearchAfterStartMs: firstSearchMs,
    firstSearchEverMs: coldSearchMs,
    residentMb: Math.round(residentMb(server.pid).now),
    peakMb: Math.round(residentMb(server.pid).peak),
  };
  await server.stop();
  return row;
}

function askOf({ address }: ServerProcess, key: string): Ask {
  return async (path, body) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Awaited<ReturnType<Ask>>;
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Number((performance.now() - from).toFixed(1));
}

/** Returns the median of a request's times. */
async function repeat(work: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < ROUNDS; at++) times.push(await timed(() => work(at)));
  return Number(median(times).toFixed(1));
}
