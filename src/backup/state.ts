import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { replaceFile } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { isFullDisk } from "../kernel/trouble.ts";

const Nullable = Type.Union([Type.Integer(), Type.Null()]);

/** What is known of the backups of a library. Times are epoch milliseconds; null: never. */
const BackupState = Type.Object({
  /** The last backup that lacked nothing, however it was started. */
  lastSuccessAt: Nullable,
  lastBytes: Nullable,
  lastFailureAt: Nullable,
  /** The folder in which the schedule has made snapshots. */
  folder: Type.Union([Type.String(), Type.Null()]),
});
export type BackupState = Static<typeof BackupState>;

const NONE: BackupState = { lastSuccessAt: null, lastBytes: null, lastFailureAt: null, folder: null };
const STATE_FILE = "backups.json";

/** Returns what is known of the backups of a library. */
export function readBackupState({ dataDir }: DataDir): BackupState {
  try {
    const state: unknown = JSON.parse(readFileSync(join(dataDir, STATE_FILE), "utf8"));
    return Value.Check(BackupState, state) ? state : NONE;
  } catch {
    return NONE;
  }
}

/** Changes a part of it. On a full disk it stays as it was: that a backup was made matters more. */
export function noteBackup(settings: DataDir, change: Partial<BackupState>): void {
  const state = { ...readBackupState(settings), ...change };
  try {
    replaceFile(join(settings.dataDir, STATE_FILE), `${JSON.stringify(state)}\n`);
  } catch (error) {
    if (!isFullDisk(error)) throw error;
  }
}
