import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { RoomRole } from "../../../kernel/roles.ts";

/** A room as stored. */
export type RoomRow = { playlistId: string; role: RoomRole; seesSplits: 0 | 1; seesListening: 0 | 1 };

const roomsOfMember = prepared((db) =>
  db.$client.prepare<RoomRow, [string]>(
    `SELECT r.playlist_id AS playlistId, r.role, r.sees_splits AS seesSplits, r.sees_listening AS seesListening
     FROM room_members r JOIN members m ON m.id = r.member_id
     JOIN playlists p ON p.id = r.playlist_id AND p.owner_id = m.account_id AND p.deleted_at IS NULL
     WHERE r.member_id = ?1 ORDER BY r.added_at, r.playlist_id`,
  ),
);

/** Returns the rooms of a member, but those in the bin. Served by index `room_members_by_member`. */
export function selectRooms(db: Db, memberId: string): RoomRow[] {
  return roomsOfMember(db).all(memberId);
}

const playlistsOfTrack = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, string]>(
    `SELECT DISTINCT playlist_id AS id FROM playlist_tracks
     WHERE track_id = ?1 AND playlist_id IN (SELECT value FROM json_each(?2))`,
  ),
);

/** Returns those of the playlists that hold a track. A track in the bin is in none. */
export function selectHolding(db: Db, trackId: string, playlistIds: readonly string[]): Set<string> {
  const found = playlistsOfTrack(db).all(trackId, JSON.stringify(playlistIds));
  return new Set(found.map(({ id }) => id));
}

const tracksOfPlaylists = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>(
    `SELECT DISTINCT track_id AS id FROM playlist_tracks WHERE playlist_id IN (SELECT value FROM json_each(?1))`,
  ),
);

/** Returns the tracks that the playlists hold. */
export function selectTracks(db: Db, playlistIds: readonly string[]): Set<string> {
  return new Set(
    tracksOfPlaylists(db)
      .all(JSON.stringify(playlistIds))
      .map(({ id }) => id),
  );
}

const namesOfPlaylists = prepared((db) =>
  db.$client.prepare<{ id: string; name: string }, [string]>(
    "SELECT id, name FROM playlists WHERE id IN (SELECT value FROM json_each(?1))",
  ),
);

/** Returns what playlists are called, by id. The caller must be allowed to see them. */
export function selectNames(db: Db, playlistIds: readonly string[]): Map<string, string> {
  const found = namesOfPlaylists(db).all(JSON.stringify(playlistIds));
  return new Map(found.map(({ id, name }) => [id, name]));
}

const memberOfAll = prepared((db) =>
  db.$client.prepare<unknown, [string, string, number]>(
    `SELECT 1 FROM members WHERE account_id = ?1 AND person_id = ?2 AND reach = 'library' AND ifnull(ends_at > ?3, 1)`,
  ),
);

/** True when somebody is in a library at `at`, and no guest there. */
export function hasMember(db: Db, accountId: LibraryId, personId: PersonId, at: number): boolean {
  return memberOfAll(db).get(accountId, personId, at) !== null;
}

const guestById = prepared((db) =>
  db.$client.prepare<unknown, [string]>("SELECT 1 FROM members WHERE id = ?1 AND reach = 'rooms'"),
);

/** True for a member who reaches only rooms. */
export function isGuest(db: Db, memberId: string): boolean {
  return guestById(db).get(memberId) !== null;
}
