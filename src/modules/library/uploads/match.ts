import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { titleOf } from "../catalog/service.ts";
import { findTrackWithBytes } from "../tracks/service.ts";
import { artistKey, type NameKey, nameKeys, songKeys } from "./names/name-key.ts";
import { readName } from "./names/read-name.ts";
import { type PathReading, readPath } from "./names/read-path.ts";
import type { TrackNames } from "./queries.ts";
import * as queries from "./queries.ts";
import type { Matched, MatchFiles } from "./shapes.ts";

/** A name that so many tracks have in theirs says nothing. */
const MAX_NAMESAKES = 500;

/**
 * Says which tracks of an account files belong to: by their bytes, where those are known, else by their names. Only a name
 * that points at a single track counts.
 */
export function matchFiles(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  files: MatchFiles["files"],
): Matched {
  const matches: Matched["matches"] = [];
  for (const { path, id, sha256 } of files) {
    const known = sha256 ?? (id && queries.findUpload(db, ownerId, id, now())?.sha256);
    const twinId = known ? findTrackWithBytes(db, ownerId, known) : undefined;
    const twin = twinId === undefined ? undefined : queries.selectNames(db, ownerId, twinId);
    const track = twin ?? onlyOf(findNamesakes(db, ownerId, path).tracks);
    if (track) matches.push({ path, trackId: track.id, title: titleOf(track), isTwin: twin !== undefined });
  }
  const sizes = queries.sizesAmong(
    db,
    ownerId,
    files.map(({ size }) => size),
  );
  const sameSize = files.flatMap(({ path, size }) => (sizes.has(size) ? [path] : []));
  return { matches, sameSize };
}

/** The tracks that a file's name says it is a version of, and the reading of the name that says so. */
export type Namesakes = { tracks: TrackNames[]; reading: PathReading };

/**
 * Finds the tracks that have the song of a file's path. More than one: the name does not say which. A track that is called
 * like the song goes before one whose name only may mean it, so that one odd name keeps no later one from its song.
 */
export function findNamesakes(db: Db, ownerId: LibraryId, path: string): Namesakes {
  const readings = readPath(path);
  const [first] = readings;
  const find = (song: string, keysOf: KeysOf, isPart = false) =>
    tracksOfSong(db, ownerId, song, keysOf, isPart);
  const loose = first.loose && { ...first, song: first.loose.song, label: first.loose.label };
  const counts = first.loose?.counts;
  const ways: [PathReading | undefined, () => TrackNames[]][] = [
    [first, () => find(first.song, strictKeys)],
    [first, () => find(first.song, (names) => possibleKeys(names, first.label !== ""), true)],
    ...readings
      .slice(1)
      .map((each): [PathReading, () => TrackNames[]] => [each, () => find(each.song, strictKeys)]),
    [loose, () => find(loose?.song ?? "", strictKeys)],
    [loose, () => find(loose?.song ?? "", (names) => looseKeys(names, counts), true)],
  ];
  for (const [reading, search] of ways) {
    const tracks = reading ? search() : [];
    if (reading && tracks.length > 0) return { tracks, reading };
  }
  return { tracks: [], reading: first };
}

const onlyOf = ([only, another]: TrackNames[]) => (another ? undefined : only);

/** Returns what names a track by a way of reading its name and its title. */
type KeysOf = (names: readonly string[]) => NameKey[];

const strictKeys: KeysOf = (names) => names.flatMap(nameKeys);

/**
 * The keys of the songs that names may mean. For a name without a label only those that are written together with their counter:
 * `Ford` is not `Ford v8 Blues`.
 */
const possibleKeys = (names: readonly string[], isMarked: boolean): NameKey[] =>
  names.flatMap((name) => {
    const { loose, perhaps } = readName(name);
    const songs = isMarked ? [loose, ...perhaps] : loose?.isGlued && loose.counts === "v" ? [loose] : [];
    return songs.flatMap((each) => (each ? songKeys(each.song) : []));
  });

/** The keys of names whose last words are in no list, or whose song is written together with its counter. */
const looseKeys = (names: readonly string[], counts: string | undefined): NameKey[] =>
  names.flatMap((name) => {
    const { loose } = readName(name);
    return loose && loose.counts === counts ? songKeys(loose.song) : [];
  });

/** `isPart`: the song's last word may be only the beginning of a track's, as `halo` is of `halov6`. */
function tracksOfSong(
  db: Db,
  ownerId: LibraryId,
  song: string,
  keysOf: KeysOf,
  isPart: boolean,
): TrackNames[] {
  const found = new Map<string, TrackNames>();
  for (const wanted of songKeys(song)) {
    const spellings = [...new Set([wanted.words, wanted.words.replaceAll(" ", "")])];
    const candidates = spellings.map((words) =>
      queries.selectTracksNamed(db, ownerId, { words, isPart, limit: MAX_NAMESAKES }),
    );
    if (candidates.some(({ length }) => length === MAX_NAMESAKES)) return [];
    for (const track of candidates.flat()) if (isNamesake(track, wanted, keysOf)) found.set(track.id, track);
  }
  return [...found.values()];
}

function isNamesake({ name, title, artist }: TrackNames, wanted: NameKey, keysOf: KeysOf): boolean {
  return keysOf(title === null ? [name] : [name, title]).some(
    (key) =>
      key.title === wanted.title &&
      (wanted.artist === undefined || wanted.artist === (key.artist ?? artistKey(artist ?? ""))),
  );
}
