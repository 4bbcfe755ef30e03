import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Random } from "../../src/demo/dsp/random.ts";
import { IS_TO_BE_DONE } from "../bench/library.ts";
import { type ServerProcess, spawnDubplate } from "../bench/processes.ts";
import type { Ledger } from "./ledger.ts";
import type { Sound } from "./sounds.ts";
import { uploadUntilGone } from "./uploaders.ts";

const UPLOADERS = 3;
const MIN_DELAY_MS = 5;
const MAX_DELAY_MS = 800;
/** In one round in eight, the server is killed while it starts. */
const STARTING_SHARE = 1 / 8;
/** The program gives up on a file after ten crashes. Here the file is not to blame, so it gets time before that. */
const MAX_ATTEMPTS = 7;
const POLL_MS = 20;

/** Where the server runs, and what is known about it. */
export type Arena = {
  folder: string;
  dataDir: string;
  port: number;
  key: string;
  ledger: Ledger;
  random: Random;
  earlier: Sound[];
  /** When more tracks than this wait for analysis, a round sends only one form. */
  maxWaiting: number;
};

/** Starts the server of an arena. */
export function startServer({ folder, dataDir, port }: Arena): ServerProcess {
  return spawnDubplate({ dataDir, port, log: join(folder, "log"), temporaryDir: join(folder, "tmp") });
}

/** Starts the server, starts uploaders, and kills the server at a random moment. */
export async function playRound(arena: Arena): Promise<void> {
  const { random, key, ledger, earlier } = arena;
  const delayMs = MIN_DELAY_MS + random() * (MAX_DELAY_MS - MIN_DELAY_MS);
  const server = startServer(arena);
  if (random() < STARTING_SHARE) {
    await Bun.sleep(delayMs);
    return server.kill();
  }
  await server.healthy();
  const { waiting, attempts } = queueOf(arena);
  if (attempts >= MAX_ATTEMPTS) await untilDone(arena, server);
  const isBusy = waiting > arena.maxWaiting;
  const uploads = { address: server.address, key, ledger, random, earlier };
  const uploaders = Array.from({ length: isBusy ? 1 : UPLOADERS }, () =>
    uploadUntilGone(uploads, isBusy ? 1 : Number.POSITIVE_INFINITY),
  );
  await Bun.sleep(delayMs);
  await server.kill();
  await Promise.all(uploaders);
}

/** Returns how many jobs wait, and the highest number of attempts among them. */
export function queueOf({ dataDir }: Pick<Arena, "dataDir">): { waiting: number; attempts: number } {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const found = db
    .query<{ waiting: number; attempts: number }, []>(
      `SELECT count(*) AS waiting, ifnull(max(attempts), 0) AS attempts FROM jobs WHERE ${IS_TO_BE_DONE}`,
    )
    .get();
  db.close();
  return found ?? { waiting: 0, attempts: 0 };
}

async function untilDone(arena: Arena, server: ServerProcess): Promise<void> {
  while (queueOf(arena).attempts >= MAX_ATTEMPTS) {
    server.assertRuns();
    await Bun.sleep(POLL_MS);
  }
}
