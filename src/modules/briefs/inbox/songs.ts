import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { placesAmong, songsAmong } from "../../library/families/service.ts";
import { listCopies } from "../../library/recordings/service.ts";
import { artistKey, readKind, readName, songKeys } from "../../library/uploads/service.ts";
import type { Candidate } from "./pack-queries.ts";

/** A candidate with how well it fits. */
export type Ranked = Candidate & { score: number | null; reason: string[] };
/** A song: the version that stands for it, and the others. */
export type Song = { best: Ranked; others: Ranked[] };

/**
 * Makes songs of tracks: what is kept together, and versions by their names or by their sound, are one, for which the first stands.
 * The tracks come in the order of preference.
 */
export function toSongs(db: Db, ownerId: LibraryId, tracks: readonly Ranked[]): Song[] {
  const ids = tracks.map(({ trackId }) => trackId);
  const keyed = tracks.map((track) => {
    const copies = listCopies(db, ownerId, track.trackId).map(({ id }) => id);
    return { id: track.trackId, keys: [track.trackId, ...copies, ...namesOf(track)] };
  });
  const songs = songsAmong(keyed, placesAmong(db, ids));
  const groups = Map.groupBy(tracks, (_, index) => songs[index]);
  return [...groups.values()].flatMap(([best, ...others]) => (best ? [{ best, others }] : []));
}

/** Returns what names a piece: two tracks that share one of these are versions of it. */
function namesOf({ name, title, artist }: Candidate): string[] {
  const own = artistKey(artist ?? "");
  return [name, ...(title === null ? [] : [title])].flatMap((each) =>
    songKeys(readKind(readName(each).song).song).map((key) => `${key.title} / ${key.artist ?? own}`),
  );
}
