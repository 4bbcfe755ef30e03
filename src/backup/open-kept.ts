import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { locateSetAside } from "../blobs/quarantine.ts";
import { audioShelf, originalsOf, type StoreSettings } from "../blobs/store.ts";

/** A file may move to the quarantine, or back, between two attempts. */
const LOOKS = 3;

/**
 * Opens a file of the library, in its place or in the quarantine. Returns undefined when it is missing. An original that
 * is not on this machine is copied first, whatever its bytes; the copy goes when the file is closed.
 *
 * @param path Relative to the data folder.
 */
export async function openKept(settings: StoreSettings, path: string): Promise<FileHandle | undefined> {
  const home = join(settings.dataDir, path);
  for (let look = 0; look < LOOKS; look++)
    for (const place of [home, locateSetAside(settings, home)]) {
      const file = place === undefined ? undefined : await openIfThere(place);
      if (file) return file;
    }
  const name = basename(path);
  return path.startsWith(`${audioShelf.folder}/`) ? openCopy(settings, name) : undefined;
}

/** The copy loses its name at once, so that it goes however this process ends. */
async function openCopy(settings: StoreSettings, sha256: string): Promise<FileHandle | undefined> {
  const copy = await originalsOf(settings).fetchCopy(sha256);
  if (!copy) return undefined;
  try {
    return await open(copy.path, "r");
  } finally {
    await rm(copy.path, { force: true });
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
