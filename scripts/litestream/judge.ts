import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { verifyReplica } from "../../src/backup/verify-replica.ts";
import type { Box } from "./box.ts";
import type { Ledger } from "./writers.ts";

/** For how long the replica may be behind the library, once everything runs. */
const PATIENCE_MS = 60_000;

/** What became of a replica. `sound`: it was restored, and `verify --replica` found nothing. */
export type Verdict = {
  isSound: boolean;
  /** What `verify --replica` said when it refused. */
  refusal: string;
  /** What is wrong with the restored database, as this script sees it: a replica may lack only the newest writes. */
  damage: string[];
  lostWrites: number;
  /** From the oldest acknowledged write that was lost to the newest. */
  lostSeconds: number;
};

/** Restores a replica as on another machine, with Litestream alone and as `verify --replica` does, and compares. */
export async function judge(box: Box, litestream: string, ledger: Ledger, round: number): Promise<Verdict> {
  // What is written from now on is not lost.
  const acknowledged = [...ledger.acknowledged];
  const target = join(box.folder, `restored-${round}.db`);
  const command = [litestream, "restore", "-o", target, box.replica];
  const restoring = Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"] });
  const refusal = await verify(box, { litestream, dataDir: join(box.folder, "elsewhere"), patienceMs: 0 });
  const common = { isSound: refusal === "", refusal };
  if ((await restoring.exited) !== 0)
    return { ...common, damage: ["Litestream did not restore it"], lostWrites: 0, lostSeconds: 0 };
  const { damage, highest } = readBack(target);
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${target}${ending}`, { force: true });
  const lost = acknowledged.filter(({ writer, n }) => n > (highest.get(writer) ?? 0));
  const newest = Math.max(0, ...acknowledged.map(({ at }) => at));
  const lostSeconds = Math.max(0, ...lost.map(({ at }) => newest - at)) / 1000;
  return { ...common, damage, lostWrites: lost.length, lostSeconds };
}

/** Compares the replica with the library, which is served; waits until it has followed. Returns what differs. */
export function compareWithLibrary(box: Box, litestream: string): Promise<string> {
  return verify(box, { litestream, dataDir: box.dataDir, patienceMs: PATIENCE_MS });
}

/** Does what `dubplate verify --replica` does. Returns the findings, one per line. */
async function verify(
  { replica, dataDir: replicated }: Box,
  { litestream, dataDir, patienceMs }: { litestream: string; dataDir: string; patienceMs: number },
): Promise<string> {
  const found: string[] = [];
  await verifyReplica({
    replica: { source: replica, databasePath: join(replicated, "dubplate.db"), program: litestream },
    dataDir,
    patienceMs,
    report: (finding) => void found.push(JSON.stringify(finding)),
  });
  return found.join("\n");
}

/** Every writer's numbers are there from the first to the highest, and SQLite finds nothing. */
function readBack(path: string): { damage: string[]; highest: Map<string, number> } {
  const db = new Database(path);
  try {
    const damage = db
      .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
      .all()
      .flatMap(({ integrity_check: said }) => (said === "ok" ? [] : [said]));
    const highest = new Map<string, number>();
    const sql = `SELECT substr(full_name, 1, at - 1) AS writer, count(*) AS count,
        max(CAST(substr(full_name, at + 1) AS INTEGER)) AS last
      FROM (SELECT full_name, instr(full_name, ' ') AS at FROM composers) GROUP BY writer`;
    for (const { writer, count, last } of db
      .query<{ writer: string; count: number; last: number }, []>(sql)
      .all()) {
      if (count !== last) damage.push(`${writer}: ${count} of ${last} composers`);
      highest.set(writer, last);
    }
    return { damage, highest };
  } catch (error) {
    return { damage: [String(error)], highest: new Map() };
  } finally {
    db.close();
  }
}
