/**
 * Takes backups of a library while it is written to, restores each into an empty folder, and compares what both servers
 * answer. Then changes single bits of a backup and tries to restore it.
 *
 * usage: bun scripts/backup-rounds.ts [--rounds 100] [--flips 500] [--seed 1]
 * Every third backup is piped, and every third goes to a folder that all of them share. Exit 1 on any violation.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, getAccountByEmail } from "../src/modules/accounts/service.ts";
import { type Client, call, describeItem, type Item, listIds } from "./backup/items.ts";
import { type Load, startLoad } from "./backup/load.ts";
import { createOwner, openLibraryIn } from "./bench/library.ts";
import { freePort, MAIN, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const REPORT_EVERY = 10;

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
const load = await startLoad(client, random);
/** What the server that goes on says of each item, which does not change. */
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
await server.stop();
const refused = await flipBits();
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
  const { code, stderr } = await run(target, ["restore", backup]);
  if (code !== 0) violations.push(`round ${round}: restore refused: ${stderr}`);
  else {
    await compare(round, target, { ...before, takesSent });
    const verified = await run(target, ["verify"]);
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
  const { code, stderr } = await run(dataDir, args, args[1] === "-" ? file : undefined);
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

/** Changes one bit of a backup at a time. Returns how many of them were refused and left an empty folder. */
async function flipBits(): Promise<number> {
  if (flips === 0) return 0;
  const small = await smallBackup();
  const bytes = readFileSync(small);
  const target = join(folder, "flipped");
  mkdirSync(target);
  let refused = 0;
  for (let flip = 0; flip < flips; flip++) {
    const bit = Math.floor(random() * bytes.length * 8);
    const [at, mask] = [bit >> 3, 1 << (bit & 7)];
    bytes[at] = (bytes[at] ?? 0) ^ mask;
    writeFileSync(small, bytes);
    bytes[at] = (bytes[at] ?? 0) ^ mask;
    const { code, stderr } = await run(target, ["restore", small]);
    const isEmpty = readdirSync(target).length === 0 && !existsSync(`${target}.restoring`);
    if (code === 1 && isEmpty && stderr.includes("nothing was restored")) refused++;
    else violations.push(`bit ${bit} was changed: exit ${code}, empty ${isEmpty}: ${stderr}`);
  }
  return refused;
}

/** A backup of a few items: every place in it is as likely, the headers too. */
async function smallBackup(): Promise<string> {
  const dir = join(folder, "small");
  const someone = await createOwnerIn(dir);
  const again = spawnDubplate({ dataDir: dir, port: freePort(), log });
  await again.healthy();
  const few = await startLoad({ ...someone, address: again.address }, random);
  while (few.made.length < 8) await Bun.sleep(10);
  await few.stop();
  await again.stop();
  const file = join(folder, "small.tar");
  const { code, stderr } = await run(dir, ["backup", file]);
  if (code !== 0) throw new Error(stderr);
  return file;
}

/** Runs a command to its end; with `into`, standard output goes to that file. */
async function run(dir: string, args: readonly string[], into?: string) {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    env: { ...Bun.env, DATA_DIR: dir },
    stdin: "ignore",
    stdout: into === undefined ? "pipe" : Bun.file(into),
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    into === undefined ? new Response(child.stdout as ReadableStream).text() : "",
    child.stderr.text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
