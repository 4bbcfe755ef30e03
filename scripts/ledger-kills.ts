/**
 * Kills a server with SIGKILL again and again while files are uploaded, versions added, links made and revoked, tracks deleted and proofs
 * asked for. Then checks that every deed that was acknowledged, and everything that is there, has one record in the ledger, that none
 * has two, and that `ledger verify` and `verify` find no fault.
 *
 * usage: bun scripts/ledger-kills.ts [--kills 200] [--keep]
 * Exit 1 on any violation.
 */
import "./support/help.ts";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeLibrary } from "../src/library.ts";
import { getPersonByEmail } from "../src/modules/people/accounts/service.ts";
import { beginSession } from "../src/modules/people/people/service.ts";
import { createOwner, openLibraryIn } from "./bench/library.ts";
import { DUBPLATE, freePort, keepFolder, spawnDubplate, temporaryFolder } from "./bench/processes.ts";
import { type Deed, doDeeds } from "./ledger-kills/deeds.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { kills: { type: "string", default: "200" }, keep: { type: "boolean", default: false } },
});
const kills = Number(values.kills);
const [LEAST_MS, SPREAD_MS] = [100, 1200];
const REPORT_EVERY = 25;

const folder = temporaryFolder("ledger-kills");
if (values.keep) keepFolder(folder);
const dataDir = join(folder, "data");
const deps = openLibraryIn(dataDir);
const { key } = await createOwner(deps);
const person = getPersonByEmail(deps, "bench@example.com");
const { token } = beginSession(deps, person, { ip: "127.0.0.1", userAgent: null });
closeLibrary(deps);

const deeds: Deed[] = [];
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
for (let kill = 1; kill <= kills; kill++) {
  const server = start();
  await server.healthy();
  const isOver = new AbortController();
  const doing = doDeeds({ address: server.address, key, token, deeds, signal: isOver.signal });
  await Bun.sleep(LEAST_MS + Math.random() * SPREAD_MS);
  await server.kill();
  isOver.abort();
  await doing;
  if (kill % REPORT_EVERY === 0)
    console.log(`${kill} kills in ${seconds()} s, ${deeds.length} deeds acknowledged`);
}
// Its look at the start gives what waits a place.
const last = start();
await last.healthy();
await last.stop();

const violations = [...acknowledged(), ...checked(), ...ran("ledger", "verify"), ...ran("verify")];
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(
  `${kills} kills in ${seconds()} s: ${deeds.length} deeds acknowledged; ${violations.length} violations`,
);
process.exit(violations.length > 0 ? 1 : 0);

function start() {
  return spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
}

/** Returns why the run shows nothing: on a busy machine every kill may come before the first answer. */
function acknowledged(): string[] {
  return deeds.length > 0 ? [] : ["Nothing was acknowledged, so nothing was checked"];
}

/** Returns what of deeds and records does not agree. */
function checked(): string[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const all = <Row>(sql: string) => db.query<Row, []>(sql).all();
  const records = all<{ type: string; subject: string }>(
    "SELECT body ->> '$.type' AS type, subject FROM ledger_entries",
  );
  const waiting = all<{ type: string; subject: string }>("SELECT type, subject FROM ledger_pending");
  const counts = new Map<string, number>();
  for (const { type, subject } of [...records, ...waiting])
    counts.set(`${type} ${subject}`, (counts.get(`${type} ${subject}`) ?? 0) + 1);
  const there = all<{ id: string }>(
    `SELECT 'track.created ' || id AS id FROM tracks UNION ALL SELECT 'version.added ' || id FROM versions
     UNION ALL SELECT 'share.created ' || id FROM shares
     UNION ALL SELECT 'share.revoked ' || id FROM shares WHERE revoked_at IS NOT NULL`,
  );
  db.close();
  const ids = new Set([
    ...there.map(({ id }) => id),
    ...deeds.map(({ type, subject }) => `${type} ${subject}`),
  ]);
  console.log(`${records.length} records, ${waiting.length} wait, ${there.length} things are there`);
  // A version may play again and again.
  const twice = [...counts].filter(([id, count]) => count > 1 && !id.startsWith("version.activated "));
  return [
    ...[...ids].filter((id) => !counts.has(id)).map((id) => `${id} has no record`),
    ...twice.filter(([id]) => !id.startsWith("gone ")).map(([id, count]) => `${id} has ${count} records`),
  ];
}

function ran(...words: string[]): string[] {
  const env = { ...Bun.env, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...DUBPLATE, ...words], { env });
  return exitCode === 0 ? [] : [`${words.join(" ")} ends with ${exitCode}: ${stdout}${stderr}`];
}
