import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { titleOf } from "../catalog/service.ts";
import { findTrackWithBytes } from "../tracks/service.ts";
import { artistKey, type NameKey, nameKeys, songKeys } from "./names/name-key.ts";
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
  ownerId: string,
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

/** Finds the tracks that have the song of a file's path. More than one: the name does not say which. */
export function findNamesakes(db: Db, ownerId: string, path: string): Namesakes {
  const [first, ...others] = readPath(path);
  for (const reading of [first, ...others]) {
    const tracks = tracksOfSong(db, ownerId, reading.song);
    if (tracks.length > 0) return { tracks, reading };
  }
  return { tracks: [], reading: first };
}

const onlyOf = ([only, another]: TrackNames[]) => (another ? undefined : only);

function tracksOfSong(db: Db, ownerId: string, song: string): TrackNames[] {
  const found = new Map<string, TrackNames>();
  for (const wanted of songKeys(song)) {
    const candidates = queries.selectTracksNamed(db, ownerId, wanted.words, MAX_NAMESAKES);
    if (candidates.length === MAX_NAMESAKES) return [];
    for (const track of candidates) if (isNamesake(track, wanted)) found.set(track.id, track);
  }
  return [...found.values()];
}

function isNamesake({ name, title, artist }: TrackNames, wanted: NameKey): boolean {
  const own = [...nameKeys(name), ...(title === null ? [] : nameKeys(title))];
  return own.some(
    (key) =>
      key.title === wanted.title &&
      (wanted.artist === undefined || wanted.artist === (key.artist ?? artistKey(artist ?? ""))),
  );
}
