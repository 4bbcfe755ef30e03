import type { Db } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { displayName } from "../../kernel/display-name.ts";
import { titleOf } from "../shares/service.ts";
import { findTrackWithBytes } from "../tracks/service.ts";
import type { Matched, MatchFiles } from "./model.ts";
import { artistKey, type NameKey, nameKeys } from "./name-key.ts";
import type { TrackNames } from "./queries.ts";
import * as queries from "./queries.ts";

/** A name that so many tracks have says nothing. */
const MAX_NAMESAKES = 50;

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
    const track = twin ?? findNamesake(db, ownerId, displayName(path));
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

/** Returns the one track that a file's name says it is a version of. */
function findNamesake(db: Db, ownerId: string, fileName: string): TrackNames | undefined {
  const found = new Map<string, TrackNames>();
  for (const wanted of nameKeys(fileName)) {
    const candidates = queries.selectTracksNamed(db, ownerId, wanted.title, MAX_NAMESAKES);
    if (candidates.length === MAX_NAMESAKES) return undefined;
    for (const track of candidates) if (isNamesake(track, wanted)) found.set(track.id, track);
  }
  const [only, another] = found.values();
  return another ? undefined : only;
}

function isNamesake({ name, title, artist }: TrackNames, wanted: NameKey): boolean {
  const own = [...nameKeys(name), ...(title === null ? [] : nameKeys(title))];
  return own.some(
    (key) =>
      key.title === wanted.title &&
      (wanted.artist === undefined || wanted.artist === (key.artist ?? artistKey(artist ?? ""))),
  );
}
