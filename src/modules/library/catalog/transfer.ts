import type { Db } from "../../../../db/client.ts";
import { giveSound } from "../sounds/service.ts";
import { addWords } from "./words.ts";

/**
 * Gives all tracks of an account to another one, also those in the bin. Each gets a new number, so that the search index
 * of its former owner lets go of it. Triggers change the totals and the rows of tables. Returns how many there were.
 */
export function transferTracks(tx: Db, from: string, to: string): { tracks: number } {
  const own = tx.$client
    .query<{ id: string; seq: number }, [string]>(
      "SELECT id, seq FROM tracks WHERE owner_id = ? ORDER BY seq",
    )
    .all(from);
  const forget = tx.$client.query<void, [number]>("DELETE FROM track_text WHERE rowid = ?");
  const give = tx.$client.query<{ seq: number }, [string, string]>(
    "UPDATE tracks SET seq = (SELECT max(seq) + 1 FROM search_changes), owner_id = ? WHERE id = ? RETURNING seq",
  );
  for (const { id, seq } of own) {
    forget.run(seq);
    for (const given of give.all(to, id)) giveSound(tx, seq, { ...given, ownerId: to });
    addWords(tx, id);
  }
  return { tracks: own.length };
}
