import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { fold } from "../../../kernel/text.ts";
import { keeping } from "./index/bounded.ts";
import { hasWords, type Vocabulary } from "./names/vocabulary.ts";
import { ofOwner, quoted, selectMatches } from "./signals/text.ts";

/** Splits a credit such as "A feat. B" or "A; B" into artists. "A & B" may be one act and stays whole. */
export function splitArtists(credit: string | null): string[] {
  return (credit ?? "")
    .split(/\s*;\s*|\s+\(?(?:feat\.?|ft\.?|featuring)\s+|\s+\/\s+/i)
    .map((artist) => artist.replace(/^\s+|[\s)]+$/g, ""))
    .filter((artist) => artist !== "");
}

/** How many of an artist's tracks, those added last, represent the artist's sound. */
const MAX_TRACKS = 200;
/** If more credits than this contain a name, only those added last are searched; they come in the order of the index. */
const MAX_MATCHES = 2000;

/** An artist of the library, spelt as on the newest track, with the numbers of the artist's tracks. */
export type OwnArtist = { name: string; trackSeqs: readonly number[] };

/** Returns the artist of the library with a name, if there is one. */
export type FindOwnArtist = (name: string) => OwnArtist | undefined;

/** Names kept. A long brief asks for some dozens. */
const MOST_KEPT = 200;

/**
 * Returns a function that finds artists of the owner's analysed tracks by their names, ignoring case, accents and article.
 * It looks each name up once.
 *
 * @param vocabulary The words of the names of these tracks, if they are at hand: other words are not looked up.
 * @param known What has been looked up in this state of the library.
 */
export function artistsOf(
  db: Db,
  ownerId: LibraryId,
  vocabulary?: Vocabulary,
  known: Map<string, OwnArtist | undefined> = new Map(),
): FindOwnArtist {
  return (name) => {
    const wanted = fold(withoutArticle(name));
    return keeping(known, MOST_KEPT, wanted, () => {
      const isPossible = wanted !== "" && (!vocabulary || hasWords(vocabulary, withoutArticle(name)));
      return isPossible ? selectArtist(db, ownerId, wanted) : undefined;
    });
  };
}

function selectArtist(db: Db, ownerId: LibraryId, wanted: string): OwnArtist | undefined {
  const match = `artist : ${quoted(wanted)}`;
  const seqs = selectMatches(db, ownerId, match, MAX_MATCHES);
  const rows = seqs.length < MAX_MATCHES ? creditsOf(db, ownerId, seqs) : newestCredits(db, ownerId, match);
  // Many tracks have the same credit.
  const spellings = new Map<string, string | undefined>();
  const own = rows.flatMap(({ seq, artist }) => {
    if (!spellings.has(artist))
      spellings.set(
        artist,
        splitArtists(artist).find((one) => fold(withoutArticle(one)) === wanted),
      );
    const spelling = spellings.get(artist);
    return spelling === undefined ? [] : [{ seq, spelling }];
  });
  const [first] = own;
  return first && { name: first.spelling, trackSeqs: own.slice(0, MAX_TRACKS).map(({ seq }) => seq) };
}

type CreditRow = { seq: number; artist: string };

const CREDITED = "t.artist IS NOT NULL AND t.analysis_version_id IS NOT NULL";

function creditsOf({ $client }: Db, ownerId: LibraryId, seqs: readonly number[]): CreditRow[] {
  return $client
    .query<CreditRow, [string, string]>(
      `SELECT t.seq, t.artist FROM json_each(?) list CROSS JOIN tracks t ON t.seq = list.value
       WHERE t.owner_id = ? AND t.deleted_at IS NULL AND t.in_inbox = 0 AND ${CREDITED} ORDER BY t.seq DESC`,
    )
    .all(JSON.stringify(seqs), ownerId);
}

function newestCredits({ $client }: Db, ownerId: LibraryId, match: string): CreditRow[] {
  return $client
    .query<CreditRow, [string, string]>(
      `SELECT t.seq, t.artist FROM track_text JOIN tracks t ON t.seq = track_text.rowid
       WHERE track_text MATCH ? AND t.owner_id = ? AND t.deleted_at IS NULL AND t.in_inbox = 0 AND ${CREDITED}
       ORDER BY track_text.rowid DESC LIMIT ${MAX_MATCHES}`,
    )
    .all(ofOwner(ownerId, match), ownerId);
}

const withoutArticle = (name: string) => name.trim().replace(/^the\s+/i, "");
