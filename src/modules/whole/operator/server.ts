import { statSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "../../../kernel/deps.ts";
import { readDisk } from "../../../kernel/disk.ts";
import { PROGRAM } from "../../../kernel/program.ts";
import { HOUR_MS, toIsoOrNull } from "../../../kernel/time.ts";
import { listAccounts } from "../../people/accounts/service.ts";
import * as queries from "./queries.ts";
import type { Server, Verification } from "./shapes.ts";

type ServerDeps = Pick<Deps, "db" | "settings" | "ffmpegPath">;

/** When backups were made; see `backup/state.ts`. */
export type BackupTimes = {
  lastSuccessAt: number | null;
  lastBytes: number | null;
  lastFailureAt: number | null;
};

/** What only the parts that serve know. */
export type Around = { program: string; backups: BackupTimes; verification: Verification };

/** Returns what the operator wants to know of the server. */
export function getServer(
  { db, settings, ffmpegPath }: ServerDeps,
  { program, backups, verification }: Around,
): Server {
  const { versions, originalsBytes, renditionsBytes } = queries.selectSums(db);
  const tracks = [...queries.countTracksByOwner(db).values()].reduce((sum, count) => sum + count, 0);
  const jobs = queries.countJobs(db);
  return {
    version: PROGRAM.version,
    build: settings.build,
    program,
    dataDir: settings.dataDir,
    disk: readDisk(settings.dataDir),
    sizes: { databaseBytes: databaseBytes(settings.dataDir), originalsBytes, renditionsBytes },
    counts: { accounts: listAccounts({ db }).length, tracks, versions },
    queue: {
      waiting: jobs.get("waiting") ?? 0,
      running: jobs.get("running") ?? 0,
      dead: jobs.get("dead") ?? 0,
    },
    ffmpeg: ffmpegPath ?? null,
    backup: {
      schedule: scheduleOf(settings.backup),
      lastSuccessAt: toIsoOrNull(backups.lastSuccessAt),
      lastBytes: backups.lastBytes,
      lastFailureAt: toIsoOrNull(backups.lastFailureAt),
    },
    verification,
  };
}

function scheduleOf(backup: Deps["settings"]["backup"]): Server["backup"]["schedule"] {
  return backup
    ? {
        dir: backup.dir,
        everyHours: backup.everyMs / HOUR_MS,
        keep: { ...backup.keep } as Record<string, number>,
      }
    : null;
}

/** The database, with changes not yet merged into its file. */
function databaseBytes(dataDir: string): number {
  const sizeOf = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf("dubplate.db") + sizeOf("dubplate.db-wal");
}
