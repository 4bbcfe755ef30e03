import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { albumNamed, changeAlbum, findAlbum, makeAlbum, tracksInOrder } from "../playlists/service.ts";
import type { Described } from "../tracks/service.ts";
import * as queries from "./queries.ts";
import { readPlace } from "./read-place.ts";
import { type Said, saidBy } from "./said.ts";
import { settleSongs } from "./settle.ts";
import { albumsIn, type Group, inOrder, type Song, toSong } from "./songs.ts";

/** The source of what the console sends. Its folders have no address, so that the same name may be another folder. */
export const CONSOLE = "";

/** A file that came in. */
type Arrived = {
  accountId: LibraryId;
  /** The machine and the folder; {@link CONSOLE}. */
  source: string;
  path: string;
  trackId: string;
  /** False: the library had the song. */
  isNew: boolean;
  tags?: Described["tags"] | undefined;
  /** True for a folder in which things gather, such as a watched one: its own files are no record by their numbers alone. */
  isInbox?: boolean;
};

/** So many songs of a folder are looked at. */
const MAX_LOOKED_AT = 600;
const CONSOLE_MS = DAY_MS;

/**
 * Puts a song that came in with a folder onto the album that the songs of the folder are, which is made as soon as two of them
 * are there. Call it in the transaction that takes the song in. Returns the id of the album; null: the song stays separate.
 */
export function noteArrival(tx: Db, { now }: Pick<Deps, "now">, arrived: Arrived): string | null {
  const { accountId, source, path, trackId, isNew, tags, isInbox = false } = arrived;
  const { folder } = readPlace(path);
  const at = now();
  const place = { accountId, source, folder };
  queries.insertArrival(tx, {
    ...place,
    ...{ path, trackId, isNew, arrivedAt: at },
    isCompilation: tags?.isCompilation ?? false,
    catalogueNumber: tags?.catalogueNumber ?? null,
    barcode: tags?.barcode ?? null,
  });
  const rows = queries.selectFolder(tx, place, MAX_LOOKED_AT);
  const own = rows.find((row) => row.path === path && row.trackId === trackId);
  if (!own || own.isSeparate === 1) return null;
  const songs = rows.filter((row) => isOpen(tx, accountId, row, { source, at })).map(toSong);
  const isLoose = folder === "" && (source === CONSOLE || isInbox);
  const group = albumsIn(songs.filter(notSeparate), isLoose).find((each) =>
    each.songs.some(({ seq }) => seq === own.seq),
  );
  if (!group || isUnwanted(songs, group)) return null;
  return writeGroup(tx, { accountId, folder: nameOf(place), at }, group);
}

const notSeparate = ({ isSeparate }: Song) => isSeparate === 0;

/** True for a song that may still be put together with others: of the console those of a day, and those on an album. */
function isOpen(
  db: Db,
  accountId: LibraryId,
  row: queries.ArrivalRow,
  { source, at }: { source: string; at: number },
): boolean {
  if (row.playlistId !== null) return findAlbum(db, accountId, row.playlistId) !== undefined;
  return source !== CONSOLE || row.arrivedAt > at - CONSOLE_MS;
}

/** True where the owner has already said that such songs of the folder stay separate. */
const isUnwanted = (songs: readonly Song[], { playlistId, songs: own }: Group) =>
  playlistId === null &&
  songs.some((song) => song.isSeparate === 1 && song.albumKey === (own[0]?.albumKey ?? ""));

/** Returns the name of a folder; that of the source where the songs lie in it directly. */
function nameOf({ source, folder }: queries.Folder): string {
  const path = folder === "" ? source.slice(source.indexOf(":") + 1) : folder;
  return path.split(/[/\\]/).filter(Boolean).at(-1) ?? "";
}

type Where = { accountId: LibraryId; folder: string; at: number };

/** Writes what songs are as an album. What its owner has changed since stays as it is. */
function writeGroup(tx: Db, where: Where, { playlistId, songs }: Group): string {
  const { accountId, folder, at } = where;
  const sorted = inOrder(songs);
  const trackIds = [...new Set(sorted.map(({ trackId }) => trackId))];
  const said = saidBy(songs, folder);
  const before = songs.filter((song) => song.playlistId !== null && song.playlistId === playlistId);
  const id = playlistId ?? known(tx, accountId, said, trackIds) ?? makeAlbum(tx, accountId, said, at);
  const isNew = before.length === 0 && playlistId === null;
  const formerIds = [...new Set(inOrder(before).map(({ trackId }) => trackId))];
  const current = tracksInOrder(tx, id);
  const isAsArranged = current.join() === formerIds.join();
  const missing = trackIds.filter((trackId) => !current.includes(trackId) && !formerIds.includes(trackId));
  const order = isAsArranged ? trackIds : [...current, ...missing];
  changeAlbum(tx, accountId, id, {
    ...(order.join() !== current.join() && { trackIds: order }),
    ...(before.length > 0 && { said: changeOf(saidBy(before, folder), said) }),
    at,
  });
  queries.updateAlbum(
    tx,
    songs.filter((song) => song.playlistId !== id).map(({ seq }) => seq),
    id,
  );
  settleSongs(tx, { accountId, playlistId: id, songs: sorted, isArranged: isAsArranged || isNew });
  return id;
}

/** An album of this name that has these songs already: the folder came in before, by another way. */
function known(
  tx: Db,
  accountId: LibraryId,
  { name }: Said,
  trackIds: readonly string[],
): string | undefined {
  return albumNamed(tx, accountId, name, trackIds);
}

/** Returns the differences, as pairs of the former and the new value. */
function changeOf(former: Said, said: Said): Partial<Record<keyof Said, [string | null, string | null]>> {
  const names = Object.keys(said) as (keyof Said)[];
  return Object.fromEntries(
    names
      .filter((name) => former[name] !== said[name])
      .map((name) => [name, [former[name], said[name]] as [string | null, string | null]]),
  );
}
