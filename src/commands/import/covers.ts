import { basename, dirname, resolve } from "node:path";
import type { Deps } from "../../kernel/deps.ts";
import { asRefusal } from "../../kernel/refusals.ts";
import { addFolderCover } from "../../modules/analysis/service.ts";
import { MAX_ARTWORK_BYTES } from "../../modules/artwork/service.ts";
import type { Found } from "./walk.ts";

/** The names under which players and rippers keep the picture of a folder; the first one found counts. */
const NAMES = ["cover", "folder", "front"];
const PICTURE = /^(cover|folder|front)\.(?:jpe?g|png|webp)$/i;

const rankOf = (path: string) => NAMES.indexOf(PICTURE.exec(basename(path))?.[1]?.toLowerCase() ?? "");

/** True for a file that is named as the picture of its folder. */
export const isFolderCover = ({ path, seen }: Found): boolean =>
  rankOf(path) >= 0 && (seen?.size ?? 0) <= MAX_ARTWORK_BYTES;

/**
 * Gives the pictures of folders to the tracks of the files beside them that have none, and yields what became of each.
 *
 * @param tracks The track of each file, by its absolute path.
 */
export async function* addFolderCovers(
  deps: Deps,
  ownerId: string,
  pictures: readonly string[],
  tracks: ReadonlyMap<string, string>,
): AsyncGenerator<{ path: string; covered: number } | { path: string; error: string }> {
  const done = new Set<string>();
  for (const path of [...pictures].sort((a, b) => rankOf(a) - rankOf(b))) {
    const folder = dirname(resolve(path));
    const trackIds = [...tracks].filter(([file]) => dirname(file) === folder).map(([, trackId]) => trackId);
    if (done.has(folder) || trackIds.length === 0) continue;
    try {
      const bytes = await Bun.file(path).bytes();
      yield { path, covered: await addFolderCover(deps, ownerId, [...new Set(trackIds)], bytes) };
      done.add(folder);
    } catch (error) {
      yield { path, error: asRefusal(error)?.message ?? (error as Error).message };
    }
  }
}
