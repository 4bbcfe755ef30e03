import { type FileHandle, open } from "node:fs/promises";
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
  return path.startsWith(`${audioShelf.folder}/`) ? originalsOf(settings).openCopy(name) : undefined;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
