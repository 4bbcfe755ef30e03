import type { Dirent, Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { followLinks, type LinkOut, type Links } from "./links.ts";
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

/** What a folder holds. */
export type Scan = {
  /** The files that may be music. */
  entries: Entry[];
  /** The links that lead out of the folder. What they lead to is among the files. */
  linksOut: readonly LinkOut[];
};

/**
 * Looks through a folder. Links are followed, and each folder is looked through once. What cannot be read is left out: it is looked
 * at again at the next scan.
 *
 * @param keepOut A folder that no link may lead into.
 * @throws the system's error when the folder itself cannot be read.
 */
export async function scan(root: string, keepOut?: string): Promise<Scan> {
  const links = await followLinks(root, keepOut === undefined ? {} : { keepOut });
  const entries: Entry[] = [];
  await scanInto(entries, { root, folder: "", isBehindLink: false, links });
  return { entries, linksOut: links.out };
}

type Place = { root: string; folder: string; isBehindLink: boolean; links: Links };

async function scanInto(entries: Entry[], place: Place): Promise<void> {
  const { root, folder, isBehindLink } = place;
  const all = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (folder === "") throw error;
    return [] as Dirent[];
  });
  for (const found of all) {
    const path = folder === "" ? found.name : `${folder}/${found.name}`;
    const seen = await statIfAny(join(root, path));
    if (!seen || !mayBeMusic(found.name, seen) || (await isRefused(place, join(root, path), found))) continue;
    if (seen.isFile()) entries.push(toEntry(root, path, seen));
    else
      await scanInto(entries, {
        ...place,
        folder: path,
        isBehindLink: isBehindLink || found.isSymbolicLink(),
      });
  }
}

function mayBeMusic(name: string, seen: Stats): boolean {
  if (seen.isDirectory()) return !isIgnoredFolder(name);
  return seen.isFile() && seen.size > 0 && !isIgnoredFile(name);
}

/** True for a link that is not followed, for files behind one that are read elsewhere, and for files that are gone. */
async function isRefused({ isBehindLink, links }: Place, path: string, found: Dirent): Promise<boolean> {
  if (!found.isSymbolicLink() && !isBehindLink) return false;
  const asked = found.isSymbolicLink() ? links.refuse(path) : links.refuseBehind(path);
  return (await asked.catch(() => "gone")) !== undefined;
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
