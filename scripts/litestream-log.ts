/**
 * Shows what Litestream misses when it did not run while the write-ahead log was merged and started again twice, by the mode of
 * the checkpoints (docs/decisions/0051-replication.md). With raw SQLite, without the server.
 *
 * usage: bun scripts/litestream-log.ts
 * Needs litestream in PATH or LITESTREAM_PATH; exit 3 without it.
 */
import "./support/help.ts";
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./bench/processes.ts";

const ROWS = 850;
const ROW_BYTES = 3000;
/** How many rows are changed the first and the second time. */
const CHANGED = [20, 40];
/** Litestream looks at the database, and writes to the replica, once a second each. */
const FOLLOWED_MS = 4000;

const program = Bun.which(Bun.env.LITESTREAM_PATH ?? "litestream");
if (program === null) {
  console.error("litestream was not found: install it, or set LITESTREAM_PATH");
  process.exit(3);
}
const litestream = program;
const folder = temporaryFolder("litestream-log");
console.log(`Litestream ${(await Bun.$`${litestream} version`.text()).trim()}`);
console.log("| checkpoint | rows of the replica that lack their change | `integrity_check` |");
console.log("|---|---|---|");
for (const mode of ["PASSIVE", "TRUNCATE"]) console.log(`| ${[mode, ...(await trial(mode))].join(" | ")} |`);

async function trial(mode: string): Promise<[missing: number, integrity: string]> {
  const own = join(folder, mode);
  mkdirSync(own);
  const db = new Database(join(own, "rows.db"));
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA busy_timeout = 10000");
  db.run("CREATE TABLE rows (id INTEGER PRIMARY KEY, change INTEGER, bytes BLOB)");
  const replica = `file://${join(own, "replica")}`;
  const start = () =>
    Bun.spawn([litestream, "replicate", join(own, "rows.db"), replica], {
      stdio: ["ignore", "ignore", "ignore"],
    });

  const first = start();
  await Bun.sleep(FOLLOWED_MS);
  const insert = db.query("INSERT INTO rows (change, bytes) VALUES (0, zeroblob(?))");
  db.transaction(() => {
    for (let n = 0; n < ROWS; n++) insert.run(ROW_BYTES);
  })();
  await Bun.sleep(FOLLOWED_MS);
  first.kill("SIGKILL");
  await first.exited;
  CHANGED.forEach((count, time) => {
    db.query(`PRAGMA wal_checkpoint(${mode})`).all();
    const from = (time + 1) * 200;
    db.query("UPDATE rows SET change = ? WHERE id BETWEEN ? AND ?").run(time + 1, from, from + count - 1);
  });
  const second = start();
  await Bun.sleep(FOLLOWED_MS);
  second.kill("SIGTERM");
  await second.exited;

  const restored = join(own, "restored.db");
  await Bun.$`${litestream} restore -o ${restored} ${replica}`.quiet();
  const copy = new Database(restored);
  const count = (of: Database) =>
    of.query<{ n: number }, []>("SELECT count(*) AS n FROM rows WHERE change > 0").get()?.n ?? 0;
  const missing = count(db) - count(copy);
  const { integrity_check: said = "" } =
    copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get() ?? {};
  copy.close();
  db.close();
  return [missing, said];
}
