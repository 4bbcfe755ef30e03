import type { LibraryId } from "../../../../../db/schema.ts";
import { quoted, wordOfOwner } from "../signals/text.ts";
import { linesFor, type NameSearch } from "./lookup.ts";

/** A name that is no field of a track: of a playlist, a composer with a share or a version, or a comment. */
export type Line = { kind: "playlist" | "composer" | "comment" | "version"; text: string };

/** A word of a query, as far as lines need it. */
type Word = { spellings: readonly string[]; weight: number; isFiller: boolean };
type Row = Line & { id: number; seqs: string | null };

/** Lines that have a word, the newest; more of them say little. */
const MOST_WITH_WORD = 300;
const MOST_LINES = 40;
/** The most tracks of one line, and of all of them. */
const MOST_OF_ONE = 100;
const MOST_TRACKS = 200;
/** Lines with a smaller part of what the query says are none that it means. */
const LEAST_PART = 0.25;

/** True when a line of the account has a word in one of these spellings. */
export function hasLine({ db, shard, hidesComposers }: NameSearch, spellings: readonly string[]): boolean {
  if (shard.newestName === 0 || spellings.length === 0) return false;
  return (
    db.$client
      .query(`SELECT 1 FROM ${linesFor(hidesComposers)} WHERE library_words MATCH ? LIMIT 1`)
      .get(matchOf(shard.ownerId, [spellings])) !== null
  );
}

/** Returns the lines that have words of the query, by the numbers of the tracks that they name. */
export function linesNamed(search: NameSearch, query: readonly Word[]): Map<number, Line[]> {
  const named = new Map<number, Line[]>();
  if (search.shard.newestName === 0) return named;
  for (const { kind, text, seqs } of selectLines(search, likeliestLines(search, query)))
    for (const seq of JSON.parse(seqs ?? "[]") as number[]) {
      if (named.size === MOST_TRACKS && !named.has(seq)) continue;
      named.set(seq, [...(named.get(seq) ?? []), { kind, text }]);
    }
  return named;
}

/** Returns the ids of the lines that have most of what the query says, the best first. */
function likeliestLines({ db, shard, hidesComposers }: NameSearch, query: readonly Word[]): number[] {
  const words = query.filter(({ spellings, isFiller }) => spellings.length > 0 && !isFiller);
  if (words.length === 0) return [];
  const sets = [...words.map((word) => [word]), ...(words.length > 1 ? [words] : [])];
  const matches = sets.map((set) =>
    matchOf(
      shard.ownerId,
      set.map(({ spellings }) => spellings),
    ),
  );
  const sums = new Map<number, number>();
  for (const [index, ids] of selectMatches(db, matches, hidesComposers).entries()) {
    const weight = (sets[index] ?? []).reduce((sum, word) => sum + word.weight, 0);
    // The last list has the lines with all words, of which the cut lists of common words may lack some.
    for (const id of ids) sums.set(id, index < words.length ? (sums.get(id) ?? 0) + weight : weight);
  }
  const least = LEAST_PART * query.reduce((sum, { weight }) => sum + weight, 0);
  return [...sums]
    .filter(([, sum]) => sum >= least)
    .sort(([a, x], [b, y]) => y - x || b - a)
    .slice(0, MOST_LINES)
    .map(([id]) => id);
}

function matchOf(ownerId: LibraryId, words: readonly (readonly string[])[]): string {
  const all = words.map((spellings) => `{name comment} : (${spellings.map(quoted).join(" OR ")})`);
  return [...all, wordOfOwner(ownerId)].join(" AND ");
}

/** Returns for each question the ids of the newest lines that answer it. */
function selectMatches(
  { $client }: NameSearch["db"],
  matches: readonly string[],
  hidesComposers?: boolean,
): number[][] {
  return $client
    .query<{ ids: string }, [number, string]>(
      `SELECT (SELECT json_group_array(rowid) FROM (SELECT library_words.rowid FROM ${linesFor(hidesComposers)}
         WHERE library_words MATCH m.value ORDER BY library_words.rowid DESC LIMIT ?)) AS ids FROM json_each(?) m`,
    )
    .all(MOST_WITH_WORD, JSON.stringify(matches))
    .map(({ ids }) => JSON.parse(ids) as number[]);
}

function selectLines({ db, shard }: NameSearch, ids: readonly number[]): Row[] {
  return db.$client
    .query<Row, { ids: string; ownerId: LibraryId; limit: number }>(
      `SELECT n.id, n.kind, n.text, CASE n.kind
         WHEN 'playlist' THEN (SELECT json_group_array(seq) FROM (
           SELECT t.seq FROM playlists l JOIN playlist_tracks p ON p.playlist_id = l.id JOIN tracks t ON t.id = p.track_id
           WHERE l.id = n.entity_id AND l.deleted_at IS NULL ORDER BY p.position LIMIT $limit))
         WHEN 'composer' THEN (SELECT json_group_array(seq) FROM (
           SELECT t.seq FROM track_shareholders s JOIN tracks t ON t.id = s.track_id
           WHERE s.composer_id = n.entity_id ORDER BY s.created_at DESC LIMIT $limit))
         ELSE (SELECT json_array(seq) FROM tracks t WHERE t.id = n.track_id AND t.deleted_at IS NULL) END AS seqs
       FROM json_each($ids) i CROSS JOIN library_names n ON n.id = i.value
       WHERE n.owner_id = $ownerId ORDER BY i.key`,
    )
    .all({ ids: JSON.stringify(ids), ownerId: shard.ownerId, limit: MOST_OF_ONE });
}
