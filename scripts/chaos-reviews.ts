/**
 * Kills the server with SIGKILL again and again while three people write notes, reply, mark them answered, place and delete them,
 * say what they think of versions, and upload more versions. Then checks that nothing acknowledged is missing or there twice, and
 * that every note is where a server that nobody killed puts it.
 *
 * usage: bun scripts/chaos-reviews.ts [--kills 200] [--seed 1] [--keep]
 * Exit 1 on any violation. The seed decides what is sent and when the server is killed; the timing within the server
 * still varies. --keep leaves the data folder for inspection.
 */
import "./support/help.ts";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Random, randomFrom } from "../src/demo/dsp/random.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { addMember } from "../test/support/team.ts";
import { type Client, call } from "./backup/items.ts";
import { openLibraryIn, untilIdle } from "./bench/library.ts";
import {
  freePort,
  keepFolder,
  type ServerProcess,
  spawnDubplate,
  temporaryFolder,
} from "./bench/processes.ts";
import { runCommand } from "./chaos-mixed/tasks.ts";
import { createLedger } from "./chaos-reviews/ledger.ts";
import { createMixes } from "./chaos-reviews/mixes.ts";
import { compareNotes, compareRows, forgetPlaces, placesIn } from "./chaos-reviews/verify.ts";
import { type Writer, writeUntilGone } from "./chaos-reviews/writers.ts";

const SONGS = 3;
/** Of one track: each needs an analysis, which the kills interrupt. */
const MAX_VERSIONS = 6;
const [MIN_DELAY_MS, MAX_DELAY_MS] = [5, 800];
/** In one round in eight, the server is killed while it starts. */
const STARTING_SHARE = 1 / 8;
const REPORT_EVERY = 20;
const CARRY_TIMEOUT_MS = 3 * 60_000;
const POLL_MS = 50;

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

const folder = temporaryFolder("chaos-reviews");
if (values.keep) keepFolder(folder);
mkdirSync(join(folder, "tmp"));
const dataDir = join(folder, "data");
const port = freePort();
const random: Random = randomFrom(`chaos reviews ${values.seed}`);
const ledger = createLedger();
const mixOf = createMixes();
/** How many versions of a track were sent: a number is used once, also when no answer came. */
const sentVersions = new Map<string, number>();
console.log(`${kills} kills, seed ${values.seed}, in ${folder}`);
const startedAt = performance.now();

const writers = await prepare();
for (let kill = 1; kill <= kills; kill++) {
  await playRound();
  if (kill % REPORT_EVERY === 0 || kill === kills) report(kill);
}
const violations = await verify();
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

function start(dir = dataDir): ServerProcess {
  return spawnDubplate({ dataDir: dir, port, log: join(folder, "log"), temporaryDir: join(folder, "tmp") });
}

/** Makes a library with its owner and two members, and songs in two mixes each. */
async function prepare(): Promise<Writer[]> {
  const deps = openLibraryIn(dataDir);
  const account = await createAccount(deps, {
    email: "me@example.com",
    name: "Me",
    password: "long enough 1",
  });
  const owner = {
    personId: account.id,
    token: beginSession(deps, account, { ip: "test", userAgent: null }).token,
  };
  const others = ["producer", "manager"].map((role) =>
    addMember({ deps } as never, account.id, { role: role as "producer" }),
  );
  closeLibrary(deps);
  const address = `http://127.0.0.1:${port}`;
  const people = [owner, ...others].map(({ personId, token }) => ({
    client: { address, key: "", token },
    ...{ personId, own: [] },
  }));
  const server = start();
  await server.healthy();
  for (let song = 0; song < SONGS; song++) await uploadSong(people[0]?.client as Client, song);
  for (const id of ledger.versions.keys()) await addVersion(people[0]?.client as Client, id);
  await untilIdle(dataDir);
  await server.stop();
  return people;
}

async function uploadSong(client: Client, song: number): Promise<void> {
  const form = new FormData();
  form.append("files", mixOf(song, 0));
  const { uploaded } = (await call(client, "POST", "/app/library/tracks/upload", form)) as {
    uploaded: { id: string }[];
  };
  const id = uploaded[0]?.id ?? "";
  const versions = (await call(client, "GET", `/app/tracks/${id}/versions`)) as { id: string }[];
  ledger.versions.set(
    id,
    versions.map((version) => version.id),
  );
}

async function addVersion(client: Client, trackId: string): Promise<void> {
  const known = ledger.versions.get(trackId) ?? [];
  const number = sentVersions.get(trackId) ?? 1;
  if (number >= MAX_VERSIONS) return;
  sentVersions.set(trackId, number + 1);
  const form = new FormData();
  form.append("file", mixOf([...ledger.versions.keys()].indexOf(trackId), number));
  const { id } = (await call(client, "POST", `/app/library/tracks/${trackId}/versions`, form)) as {
    id: string;
  };
  known.push(id);
}

/** Starts the server and the writers, and kills the server at a random moment. */
async function playRound(): Promise<void> {
  const delayMs = MIN_DELAY_MS + random() * (MAX_DELAY_MS - MIN_DELAY_MS);
  const server = start();
  if (random() < STARTING_SHARE) {
    await Bun.sleep(delayMs);
    return server.kill();
  }
  await server.healthy();
  const writing = writers.map((writer) => writeUntilGone({ writer, ledger, random, addVersion }));
  await Bun.sleep(delayMs);
  await server.kill();
  await Promise.all(writing);
}

/** Lets a server finish all work, compares everything, and has another one carry every note anew. */
async function verify(): Promise<string[]> {
  const server = start();
  await server.healthy();
  await untilIdle(dataDir);
  const client = writers[0]?.client as Client;
  const wrong = await compareNotes(client, ledger);
  await server.stop();
  wrong.push(...compareRows(dataDir, ledger));
  const { code, said } = await runCommand(dataDir, ["verify"]);
  if (code !== 0) wrong.push(`verify ended with ${code}: ${said}`);
  const places = placesIn(dataDir);
  const unkilled = await carriedAnew(places.length);
  const differing = places.filter((place) => !unkilled.includes(place)).length;
  if (differing > 0 || places.length !== unkilled.length)
    wrong.push(
      `${differing} of ${places.length} places are not among the ${unkilled.length} of an unkilled run`,
    );
  console.log(
    `${kills} kills in ${seconds()} s: ${ledger.notes.length} notes, ${ledger.notes.flatMap(({ replies }) => replies).length} replies, ` +
      `${ledger.verdicts.size} verdicts and ${[...ledger.versions.values()].flat().length} versions acknowledged, ${places.length} places`,
  );
  return wrong;
}

/** Returns the places that a server finds which nobody kills. */
async function carriedAnew(expected: number): Promise<string[]> {
  const copy = join(folder, "unkilled");
  cpSync(dataDir, copy, { recursive: true });
  forgetPlaces(copy);
  const server = start(copy);
  await server.healthy();
  const until = performance.now() + CARRY_TIMEOUT_MS;
  while (placesIn(copy).length < expected && performance.now() < until) await Bun.sleep(POLL_MS);
  await untilIdle(copy);
  await server.stop();
  return placesIn(copy);
}

function report(kill: number): void {
  const versions = [...ledger.versions.values()].flat().length;
  console.log(`${kill} kills, ${seconds()} s: ${ledger.notes.length} notes on ${versions} versions`);
}

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}
