import { statSync } from "node:fs";
import { childCommandLine } from "../kernel/child-commands.ts";
import type { Deps } from "../kernel/deps.ts";
import type { BackupSettings } from "../kernel/settings.ts";
import { HOUR_MS, MINUTE_MS } from "../kernel/time.ts";
import { findOperatorSeat } from "../modules/people/accounts/service.ts";
import { tellBackupFailed } from "../modules/people/notifications/service.ts";
import { signHeadsForBackup } from "../modules/proof/ledger/service.ts";
import type { ScheduledReport, ScheduledTask } from "./scheduled.ts";
import { listSnapshots } from "./snapshots.ts";
import { noteBackup, readBackupState } from "./state.ts";

const LOOK_EVERY_MS = MINUTE_MS;
/** The wait after a failure: shorter than until the next backup, but not zero. */
const RETRY_AFTER_MS = HOUR_MS;

/** The server's scheduled backups. */
export type Schedule = {
  /** Ends the backup in progress. Its unfinished file does not count as a backup. */
  stop: () => Promise<void>;
};

/**
 * Makes a backup whenever the newest snapshot is older than `BACKUP_EVERY`, immediately if it is so now. A failure is
 * logged, and the operator is notified.
 */
export function startBackups(deps: Deps, { dir, everyMs, keep }: BackupSettings): Schedule {
  let failedAt = Number.NEGATIVE_INFINITY;
  let child: Bun.Subprocess<Buffer, "pipe", "inherit"> | undefined;
  let running: Promise<void> | undefined;
  let isStopping = false;

  const run = async (): Promise<ScheduledReport> => {
    if (readBackupState(deps.settings).folder === dir && listSnapshots(dir).length === 0)
      return {
        ok: false,
        detail: `BACKUP_DIR (${dir}) has none of the snapshots that were made there: is its disk mounted? To start again, delete ${deps.settings.dataDir}/backups.json`,
      };
    signHeadsForBackup(deps);
    const { dataDir, bucket, diskReserveBytes } = deps.settings;
    const settings = { dataDir, bucket, diskReserveBytes };
    const task: ScheduledTask = { settings, dir, keep, selfCommand: deps.selfCommand };
    const command = childCommandLine(deps.selfCommand, "library-backup");
    // Command lines are visible to other users, and the keys of a bucket are in the task.
    const stdin = Buffer.from(JSON.stringify(task));
    child = Bun.spawn(command, { stdin, stdout: "pipe", stderr: "inherit", env: {} });
    const text = await child.stdout.text();
    await child.exited;
    return text === "" ? { ok: false, detail: "The process that made it ended early" } : JSON.parse(text);
  };
  const runAndTell = async () => {
    const report = await run().catch(
      (error: Error): ScheduledReport => ({ ok: false, detail: error.message }),
    );
    child = undefined;
    if (isStopping) return;
    if (report.ok) tellSuccess(deps, dir, report);
    else {
      failedAt = deps.now();
      tellFailure(deps, report.detail);
    }
  };
  const look = () => {
    if (running || deps.now() < failedAt + Math.min(everyMs, RETRY_AFTER_MS)) return;
    const newest = listSnapshots(dir).at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (deps.now() < newest + everyMs) return;
    running = runAndTell()
      .catch((error) => deps.log("error", "What came of a backup could not be noted", { error }))
      .finally(() => {
        running = undefined;
      });
  };
  warnOfOneDisk(deps, dir);
  look();
  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(looking);
      child?.kill("SIGKILL");
      await running;
    },
  };
}

function tellSuccess(deps: Deps, dir: string, { backup, cleared }: ScheduledReport & { ok: true }): void {
  const { file, bytes, files, seconds } = backup;
  noteBackup(deps.settings, { lastSuccessAt: deps.now(), lastBytes: bytes, folder: dir });
  deps.log("info", "Made a backup", { file, bytes, files, seconds, removed: cleared });
}

function tellFailure(deps: Deps, detail: string): void {
  deps.log("error", "The backup failed", { detail });
  noteBackup(deps.settings, { lastFailureAt: deps.now() });
  const operator = findOperatorSeat(deps);
  if (operator) tellBackupFailed(deps, operator, detail);
}

function warnOfOneDisk({ log, settings: { dataDir } }: Deps, dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found?.dev === statSync(dataDir).dev)
    log("warn", "BACKUP_DIR is on the disk of DATA_DIR: both are lost together", { dir });
}
