/**
 * Makes a library of many tracks and checks it with `dubplate verify`, which must find nothing. Then does one kind of
 * harm after another, and `verify` must name each.
 *
 * usage: bun scripts/verify-library.ts [--tracks 10000] [--served 40]
 * --tracks: imported, and waiting for their analysis. --served: items that a server makes and analyses.
 * Exit 1 on any difference.
 */
import "./support/help.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, getAccountByEmail } from "../src/modules/people/accounts/service.ts";
import { runDubplate } from "./backup/command.ts";
import { HARMS, type Harm } from "./backup/harms.ts";
import { startLoad } from "./backup/load.ts";
import { createOwner, openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

/** Of an imported song: a blink. */
const FRAMES = 800;
const EMAIL = "bench@example.com";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { tracks: { type: "string", default: "10000" }, served: { type: "string", default: "40" } },
});
const [tracks, served] = [Number(values.tracks), Number(values.served)];
const random = randomFrom("verify");
const folder = temporaryFolder("verify");
const dataDir = join(folder, "data");

await serveSome();
await importMany();
let differences = 0;
const seconds = await verifySound();
for (const harm of HARMS) await verifyHarmed(harm);
await verifySound();
console.log(
  `${tracks} tracks imported, verified in ${seconds} s; ${HARMS.length} kinds of harm, ${differences} differences`,
);
process.exit(differences === 0 ? 0 : 1);

/** Makes tracks, playlists, composers, links and keys through a server. */
async function serveSome(): Promise<void> {
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  const { token } = beginSession(deps, getAccountByEmail(deps, EMAIL), { ip: "script", userAgent: null });
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  const load = await startLoad({ address: server.address, key, token }, random, { maxItems: served });
  while (load.made.length < served) await Bun.sleep(20);
  await load.stop();
  await untilIdle(dataDir);
  await server.stop();
}

async function importMany(): Promise<void> {
  const music = join(folder, "music");
  mkdirSync(music);
  for (let index = 0; index < tracks; index++) {
    const noise = Float32Array.from({ length: FRAMES }, () => random() - 0.5);
    writeFileSync(join(music, `Song ${index}.wav`), encodeWav({ left: noise, right: noise }, []));
  }
  const { code, stderr } = await runDubplate(dataDir, ["import", music, "--email", EMAIL]);
  if (code !== 0) throw new Error(stderr);
}

/** Returns how long it took. */
async function verifySound(): Promise<string> {
  const startedAt = performance.now();
  const { code, stdout, stderr } = await runDubplate(dataDir, ["verify"]);
  if (code !== 0 || stdout !== "") differ("a sound library", `${stdout}${stderr}`);
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

async function verifyHarmed({ what, harm }: Harm): Promise<void> {
  const { expected, isOnlyOne, undo } = harm(dataDir);
  const { code, stdout } = await runDubplate(dataDir, ["verify"]);
  undo();
  const found = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const isNamed = found.some((finding) =>
    Object.entries(expected).every(([field, value]) => finding[field] === value),
  );
  if (code !== 1 || !isNamed || (isOnlyOne && found.length !== 1)) differ(what, stdout);
  else console.log(`${what}: ${JSON.stringify(found[0])}`);
}

function differ(what: string, said: string): void {
  differences++;
  console.log(`DIFFERENCE ${what}: ${said}`);
}
