import type { Db } from "../../../db/client.ts";
import { fold } from "../../kernel/text.ts";
import { quoted } from "./signals/text.ts";

/** Splits a credit into the artists it names: "A feat. B", "A; B". "A & B" may be one act and stays whole. */
export function splitArtists(credit: string | null): string[] {
  return (credit ?? "")
    .split(/\s*;\s*|\s+\(?(?:feat\.?|ft\.?|featuring)\s+|\s+\/\s+/i)
    .map((artist) => artist.replace(/^\s+|[\s)]+$/g, ""))
    .filter((artist) => artist !== "");
}

/** An artist of the library, as it is spelt there, with the tracks that name it. */
export type OwnArtist = { name: string; trackIds: readonly string[] };

/** Returns the artist of the owner's analysed tracks with this name, whatever its case and accents. */
export function findOwnArtist(db: Db, ownerId: string, name: string): OwnArtist | undefined {
  const wanted = withoutArticle(name);
  if (wanted === "") return undefined;
  const rows = db.$client
    .query<{ id: string; artist: string }, [string, string]>(
      `SELECT t.id, t.artist FROM track_text JOIN tracks t ON t.seq = track_text.rowid
       WHERE track_text MATCH ? AND t.owner_id = ? AND t.artist IS NOT NULL AND t.analysis_version_id IS NOT NULL
       ORDER BY t.created_at, t.id`,
    )
    .all(`artist : ${quoted(wanted)}`, ownerId);
  const own = rows.flatMap(({ id, artist }) => {
    const spelling = splitArtists(artist).find((one) => withoutArticle(one) === wanted);
    return spelling === undefined ? [] : [{ id, spelling }];
  });
  const [first] = own;
  return first && { name: first.spelling, trackIds: own.map(({ id }) => id) };
}

const withoutArticle = (name: string) => fold(name.trim()).replace(/^the\s+/, "");
