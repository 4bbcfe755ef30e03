import type { Dirent, Stats } from "node:fs";
import { readdir, stat as readStat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { followLinks, type LinkOut, type Links } from "../../watch/links.ts";

/** A path found while walking. `leftOut` says why it is not read, `error` why it cannot be read. */
export type Found = {
  path: string;
  /** The folder that it was found under. */
  root: string;
  isNamed?: boolean;
  seen?: Stats;
  leftOut?: string;
  error?: string;
};

/**
 * Returns every file at or under the named paths, in name order. Links are followed, but none into `keepOut`, and each folder is read
 * once.
 */
export async function* walk(
  paths: readonly string[],
  keepOut: string,
  onLinksOut: (links: readonly LinkOut[]) => void,
): AsyncGenerator<Found> {
  for (const path of paths) {
    const seen = await statOrError(path);
    if (seen instanceof Error) yield { path, root: path, isNamed: true, error: sentenceOf(seen) };
    else if (seen.isDirectory()) {
      const links = await followLinks(path, { keepOut, isPassedOver: isHidden });
      yield* filesIn({ folder: path, root: path, isBehindLink: false, links });
      if (links.out.length > 0) onLinksOut(links.out);
    } else yield { path, root: dirname(path), isNamed: true, seen };
  }
}

type Place = { folder: string; root: string; isBehindLink: boolean; links: Links };

async function* filesIn(place: Place): AsyncGenerator<Found> {
  const { folder, root } = place;
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (entries instanceof Error) return yield { path: folder, root, error: sentenceOf(entries) };
  for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
    const path = join(folder, entry.name);
    const seen = await statOrError(path);
    const leftOut = await reasonToPass(path, entry, seen, place);
    const isBehindLink = place.isBehindLink || entry.isSymbolicLink();
    if (leftOut !== undefined) yield { path, root, leftOut };
    else if (seen instanceof Error) yield unreadable(path, root, seen);
    else if (seen.isDirectory()) yield* filesIn({ ...place, folder: path, isBehindLink });
    else yield { path, root, seen };
  }
}

const isHidden = (name: string) => name.startsWith(".");

/** Says why a path is passed over; undefined when it is not. */
async function reasonToPass(
  path: string,
  entry: Dirent,
  seen: Stats | Error,
  { isBehindLink, links }: Place,
): Promise<string | undefined> {
  if (isHidden(entry.name)) return "hidden";
  if (seen instanceof Error) return undefined;
  if (!seen.isDirectory() && !seen.isFile()) return "neither a file nor a folder";
  const asked = entry.isSymbolicLink() ? links.refuse(path) : isBehindLink && links.refuseBehind(path);
  return (await asked) || undefined;
}

function unreadable(path: string, root: string, error: NodeJS.ErrnoException): Found {
  const isBrokenLink = ["ENOENT", "ELOOP"].includes(error.code ?? "");
  return isBrokenLink
    ? { path, root, leftOut: "a link that leads nowhere" }
    : { path, root, error: sentenceOf(error) };
}

function statOrError(path: string): Promise<Stats | NodeJS.ErrnoException> {
  return readStat(path).catch((error: NodeJS.ErrnoException) => error);
}

function sentenceOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "There is no such file or folder";
  return error.code === "EACCES" ? "This user may not read it" : error.message;
}
