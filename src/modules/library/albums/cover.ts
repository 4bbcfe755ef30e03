import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { discardArtwork, placeArtwork, removeUnshown, stageArtwork } from "../artwork/service.ts";
import { hasOwnerField, updateTrack } from "../catalog/service.ts";
import { coverAlbum, findAlbum } from "../playlists/service.ts";
import { CONSOLE } from "./arrange.ts";
import * as queries from "./queries.ts";
import { readPlace } from "./read-place.ts";
import type { Covered } from "./shapes.ts";

type CoverDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "selfCommand">;

/** A picture that lay beside songs. */
export type SidePicture = { accountId: LibraryId; source: string; path: string; bytes: Uint8Array };

const MAX_SONGS = 1000;

/**
 * Makes a picture that lay beside songs the cover of their album, and of those songs that have none. A picture that the owner
 * chose stays.
 *
 * @throws DomainError `invalid_image_type`, `insufficient_storage`.
 */
export async function coverFolder(
  deps: CoverDeps,
  { accountId, source, path, bytes }: SidePicture,
  signal: AbortSignal,
): Promise<Covered> {
  const { folder } = readPlace(path);
  const place = { accountId, source, folder };
  if (queries.selectFolder(deps.db, place, 1).length === 0) return { albumId: null, covered: 0, songs: 0 };
  const cover = await stageArtwork(deps, accountId, { bytes }, signal);
  const former: (string | null)[] = [];
  try {
    return transact(deps.db, (tx) => {
      placeArtwork(deps.settings, cover);
      const songs = songsBeside(tx, place, deps.now());
      const albumIds = albumsOf(tx, accountId, songs);
      for (const id of albumIds) former.push(coverOne(tx, accountId, id, songs, cover.key));
      const covered = coverSongs(tx, songs, cover.key);
      return { albumId: albumIds[0] ?? null, covered, songs: songs.length };
    });
  } finally {
    await discardArtwork(cover);
    removeUnshown(deps, [...former, cover.key]);
  }
}

/**
 * Returns the songs of a picture's folder. Of the console those of the last day; where it names no folder, those of the album
 * that came in last.
 */
function songsBeside(db: Db, place: queries.Folder, at: number): queries.ArrivalRow[] {
  const songs = queries.selectFolder(db, place, MAX_SONGS);
  if (place.source !== CONSOLE) return songs;
  const recent = songs.filter(({ arrivedAt }) => arrivedAt > at - DAY_MS);
  if (place.folder !== "") return recent;
  const last = recent.find(({ playlistId }) => playlistId !== null)?.playlistId;
  return recent.filter(({ playlistId }) => last !== undefined && playlistId === last);
}

const albumsOf = (db: Db, accountId: LibraryId, songs: readonly queries.ArrivalRow[]): string[] =>
  [...new Set(songs.map(({ playlistId }) => playlistId))].filter(
    (id) => id !== null && findAlbum(db, accountId, id) !== undefined,
  ) as string[];

/** Returns the picture that the album showed before. One that is not of its songs was chosen by its owner, and stays. */
function coverOne(
  tx: Db,
  accountId: LibraryId,
  id: string,
  songs: readonly queries.ArrivalRow[],
  key: string,
): string | null {
  const image = findAlbum(tx, accountId, id)?.image ?? null;
  const isOfSong = songs.some(({ cover }) => cover === image);
  if (image === null || isOfSong) coverAlbum(tx, id, key);
  return image;
}

function coverSongs(tx: Db, songs: readonly queries.ArrivalRow[], key: string): number {
  const bare = songs.filter(
    ({ cover, isNew, trackId }) => cover === null && isNew === 1 && !hasOwnerField(tx, trackId, "cover"),
  );
  for (const { trackId } of bare) updateTrack(tx, trackId, { cover: key });
  return bare.length;
}
