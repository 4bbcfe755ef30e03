/**
 * Attacks the upgrade of an old library by the real command line: with a table that a migration makes and that is there
 * already, with SIGKILL at random moments, and on a disk that fills up. After each attempt the library must be as it was
 * or upgraded whole, and the copy of the schema that last ran must be there, unchanged. Then the library goes back by the
 * lines of docs/recovery.md.
 *
 * usage: bun scripts/upgrade-attacks.ts [--from 9] [--kills 60] [--tracks 20000] [--seed 1] [--keep]
 * --from is the schema to begin with. Below 54 the rows are those of a library that had schema 9 before; from there on
 * they are those of one that people used, with keys, programs, links, sessions and an upload in progress, and more tracks.
 * Exit 1 on any violation. --keep leaves the folder for a look.
 */
import "./support/help.ts";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SCHEMA_VERSION } from "../db/migrations.ts";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { readDisk } from "../src/kernel/disk.ts";
import { mountDisk } from "../test/support/small-disk.ts";
import { keepFolder, temporaryFolder } from "./bench/processes.ts";
import { runCommand, spawnCommand } from "./chaos-mixed/tasks.ts";
import { contentOf, OLD_SCHEMA } from "./upgrade-attacks/old-library.ts";
import {
  change,
  checkAfter,
  copyIn,
  createPlace,
  databaseIn,
  expectSame,
  finish,
  goBack,
  identityOf,
  type Left,
  takeLibrary,
} from "./upgrade-attacks/place.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    from: { type: "string", default: String(OLD_SCHEMA) },
    kills: { type: "string", default: "60" },
    tracks: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const [from, kills, tracks] = [Number(values.from), Number(values.kills), Number(values.tracks)];
/** An upgrade is killed at most this often before it is left to finish. */
const KILLS_OF_ONE = 4;
const STARTS = 3;
/** Made by a late migration, so that many others were done before it stands in the way. */
const IN_THE_WAY = from < 56 ? "track_edits" : "comment_places";
/** How long an upgrade takes that nobody kills: until then it is killed. */
let undisturbedMs = 0;
/** Sizes are shares of the database's: the disk, its free room at first, and how much more each upgrade has. */
const DISK_SHARE = 3.5;
/** Tables that are new take room that does not depend on the library's size. */
const NEW_TABLES_BYTES = 8_000_000;
const LEAST_SHARE = 3 / 4;
const STEP_SHARE = 1 / 16;

const random = randomFrom(`upgrade attacks ${values.seed}`);
const folder = temporaryFolder("upgrade-attacks");
if (values.keep) keepFolder(folder);
const place = createPlace(folder, tracks, from);
const { expect, old, violations } = place;
console.log(`From schema ${from} to ${SCHEMA_VERSION}, ${tracks} tracks, seed ${values.seed}, in ${folder}`);
console.log(
  `Kept: ${Object.entries(old.kept)
    .map(([table, rows]) => `${rows.split(" ")[0]} ${table}`)
    .join(", ")}`,
);

await standInTheWay();
await killAtRandom();
await fillTheDisk();
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

/** An upgrade that fails late and is tried again; the way back; and an upgrade with nothing in its way. */
async function standInTheWay(): Promise<void> {
  const dataDir = takeLibrary(place, join(folder, "in-the-way"));
  change(dataDir, `CREATE TABLE ${IN_THE_WAY} (x, y)`);
  const before = contentOf(databaseIn(dataDir));
  let first: string | undefined;
  for (let start = 1; start <= STARTS; start++) {
    const { code, said } = await runCommand(dataDir, start === STARTS ? ["serve"] : ["account", "list"]);
    const what = `start ${start} with ${IN_THE_WAY} in the way`;
    expect(code === 1 && said.startsWith("The upgrade of the database failed ("), `${what}: ${code} ${said}`);
    expect(said.endsWith(`put ${copyIn(place, dataDir)} in place of dubplate.db`), `${what}: ${said}`);
    expectSame(place, databaseIn(dataDir), before, what);
    expectSame(place, copyIn(place, dataDir), before, what);
    first ??= identityOf(copyIn(place, dataDir));
    expect(identityOf(copyIn(place, dataDir)) === first, `${what} made the copy anew`);
  }
  goBack(place, dataDir);
  expectSame(place, databaseIn(dataDir), before, "the way back");
  change(dataDir, `DROP TABLE ${IN_THE_WAY}`);
  const startedAt = performance.now();
  await runCommand(dataDir, ["account", "list"]);
  undisturbedMs = performance.now() - startedAt;
  await finish(place, dataDir, "an upgrade with nothing in the way");
  console.log(`${STARTS} starts with a table in the way`);
  console.log(`An upgrade takes ${undisturbedMs.toFixed(0)} ms`);
}

/** Upgrades that are killed, some of them several times, then finished and taken back. */
async function killAtRandom(): Promise<void> {
  const outcomes: Record<Left, number> = { before: 0, within: 0, after: 0 };
  for (let kill = 1, library = 1; kill <= kills; library++) {
    const dataDir = takeLibrary(place, join(folder, `killed-${library}`));
    const times = Math.min(1 + Math.floor(random() * KILLS_OF_ONE), kills - kill + 1);
    for (let time = 0; time < times; time++, kill++) {
      await killOnce(dataDir);
      outcomes[checkAfter(place, dataDir, `kill ${kill}`)]++;
    }
    await finish(place, dataDir, `library ${library}, after ${times} kills`);
    expectSame(place, copyIn(place, dataDir), old, `library ${library}, upgraded`);
    goBack(place, dataDir);
    expectSame(place, databaseIn(dataDir), old, `library ${library}, taken back`);
    rmSync(dataDir, { recursive: true });
  }
  const { before, within, after } = outcomes;
  console.log(
    `${kills} kills: ${before} before there was a copy, ${within} before the commit, ${after} after it`,
  );
}

/** Kills an upgrade at some moment after it opened the database. */
async function killOnce(dataDir: string): Promise<void> {
  rmSync(`${databaseIn(dataDir)}-shm`, { force: true });
  const child = spawnCommand(dataDir, ["account", "list"]);
  while (child.exitCode === null && !existsSync(`${databaseIn(dataDir)}-shm`)) await Bun.sleep(1);
  await Bun.sleep(random() * undisturbedMs);
  child.kill("SIGKILL");
  await child.exited;
}

/** Upgrades on a disk with a little more room each time. */
async function fillTheDisk(): Promise<void> {
  const bytes = statSync(databaseIn(join(folder, "original"))).size;
  const disk = mountDisk(String(Math.ceil(bytes * DISK_SHARE) + NEW_TABLES_BYTES));
  if (!disk) return;
  try {
    const dataDir = takeLibrary(place, join(disk.path, "data"));
    const sentences = new Map<string, number>();
    const most = readDisk(disk.path).freeBytes;
    for (let leaving = bytes * LEAST_SHARE; leaving < most; leaving += bytes * STEP_SHARE) {
      disk.fill({ leaving });
      const { code, said } = await runCommand(dataDir, ["account", "list"]);
      disk.makeRoom();
      const what = `an upgrade with ${leaving} bytes left`;
      checkAfter(place, dataDir, what);
      if (code === 0) break;
      const sentence = said.replaceAll(/[\d,.]+ MB/g, "… MB").replace(dataDir, "…");
      sentences.set(sentence, (sentences.get(sentence) ?? 0) + 1);
      expect(/^There is no room |^The disk of DATA_DIR .* is full/.test(said), `${what}: ${code} ${said}`);
    }
    await finish(place, dataDir, "an upgrade with room again");
    for (const [sentence, times] of sentences) console.log(`${times} times: ${sentence}`);
  } finally {
    disk.unmount();
  }
}
