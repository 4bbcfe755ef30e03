import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { createOwner, openLibraryIn, untilIdle } from "../bench/library.ts";
import {
  DUBPLATE,
  freePort,
  type ServerProcess,
  spawnDubplate,
  temporaryFolder,
} from "../bench/processes.ts";
import { type WatchedLibrary, watchLibrary } from "./library.ts";
import { makePiece } from "./pieces.ts";

const POLL_MS = 20;
const MINUTE_SEC = 60;

/** Pieces per minute with one and with two workers, and what was found wrong. */
export type Rates = { one: number; two: number; wrong: string[] };

type Wish = { pieces: number; seconds: number; kills: number; say: (text: string) => void };

/**
 * Uploads pieces, has the server analyse them, then workers: one, two, and two that are killed at random. Compares the values
 * after each round.
 */
export async function measureRates({ pieces, seconds, kills, say }: Wish): Promise<Rates> {
  const dataDir = temporaryFolder("work-rate");
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  const workKey = createPlatformKey(deps, { name: "worker", scopes: ["platform:work"], days: 1 }).key;
  closeLibrary(deps);
  const serve = (analyses: number) =>
    spawnDubplate({
      dataDir,
      port: freePort(),
      log: join(dataDir, "server.log"),
      settings: { ANALYSIS_CONCURRENCY: String(analyses) },
    });

  const alone = serve(2);
  await alone.healthy();
  for (let number = 0; number < pieces; number++) await upload(alone, key, makePiece(number, seconds));
  await untilIdle(dataDir);
  await alone.stop();
  say(`${pieces} pieces of ${seconds} s were analysed by the server itself`);

  const server = serve(0);
  await server.healthy();
  const library = watchLibrary(dataDir);
  const round = createRounds({ server, key, library });
  const start = (core: number) => startWorker(server.address, workKey, core);
  const workers = [start(0)];
  try {
    await round(1);
    const one = (pieces / (await round(pieces))) * MINUTE_SEC;
    workers.push(start(1));
    await round(2);
    const two = (pieces / (await round(pieces))) * MINUTE_SEC;
    if (kills > 0) await round(pieces, () => killAtRandom(workers, { kills, start, say }));
    return { one, two, wrong: round.wrong };
  } finally {
    for (const worker of workers) worker.kill();
    await Promise.all(workers.map(({ exited }) => exited));
    library.close();
    await server.stop();
  }
}

async function upload({ address }: ServerProcess, key: string, bytes: Uint8Array): Promise<void> {
  const form = new FormData();
  form.append("files", new Blob([bytes as Uint8Array<ArrayBuffer>]), "piece.wav");
  const headers = { "x-api-key": key };
  const sent = await fetch(`${address}/api/v1/tracks/upload`, { method: "POST", headers, body: form });
  if (!sent.ok) throw new Error(`An upload was answered ${sent.status}: ${await sent.text()}`);
}

/**
 * Returns a function that has some tracks analysed again and returns the seconds that it took. Its `wrong` says where a
 * track was analysed more or less than once, or has other values than before.
 */
function createRounds({
  server,
  key,
  library,
}: {
  server: ServerProcess;
  key: string;
  library: WatchedLibrary;
}) {
  const trackIds = library.trackIds();
  const before = library.values();
  const wrong: string[] = [];
  const round = async (count: number, meanwhile: () => Promise<void> = async () => {}): Promise<number> => {
    const done = library.completed();
    const from = performance.now();
    const sent = await fetch(`${server.address}/api/v1/tracks/auto-tag/batch`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ trackIds: trackIds.slice(0, count) }),
    });
    if (!sent.ok) throw new Error(`The request for analyses was answered ${sent.status}`);
    const killing = meanwhile();
    while (library.left() > 0) {
      server.assertRuns();
      await Bun.sleep(POLL_MS);
    }
    const took = (performance.now() - from) / 1000;
    await killing;
    const completed = library.completed() - done;
    if (completed !== count) wrong.push(`${count} tracks were analysed ${completed} times`);
    const after = library.values();
    for (const [table, rows] of Object.entries(before))
      if (after[table] !== rows) wrong.push(`${table} differ from what the server itself measured`);
    return took;
  };
  return Object.assign(round, { wrong });
}

/** Starts a worker on one core, where the system can say so. */
function startWorker(address: string, key: string, core: number): Bun.Subprocess {
  const pinned = Bun.which("taskset") && navigator.hardwareConcurrency > core;
  const command = [...DUBPLATE, "work", "--server", address, "--concurrency", "1"];
  const child = Bun.spawn([...(pinned ? ["taskset", "-c", String(core)] : []), ...command], {
    env: { PATH: process.env.PATH ?? "", DUBPLATE_WORK_KEY: key },
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/** Kills one of the workers after a random time, and starts another in its place; so many times. */
async function killAtRandom(
  workers: Bun.Subprocess[],
  { kills, start, say }: Pick<Wish, "kills" | "say"> & { start: (core: number) => Bun.Subprocess },
): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    await Bun.sleep(500 + Math.random() * 3000);
    const place = Math.floor(Math.random() * workers.length);
    workers[place]?.kill("SIGKILL");
    await workers[place]?.exited;
    workers[place] = start(place);
  }
  say(`${kills} workers were killed`);
}
