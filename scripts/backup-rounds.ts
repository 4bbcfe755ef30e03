/**
 * Takes backups of a library while it is written to, restores each into an empty folder, and compares what both servers
 * answer item by item. When the writes have ended, one more backup must give the same answers at every address. Then
 * changes single bits of backups and tries to restore them.
 *
 * usage: bun scripts/backup-rounds.ts [--rounds 100] [--flips 500] [--seed 1]
 * Every third backup is piped, and every third goes to a folder that all of them share. Exit 1 on any violation.
 */
import "./support/help.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, getAccountByEmail } from "../src/modules/people/accounts/service.ts";
import { runDubplate } from "./backup/command.ts";
import { flipBits } from "./backup/flips.ts";
import { type Client, call, describeItem, type Item, listIds } from "./backup/items.ts";
import { type Load, startLoad } from "./backup/load.ts";
import { viewLibrary } from "./backup/view.ts";
import { createOwner, openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const REPORT_EVERY = 10;
/** Every round compares every item, so that many are enough. */
const MAX_ITEMS = 300;
/** New items come slowly, so that most rounds have some. */
const MAKE_PAUSE_MS = 500;
const FLIPPED_ITEMS = 8;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    rounds: { type: "string", default: "100" },
    flips: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const [rounds, flips] = [Number(values.rounds), Number(values.flips)];
const random = randomFrom(`backup ${values.seed}`);
const folder = temporaryFolder("backup-rounds");
const dataDir = join(folder, "data");
const log = join(folder, "log");
const violations: string[] = [];

const owner = await createOwnerIn(dataDir);
const server = spawnDubplate({ dataDir, port: freePort(), log });
await server.healthy();
const client = { ...owner, address: server.address };
const load = await startLoad(client, random, { maxItems: MAX_ITEMS, makePauseMs: MAKE_PAUSE_MS });
/** What the running server says of each item. Items do not change. */
const known = new Map<string, string>();

const startedAt = performance.now();
for (let round = 1; round <= rounds; round++) {
  await playRound(round);
  if (round % REPORT_EVERY === 0 || round === rounds)
    console.log(
      `${round} rounds, ${seconds()} s: ${load.made.length} items, ${load.takes.acknowledged} changes`,
    );
}
await load.stop();
await compareEverything();
await server.stop();
const refused = await flipSmallBackup();
console.log(
  `${rounds} backups restored and compared, ${refused} of ${flips} changed bits refused, ${violations.length} violations`,
);
for (const violation of violations) console.log(`VIOLATION ${violation}`);
process.exit(violations.length === 0 && refused === flips ? 0 : 1);

async function createOwnerIn(dir: string): Promise<Omit<Client, "address">> {
  const deps = openLibraryIn(dir);
  const { key } = await createOwner(deps);
  const account = getAccountByEmail(deps, "bench@example.com");
  const { token } = beginSession(deps, account, { ip: "script", userAgent: null });
  closeLibrary(deps);
  return { key, token };
}

async function playRound(round: number): Promise<void> {
  const target = join(folder, "restored");
  const before = { made: load.made.length, takes: load.takes.acknowledged };
  const backup = await backUp(round);
  const takesSent = load.takes.sent;
  const { code, stderr } = await runDubplate(target, ["restore", backup]);
  if (code !== 0) violations.push(`round ${round}: restore refused: ${stderr}`);
  else {
    await compare(round, target, { ...before, takesSent });
    const verified = await runDubplate(target, ["verify"]);
    if (verified.code !== 0) violations.push(`round ${round}: verify found ${verified.stdout}`);
  }
  rmSync(target, { recursive: true, force: true });
}

/** Returns what to restore. */
async function backUp(round: number): Promise<string> {
  const file = join(folder, "backup.tar");
  rmSync(file, { force: true });
  const shared = `${join(folder, "shared")}/`;
  const args =
    [
      ["backup", file],
      ["backup", "-"],
      ["backup", shared],
    ][round % 3] ?? [];
  const { code, stderr } = await runDubplate(dataDir, args, args[1] === "-" ? file : undefined);
  if (code !== 0) violations.push(`round ${round}: backup failed: ${stderr}`);
  return args[1] === shared ? shared : file;
}

type Before = { made: number; takes: number; takesSent: number };

/** Everything that was acknowledged before the backup is in it, nothing else is, and all of it is the same. */
async function compare(round: number, target: string, { made, takes, takesSent }: Before): Promise<void> {
  const restored = spawnDubplate({ dataDir: target, port: freePort(), log });
  await restored.healthy();
  const other = { ...client, address: restored.address };
  const ids = await listIds(other);
  for (const [index, item] of load.made.entries())
    if (ids.has(item.id)) await compareItem(round, other, item);
    else if (index < made) violations.push(`round ${round}: ${item.kind} ${item.id} is not in the backup`);
  const all = await listIds(client);
  for (const id of ids) if (!all.has(id)) violations.push(`round ${round}: ${id} was never made`);
  const take = await takeOf(other, load);
  if (take < takes || take > takesSent)
    violations.push(`round ${round}: take ${take} is not between ${takes} and ${takesSent}`);
  await restored.stop();
}

async function compareItem(round: number, other: Client, item: Item): Promise<void> {
  const expected = known.get(item.id) ?? (await describeItem(client, item));
  known.set(item.id, expected);
  const found = await describeItem(other, item).catch((error: Error) => error.message);
  if (found !== expected)
    violations.push(`round ${round}: ${item.kind} ${item.id} is ${found} and should be ${expected}`);
}

async function takeOf(at: Client, { takesOf }: Load): Promise<number> {
  const { track } = (await call(at, "GET", `/api/v1/tracks/single?id=${takesOf}`)) as {
    track: { audio_profile: { title: string | null } };
  };
  return Number(/^Take (\d+)$/.exec(track.audio_profile.title ?? "")?.[1] ?? 0);
}

/** Compares every address of the API, every file and every link of a library that nothing changes any more. */
async function compareEverything(): Promise<void> {
  const target = join(folder, "restored");
  await untilIdle(dataDir);
  const expected = await viewLibrary(client);
  const { code, stderr } = await runDubplate(target, ["restore", await backUp(0)]);
  if (code !== 0) return void violations.push(`The last backup was not restored: ${stderr}`);
  const restored = spawnDubplate({ dataDir: target, port: freePort(), log });
  await restored.healthy();
  const found = await viewLibrary({ ...client, address: restored.address });
  await restored.stop();
  for (const path of new Set([...expected.keys(), ...found.keys()]))
    if (found.get(path) !== expected.get(path))
      violations.push(`${path} is ${found.get(path)} and should be ${expected.get(path)}`);
  console.log(`${expected.size} addresses compared after the last write`);
}

/** Returns how many changed bits were refused, of a backup of a few items: so headers are a good part of it. */
async function flipSmallBackup(): Promise<number> {
  if (flips === 0) return 0;
  const dir = join(folder, "small");
  const someone = await createOwnerIn(dir);
  const again = spawnDubplate({ dataDir: dir, port: freePort(), log });
  await again.healthy();
  const few = await startLoad({ ...someone, address: again.address }, random, {
    maxItems: FLIPPED_ITEMS,
  });
  while (few.made.length < FLIPPED_ITEMS) await Bun.sleep(10);
  await few.stop();
  await again.stop();
  const [archive, shared] = [join(folder, "small.tar"), join(folder, "small-shared")];
  for (const path of [archive, `${shared}/`]) {
    const { code, stderr } = await runDubplate(dir, ["backup", path]);
    if (code !== 0) throw new Error(stderr);
  }
  const flipped = await flipBits({ archive, shared, target: join(folder, "flipped") }, flips, random);
  violations.push(...flipped.violations);
  return flipped.refused;
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
