import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import type { DataDir } from "../blobs/paths.ts";
import { LibraryError } from "../kernel/errors.ts";
import { findMasterSecret, SECRET_FILE, type SecretMark } from "../kernel/master-secret.ts";
import { isSameBytes } from "../kernel/secrets.ts";
import { isFullDisk } from "../kernel/trouble.ts";
import { readMarker } from "./identity.ts";
import { type Inspection, inspectFile } from "./inspect.ts";
import { missingRoom } from "./reserve.ts";
import { lostSecret, readSecret, wrongSecret } from "./secret.ts";

type Ours = Extract<Inspection, { kind: "ours" }>;

const MEBIBYTE = 1024 ** 2;

/** Returns the path of the database. */
export function databasePath({ dataDir }: DataDir): string {
  return join(dataDir, "dubplate.db");
}

/**
 * Checks that a data folder holds a sound library, or can become one. It changes nothing. The checks run in a fixed
 * order, and the first that fails decides.
 *
 * @param options `mayBeFull`: for commands that make room.
 * @throws LibraryError when a check fails.
 */
export function checkFolder(settings: DataDir, { mayBeFull = false }: { mayBeFull?: boolean } = {}): void {
  checkAccess(settings);
  if (!mayBeFull) checkRoom(settings);
  const found = inspectFile(databasePath(settings));
  checkDatabase(settings, found);
  if (found.kind !== "ours") return;
  checkSecret(settings, found);
  const marker = readMarker(settings);
  if (found.store && marker && marker.id !== found.store.id)
    throw refusal(
      settings,
      "The audio folder in %s belongs to another library than dubplate.db: put back the two that belong together, or restore a backup into an empty folder",
    );
}

/** 1: the data folder is a folder that this user can write. */
function checkAccess(settings: DataDir): void {
  const { dataDir } = settings;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isFullDisk(error)) throw fullDisk(settings, 1);
    if (code === "EEXIST" || code === "ENOTDIR")
      throw refusal(settings, "%s is not a folder: set DATA_DIR to another one");
    throw notOurs(settings);
  }
  for (const name of [".", "dubplate.db", SECRET_FILE, "store.json"])
    if (name === "." || existsSync(join(dataDir, name))) checkOwn(settings, name);
}

function checkOwn(settings: DataDir, name: string): void {
  try {
    const mode = constants.R_OK | constants.W_OK | (name === "." ? constants.X_OK : 0);
    accessSync(join(settings.dataDir, name), mode);
  } catch {
    if (name === ".") throw notOurs(settings);
    throw refusal(settings, `${name} in %s cannot be read and written by this user: change its owner`);
  }
}

const notOurs = (settings: DataDir) =>
  refusal(settings, "%s cannot be written by this user: change its owner or set another folder");

/** 2: the disk has room for the reserve and for a checkpoint. */
function checkRoom(settings: DataDir): void {
  const missing = missingRoom(settings);
  if (missing > 0) throw fullDisk(settings, Math.ceil(missing / MEBIBYTE));
}

/** Returns the refusal for a full disk. `mebibytes` is how much to free. */
export function fullDisk(settings: DataDir, mebibytes: number): LibraryError {
  return refusal(settings, `The disk of %s is full: free ${mebibytes} MB, then start again`);
}

/**
 * 3 to 5: the file is a Dubplate database, is not missing beside its files, and was not written by a newer version.
 */
function checkDatabase(settings: DataDir, found: Inspection): void {
  if (found.kind === "foreign")
    throw refusal(
      settings,
      "dubplate.db in %s is not a Dubplate database: put the right file back, or restore a backup into an empty folder",
    );
  if (found.kind === "damaged") throw damagedDatabase(settings);
  const holds = found.kind === "none" ? whatIsThere(settings) : undefined;
  if (holds !== undefined)
    throw refusal(
      settings,
      `%s holds ${holds} but no database: put dubplate.db back, restore a backup into an empty folder, or move the folder away`,
    );
  if (found.kind === "ours" && found.schema > SCHEMA_VERSION)
    throw refusal(
      settings,
      `The library in %s was written by a newer Dubplate (schema ${found.schema}, this one knows ${SCHEMA_VERSION}): install that version`,
    );
}

/** Returns the refusal for a damaged database. */
export function damagedDatabase(settings: DataDir): LibraryError {
  return refusal(
    settings,
    "dubplate.db in %s is damaged: restore a backup, or see docs/recovery.md for what can be saved",
  );
}

/** Returns the evidence that a folder without a database once had one; undefined for a new folder. */
function whatIsThere({ dataDir }: DataDir): string | undefined {
  const isThere = (name: string) => existsSync(join(dataDir, name));
  if (["audio", "quarantine"].some((folder) => hasFile(join(dataDir, folder)))) return "audio";
  if (["artwork", "artwork-originals", "uploads"].some((folder) => hasFile(join(dataDir, folder))))
    return "files of a library";
  if (isThere("store.json")) return "the mark of a library";
  if (isThere(SECRET_FILE)) return "a master secret";
  // A killed first start leaves a database with its log, never the log alone.
  const [size, logSize] = ["dubplate.db", "dubplate.db-wal"].map(
    (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size,
  );
  return logSize && !size ? "the log of a database" : undefined;
}

function hasFile(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some((entry) =>
      entry.isDirectory() ? hasFile(join(folder, entry.name)) : entry.isFile(),
    );
  } catch {
    // It is missing, or the system does not let us read it, as with `lost+found`.
    return false;
  }
}

/** 6: the master secret belongs to the library. A database with accounts needs it even without an identity. */
function checkSecret(settings: DataDir, { store, isUsed }: Ours): void {
  if (!store) {
    if (!readSecret(settings) && isUsed) throw lostSecret(settings.dataDir);
  } else if (!findMasterSecret(settings, store) && !hasRotated(settings, store)) {
    throw readSecret(settings) ? wrongSecret(settings.dataDir) : lostSecret(settings.dataDir);
  }
}

/** True when another process replaced the secret since the row was read. */
function hasRotated(settings: DataDir, before: SecretMark): boolean {
  const now = inspectFile(databasePath(settings));
  if (now.kind !== "ours" || !now.store || isSameBytes(now.store.secretCheck, before.secretCheck))
    return false;
  return findMasterSecret(settings, now.store) !== undefined;
}

/** Returns a refusal. The data folder takes the place of `%s`. */
function refusal({ dataDir }: DataDir, sentence: string): LibraryError {
  return new LibraryError(sentence.replace("%s", () => `DATA_DIR (${dataDir})`));
}
