/**
 * Kills a server with SIGKILL again and again while packages are sent and written: some readers take all of a package, some break off,
 * and one package goes into the folder of the server. Then checks that every delivery has a manifest and a package that went out
 * whole, that nothing else is listed, and that `verify` finds no fault.
 *
 * A delivery is also listed when its last byte was handed to the system, and the kill came or the reader broke off before it arrived.
 * The number of those is printed; they are violations when the reader lacks more than may be on its way.
 *
 * usage: bun scripts/deliver-kills.ts [--kills 100] [--tracks 4] [--mb 10]
 * Exit 1 on any violation.
 */
import "./support/help.ts";
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeLibrary } from "../src/library.ts";
import { getPersonByEmail } from "../src/modules/people/accounts/service.ts";
import { beginSession } from "../src/modules/people/people/service.ts";
import { createOwner, openLibraryIn, untilIdle } from "./bench/library.ts";
import { DUBPLATE, freePort, runHelper, spawnDubplate, temporaryFolder } from "./bench/processes.ts";
import type { SendResult } from "./bench/send.ts";
import { writeUndecodableWav } from "./bench/upload.ts";
import { handOver, type Seen } from "./deliver-kills/receivers.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    kills: { type: "string", default: "100" },
    tracks: { type: "string", default: "4" },
    mb: { type: "string", default: "10" },
  },
});
const kills = Number(values.kills);
const [LEAST_MS, SPREAD_MS] = [200, 1500];
/** What may be on its way between the program and a reader: two socket buffers, and what the reader's program has read ahead. */
const ON_ITS_WAY_BYTES = 16 * 2 ** 20;

const folder = temporaryFolder("deliver-kills");
const dataDir = join(folder, "data");
const deliveryDir = join(folder, "out");
mkdirSync(deliveryDir);
const { token, ids } = await prepare();

const seen = new Map<string, Seen>();
const began = performance.now();
let whole = 0;
for (let kill = 0; kill < kills; kill++) {
  const server = start();
  await server.healthy();
  const isOver = new AbortController();
  const handing = handOver({ address: server.address, token, ids, seen, signal: isOver.signal });
  await Bun.sleep(LEAST_MS + Math.random() * SPREAD_MS);
  await server.kill();
  isOver.abort();
  await handing;
}
const violations = [...listed(), ...verified()];
const broken = [...seen.values()].filter(({ isWhole }) => !isWhole).length;
for (const violation of violations) console.log(violation);
console.log(
  `${kills} kills in ${((performance.now() - began) / 1000).toFixed(0)} s: ${seen.size} packages, ${broken} broke off, ` +
    `${whole} listed with all bytes at the reader; ${violations.length} violations`,
);
process.exit(violations.length > 0 ? 1 : 0);

function start() {
  const settings = { DELIVERY_DIR: deliveryDir };
  return spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log"), settings });
}

async function prepare(): Promise<{ token: string; ids: string[] }> {
  const deps = openLibraryIn(dataDir);
  const { accountId, key } = await createOwner(deps);
  const account = getPersonByEmail(deps, "bench@example.com");
  const session = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  const server = start();
  await server.healthy();
  for (let track = 0; track < Number(values.tracks); track++) {
    const file = join(folder, `song ${track}.wav`);
    writeUndecodableWav(file, Number(values.mb) * 2 ** 20);
    await runHelper<SendResult>("send", { port: server.port, key, file, uploads: 1 });
  }
  await untilIdle(dataDir);
  await server.stop();
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const rows = db
    .query<{ id: string }, [string]>("SELECT id FROM tracks WHERE owner_id = ? ORDER BY id")
    .all(accountId);
  db.close();
  return { token: session.token, ids: rows.map(({ id }) => id) };
}

type Row = { id: string; way: string; bytes: number; sha256: string; manifest: string | null };

/** Returns what is wrong with the list of deliveries. */
function listed(): string[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const rows = db
    .query<Row, []>("SELECT id, settings ->> '$.way' AS way, bytes, sha256, manifest FROM delivery_packages")
    .all();
  db.close();
  const [folders, parts] = [0, 1].map((isPart) =>
    readdirSync(deliveryDir).filter((name) => name.startsWith(".") === (isPart === 1)),
  );
  const written = new Set(folders?.map((name) => sumsIn(join(deliveryDir, name))));
  const late = rows.filter(({ id, way }) => way === "zip" && seen.get(id)?.isWhole === false);
  whole = rows.filter(({ id }) => seen.get(id)?.isWhole).length;
  console.log(
    `${rows.length} deliveries, of them ${late.length} whose end was on its way; ${folders?.length} folders, ${parts?.length} parts of folders`,
  );
  const unlisted = [...seen].filter(([id, { isWhole }]) => isWhole && !rows.some((row) => row.id === id));
  return [
    ...rows.flatMap((row) => faultsOf(row, written)),
    ...unlisted.map(([id]) => `${id} went out whole and is not listed`),
  ];
}

function faultsOf({ id, way, bytes, sha256, manifest }: Row, written: ReadonlySet<string>): string[] {
  const taken = seen.get(id);
  if (manifest === null || JSON.parse(manifest).tracks.length === 0) return [`${id} has no manifest`];
  if (way === "folder") return written.has(sha256) ? [] : [`${id} is listed, and its folder is not there`];
  if (!taken) return [`${id} is listed, and nobody asked for it`];
  if (taken.isWhole) return taken.sums === sha256 ? [] : [`${id} is listed with another hash than it had`];
  const missing = bytes - taken.bytes;
  return missing <= ON_ITS_WAY_BYTES
    ? []
    : [`${id} is listed, and its reader lacks ${missing} of ${bytes} bytes`];
}

function sumsIn(path: string): string {
  const sums = join(path, "SHA256SUMS");
  if (!existsSync(sums)) return "";
  const text = readFileSync(sums, "utf8");
  for (const line of text.trimEnd().split("\n")) {
    const [hash, name = ""] = [line.slice(0, 64), line.slice(66)];
    if (
      createHash("sha256")
        .update(readFileSync(join(path, name)))
        .digest("hex") !== hash
    )
      return "";
  }
  return createHash("sha256").update(text).digest("hex");
}

function verified(): string[] {
  const env = { ...Bun.env, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...DUBPLATE, "verify"], { env });
  return exitCode === 0 ? [] : [`verify ends with ${exitCode}: ${stdout}${stderr}`];
}
