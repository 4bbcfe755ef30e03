import { fold } from "../../../kernel/text.ts";
import type { NameSearch } from "./lookup.ts";
import type { QueryWord } from "./query.ts";
import { nameWords } from "./words.ts";

/** The most tracks of a playlist, a composer or a file that are looked at. */
const MOST_TRACKS = 100;
const MOST_LISTS = 5000;
/** The longest name in words that is found inside a sentence. */
const LONGEST_RUN = 10;

/** Returns the numbers of the tracks of playlists and composers that the query names in full. */
export function tracksOfLists({ db, shard }: NameSearch, query: readonly QueryWord[]): number[] {
  const named = runsOf(query);
  const { ownerId } = shard;
  const lists = db.$client
    .query<{ id: string; name: string }, [string, number]>(
      "SELECT id, name FROM playlists WHERE owner_id = ? AND deleted_at IS NULL LIMIT ?",
    )
    .all(ownerId, MOST_LISTS);
  const composers = db.$client
    .query<{ id: string; name: string; alias: string | null }, [string, number]>(
      `SELECT id, full_name AS name, artist_name AS alias FROM composers
       WHERE owner_id = ? AND deleted_at IS NULL LIMIT ?`,
    )
    .all(ownerId, MOST_LISTS);
  return [
    ...lists.filter(({ name }) => named.has(wordsOf(name))).flatMap(({ id }) => selectListed(db, id)),
    ...composers
      .filter(({ name, alias }) => named.has(wordsOf(name)) || (alias !== null && named.has(wordsOf(alias))))
      .flatMap(({ id }) => selectComposed(db, id)),
  ];
}

const wordsOf = (name: string) =>
  nameWords(name)
    .map(({ text }) => text)
    .join(" ");

/** Returns every run of words, where not all are words of asking. */
function runsOf(query: readonly QueryWord[]): Set<string> {
  const runs = new Set<string>();
  for (let from = 0; from < query.length; from++)
    for (let to = from + 1; to <= Math.min(query.length, from + LONGEST_RUN); to++) {
      const run = query.slice(from, to);
      if (run.some(({ isFiller }) => !isFiller)) runs.add(run.map(({ text }) => text).join(" "));
    }
  return runs;
}

function selectListed({ $client }: NameSearch["db"], playlistId: string): number[] {
  return $client
    .query<{ seq: number }, [string, number]>(
      `SELECT t.seq FROM playlist_tracks p JOIN tracks t ON t.id = p.track_id
       WHERE p.playlist_id = ? ORDER BY p.position LIMIT ?`,
    )
    .all(playlistId, MOST_TRACKS)
    .map(({ seq }) => seq);
}

function selectComposed({ $client }: NameSearch["db"], composerId: string): number[] {
  return $client
    .query<{ seq: number }, [string, number]>(
      `SELECT t.seq FROM track_shareholders s JOIN tracks t ON t.id = s.track_id
       WHERE s.composer_id = ? ORDER BY s.created_at DESC LIMIT ?`,
    )
    .all(composerId, MOST_TRACKS)
    .map(({ seq }) => seq);
}

/** Returns the numbers of tracks that have a version with a file of this name, with any extension. */
export function tracksWithFile({ db, shard }: NameSearch, name: string): number[] {
  // Names go on with the dot of their extension; "/" comes after the dot.
  return db.$client
    .query<{ seq: number }, { name: string; ownerId: string; limit: number }>(
      `SELECT t.seq FROM versions v INDEXED BY versions_by_name CROSS JOIN tracks t ON t.id = v.track_id
       WHERE lower(v.name) = $name AND t.owner_id = $ownerId
       UNION
       SELECT t.seq FROM versions v INDEXED BY versions_by_name CROSS JOIN tracks t ON t.id = v.track_id
       WHERE lower(v.name) > $name || '.' AND lower(v.name) < $name || '/' AND t.owner_id = $ownerId LIMIT $limit`,
    )
    .all({ name: fold(name), ownerId: shard.ownerId, limit: MOST_TRACKS })
    .map(({ seq }) => seq);
}
