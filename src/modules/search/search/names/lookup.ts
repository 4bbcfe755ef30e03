import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { fold } from "../../../../kernel/text.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import { ofOwner, quoted, selectMatches } from "../signals/text.ts";

/** What looking for names needs. */
export type NameSearch = {
  db: Db;
  mirror: Mirror;
  shard: Shard;
  /** The reader may not see composers with a share: they name nothing. */
  hidesComposers?: boolean;
  /** What is known already, by spellings. */
  known: Map<string, readonly number[]>;
};

const NAME_COLUMNS = "{name title artist album composer}";
/** A word that more tracks have is common: it says little, and the list of its tracks is cut. */
export const COMMON = 2000;
const MOST_WITH_FILE = 100;

/** The names of a track. */
export type NamesRow = {
  seq: number;
  title: string | null;
  artist: string | null;
  name: string;
  album: string | null;
  composer: string | null;
  /** Names of the files of other versions, a line each. */
  files: string | null;
};

/** Returns the slots of at most {@link COMMON} tracks whose names have one of these spellings. */
export function slotsWithWord(search: NameSearch, spellings: readonly string[]): readonly number[] {
  const key = spellings.join(" ");
  const slots = search.known.get(key) ?? slotsWithAll(search, [spellings], COMMON);
  search.known.set(key, slots);
  return slots;
}

/** Returns the slots of tracks whose names have one spelling of each word, up to a limit. */
export function slotsWithAll(
  { db, mirror, shard }: NameSearch,
  words: readonly (readonly string[])[],
  limit: number,
): number[] {
  const match = words
    .map((spellings) => `${NAME_COLUMNS} : (${spellings.map(quoted).join(" OR ")})`)
    .join(" AND ");
  return slotsOf(mirror, shard, selectMatches(db, shard.ownerId, match, limit));
}

/** Returns the slots of tracks whose whole title, name or artist is one of these folded texts. */
export function slotsNamed(
  { db, mirror, shard }: NameSearch,
  texts: readonly string[],
  limit: number,
): number[] {
  const list = JSON.stringify(texts);
  const { ownerId } = shard;
  // A name goes on with the dot of its extension; "/" comes after the dot.
  const rows = db.$client
    .query<{ seq: number }, { list: string; ownerId: LibraryId; limit: number }>(
      `SELECT seq FROM (SELECT r.seq FROM json_each($list) l CROSS JOIN track_rows r INDEXED BY track_rows_by_title
         ON r.owner_id = $ownerId AND r.title = l.value LIMIT $limit)
       UNION SELECT seq FROM (SELECT r.seq FROM json_each($list) l CROSS JOIN track_rows r INDEXED BY track_rows_by_artist
         ON r.owner_id = $ownerId AND r.artist = l.value LIMIT $limit)
       UNION SELECT seq FROM (SELECT t.seq FROM json_each($list) l CROSS JOIN tracks t INDEXED BY tracks_by_owner_name
         ON t.owner_id = $ownerId AND t.name_fold > l.value || '.' AND t.name_fold < l.value || '/' LIMIT $limit)
       UNION SELECT seq FROM (SELECT t.seq FROM json_each($list) l CROSS JOIN tracks t INDEXED BY tracks_by_owner_name
         ON t.owner_id = $ownerId AND t.name_fold = l.value LIMIT $limit)`,
    )
    .all({ list, ownerId, limit });
  return slotsOf(
    mirror,
    shard,
    rows.map(({ seq }) => seq),
  );
}

/** Returns the names of the owner's tracks. */
export function selectNames({ db, shard }: NameSearch, seqs: readonly number[]): NamesRow[] {
  return db.$client
    .query<NamesRow, [string, string]>(
      `SELECT t.seq, t.title, t.artist, t.name, t.album, t.composer,
         (SELECT group_concat(v.name, char(10)) FROM versions v WHERE v.track_id = t.id AND v.name <> t.name) AS files
       FROM json_each(?) list CROSS JOIN tracks t ON t.seq = list.value
       WHERE t.owner_id = ? AND t.deleted_at IS NULL`,
    )
    .all(JSON.stringify(seqs), shard.ownerId);
}

/** Returns the slots of tracks by their numbers, without those that a search may not find. */
export function slotsOf(mirror: Mirror, shard: Shard, seqs: readonly number[]): number[] {
  return seqs.map((seq) => slotOf(mirror, shard, seq)).filter((slot) => slot !== -1);
}

/** Returns the numbers of tracks that have a version with a file of this name, with any extension. */
export function tracksWithFile({ db, shard }: NameSearch, name: string): number[] {
  // Names go on with the dot of their extension; "/" comes after the dot.
  return db.$client
    .query<{ seq: number }, { name: string; ownerId: LibraryId; limit: number }>(
      `SELECT t.seq FROM versions v INDEXED BY versions_by_name CROSS JOIN tracks t ON t.id = v.track_id
       WHERE lower(v.name) = $name AND t.owner_id = $ownerId
       UNION
       SELECT t.seq FROM versions v INDEXED BY versions_by_name CROSS JOIN tracks t ON t.id = v.track_id
       WHERE lower(v.name) > $name || '.' AND lower(v.name) < $name || '/' AND t.owner_id = $ownerId LIMIT $limit`,
    )
    .all({ name: fold(name), ownerId: shard.ownerId, limit: MOST_WITH_FILE })
    .map(({ seq }) => seq);
}

/** The words of lines that a reader may see, for a FROM. */
export const linesFor = (hidesComposers = false): string =>
  hidesComposers
    ? "library_words JOIN library_names n ON n.id = library_words.rowid AND n.kind <> 'composer'"
    : "library_words";

/** True when a name of the account has this word; a comment is no name. */
export function isNameWord(db: Db, ownerId: LibraryId, word: string, hidesComposers = false): boolean {
  return (
    db.$client
      .query(
        `SELECT 1 FROM (SELECT 1 FROM track_text WHERE track_text MATCH ? LIMIT 1)
         UNION ALL SELECT 1 FROM (SELECT 1 FROM ${linesFor(hidesComposers)} WHERE library_words MATCH ? LIMIT 1)`,
      )
      .get(
        ofOwner(ownerId, `${NAME_COLUMNS} : ${quoted(word)}`),
        ofOwner(ownerId, `name : ${quoted(word)}`),
      ) !== null
  );
}
