import { Database } from "bun:sqlite";
import { join } from "node:path";
import { MAIN } from "../bench/processes.ts";
import type { Box } from "./box.ts";
import type { Acknowledged, Ledger } from "./writers.ts";

/** What became of a replica. `sound`: it was restored, and `verify --replica` found nothing. */
export type Verdict = {
  isSound: boolean;
  /** What `verify --replica` said when it refused. */
  refusal: string;
  /** What is wrong with the restored database, as this script sees it: a replica may lack only the newest writes. */
  damage: string[];
  lostWrites: number;
  /** Between the newest acknowledged write that was restored, and the newest acknowledged. */
  lostSeconds: number;
};

/** Restores a replica as on another machine, with Litestream alone and with `verify --replica`, and compares. */
export async function judge(box: Box, litestream: string, ledger: Ledger, round: number): Promise<Verdict> {
  // What is written from now on is not lost.
  const acknowledged = [...ledger.acknowledged];
  const target = join(box.folder, `restored-${round}.db`);
  const restored = await run([litestream, "restore", "-o", target, box.replica], {});
  const elsewhere = { DATA_DIR: join(box.folder, "elsewhere"), LITESTREAM_PATH: litestream };
  const verified = await run([process.execPath, MAIN, "verify", "--replica", box.replica], elsewhere);
  const common = { isSound: verified.code === 0, refusal: verified.said };
  if (restored.code !== 0)
    return { ...common, damage: [`not restored: ${restored.said}`], lostWrites: 0, lostSeconds: 0 };
  const { damage, highest } = readBack(target, acknowledged);
  await Bun.$`rm -f ${target} ${target}-wal ${target}-shm`.quiet();
  const lost = acknowledged.filter(({ writer, n }) => n > (highest.get(writer) ?? 0));
  const kept = acknowledged.filter(({ writer, n }) => n <= (highest.get(writer) ?? 0));
  const newest = (writes: typeof lost) => Math.max(0, ...writes.map(({ at }) => at));
  const lostSeconds = lost.length === 0 || kept.length === 0 ? 0 : (newest(lost) - newest(kept)) / 1000;
  return { ...common, damage, lostWrites: lost.length, lostSeconds };
}

/** Compares the replica with the library, which is served; waits until it has followed. Returns what differs. */
export async function compareWithLibrary(box: Box, litestream: string): Promise<string> {
  const here = { DATA_DIR: box.dataDir, LITESTREAM_PATH: litestream };
  const command = [process.execPath, MAIN, "verify", "--replica", box.replica, "--wait", "30"];
  const { code, said } = await run(command, here);
  return code === 0 ? "" : said;
}

/** Every writer's numbers are there from the first to the highest, and SQLite finds nothing. */
function readBack(
  path: string,
  acknowledged: readonly Acknowledged[],
): { damage: string[]; highest: Map<string, number> } {
  const db = new Database(path);
  try {
    const damage = db
      .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
      .all()
      .flatMap(({ integrity_check: said }) => (said === "ok" ? [] : [said]));
    const highest = new Map<string, number>();
    for (const writer of new Set(acknowledged.map((each) => each.writer))) {
      const { count = 0, last = 0 } =
        db
          .query<{ count: number; last: number | null }, [string, string]>(
            `SELECT count(*) AS count, max(CAST(substr(full_name, length(?) + 2) AS INTEGER)) AS last FROM composers
             WHERE full_name GLOB ? || ' *'`,
          )
          .get(writer, writer) ?? {};
      if (count !== (last ?? 0)) damage.push(`${writer}: ${count} of ${last} composers`);
      highest.set(writer, last ?? 0);
    }
    return { damage, highest };
  } catch (error) {
    return { damage: [String(error)], highest: new Map() };
  } finally {
    db.close();
  }
}

async function run(command: string[], env: Record<string, string>): Promise<{ code: number; said: string }> {
  const child = Bun.spawn(command, {
    env: { ...Bun.env, LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, said: `${stdout}${stderr}`.trim() };
}
