import { existsSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Db, openReadOnly } from "../../db/client.ts";
import { type KeptFile, listOriginals } from "../blobs/kept.ts";
import { holdRemoval } from "../blobs/removal.ts";
import type { StoreSettings } from "../blobs/store.ts";
import type { Deps } from "../kernel/deps.ts";
import { LibraryError } from "../kernel/errors.ts";
import { findMasterSecret } from "../kernel/master-secret.ts";
import { PROGRAM } from "../kernel/program.ts";
import { toIso } from "../kernel/time.ts";
import { listPictures } from "../modules/library/artwork/service.ts";
import { findStore } from "../store/identity.ts";
import { DATABASE, type Manifest } from "./manifest.ts";
import { openKept } from "./open-kept.ts";
import { createPieceReader, hashFile } from "./pieces.ts";
import { takeSnapshot } from "./snapshot.ts";

/** The dependencies of a backup. */
export type BackupDeps = Pick<Deps, "now" | "selfCommand"> & { settings: StoreSettings };

/** The library at one moment. Its files stay on the disk until the work with it is done. */
export type Frozen = {
  manifest: Manifest;
  secret: Buffer;
  db: Db;
  databasePath: string;
  /** Every picture that a row names. The size is undefined when the file is missing. */
  pictures: readonly KeptFile[];
};

/**
 * Copies the database to `databasePath` and calls `work`. Until `work` ends, no process deletes files that the copy
 * names. Removes the copy afterwards.
 *
 * @param at The time of the backup: now.
 * @throws LibraryError when there is no library, it is damaged, or the disk is full.
 */
export async function withFrozenLibrary<Result>(
  deps: BackupDeps,
  { databasePath, kind, at }: { databasePath: string; kind: Manifest["kind"]; at: number },
  work: (frozen: Frozen) => Promise<Result>,
): Promise<Result> {
  const { settings } = deps;
  const source = join(settings.dataDir, DATABASE);
  if (!existsSync(source)) throw new LibraryError(`There is no library in ${settings.dataDir}: set DATA_DIR`);
  const hold = holdRemoval(settings);
  try {
    await takeSnapshot(deps, source, databasePath);
    const db = openReadOnly(databasePath);
    try {
      const row = findStore(db);
      const secret = row && findMasterSecret(settings, row);
      if (!secret)
        throw new LibraryError("The master secret changed when the backup began: start the backup again");
      const pictures = await withSizes(settings, listPictures(db));
      const manifest = await describe({ kind, createdAt: toIso(at), db, databasePath, pictures });
      return await work({ manifest, secret, db, databasePath, pictures });
    } finally {
      db.$client.close();
    }
  } finally {
    rmSync(databasePath, { force: true });
    hold.release();
  }
}

async function withSizes(settings: BackupDeps["settings"], pictures: KeptFile[]): Promise<KeptFile[]> {
  const sized: KeptFile[] = [];
  for (const picture of pictures) {
    const file = await openKept(settings, picture.path);
    const sizeBytes = (await file?.stat())?.size;
    await file?.close();
    sized.push({ ...picture, ...(sizeBytes !== undefined && { sizeBytes }) });
  }
  return sized;
}

type Described = Pick<Frozen, "db" | "databasePath" | "pictures"> & Pick<Manifest, "kind" | "createdAt">;

async function describe({ kind, createdAt, db, databasePath, pictures }: Described): Promise<Manifest> {
  const identity = findStore(db);
  if (!identity) throw new LibraryError("dubplate.db does not say which library it is: restore a backup");
  const rows = (table: "accounts" | "tracks" | "versions") =>
    db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  const there = pictures.filter(({ sizeBytes }) => sizeBytes !== undefined);
  const audio = { count: 0, bytes: 0 };
  for (const { sizeBytes } of listOriginals(db)) {
    audio.count++;
    audio.bytes += sizeBytes;
  }
  return {
    format: 1,
    kind,
    program: `${PROGRAM.name} ${PROGRAM.version}`,
    schema: db.$client.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0,
    storeId: identity.id,
    generation: identity.generation,
    createdAt,
    counts: {
      accounts: rows("accounts"),
      tracks: rows("tracks"),
      versions: rows("versions"),
      artwork: there.length,
      audio: audio.count,
    },
    bytes: {
      database: (await stat(databasePath)).size,
      artwork: there.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0),
      audio: audio.bytes,
    },
    databaseSha256: await hashFile(databasePath, createPieceReader()),
  };
}
