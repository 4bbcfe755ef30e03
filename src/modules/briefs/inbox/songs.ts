import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { listCopies } from "../../library/recordings/service.ts";
import { artistKey, nameKeys } from "../../library/uploads/service.ts";
import type { Candidate } from "./pack-queries.ts";

/** A candidate with how well it fits. */
export type Ranked = Candidate & { score: number | null; reason: string[] };
/** A song: the version that stands for it, and the others. */
export type Song = { best: Ranked; others: Ranked[] };

/**
 * Makes songs of tracks: versions of one song, by their names or by their sound, are one, for which the first stands. The
 * tracks come in the order of preference.
 */
export function toSongs(db: Db, ownerId: LibraryId, tracks: readonly Ranked[]): Song[] {
  const songs: Song[] = [];
  const known = new Map<string, Song>();
  for (const track of tracks) {
    const keys = [track.trackId, ...namesOf(track)];
    const copies = listCopies(db, ownerId, track.trackId).map(({ id }) => id);
    const same = [...keys, ...copies].map((key) => known.get(key)).find(Boolean);
    const song = same ?? { best: track, others: [] };
    if (same) same.others.push(track);
    else songs.push(song);
    for (const key of keys) known.set(key, song);
  }
  return songs;
}

/** Returns what names a piece: two tracks that share one of these are versions of it. */
function namesOf({ name, title, artist }: Candidate): string[] {
  const own = artistKey(artist ?? "");
  return [name, ...(title === null ? [] : [title])].flatMap((each) =>
    nameKeys(each).map((key) => `${key.title} / ${key.artist ?? own}`),
  );
}
