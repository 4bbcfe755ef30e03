import { type Db, prepared } from "../../../../db/client.ts";

/** A track, and what it may share with versions of its song: names, the recording. */
export type SongTrack = { id: string; keys: readonly string[] };

/** What is known of tracks beside their names: the set that each is in, and pairs that somebody said are two songs. */
export type Places = {
  families: ReadonlyMap<string, string>;
  apart: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Where nothing is known but names. */
export const NO_PLACES: Places = { families: new Map(), apart: new Map() };

const familiesAmong = prepared((db: Db) =>
  db.$client.prepare<{ id: string; familyId: string }, [string]>(
    `SELECT m.track_id AS id, m.family_id AS familyId
     FROM json_each(?1) list CROSS JOIN family_members m ON m.track_id = list.value`,
  ),
);
const refusedAmong = prepared((db: Db) =>
  db.$client.prepare<{ one: string; other: string }, [string]>(
    `SELECT s.track_id AS one, s.other_id AS other
     FROM json_each(?1) list CROSS JOIN family_signs s ON s.track_id = list.value
     WHERE s.state = 'refused' AND s.other_id IN (SELECT value FROM json_each(?1))`,
  ),
);

/** Returns what is known of tracks of one account. */
export function placesAmong(db: Db, trackIds: readonly string[]): Places {
  const list = JSON.stringify(trackIds);
  const apart = new Map<string, Set<string>>();
  for (const { one, other } of refusedAmong(db).all(list))
    for (const [id, theirs] of [
      [one, other],
      [other, one],
    ] as const)
      apart.set(id, (apart.get(id) ?? new Set()).add(theirs));
  return {
    families: new Map(
      familiesAmong(db)
        .all(list)
        .map(({ id, familyId }) => [id, familyId]),
    ),
    apart,
  };
}

type Known = { family: string | undefined; ids: string[] };

/**
 * Says which tracks are of one song, as the index of its first track. This is the one rule for it: what is kept together is one song,
 * two sets are two, and so are tracks that somebody said do not belong together. Of all others, those are one that share a
 * key.
 */
export function songsAmong(tracks: readonly SongTrack[], { families, apart }: Places): number[] {
  const songs = new Map<number, Known>();
  const byFamily = new Map<string, number>();
  const byKey = new Map<string, number[]>();
  return tracks.map(({ id, keys }, index) => {
    const family = families.get(id);
    const refused = apart.get(id);
    const mayBe = (at: number) => {
      const song = songs.get(at);
      if (!song || (family !== undefined && song.family !== undefined && song.family !== family))
        return false;
      return !refused || !song.ids.some((other) => refused.has(other));
    };
    const at =
      (family === undefined ? undefined : byFamily.get(family)) ??
      keys.flatMap((key) => byKey.get(key) ?? []).find(mayBe) ??
      index;
    const song = songs.get(at) ?? { family: undefined, ids: [] };
    song.family ??= family;
    song.ids.push(id);
    songs.set(at, song);
    if (song.family !== undefined) byFamily.set(song.family, at);
    for (const key of keys) byKey.set(key, [...new Set([...(byKey.get(key) ?? []), at])]);
    return at;
  });
}
