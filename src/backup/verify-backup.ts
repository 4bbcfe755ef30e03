import { mkdtempSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeptFile } from "../blobs/kept.ts";
import { createPool } from "../kernel/pool.ts";
import { DATABASE } from "./manifest.ts";
import { type BackupPlace, sharedPath, withArchive } from "./open-backup.ts";
import { createPieceReader, hashFile } from "./pieces.ts";
import { type ReadBackup, type Reading, readBackup, sharedFiles } from "./read-backup.ts";
import { verifyDatabase } from "./verify-database.ts";
import type { Checked } from "./verify-files.ts";
import { verifySecrets } from "./verify-secrets.ts";

/** How to check a backup. */
export type BackupCheck = Pick<Reading, "report" | "read"> & {
  /** True for the files around a snapshot to hash. For the others, only the sizes are compared. */
  hash: (path: string) => boolean;
  /** Paths of files around the snapshots that need no second check. Sound files are added. */
  sound?: Set<string>;
};

/**
 * Checks a backup: every byte of the archive, the rules of its database and, for a snapshot, the files around it.
 *
 * @returns How many files it holds; undefined when a part could not be read and was reported.
 */
export async function verifyBackup(place: BackupPlace, check: BackupCheck): Promise<Checked | undefined> {
  return withUnpacked(place, check, async (backup) => {
    verifyDatabase(backup.db, check.report);
    verifySecrets(backup.db, backup.secret, check.report);
    const { kind, counts, bytes } = backup.manifest;
    if (kind === "snapshot") await verifyShared(place, backup, check);
    return { files: counts.artwork + counts.audio, bytes: bytes.artwork + bytes.audio };
  });
}

/**
 * Reads and checks an archive, and calls `work` while its database is unpacked.
 *
 * @param placeOf As in {@link Reading}. When left out, no file is unpacked.
 */
export async function withUnpacked<Result>(
  place: BackupPlace,
  { report, read, placeOf = () => undefined }: Pick<Reading, "report" | "read"> & Partial<Reading>,
  work: (backup: ReadBackup) => Promise<Result>,
): Promise<Result | undefined> {
  // In the system's temporary folder, because the backup may be on a read-only disk.
  const folder = mkdtempSync(join(tmpdir(), "dubplate-verify-"));
  const pool = createPool(1);
  const reading = { report, read, placeOf, pool, databasePath: join(folder, DATABASE) };
  try {
    const backup = await withArchive(place, (source) => readBackup(source, reading));
    if (!backup) return undefined;
    try {
      return await work(backup);
    } finally {
      backup.db.$client.close();
    }
  } finally {
    await pool.end().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verifyShared(
  place: BackupPlace,
  backup: ReadBackup,
  { report, read, hash, sound = new Set() }: BackupCheck,
): Promise<void> {
  const reader = createPieceReader();
  const hashOf = (from: string) => hashFile(from, reader, read).catch(() => undefined);
  for (const file of sharedFiles(backup)) {
    const { path, id } = file;
    if (sound.has(path)) continue;
    const kind = await faultOf(sharedPath(place, path) ?? "", file, hash(path) ? hashOf : undefined);
    if (kind === undefined) sound.add(path);
    else if (kind === "missing") report({ kind, id, path, detail: "The file is not in the backup" });
    else report({ kind, id, path, detail: "The file's bytes are not those that were stored" });
  }
}

/** @param hashOf When left out, only the size is compared. */
async function faultOf(
  from: string,
  { sha256, sizeBytes }: KeptFile,
  hashOf?: (path: string) => Promise<string | undefined>,
): Promise<"missing" | "damaged" | undefined> {
  const size = (await stat(from).catch(() => undefined))?.size;
  if (size === undefined) return "missing";
  const isOther = (sizeBytes ?? size) !== size || (hashOf && (await hashOf(from)) !== sha256);
  return isOther ? "damaged" : undefined;
}
