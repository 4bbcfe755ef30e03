import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DataDir } from "../blobs/paths.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const PERMISSIONS = 0o777;
const STICKY = 0o1000;

/** The program's own files in the data folder. Other files there keep their modes. */
const OWN_FILE = /^(dubplate\.db|master-secret|store\.json|backups\.json|reserve|errors\.log|[a-z-]+\.lock)/;
const OWN_FOLDERS: readonly string[] = [
  "audio",
  "artwork",
  "artwork-originals",
  "renditions",
  "marked",
  "quarantine",
  "before-upgrade",
  "tmp",
  "uploads",
  "search-index",
];

type Entry = { isFile(): boolean; isDirectory(): boolean };

/**
 * Closes the data folder, and the program's files directly in it, to all other users. Files of another user, and file
 * systems without modes, stay as they are.
 */
export function correctModes({ dataDir }: DataDir): void {
  if (process.platform === "win32") return;
  const { mode } = lstatSync(dataDir);
  // A shared folder, such as /tmp, stays open to its other users.
  if ((mode & STICKY) === 0) correct(dataDir, FOLDER_MODE);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const wanted = OWN_FILE.test(entry.name) || OWN_FOLDERS.includes(entry.name) ? modeOf(entry) : undefined;
    if (wanted !== undefined) correct(join(dataDir, entry.name), wanted);
  }
}

/** Does the same as {@link correctModes} for everything in the program's folders. It may take a while. */
export async function correctAllModes({ dataDir }: DataDir): Promise<void> {
  if (process.platform === "win32") return;
  for (const folder of OWN_FOLDERS) await correctFolder(join(dataDir, folder));
}

async function correctFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const wanted = modeOf(entry);
    const found = await lstat(path).catch(() => undefined);
    if (wanted !== undefined && found && (found.mode & PERMISSIONS) !== wanted)
      await chmod(path, wanted).catch(() => undefined);
    if (entry.isDirectory()) await correctFolder(path);
  }
}

/** Undefined for a link or anything else that is neither a file nor a folder. */
function modeOf(entry: Entry): number | undefined {
  if (entry.isDirectory()) return FOLDER_MODE;
  return entry.isFile() ? FILE_MODE : undefined;
}

function correct(path: string, wanted: number): void {
  try {
    if ((lstatSync(path).mode & PERMISSIONS) !== wanted) chmodSync(path, wanted);
  } catch {
    // The file belongs to another user, or is gone.
  }
}
