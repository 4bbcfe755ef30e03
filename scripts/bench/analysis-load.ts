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

/**
 * Measures how many tracks per minute a server analyses, and how long reads take meanwhile compared with an idle
 * server. Runs once with as many parallel analyses as there are cores, and once with one fewer, which is the
 * default.
 */
export async function benchLoad(folder: string, file: string, uploads: number): Promise<Figure[]> {
  const cores = navigator.hardwareConcurrency;
  const figures: Figure[] = [];
  for (const analyses of new Set([Math.max(1, cores - 1), cores]))
    figures.push(...(await measure(folder, { file, uploads, analyses })));
  return figures;
}

type Load = { file: string; uploads: number; analyses: number };

async function measure(folder: string, { file, uploads, analyses }: Load): Promise<Figure[]> {
  const dataDir = join(folder, `load-${analyses}`);
  const deps = openLibraryIn(dataDir);
  const owner = await createOwner(deps);
  const ids = addAnalysedTracks(deps, owner.accountId, LIBRARY);
  closeLibrary(deps);
  const server = spawnDubplate({
    dataDir,
    port: freePort(),
    log: join(folder, "load.log"),
    settings: { ANALYSIS_CONCURRENCY: String(analyses) },
  });
  await server.healthy();
  await untilIdle(dataDir);
  const paths = ids.slice(0, 100).map((id) => `/api/v1/tracks/single?id=${id}`);
  const reads = await startPacedReads({ port: server.port, key: owner.key, paths, clients: CLIENTS });
  await Bun.sleep(IDLE_MS / 5); // warm up
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
      what: `${uploads} tracks at once, renditions included, ${analyses} analysed at a time`,
      figure: `${(uploads / minutes).toFixed(0)} tracks per minute`,
      aim: atLeast(uploads / minutes, TRACKS_A_MINUTE),
    },
    {
      what: `p95 of reads meanwhile, ${analyses} at a time`,
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
