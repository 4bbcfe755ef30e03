import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { binTrack, deletePlaylist } from "../bin/service.ts";
import { findOwnedTrack } from "../catalog/service.ts";
import { findAlbum } from "../playlists/service.ts";
import * as queries from "./queries.ts";
import type { Settled } from "./shapes.ts";

type UndoDeps = Pick<Deps, "db" | "now">;

/**
 * Takes an album back that came in by itself: it goes into the bin, with the songs that came in with it.
 *
 * @throws DomainError `undo_not_found` when the account has no such album, or it did not come in by itself.
 */
export function undoArrival(deps: UndoDeps, accountId: LibraryId, playlistId: string): Settled {
  return transact(deps.db, (tx) => {
    const songs = songsOf(tx, accountId, playlistId);
    deletePlaylist(within(deps, tx), { accountId }, playlistId);
    const fresh = new Set(songs.filter(({ isNew }) => isNew === 1).map(({ trackId }) => trackId));
    for (const trackId of fresh) {
      const track = findOwnedTrack(tx, accountId, trackId);
      if (track) binTrack(tx, track, deps.now());
    }
    queries.deleteArrivals(
      tx,
      songs.map(({ seq }) => seq),
    );
    return { tracks: fresh.size };
  });
}

/**
 * Makes the songs of an album that came in by itself separate tracks: the album goes into the bin, and what still comes in with
 * their folder stays separate too.
 *
 * @throws DomainError `undo_not_found` as {@link undoArrival}.
 */
export function keepSeparate(deps: UndoDeps, accountId: LibraryId, playlistId: string): Settled {
  return transact(deps.db, (tx) => {
    const songs = songsOf(tx, accountId, playlistId);
    deletePlaylist(within(deps, tx), { accountId }, playlistId);
    queries.separate(
      tx,
      songs.map(({ seq }) => seq),
    );
    return { tracks: new Set(songs.map(({ trackId }) => trackId)).size };
  });
}

function songsOf(tx: Db, accountId: LibraryId, playlistId: string): queries.ArrivalRow[] {
  const songs = findAlbum(tx, accountId, playlistId) ? queries.selectAlbum(tx, accountId, playlistId) : [];
  if (songs.length > 0) return songs;
  throw new DomainError("undo_not_found", "There is nothing left to undo");
}
