import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { atLeast, atMost, type Figure } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn, untilIdle } from "./library.ts";
import { type PacedReads, startPacedReads } from "./paced-reads.ts";
import { freePort, runHelper, spawnDubplate } from "./processes.ts";
import type { SendResult } from "./send.ts";

const TRACKS_A_MINUTE = 60;
const MOST_TIMES_IDLE = 2;
const CLIENTS = 4;
const LIBRARY = 1000;
const IDLE_MS = 5000;

/** Tracks a minute that a server analyses, and how long reads take meanwhile beside how long they take when idle. */
export async function benchLoad(folder: string, file: string, uploads: number): Promise<Figure[]> {
  const dataDir = join(folder, "load");
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  const ids = addAnalysedTracks(deps, owner.accountId, LIBRARY);
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "load.log") });
  await server.healthy();
  await untilIdle(dataDir);
  const paths = ids.slice(0, 100).map((id) => `/api/v1/tracks/single?id=${id}`);
  const reads = await startPacedReads({ port: server.port, key: owner.key, paths, clients: CLIENTS });
  await Bun.sleep(IDLE_MS / 5); // until everything is warm
  reads.reset();
  await Bun.sleep(IDLE_MS);
  const idleMs = p95(reads);
  const sending = { port: server.port, key: owner.key, file, uploads };
  reads.reset();
  const startedAt = performance.now();
  await runHelper<SendResult>("send", sending);
  await untilIdle(dataDir);
  const minutes = (performance.now() - startedAt) / 60_000;
  const busyMs = p95(reads);
  reads.stop();
  await server.stop();
  return [
    {
      what: `${uploads} tracks at once, renditions included`,
      figure: `${(uploads / minutes).toFixed(0)} tracks a minute`,
      aim: atLeast(uploads / minutes, TRACKS_A_MINUTE),
    },
    {
      what: "p95 of reads meanwhile",
      figure: `${busyMs.toFixed(2)} ms`,
      yardstick: `idle ${idleMs.toFixed(2)} ms`,
      share: busyMs / idleMs,
      aim: atMost(busyMs / idleMs, MOST_TIMES_IDLE, "times idle"),
    },
  ];
}

function p95(reads: PacedReads): number {
  const times = reads.times();
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
}
