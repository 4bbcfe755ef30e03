/**
 * Kills the server with SIGKILL again and again while files are uploaded and analysed. Then checks that nothing
 * acknowledged was lost, nothing was half stored, and all work was done in the end.
 *
 * usage: bun scripts/chaos.ts [--kills 200] [--seed 1] [--keep]
 * Exit 1 on any violation. The seed decides what is sent and when the server is killed; the timing within the server
 * still varies. --keep leaves the data folder for inspection.
 */
import "./support/help.ts";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSettings } from "../src/config.ts";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { closeLibrary, openLibrary } from "../src/library.ts";
import { tidyHourly } from "../src/upkeep.ts";
import { createOwner, openLibraryIn } from "./bench/library.ts";
import { freePort, keepFolder, temporaryFolder } from "./bench/processes.ts";
import { createLedger } from "./chaos/ledger.ts";
import { type Arena, playRound, queueOf, startServer } from "./chaos/round.ts";
import { type Verdict, verifyAtRest, verifyDownloads } from "./chaos/verify.ts";

const REPORT_EVERY = 20;
/** Limits the files left to analyse at the end, so that they take about as long as the kills. */
const MAX_WAITING = 150;
const MAX_WAITING_A_KILL = 3;
const DRAIN_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 100;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error("--kills must be a whole number from 1");

const arena = await createArena(values.seed);
if (values.keep) keepFolder(arena.folder);
console.log(`${kills} kills, seed ${values.seed}, in ${arena.folder}`);
const startedAt = performance.now();
for (let kill = 1; kill <= kills; kill++) {
  await playRound(arena);
  if (kill % REPORT_EVERY === 0 || kill === kills) report(kill);
}
const { violations, tracks, repeatedEvents } = await verify();
const { acknowledged, sent, unanswered } = arena.ledger;
const unansweredFiles = unanswered.flat().length;
console.log(
  `${kills} kills in ${seconds()} s: ${sent.size} files sent, ${acknowledged.length} acknowledged, ${unansweredFiles} ` +
    `unanswered (${tracks - acknowledged.length} of them there), ${tracks} analysed, ${repeatedEvents} analysed again`,
);
const left = readdirSync(join(arena.folder, "tmp")).length;
if (left > 0) console.log(`${left} folders of killed decoders are left in the system's temporary folder`);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

async function createArena(seed: string): Promise<Arena> {
  const folder = temporaryFolder("chaos");
  mkdirSync(join(folder, "tmp"));
  const dataDir = join(folder, "data");
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  closeLibrary(deps);
  const random = randomFrom(`chaos ${seed}`);
  const maxWaiting = Math.min(MAX_WAITING, MAX_WAITING_A_KILL * kills);
  return { folder, dataDir, port: freePort(), key, ledger: createLedger(), random, earlier: [], maxWaiting };
}

/** Starts the server once more, waits until all files are analysed, and checks everything. */
async function verify(): Promise<Verdict> {
  const server = startServer(arena);
  await server.healthy();
  const settings = readSettings({ LOG_LEVEL: "warn", PORT: String(arena.port), DATA_DIR: arena.dataDir });
  const deps = openLibrary(settings, process.stderr);
  try {
    const until = performance.now() + DRAIN_TIMEOUT_MS;
    while (queueOf(arena).waiting > 0 && performance.now() < until) {
      server.assertRuns();
      await Bun.sleep(POLL_MS);
    }
    const missing = await verifyDownloads(deps, arena.ledger);
    await server.stop();
    // What a server does after an hour: files of killed uploads go to the quarantine.
    await tidyHourly(deps);
    const verdict = await verifyAtRest(deps, arena.ledger);
    return { ...verdict, violations: [...missing, ...verdict.violations] };
  } finally {
    closeLibrary(deps);
  }
}

function report(kill: number): void {
  const { ledger } = arena;
  console.log(
    `${kill} kills, ${seconds()} s: ${ledger.acknowledged.length} files acknowledged, ${queueOf(arena).waiting} jobs wait`,
  );
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
