/**
 * Kills the server with SIGKILL again and again while a library is changed in every way, and with it a backup, a restore,
 * a sweep or a migration. Checks after each kill that nothing half made carries its final name, and in the end that
 * everything acknowledged is there and `verify` finds nothing.
 *
 * usage: bun scripts/chaos-mixed.ts [--kills 1000] [--seed 1] [--keep]
 * Exit 1 on any violation. The seed decides what is done and when it is killed. --keep leaves the folder for a look.
 */
import "./support/help.ts";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Random, randomFrom } from "../src/demo/dsp/random.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, getAccountByEmail } from "../src/modules/people/accounts/service.ts";
import { type Client, call, describeItem, type Item } from "./backup/items.ts";
import { createOwner, openLibraryIn, untilIdle } from "./bench/library.ts";
import {
  freePort,
  keepFolder,
  type ServerProcess,
  spawnDubplate,
  temporaryFolder,
} from "./bench/processes.ts";
import { type Place, pickTask, runCommand } from "./chaos-mixed/tasks.ts";
import { type AddedVersion, createLedger, type Ledger, writeUntilGone } from "./chaos-mixed/writers.ts";

const WRITERS = 3;
const MIN_DELAY_MS = 5;
const MAX_DELAY_MS = 900;
/** One round in eight is killed while the server starts. */
const STARTING_SHARE = 1 / 8;
/** Above this, a round has one writer: what waits for its analysis takes its time at the end. */
const MANY_ITEMS_A_KILL = 4;
const REPORT_EVERY = 20;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    kills: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error("--kills must be a whole number from 1");

const random = randomFrom(`chaos mixed ${values.seed}`);
const folder = temporaryFolder("chaos-mixed");
const place: Place = { folder, dataDir: join(folder, "data") };
const ledger = createLedger();
const violations: string[] = [];
const done = new Map<string, number>();
/** Receives webhooks and answers that it has them. */
const sink = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
const port = freePort();
if (values.keep) keepFolder(folder);

const client = await createClient();
console.log(`${kills} kills, seed ${values.seed}, in ${folder}`);
const startedAt = performance.now();
for (let kill = 1; kill <= kills; kill++) {
  await playRound(kill).catch(async (error) => {
    // A server that does not start says why only there.
    const faults = Bun.file(join(place.dataDir, "errors.log"));
    if (await faults.exists()) console.log(await faults.text());
    throw error;
  });
  if (kill % REPORT_EVERY === 0 || kill === kills) report(kill);
}
await checkInTheEnd();
console.log([...done].map(([name, times]) => `${name} ${times}`).join(", "));
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

/** Makes an account with a key that has a webhook, and a first backup to restore. */
async function createClient(): Promise<Client> {
  const deps = openLibraryIn(place.dataDir);
  const { key } = await createOwner(deps);
  const account = getAccountByEmail(deps, "bench@example.com");
  const { token } = beginSession(deps, account, { ip: "script", userAgent: null });
  closeLibrary(deps);
  const made = { address: `http://127.0.0.1:${port}`, key, token };
  const server = startServer();
  await server.healthy();
  await call(made, "POST", `/integration/api-keys/${key.split(".")[0]}/webhook`, {
    url: `http://127.0.0.1:${sink.port}/`,
    active: true,
  });
  const writing = writeUntilGone(made, ledger, random);
  await Bun.sleep(500);
  await server.kill();
  await writing;
  const { code, said } = await runCommand(place.dataDir, ["backup", join(folder, "good.tar")]);
  if (code !== 0) throw new Error(said);
  return made;
}

function startServer(): ServerProcess {
  const settings = { NETWORK_ALLOW: `127.0.0.1:${sink.port}` };
  return spawnDubplate({ dataDir: place.dataDir, port, log: join(folder, "log"), settings });
}

async function playRound(round: number): Promise<void> {
  const delay = (randomly: Random) => MIN_DELAY_MS + randomly() * (MAX_DELAY_MS - MIN_DELAY_MS);
  const task = pickTask(random);
  const server = startServer();
  const writing: Promise<void>[] = [];
  if (random() >= STARTING_SHARE) {
    await server.healthy();
    const isBusy = ledger.items.length > MANY_ITEMS_A_KILL * round + 50;
    for (let n = 0; n < (isBusy ? 1 : WRITERS); n++) writing.push(writeUntilGone(client, ledger, random));
  }
  const child = task.start(place);
  const endServer = async () => {
    await Bun.sleep(delay(random));
    await server.kill();
  };
  const endChild = async () => {
    await Bun.sleep(delay(random));
    child.kill("SIGKILL");
    await child.exited;
  };
  await Promise.all([endServer(), endChild()]);
  await Promise.all(writing);
  done.set(task.name, (done.get(task.name) ?? 0) + 1);
  for (const finding of await task.check(place)) violations.push(`kill ${round}, ${task.name}: ${finding}`);
}

/** Everything acknowledged is there, also over HTTP; and `verify` finds nothing in the library or its backups. */
async function checkInTheEnd(): Promise<void> {
  const server = startServer();
  await server.healthy();
  for (const item of ledger.items) await checkItem(item);
  for (const version of ledger.versions) await checkVersion(version);
  for (const { trackId, id } of ledger.deleted) {
    const path = `/api/v1/tracks/${trackId}/versions/${id}`;
    const found = await call(client, "GET", path).catch((error: Error) => error.message);
    if (!String(found).includes("answered 404")) violations.push(`${id} was deleted and is there`);
  }
  await untilIdle(place.dataDir);
  for (const args of [["verify"], ["verify", `${join(folder, "shared")}/`]]) {
    const { code, said } = await runCommand(place.dataDir, args);
    const isSound = code === 0 || said.startsWith("There are no snapshots");
    if (!isSound) violations.push(`${args.join(" ")}: ${said}`);
  }
  await server.stop();
}

async function checkItem(item: Item): Promise<void> {
  const found = await describeItem(client, item).catch((error: Error) => error.message);
  const isWhole = item.kind === "track" ? found.includes(" whole") : !found.includes("was answered");
  if (!isWhole) violations.push(`${item.kind} ${item.id} was acknowledged: ${found}`);
}

async function checkVersion({ trackId, id, sha256 }: AddedVersion): Promise<void> {
  const path = `/api/v1/tracks/${trackId}/versions/${id}`;
  const version = await call(client, "GET", path).catch((error: Error) => error);
  if (version instanceof Error) {
    violations.push(`${id} was acknowledged: ${version.message}`);
    return;
  }
  const file = await fetch((version as { downloadUrl: string }).downloadUrl);
  const found = new Bun.CryptoHasher("sha256").update(await file.bytes()).digest("hex");
  if (found !== sha256) violations.push(`${id} has other bytes (${file.status})`);
}

function report(kill: number): void {
  const { items, versions, deleted, changes }: Ledger = ledger;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `${kill} kills, ${seconds} s: ${changes} changes acknowledged: ${items.length} items, ${versions.length} versions added, ${deleted.length} deleted; ${violations.length} violations`,
  );
}
