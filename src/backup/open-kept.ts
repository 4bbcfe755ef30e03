import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { DataDir } from "../blobs/paths.ts";
import { locateSetAside } from "../blobs/quarantine.ts";

/** A file may move to the quarantine, or back, between two attempts. */
const LOOKS = 3;

/**
 * Opens a file of the library, in its place or in the quarantine. Returns undefined when it is missing.
 *
 * @param path Relative to the data folder.
 */
export async function openKept(settings: DataDir, path: string): Promise<FileHandle | undefined> {
  const home = join(settings.dataDir, path);
  for (let look = 0; look < LOOKS; look++)
    for (const place of [home, locateSetAside(settings, home)]) {
      const file = place === undefined ? undefined : await openIfThere(place);
      if (file) return file;
    }
  return undefined;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
