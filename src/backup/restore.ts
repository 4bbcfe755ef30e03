import { mkdirSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { transact } from "../../db/client.ts";
import type { KeptFile } from "../blobs/kept.ts";
import { flush, replaceFile } from "../blobs/move.ts";
import { LibraryError } from "../kernel/errors.ts";
import { createPool } from "../kernel/pool.ts";
import { doubtMails } from "../modules/mail/outbox/service.ts";
import { skipTo } from "../modules/outward/digests/service.ts";
import { endLogs } from "../modules/proof/ledger/service.ts";
import { moveOn } from "../store/identity.ts";
import { type StartProgress, secondsSince } from "./backup.ts";
import { asRefusal } from "./errors.ts";
import type { Finding } from "./finding.ts";
import { FLUSHED_AT_ONCE } from "./folder.ts";
import { DATABASE, SECRET } from "./manifest.ts";
import { archiveBytes, type BackupPlace, sharedPath, withArchive } from "./open-backup.ts";
import { createFile } from "./output.ts";
import { createPieceReader } from "./pieces.ts";
import { type ReadBackup, readBackup, sharedFiles } from "./read-backup.ts";
import { type RestoreTarget, withRestoreTarget } from "./restore-target.ts";

/** The result of a restore. */
export type Restored = {
  dataDir: string;
  /** How many files of the library were restored. */
  files: number;
  bytes: number;
  storeId: string;
  generation: number;
  /** When the backup was made, ISO 8601. */
  createdAt: string;
  /** Mails that waited: they may have gone since, so a person decides. */
  unsureMails: number;
  seconds: number;
};

/** Added to the generation, so that a database from before the restore is always behind. */
const RESTORE_STEP = 1000;

/**
 * Unpacks a backup beside the data folder, checks every byte, and then puts it in place. If anything is wrong, the
 * data folder stays empty.
 *
 * @throws LibraryError when the data folder is not empty, or the backup is damaged or lacks a file.
 */
export async function restoreBackup(
  dataDir: string,
  place: BackupPlace,
  start: StartProgress,
): Promise<Restored> {
  const startedAt = performance.now();
  const refuse = ({ path, detail }: Finding): never => {
    throw new LibraryError(`${place.archive} is damaged, nothing was restored: ${path}: ${detail}`);
  };
  try {
    return await withRestoreTarget(dataDir, async (target) => {
      const progress = start(archiveBytes(place));
      try {
        const backup = await unpack(target, place, { report: refuse, read: progress.add });
        const restored = await complete(target, place, backup, { report: refuse, read: progress.add });
        return { ...restored, dataDir, seconds: secondsSince(startedAt) };
      } finally {
        progress.end();
      }
    });
  } catch (error) {
    throw asRefusal(error, dataDir);
  }
}

type Watch = { report: (finding: Finding) => never; read: (bytes: number) => void };

async function unpack({ folder }: RestoreTarget, place: BackupPlace, watch: Watch): Promise<ReadBackup> {
  const pool = createPool(FLUSHED_AT_ONCE);
  const placeOf = (path: string) => placeIn(folder, path);
  const reading = { ...watch, pool, placeOf, databasePath: join(folder, DATABASE) };
  try {
    const backup = await withArchive(place, (source) => readBackup(source, reading));
    if (backup) return backup;
    throw new Error("A damaged backup was not reported");
  } finally {
    await pool.end().catch(() => undefined);
  }
}

/** Returns the path of a file in a folder, and makes its parent folders. */
function placeIn(folder: string, path: string): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  return place;
}

/** Adds the files that the archive lacks, raises the library's generation, and flushes everything. */
async function complete(
  { folder }: RestoreTarget,
  place: BackupPlace,
  backup: ReadBackup,
  watch: Watch,
): Promise<Omit<Restored, "dataDir" | "seconds">> {
  const { db, manifest, secret } = backup;
  try {
    if (manifest.kind === "snapshot") await copyShared(folder, place, sharedFiles(backup), watch);
    replaceFile(join(folder, SECRET), secret);
    const { id, generation } = moveOn(db, { dataDir: folder }, RESTORE_STEP);
    const unsureMails = transact(db, (tx) => {
      const at = Date.now();
      skipTo(tx, at);
      endLogs(tx, at, "restored");
      return doubtMails(tx, at);
    });
    const { counts, bytes, createdAt } = manifest;
    return {
      files: counts.artwork + counts.audio,
      bytes: bytes.database + bytes.artwork + bytes.audio,
      storeId: id,
      generation,
      createdAt,
      unsureMails,
    };
  } finally {
    db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.$client.close();
    flushFolders(folder);
  }
}

/** Copies files from the folder around a snapshot. */
async function copyShared(
  folder: string,
  place: BackupPlace,
  files: Iterable<KeptFile & { sha256: string }>,
  { report, read }: Watch,
): Promise<void> {
  if (place.shared === undefined)
    throw new LibraryError(
      `${place.archive} is a snapshot: restore it from the folder that it was written to, where its files are`,
    );
  const [reader, pool] = [createPieceReader(), createPool(FLUSHED_AT_ONCE)];
  try {
    for (const { path, id, sha256 } of files) {
      const from = await open(sharedPath(place, path) ?? "", "r").catch(() => undefined);
      if (!from) return report({ kind: "missing", id, path, detail: "The file is not in the backup" });
      const output = await createFile(placeIn(folder, path));
      try {
        for await (const piece of reader.pieces(from)) {
          await output.write(piece);
          read(piece.length);
        }
        await output.settled();
      } finally {
        await from.close();
      }
      if (output.sha256() !== sha256)
        report({ kind: "damaged", id, path, detail: "The file's bytes are not those that were stored" });
      await pool.add(async () => void (await output.end()));
    }
    await pool.end();
  } finally {
    await pool.end().catch(() => undefined);
  }
}

function flushFolders(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) flush(join(entry.parentPath, entry.name));
  flush(folder);
}
