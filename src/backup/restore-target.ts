import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { flush } from "../blobs/move.ts";
import { LibraryError } from "../kernel/errors.ts";
import { takeLock } from "../kernel/file-lock.ts";

/** The folder into which a restore unpacks. */
export type RestoreTarget = { folder: string };

const LOCK = "server.lock";
/** Used inside a data folder that cannot be replaced by a rename. */
const INSIDE = ".restoring";
/** An empty data folder may contain these. The file system makes the first. */
const IGNORED = ["lost+found", INSIDE];

/**
 * Calls `work` with an empty folder, which then replaces the data folder. Until then, the data folder stays as it is.
 * If `work` fails, nothing is left behind.
 *
 * @throws LibraryError when the data folder is not empty, or another restore is running.
 */
export async function withRestoreTarget<Result>(
  dataDir: string,
  work: (target: RestoreTarget) => Promise<Result>,
): Promise<Result> {
  const home = existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir);
  refuseFull(home, dataDir);
  mkdirSync(dirname(home), { recursive: true, mode: 0o700 });
  const isInside = mustStay(home);
  const folder = isInside ? join(home, INSIDE) : `${home}.restoring`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(folder, LOCK));
  if (!lock) throw new LibraryError(`Another restore into ${dataDir} is running: wait until it has ended`);
  try {
    for (const name of readdirSync(folder))
      if (!name.startsWith(LOCK)) rmSync(join(folder, name), { recursive: true });
    const result = await work({ folder });
    refuseFull(home, dataDir);
    if (isInside) moveUp(folder, home);
    else renameSync(folder, home);
    flush(home);
    flush(dirname(home));
    return result;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

function refuseFull(home: string, dataDir: string): void {
  const entries = existsSync(home) ? readdirSync(home) : [];
  if (entries.every((name) => IGNORED.includes(name))) return;
  throw new LibraryError(
    `DATA_DIR (${dataDir}) is not empty: restore into an empty folder, or set DATA_DIR to another one`,
  );
}

/** True for a folder that cannot be replaced: the root of a disk, or a folder inside another user's folder. */
function mustStay(home: string): boolean {
  if (!existsSync(home)) return false;
  const parent = dirname(home);
  if (statSync(home).dev !== statSync(parent).dev || existsSync(join(home, "lost+found"))) return true;
  try {
    accessSync(parent, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Moves everything in a folder to the folder above it, the database last: it makes the rest a library. */
function moveUp(folder: string, home: string): void {
  const names = readdirSync(folder).sort(
    (a, b) => Number(a.startsWith("dubplate.db")) - Number(b.startsWith("dubplate.db")),
  );
  for (const name of names) renameSync(join(folder, name), join(home, name));
  rmdirSync(folder);
}
