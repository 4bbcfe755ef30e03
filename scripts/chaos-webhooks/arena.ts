import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { closeLibrary } from "../../src/library.ts";
import { setWebhook } from "../../src/modules/outward/webhooks/service.ts";
import { createKey } from "../../src/modules/people/keys/service.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "../bench/library.ts";
import { DUBPLATE, freePort, type ServerProcess, spawnServer, temporaryFolder } from "../bench/processes.ts";
import { type Changes, changeUntilGone, createChanges } from "./changes.ts";
import { MOODS, type Receiver, startReceiver } from "./receivers.ts";

const TRACKS = 12;
const WRITERS = 2;
const MIN_DELAY_MS = 5;
const MAX_DELAY_MS = 1200;
/** In one round in eight, the server is killed while it starts. */
const STARTING_SHARE = 1 / 8;
/** Share of rounds after which the wait for the next attempts is skipped. */
const TIME_PASSES_SHARE = 0.6;
/** No delivery may use up its ten tries, because these receivers do recover. */
const MAX_TRIES = 6;
const MAX_AWAY_MS = 400;
const POLL_MS = 50;
const DRAIN_TIMEOUT_MS = 5 * 60_000;

/** Where the server runs, its receivers, and the changes sent to it. */
export type Arena = {
  folder: string;
  dataDir: string;
  port: number;
  key: string;
  receivers: Receiver[];
  changes: Changes;
  random: Random;
};

/** Makes a library with tracks and one key for each receiver; two receivers are steady. */
export async function createArena(seed: string): Promise<Arena> {
  const folder = temporaryFolder("chaos-webhooks");
  const dataDir = join(folder, "data");
  const random = randomFrom(`chaos webhooks ${seed}`);
  const receivers = [...MOODS, "steady" as const].map((mood) => startReceiver(mood, random));
  const opened = openLibraryIn(dataDir);
  const deps = { ...opened, settings: { ...opened.settings, networkAllow: ["127.0.0.1"] } };
  const owner = await createOwner(deps);
  const trackIds = addAnalysedTracks(deps, owner.accountId, TRACKS);
  for (const receiver of receivers) {
    const { id } = createKey(deps, owner.accountId, { name: receiver.mood });
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const set = await setWebhook(deps, owner, id, { url, active: true });
    receiver.secret = set.webhookSecret ?? "";
  }
  closeLibrary(opened);
  const changes = createChanges(trackIds);
  return { folder, dataDir, port: freePort(), key: owner.key, receivers, changes, random };
}

/** Starts the server, makes changes while receivers misbehave, and kills it at a random moment. */
export async function playRound(arena: Arena): Promise<void> {
  const { random, receivers, changes, key } = arena;
  if (random() < TIME_PASSES_SHARE) letTimePass(arena, MAX_TRIES);
  const delayMs = MIN_DELAY_MS + random() * (MAX_DELAY_MS - MIN_DELAY_MS);
  const server = startServer(arena);
  if (random() < STARTING_SHARE) {
    await Bun.sleep(delayMs);
    return server.kill();
  }
  await server.healthy();
  const writers = Array.from({ length: WRITERS }, () =>
    changeUntilGone({ address: server.address, key }, changes, random),
  );
  const restarts = receivers
    .filter(({ mood }) => mood === "restarts")
    .map((receiver) => receiver.restart(random() * MAX_AWAY_MS));
  await Bun.sleep(delayMs);
  await server.kill();
  await Promise.all([...writers, ...restarts]);
}

/** Calms the receivers, skips the waits, and returns when nothing is left to send. */
export async function drain(arena: Arena): Promise<void> {
  for (const receiver of arena.receivers) receiver.calm();
  letTimePass(arena, Number.MAX_SAFE_INTEGER);
  const server = startServer(arena);
  await server.healthy();
  const until = performance.now() + DRAIN_TIMEOUT_MS;
  while (waiting(arena) > 0 && performance.now() < until) {
    server.assertRuns();
    await Bun.sleep(POLL_MS);
  }
  await server.stop();
}

function startServer({ folder, dataDir, port }: Arena): ServerProcess {
  const env = { DATA_DIR: dataDir, RATE_LIMIT: "0", LOG_LEVEL: "warn", NETWORK_ALLOW: "127.0.0.1" };
  return spawnServer([...DUBPLATE, "serve"], { port, log: join(folder, "log"), env });
}

/** Makes waiting deliveries due at once. No server may run. */
function letTimePass({ dataDir }: Arena, maxTries: number): void {
  const db = new Database(join(dataDir, "dubplate.db"));
  db.run("UPDATE webhook_deliveries SET due_at = 0 WHERE status = 'pending' AND tries <= ?", [maxTries]);
  db.close();
}

/** Counts deliveries that wait, and events not yet assigned to receivers. */
function waiting({ dataDir }: Arena): number {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const found = db
    .query<{ left: number }, []>(`
      SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
        + (SELECT count(*) FROM events WHERE seq > (SELECT seq FROM webhook_cursor)) AS left`)
    .get();
  db.close();
  return found?.left ?? 0;
}
