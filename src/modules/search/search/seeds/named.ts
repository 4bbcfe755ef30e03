import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { FindNamed, Seed } from "../../../../brief/seed.ts";
import { fold } from "../../../../kernel/text.ts";
import type { FindOwnArtist } from "../artists.ts";

/** How many tracks of one title count, the newest. */
const MOST_TRACKS = 50;
/** Artists have shorter names. */
const MOST_ARTIST_WORDS = 6;

type Row = { phrase: string; seq: number; title: string | null; name: string; isWhole: 0 | 1 };

/** Returns a function that finds what phrases name in the owner's library as a whole: tracks, or an artist. */
export function findNamedIn(db: Db, ownerId: LibraryId, artistOf: FindOwnArtist): FindNamed {
  return (phrases) => {
    const named = new Map<string, readonly Seed[]>();
    const tracks = Map.groupBy(selectTitled(db, ownerId, phrases.map(keyOf)), ({ phrase }) => phrase);
    for (const phrase of phrases) {
      const key = keyOf(phrase);
      const seeds = [trackSeed(tracks.get(key) ?? []), artistSeed(artistOf, phrase)].filter(
        (seed) => seed !== undefined,
      );
      if (key !== "" && seeds.length > 0) named.set(phrase, seeds);
    }
    return named;
  };
}

const keyOf = (phrase: string) => fold(phrase).replace(/\s+/g, " ").trim();

/** A whole title comes before the same title with "(Instrumental)" behind it. */
function trackSeed(rows: readonly Row[]): Seed | undefined {
  const whole = rows.filter(({ isWhole }) => isWhole === 1);
  const chosen = (whole.length > 0 ? whole : rows).toSorted((a, b) => b.seq - a.seq).slice(0, MOST_TRACKS);
  const [first] = chosen;
  return (
    first && {
      kind: "track",
      name: first.title ?? first.name,
      trackSeqs: [...new Set(chosen.map(({ seq }) => seq))],
    }
  );
}

/** Returns the artist that a phrase names, with the artist's tracks. */
export function artistSeed(artistOf: FindOwnArtist, phrase: string): Seed | undefined {
  if (phrase.split(/\s+/).length > MOST_ARTIST_WORDS) return undefined;
  const artist = artistOf(phrase);
  return artist && { kind: "artist", name: artist.name, trackSeqs: artist.trackSeqs };
}

const TITLED =
  "json_each($list) l CROSS JOIN track_rows r INDEXED BY track_rows_by_title ON r.owner_id = $ownerId";
const FILED =
  "json_each($list) l CROSS JOIN tracks t INDEXED BY tracks_by_owner_name ON t.owner_id = $ownerId";

/**
 * Finds tracks by their whole title or file name; "." and "(" begin an extension and an addition. Each way has a select of
 * its own: with OR, SQLite would read all the owner's tracks for each phrase.
 */
function selectTitled(db: Db, ownerId: LibraryId, phrases: readonly string[]): Row[] {
  return db.$client
    .query<Row, { list: string; ownerId: LibraryId }>(
      `WITH found AS (
         SELECT l.value AS phrase, r.seq, 1 AS isWhole FROM ${TITLED} AND r.title = l.value
         UNION ALL
         SELECT l.value, r.seq, 0 FROM ${TITLED} AND r.title > l.value || ' (' AND r.title < l.value || ' )'
         UNION ALL
         SELECT l.value, t.seq, 1 FROM ${FILED} AND t.name_fold = l.value
         UNION ALL
         SELECT l.value, t.seq, 1 FROM ${FILED} AND t.name_fold > l.value || '.' AND t.name_fold < l.value || '/'
       )
       SELECT phrase, seq, isWhole, t.title, t.name FROM found JOIN tracks t USING (seq) WHERE t.deleted_at IS NULL AND t.in_inbox = 0`,
    )
    .all({ list: JSON.stringify([...new Set(phrases)].filter((phrase) => phrase !== "")), ownerId });
}
