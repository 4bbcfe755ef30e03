import { hostname } from "node:os";
import { dirname, relative, resolve } from "node:path";
import type { LibraryId } from "../../../db/schema.ts";
import type { Deps } from "../../kernel/deps.ts";
import { asRefusal } from "../../kernel/refusals.ts";
import { coverFolder } from "../../modules/library/albums/service.ts";
import { addFolderCover } from "../../modules/library/analysis/service.ts";
import { MAX_PICTURE_BYTES } from "../../modules/library/artwork/shapes.ts";
import { pictureRank } from "../../watch/names.ts";
import type { Found } from "./walk.ts";

/** True for a file that is named as the picture of its folder. */
export const isFolderCover = ({ path, seen }: Found): boolean =>
  pictureRank(path) >= 0 && (seen?.size ?? 0) <= MAX_PICTURE_BYTES;

/** Returns where a file lies, in the words of the library's memory: the machine with the folder, and the path in it. */
export const placeOf = ({ path, root }: Pick<Found, "path" | "root">) => ({
  source: `${hostname()}:${resolve(root)}`,
  path: relative(root, path).replaceAll("\\", "/"),
});

/**
 * Gives the pictures of folders to the albums that their songs are, and to the tracks of the files beside them that have none.
 * Yields what became of each.
 *
 * @param tracks The track of each file, by its absolute path.
 */
export async function* addFolderCovers(
  deps: Deps,
  ownerId: LibraryId,
  pictures: readonly Found[],
  tracks: ReadonlyMap<string, string>,
): AsyncGenerator<{ path: string; covered: number; albumId?: string } | { path: string; error: string }> {
  const done = new Set<string>();
  for (const { path, root } of [...pictures].sort((a, b) => pictureRank(a.path) - pictureRank(b.path))) {
    const folder = dirname(resolve(path));
    const trackIds = [...tracks].filter(([file]) => dirname(file) === folder).map(([, trackId]) => trackId);
    if (done.has(folder)) continue;
    try {
      const bytes = await Bun.file(path).bytes();
      const alone = await addFolderCover(deps, ownerId, [...new Set(trackIds)], bytes);
      const side = { accountId: ownerId, ...placeOf({ path, root }), bytes };
      const { albumId, covered } = await coverFolder(deps, side, new AbortController().signal);
      if (trackIds.length === 0 && albumId === null) continue;
      yield { path, covered: alone + covered, ...(albumId !== null && { albumId }) };
      done.add(folder);
    } catch (error) {
      yield { path, error: asRefusal(error)?.message ?? (error as Error).message };
    }
  }
}
