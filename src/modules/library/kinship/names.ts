import type { Db } from "../../../../db/client.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { MAX_EDIT_SEC, MIN_EDIT_SEC } from "../families/shapes.ts";
import {
  artistKey,
  foldersOf,
  isGeneric,
  type NameKey,
  type ReadKind,
  readKind,
  readName,
  selectTracksNamed,
  songKeys,
} from "../uploads/service.ts";
import type { Named } from "./judge.ts";
import { arrivalOf, idsUnder, type KinTrack, kinTracksAmong } from "./queries.ts";

/** What the names of a track say: of which songs it may be, and what it is of them. */
export type Reading = Named & { keys: readonly NameKey[]; artist: string };

/** A name that so many tracks have in theirs says nothing. */
const MAX_NAMESAKES = 500;
const MAX_IN_FOLDER = 200;

/** Returns what the name and the title of a track say of it. */
export function readTrack(db: Db, track: KinTrack): Reading {
  const readings = [track.name, ...(track.title === null ? [] : [track.title])].map((name) =>
    believed(readKind(readName(name).song), track.durationSec, name),
  );
  const said = readings.find(({ kind, isEdit }) => kind !== null || isEdit) ?? readings[0];
  const songs = readings.map(({ song }) => song).filter((song) => !isGeneric(song));
  const folder = songs.length === 0 ? folderSongOf(db, track) : undefined;
  return {
    kind: said?.kind ?? null,
    editSec: said?.isEdit ? (said.editSec ?? lengthOf(track)) : null,
    isEdit: said?.isEdit ?? false,
    part: said?.part ?? null,
    keys: (folder === undefined ? songs : [folder]).flatMap(songKeys),
    artist: artistKey(track.artist ?? ""),
  };
}

/** What a length in a name may differ from the file's. */
const MAX_DIFFERENCE_SEC = 3;

/** Leaves out a length that the file has not: `Highway 60` of four minutes is a song, and so is `Back to the 80s`. */
function believed(read: ReadKind, durationSec: number | null, name: string): ReadKind {
  const { editSec } = read;
  if (editSec === null || durationSec === null) return read;
  if (Math.abs(durationSec - editSec) <= Math.max(MAX_DIFFERENCE_SEC, editSec / 10)) return read;
  if (read.kind !== null) return { ...read, editSec: null, isEdit: false };
  return { song: readName(name).song, kind: null, editSec: null, isEdit: false, part: null };
}

function lengthOf({ durationSec }: KinTrack): number | null {
  const sec = Math.round(durationSec ?? 0);
  return sec >= MIN_EDIT_SEC && sec <= MAX_EDIT_SEC ? sec : null;
}

/** Returns the song that the folder of a file is called like, which says no song itself: `Night Drive/Stems/01_Drums.wav`. */
function folderSongOf(db: Db, { ownerId, id }: KinTrack): string | undefined {
  const path = arrivalOf(db, ownerId, id)?.path;
  if (path === undefined) return undefined;
  const songs = foldersOf(path).map((folder) => readKind(folder).song);
  return songs.findLast((song) => !isGeneric(song));
}

/** A track of the same song by its name. */
export type Namesake = { track: KinTrack; reading: Reading };

/**
 * Returns the tracks of a library that are of a track's song by their names: the song is the same and so is the artist, or one of the
 * two has none and they came together.
 */
export function listNamesakes(db: Db, own: KinTrack, reading: Reading): Namesake[] {
  const ids = new Set<string>();
  for (const { words } of reading.keys)
    for (const spelling of new Set([words, words.replaceAll(" ", "")])) {
      const found = selectTracksNamed(db, own.ownerId, {
        words: spelling,
        isPart: false,
        limit: MAX_NAMESAKES,
      });
      if (found.length < MAX_NAMESAKES) for (const { id } of found) ids.add(id);
    }
  for (const id of inOneFolder(db, own)) ids.add(id);
  ids.delete(own.id);
  return kinTracksAmong(db, own.ownerId, [...ids])
    .map((track) => ({ track, reading: readTrack(db, track) }))
    .filter((other) => isOneSong(db, { track: own, reading }, other));
}

/** Returns what came from a track's folder and those below it: stems may say no song themselves. */
function inOneFolder(db: Db, { ownerId, id }: KinTrack): string[] {
  const arrival = arrivalOf(db, ownerId, id);
  if (!arrival?.path.includes("/")) return [];
  const { source, path } = arrival;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const parent = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return idsUnder(db, ownerId, { source, folder: parent || folder, limit: MAX_IN_FOLDER });
}

function isOneSong(db: Db, one: Namesake, other: Namesake): boolean {
  return one.reading.keys.some((key) =>
    other.reading.keys.some((theirs) => {
      if (key.title !== theirs.title) return false;
      const [artist, their] = [key.artist ?? one.reading.artist, theirs.artist ?? other.reading.artist];
      if (artist === their) return true;
      return (artist === "" || their === "") && cameTogether(db, one.track, other.track);
    }),
  );
}

/** True for two files of one folder, and for two that came within an hour where no folder is known. */
function cameTogether(db: Db, one: KinTrack, other: KinTrack): boolean {
  const [a, b] = [one, other].map(({ ownerId, id }) => arrivalOf(db, ownerId, id));
  if (!a && !b) return Math.abs(one.createdAt - other.createdAt) <= HOUR_MS;
  return a !== undefined && b !== undefined && a.source === b.source && folderIn(a.path) === folderIn(b.path);
}

const folderIn = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
