import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { playlists } from "../../../../db/schema.ts";

/** Gives the playlists of an account to another one, also those in the bin. Returns how many there were. */
export function transferPlaylists(tx: Db, from: string, to: string): { playlists: number } {
  const given = tx.update(playlists).set({ ownerId: to }).where(eq(playlists.ownerId, from));
  return { playlists: given.returning({ id: playlists.id }).all().length };
}
