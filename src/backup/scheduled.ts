import { constants } from "node:os";
import type { StoreSettings } from "../blobs/store.ts";
import { LibraryError } from "../kernel/errors.ts";
import { giveWay } from "../kernel/processes.ts";
import type { Keep } from "../kernel/settings.ts";
import type { Backup } from "./backup.ts";
import type { Finding } from "./finding.ts";
import { backUpToFolder, takeFolderLock } from "./folder.ts";
import type { BackupDeps } from "./freeze.ts";
import { type Cleared, clearFolder } from "./keep.ts";
import { verifyBackup } from "./verify-backup.ts";

/** The task that the server gives to the child process that makes a scheduled backup. */
export type ScheduledTask = {
  settings: StoreSettings;
  dir: string;
  keep: Keep;
  selfCommand: readonly string[];
};

/** The report of the child process, one JSON object. */
export type ScheduledReport =
  | { ok: true; backup: Backup; cleared: Cleared }
  /** `detail` is one sentence for the operator. */
  | { ok: false; detail: string };

/** Runs as the child process that makes a scheduled backup: `library-backup`, with the task on standard input. Returns the exit code. */
export async function runScheduledBackup(): Promise<number> {
  // Requests go first.
  giveWay(process.pid, constants.priority.PRIORITY_LOW);
  const report = await backUp(JSON.parse(await Bun.stdin.text())).catch(
    (error: Error): ScheduledReport => ({
      ok: false,
      detail: error instanceof LibraryError ? error.message : (error.stack ?? String(error)),
    }),
  );
  console.log(JSON.stringify(report));
  return report.ok ? 0 : 1;
}

/** Makes a backup, reads it back, and only then removes expired snapshots. */
async function backUp({ settings, dir, keep, selfCommand }: ScheduledTask): Promise<ScheduledReport> {
  const deps: BackupDeps = { now: Date.now, selfCommand, settings };
  const silent = () => ({ add: () => undefined, end: () => undefined });
  const { backup, faults, copied } = await backUpToFolder(deps, dir, silent);
  if (faults.length === 0) {
    const place = { archive: backup.file, shared: dir };
    await verifyBackup(place, {
      report: (finding) => void faults.push(finding),
      read: () => undefined,
      // For files that were there before, only the sizes are compared. `verify` reads all of them.
      hash: (path) => copied.has(path),
    });
  }
  if (faults.length > 0) return { ok: false, detail: sentenceOf(faults) };
  const lock = takeFolderLock(deps);
  try {
    return { ok: true, backup, cleared: await clearFolder(dir, keep, deps.now()) };
  } finally {
    lock.release();
  }
}

function sentenceOf(faults: readonly Finding[]): string {
  const [first] = faults;
  return `${faults.length} faults were found, the first: ${first?.path ?? first?.id}: ${first?.detail}`;
}
