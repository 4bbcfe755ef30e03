import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { replaceFile } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { isFullDisk } from "../kernel/trouble.ts";

const Nullable = Type.Union([Type.Integer(), Type.Null()]);

/** The record of a library's backups and checks. Times are epoch milliseconds; null means never. */
const BackupState = Type.Object({
  /** The last complete backup, scheduled or not. */
  lastSuccessAt: Nullable,
  lastBytes: Nullable,
  lastFailureAt: Nullable,
  /** The folder in which the schedule makes snapshots. */
  folder: Type.Union([Type.String(), Type.Null()]),
  /** The last check of the whole library that found it sound, and how many faults the last one found. */
  lastVerifiedAt: Type.Optional(Nullable),
  lastFaults: Type.Optional(Nullable),
  /** The last check of the database's replica, how many faults it found, and the last that found none. */
  replicaCheckedAt: Type.Optional(Nullable),
  replicaFaults: Type.Optional(Nullable),
  replicaVerifiedAt: Type.Optional(Nullable),
});
export type BackupState = Static<typeof BackupState>;

const NONE: BackupState = { lastSuccessAt: null, lastBytes: null, lastFailureAt: null, folder: null };
const STATE_FILE = "backups.json";

/** Returns the record of a library's backups. */
export function readBackupState({ dataDir }: DataDir): BackupState {
  try {
    const state: unknown = JSON.parse(readFileSync(join(dataDir, STATE_FILE), "utf8"));
    return Value.Check(BackupState, state) ? state : NONE;
  } catch {
    return NONE;
  }
}

/** Changes a part of the record. On a full disk it is left unchanged: the backup matters more. */
export function noteBackup(settings: DataDir, change: Partial<BackupState>): void {
  const state = { ...readBackupState(settings), ...change };
  try {
    replaceFile(join(settings.dataDir, STATE_FILE), `${JSON.stringify(state)}\n`);
  } catch (error) {
    if (!isFullDisk(error)) throw error;
  }
}
