import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Db, prepared, transact } from "../../../../db/client.ts";
import { erase, type Shelf, setAside, takeOut } from "../../../blobs/quarantine.ts";
import type { StagedFile } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import type { Encoding } from "../../../media/encoder.ts";
import { deleteUnsent } from "./copies.ts";

type DataDir = Pick<Settings, "dataDir">;

/** What a file of a copy is: one for listening, or one in the format of the original. */
export type FileEncoding = Encoding | "original";
/** A file of a copy that is in storage. */
export type MarkedFile = {
  copyId: string;
  encoding: FileEncoding;
  sha256: string;
  sizeBytes: number;
  madeAt: number;
};

const FOLDER = "marked";
const FILE_NAME = /^(mark_[0-9a-f]{32})\.(opus|aac|original)$/;

/** Returns where a file of a copy is. */
export function markedPath(
  { dataDir }: DataDir,
  { copyId, encoding }: Pick<MarkedFile, "copyId" | "encoding">,
): string {
  return join(dataDir, FOLDER, `${copyId}.${encoding}`);
}

const kept = prepared((db) =>
  db.$client.prepare<MarkedFile, [string]>(
    `SELECT copy_id AS copyId, encoding, sha256, size_bytes AS sizeBytes, made_at AS madeAt FROM marked_files
     WHERE copy_id = ?1 AND is_kept = 1 ORDER BY encoding`,
  ),
);

/** Returns the files of a copy that are complete on the disk. Those in the quarantine are brought back. */
export function listFiles(db: Db, settings: DataDir, copyId: string): MarkedFile[] {
  return kept(db)
    .all(copyId)
    .filter((file) => {
      const path = markedPath(settings, file);
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      return size === file.sizeBytes || (size === undefined && takeOut(settings, path, file.sizeBytes));
    });
}

/** Stores a file of a copy in place of an earlier one. Call it in `transact`: the write lock guards the folder. */
export function keepFile(
  tx: Db,
  settings: DataDir,
  { copyId, encoding }: Pick<MarkedFile, "copyId" | "encoding">,
  staged: StagedFile,
  at: number,
): void {
  mkdirSync(join(settings.dataDir, FOLDER), { recursive: true, mode: 0o700 });
  renameSync(staged.path, markedPath(settings, { copyId, encoding }));
  tx.$client
    .query<void, [string, string]>("UPDATE marked_files SET is_kept = 0 WHERE copy_id = ?1 AND encoding = ?2")
    .run(copyId, encoding);
  tx.$client
    .query<void, [string, string, string, number, number]>(
      `INSERT INTO marked_files (copy_id, encoding, sha256, size_bytes, made_at, is_kept) VALUES (?1, ?2, ?3, ?4, ?5, 1)
       ON CONFLICT DO UPDATE SET size_bytes = ?4, made_at = ?5, is_kept = 1`,
    )
    .run(copyId, encoding, staged.sha256, staged.sizeBytes, at);
}

/** Notes a file that was made of a copy and left, so that it is found by its bytes. */
export function noteFile(tx: Db, { copyId, encoding, sha256, sizeBytes, madeAt }: MarkedFile): void {
  tx.$client
    .query<void, [string, string, string, number, number]>(
      `INSERT INTO marked_files (copy_id, encoding, sha256, size_bytes, made_at, is_kept) VALUES (?1, ?2, ?3, ?4, ?5, 0)
       ON CONFLICT DO NOTHING`,
    )
    .run(copyId, encoding, sha256, sizeBytes, madeAt);
}

/** The stored files of copies, as named by their rows. */
export const markedShelf: Shelf = {
  folder: FOLDER,
  isOurs: (name) => FILE_NAME.test(name),
  isNamed: (db, name) => {
    const [, copyId = "", encoding] = FILE_NAME.exec(name) ?? [];
    return kept(db)
      .all(copyId)
      .some((file) => file.encoding === encoding);
  },
};

/** A package is sent within this, or its copies are made anew. */
const PACKAGE_KEPT_MS = 24 * HOUR_MS;

/**
 * Moves the files of copies to the quarantine whose link has ended, whose package is a day old, or whose version is gone: whoever has
 * them keeps them, and the rows say whose they are. A link that is turned on again makes them anew, with the same code. What was
 * prepared for a package that was never sent is forgotten.
 */
export function setAsideEnded({ db, now, settings }: Pick<Deps, "db" | "now" | "settings">): void {
  transact(db, (tx) => {
    setFilesAside(tx, settings, now());
    deleteUnsent(tx, now() - PACKAGE_KEPT_MS);
  });
}

function setFilesAside(tx: Db, settings: DataDir, at: number): void {
  const ended = tx.$client
    .query<Pick<MarkedFile, "copyId" | "encoding">, [number, number]>(
      `SELECT f.copy_id AS copyId, f.encoding FROM marked_files f JOIN marked_copies c ON c.id = f.copy_id
       LEFT JOIN shares s ON s.id = c.share_id LEFT JOIN versions v ON v.id = c.version_id
       WHERE f.is_kept = 1 AND (v.id IS NULL OR CASE WHEN c.package_id IS NULL
         THEN s.id IS NULL OR s.is_marked = 0 OR s.revoked_at IS NOT NULL OR s.turned = 'off' OR s.expires_at <= ?1
           OR s.recipient IS NOT c.recipient
         ELSE c.created_at <= ?2 END)`,
    )
    .all(at, at - PACKAGE_KEPT_MS);
  for (const file of ended) {
    setAside(settings, markedPath(settings, file), at);
    tx.$client
      .query<void, [string, string]>(
        "UPDATE marked_files SET is_kept = 0 WHERE copy_id = ?1 AND encoding = ?2",
      )
      .run(file.copyId, file.encoding);
  }
}

/** Deletes the files of an account's copies, wherever they are, for an account that is erased. Call it in `transact`. */
export function eraseMarked(tx: Db, settings: DataDir, accountId: string): void {
  const files = tx.$client
    .query<Pick<MarkedFile, "copyId" | "encoding">, [string]>(
      `SELECT DISTINCT f.copy_id AS copyId, f.encoding FROM marked_files f JOIN marked_copies c ON c.id = f.copy_id
       WHERE c.account_id = ?1`,
    )
    .all(accountId);
  for (const file of files) erase(settings, markedPath(settings, file));
}
