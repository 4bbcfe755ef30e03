import type { Db } from "../../../../db/client.ts";
import type { Guest, Reach } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { allowedInRooms, type Room } from "../../../kernel/roles.ts";
import * as queries from "./queries.ts";

/** Returns the rooms that a guest sees now: none of them is in the bin. */
export function roomsOf(db: Db, memberId: string): Room[] {
  return queries.selectRooms(db, memberId).map(({ playlistId, role, seesSplits, seesListening }) => ({
    playlistId,
    role,
    seesSplits: seesSplits === 1,
    seesListening: seesListening === 1,
  }));
}

/** Returns those of tracks or playlists of which somebody sees how often they were played: a guest, in rooms that say so. */
export function heardAmong(
  { db }: Pick<Deps, "db">,
  { rooms }: Reach,
  { entity, ids }: { entity: "track" | "playlist"; ids: readonly string[] },
): readonly string[] {
  if (!rooms) return ids;
  const playlistIds = idsOf(rooms.filter(({ seesListening }) => seesListening));
  const seen = entity === "playlist" ? new Set(playlistIds) : queries.selectTracks(db, playlistIds);
  return ids.filter((id) => seen.has(id));
}

/** What the member of a link reaches: of a track, or of it with its originals. */
export type LinkReach = { isReached: boolean; mayHaveOriginals: boolean };

/** Returns what a member reaches of a track now; undefined for everybody who is no guest. */
export function guestReachOf(
  { db }: Pick<Deps, "db">,
  memberId: string,
  trackId: string,
): LinkReach | undefined {
  if (!queries.isGuest(db, memberId)) return undefined;
  const rooms = roomsOf(db, memberId);
  const holding = queries.selectHolding(db, trackId, idsOf(rooms));
  const { needs } = allowedInRooms(rooms.filter(({ playlistId }) => holding.has(playlistId)));
  return { isReached: holding.size > 0, mayHaveOriginals: needs.has("download:originals") };
}

/** True when somebody reaches the whole of a library at `at`: a member who is no guest. */
export const reachesAll = queries.hasMember;

/** A room, and what its playlist is called. */
export type NamedRoom = Room & { name: string };

/** Returns rooms with the names of their playlists. */
export function namedRooms(db: Db, rooms: readonly Room[]): NamedRoom[] {
  const names = queries.selectNames(db, idsOf(rooms));
  return rooms.map((room) => ({ ...room, name: names.get(room.playlistId) ?? "" }));
}

/** Returns the tracks that a guest reaches; undefined for everybody who reaches the whole library. */
export function roomTracks({ db }: Pick<Deps, "db">, { rooms }: Reach): ReadonlySet<string> | undefined {
  return rooms && queries.selectTracks(db, idsOf(rooms));
}

/** True when a guest reaches a track, as does everybody who reaches the whole library. */
export function reachesTrack({ db }: Pick<Deps, "db">, { rooms }: Reach, trackId: string): boolean {
  return rooms === undefined || queries.selectHolding(db, trackId, idsOf(rooms)).size > 0;
}

/**
 * Returns a guest with only those of their rooms that hold what is named, and with what they may there: what a guest may
 * do with a track is the best of the rooms that hold it.
 *
 * @throws DomainError `track_not_found`, `playlist_not_found` when none does.
 */
export function inRooms<Someone extends Guest>(
  { db }: Pick<Deps, "db">,
  guest: Someone,
  { trackId, playlistId }: { trackId?: string; playlistId?: string },
): Someone {
  let { rooms } = guest;
  if (playlistId !== undefined) {
    rooms = rooms.filter((room) => room.playlistId === playlistId);
    if (rooms.length === 0) throw new DomainError("playlist_not_found", "There is no such playlist");
  }
  if (trackId !== undefined) {
    const holding = queries.selectHolding(db, trackId, idsOf(rooms));
    rooms = rooms.filter((room) => holding.has(room.playlistId));
    if (rooms.length === 0) throw new DomainError("track_not_found", "There is no such track");
  }
  return { ...guest, rooms, allowed: allowedInRooms(rooms) };
}

const idsOf = (rooms: readonly Room[]) => rooms.map(({ playlistId }) => playlistId);
