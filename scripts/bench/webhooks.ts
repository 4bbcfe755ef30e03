import { Database } from "bun:sqlite";
import { join } from "node:path";
import { transact } from "../../db/client.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { emit } from "../../src/kernel/events.ts";
import { closeLibrary } from "../../src/library.ts";
import { setWebhook } from "../../src/modules/outward/webhooks/service.ts";
import { createKey } from "../../src/modules/people/keys/service.ts";
import { atMost, type Figure, grouped } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn, untilIdle } from "./library.ts";
import { startPacedReads } from "./paced-reads.ts";
import { DUBPLATE, freePort, helperCommand, spawnServer, temporaryFolder } from "./processes.ts";

const RECEIVERS = 20;
const EVENTS = 10_000;
const QUICK_EVENTS = 500;
const CLIENTS = 4;
const PATHS = 200;
const AIM_SHARE = 1.5;
const IDLE_MS = 8000;
const QUICK_IDLE_MS = 1000;
const DRAIN_TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 100;

/** Measures deliveries per second of many events to many receivers, and the time of API reads meanwhile. */
export async function benchWebhooks({ quick }: { quick: boolean }): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const log = join(folder, "log");
  const opened = openLibraryIn(folder);
  const deps = { ...opened, settings: { ...opened.settings, networkAllow: ["127.0.0.1"] } };
  const owner = await createOwner(deps);
  const ids = addAnalysedTracks(deps, owner.accountId, 2000);
  const ports = Array.from({ length: RECEIVERS }, freePort);
  for (const port of ports) {
    const { id } = createKey(deps, owner.accountId, { name: `receiver ${port}` });
    await setWebhook(deps, owner, id, { url: `http://127.0.0.1:${port}/hook`, active: true });
  }

  const counter = freePort();
  const sinks = spawnServer(helperCommand("receivers", { port: counter, ports }), { port: counter, log });
  const env = { DATA_DIR: folder, RATE_LIMIT: "0", LOG_LEVEL: "warn", NETWORK_ALLOW: "127.0.0.1" };
  const product = spawnServer([...DUBPLATE, "serve"], { port: freePort(), log, env });
  await Promise.all([sinks.healthy(), product.healthy()]);
  await untilIdle(folder);

  const paths = ids.slice(0, PATHS).map((id) => `/api/v1/tracks/single?id=${id}`);
  const reads = await startPacedReads({ port: product.port, key: owner.key, paths, clients: CLIENTS });
  await Bun.sleep(quick ? QUICK_IDLE_MS : IDLE_MS / 2);
  reads.reset();
  await Bun.sleep(quick ? QUICK_IDLE_MS : IDLE_MS);
  const idleTimes = reads.times();

  const events = quick ? QUICK_EVENTS : EVENTS;
  announce(deps, owner.accountId, ids, events);
  reads.reset();
  const startedAt = performance.now();
  await untilCount(counter, events * RECEIVERS);
  const elapsedSec = (performance.now() - startedAt) / 1000;
  const busyTimes = reads.times();
  // The idle figures are measured again afterwards, because the machine may change meanwhile.
  await untilSettled(folder);
  reads.reset();
  await Bun.sleep(quick ? QUICK_IDLE_MS : IDLE_MS);
  idleTimes.push(...reads.times());
  reads.stop();
  const [idleMs, busyMs] = [
    percentile(
      idleTimes.sort((a, b) => a - b),
      0.95,
    ),
    percentile(busyTimes, 0.95),
  ];
  await product.stop();
  await sinks.stop();
  closeLibrary(deps);

  return [
    {
      what: `${grouped(events)} events to ${RECEIVERS} receivers`,
      figure: `${grouped((events * RECEIVERS) / elapsedSec)} deliveries/s, ${elapsedSec.toFixed(1)} s`,
    },
    {
      what: `p95 of single-track GETs meanwhile (${grouped(busyTimes.length / elapsedSec)} req/s)`,
      figure: `${busyMs.toFixed(2)} ms, p99 ${percentile(busyTimes, 0.99).toFixed(2)} ms`,
      yardstick: `idle p95 ${idleMs.toFixed(2)} ms`,
      share: busyMs / idleMs,
      aim: atMost(busyMs / idleMs, AIM_SHARE, "times idle"),
    },
  ];
}

function announce(deps: Deps, ownerId: string, ids: readonly string[], count: number): void {
  transact(deps.db, (tx) => {
    for (let index = 0; index < count; index++) {
      const trackId = ids[index % ids.length] ?? "";
      const data = { trackId, name: `Piece number ${index}.mp3`, changed: ["title", "tags"] };
      emit(tx, ownerId, "track.updated", data, deps.now());
    }
  });
}

async function untilCount(port: number, wanted: number): Promise<void> {
  const until = performance.now() + DRAIN_TIMEOUT_MS;
  for (;;) {
    const count = Number(await (await fetch(`http://127.0.0.1:${port}/count`)).text());
    if (count >= wanted) return;
    if (performance.now() > until) throw new Error(`Only ${count} of ${wanted} deliveries came`);
    await Bun.sleep(POLL_MS);
  }
}

/** Waits until every outcome is stored. */
async function untilSettled(dataDir: string): Promise<void> {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const left = db.query<{ yes: number }, []>(
    "SELECT EXISTS (SELECT 1 FROM webhook_deliveries WHERE status = 'pending') AS yes",
  );
  while (left.get()?.yes === 1) await Bun.sleep(POLL_MS);
  db.close();
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
