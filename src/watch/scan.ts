import type { Dirent, Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isIgnoredFile, isIgnoredFolder } from "./names.ts";

/** A file as the file system shows it. */
export type Entry = {
  /** In the folder, with `/`. */
  path: string;
  /** Where it can be opened. */
  file: string;
  sizeBytes: number;
  modifiedAt: number;
  inode: string;
};

/**
 * Returns the files of a folder that may be music. What cannot be read is left out: it is looked at again at the next scan.
 *
 * @throws the system's error when the folder itself cannot be read.
 */
export async function scan(root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  await scanInto(entries, { root, folder: "", trail: [] });
  return entries;
}

type Place = { root: string; folder: string; trail: readonly string[] };

async function scanInto(entries: Entry[], { root, folder, trail }: Place): Promise<void> {
  const full = join(root, folder);
  const found = await readdir(full, { withFileTypes: true }).catch((error: unknown) => {
    if (folder === "") throw error;
    return [] as Dirent[];
  });
  for (const { name } of found) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const seen = await statIfAny(join(root, path));
    if (seen?.isDirectory() && !isIgnoredFolder(name)) {
      // A link that leads back into one of its folders would never end.
      const own = `${seen.dev}:${seen.ino}`;
      if (!trail.includes(own)) await scanInto(entries, { root, folder: path, trail: [...trail, own] });
    } else if (seen?.isFile() && seen.size > 0 && !isIgnoredFile(name))
      entries.push(toEntry(root, path, seen));
  }
}

const statIfAny = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

const toEntry = (root: string, path: string, { size, mtimeMs, ino }: Stats): Entry => ({
  path,
  file: join(root, path),
  sizeBytes: size,
  modifiedAt: mtimeMs,
  inode: String(ino),
});

/** Returns a file as it is now; undefined when it is gone. */
export async function look(file: string, path = file): Promise<Entry | undefined> {
  const seen = await statIfAny(file);
  return seen?.isFile() ? { ...toEntry("", path, seen), file } : undefined;
}

/** True when nothing happened to a file since it was seen. */
export async function isSame({ file, sizeBytes, modifiedAt, inode }: Entry): Promise<boolean> {
  const seen = await statIfAny(file);
  return seen?.size === sizeBytes && seen.mtimeMs === modifiedAt && String(seen.ino) === inode;
}
