/**
 * Kills a server with SIGKILL again and again while sounds are compared with its library, as files and by their addresses. Afterwards
 * no byte of them may be there: `tmp/` is empty after each start, and neither the data folder, the log nor a backup has the word
 * that stood in the name of the file, in its tags and in its address.
 *
 * usage: bun scripts/reference-kills.ts [--kills 500] [--keep]
 * Exit 1 on any violation.
 */
import "./support/help.ts";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeLibrary } from "../src/library.ts";
import { createOwner, openLibraryIn } from "./bench/library.ts";
import { DUBPLATE, freePort, keepFolder, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { kills: { type: "string", default: "500" }, keep: { type: "boolean", default: false } },
});
const kills = Number(values.kills);
/** Some kills come before the first byte, most while one is received, decoded or measured. */
const [LEAST_MS, SPREAD_MS] = [50, 3000];
const TIDY_MS = 20_000;
const SENDERS = 2;
const REPORT_EVERY = 25;
const CANARY = "zebrafinch";
const RATE_HZ = 22_050;
const SECONDS = 20;

const folder = temporaryFolder("reference-kills");
if (values.keep) keepFolder(folder);
const dataDir = join(folder, "data");
const log = join(folder, "log");
const deps = openLibraryIn(dataDir);
const { key } = await createOwner(deps);
closeLibrary(deps);

const sound = soundFile();
const web = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(sound) });
const violations: string[] = [];
let [sent, answered] = [0, 0];
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
for (let kill = 1; kill <= kills; kill++) {
  const server = start();
  await server.healthy();
  await checkTmp(`after kill ${kill - 1}`);
  const isOver = new AbortController();
  const sending = Promise.all(
    Array.from({ length: SENDERS }, (_, i) => keepAsking(server.address, i % 2 === 0, isOver.signal)),
  );
  await Bun.sleep(LEAST_MS + Math.random() * SPREAD_MS);
  await server.kill();
  isOver.abort();
  await sending;
  if (kill % REPORT_EVERY === 0)
    console.log(`${kill} kills in ${seconds()} s, ${answered} of ${sent} answered`);
}
const last = start();
await last.healthy();
await checkTmp("at the end");
await last.stop();
web.stop(true);
const backup = join(folder, "backup.tar");
const made = Bun.spawnSync([...DUBPLATE, "backup", backup], {
  env: { ...Bun.env, DATA_DIR: dataDir, LOG_LEVEL: "warn" },
});
if (made.exitCode !== 0) violations.push(`backup ends with ${made.exitCode}: ${made.stderr}`);
for (const path of [dataDir, backup, log].flatMap(filesIn))
  if (readFileSync(path).includes(CANARY)) violations.push(`${path} has the word`);
if (sent === 0) violations.push("Nothing was sent, so nothing was checked");

for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(
  `${kills} kills in ${seconds()} s: ${sent} sounds sent, ${answered} answered; ${violations.length} violations`,
);
process.exit(violations.length > 0 ? 1 : 0);

function start() {
  const settings = { NETWORK_ALLOW: `127.0.0.1:${web.port}` };
  return spawnDubplate({ dataDir, port: freePort(), log, settings });
}

async function keepAsking(address: string, isFile: boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const form = new FormData();
    if (isFile) form.set("file", new File([sound], `${CANARY}.wav`));
    else form.set("url", `http://127.0.0.1:${web.port}/${CANARY}.wav`);
    form.set("fromSec", "0");
    form.set("toSec", "10");
    sent++;
    const answer = await fetch(`${address}/api/v1/tracks/search/reference`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: form,
    }).catch(() => undefined); // the server is killed
    if (answer?.ok) answered++;
    else await Bun.sleep(5);
  }
}

/** A server that answers already empties `tmp/` of those before it. */
async function checkTmp(when: string): Promise<void> {
  const until = performance.now() + TIDY_MS;
  let left = filesIn(join(dataDir, "tmp"));
  for (; left.length > 0 && performance.now() < until; left = filesIn(join(dataDir, "tmp")))
    await Bun.sleep(20);
  if (left.length > 0) violations.push(`${when}, tmp/ has ${left.join(", ")}`);
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A tone with the word in its tags, and noise, as a WAV file of 16 bits. */
function soundFile(): Uint8Array<ArrayBuffer> {
  const title = Buffer.from(`${CANARY}\0`.padEnd(12, "\0"));
  const info = Buffer.concat([Buffer.from("INFOINAM"), length(title.length), title]);
  const data = Buffer.alloc(2 * RATE_HZ * SECONDS);
  for (let i = 0; i < data.length / 2; i++)
    data.writeInt16LE(
      Math.round(9000 * Math.sin(i / 20) * (1 - ((i / 5000) % 1)) + 3000 * (Math.random() - 0.5)),
      2 * i,
    );
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(RATE_HZ, 4);
  format.writeUInt32LE(2 * RATE_HZ, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const parts = [chunk("fmt ", format), chunk("LIST", info), chunk("data", data)];
  const body = Buffer.concat([Buffer.from("WAVE"), ...parts]);
  return Uint8Array.from(chunk("RIFF", body));
}

function chunk(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), length(bytes.length), bytes]);
}

function length(bytes: number): Buffer {
  const field = Buffer.alloc(4);
  field.writeUInt32LE(bytes);
  return field;
}
