import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Member } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { emit } from "../../../kernel/events.ts";
import { cutPage, type Page, type PageRequest } from "../../../kernel/paging.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import { artworkUrl } from "../artwork/service.ts";
import * as catalog from "../catalog/service.ts";
import { titleOf } from "../catalog/service.ts";
import * as playlists from "../playlists/service.ts";
import { deleteForGood, deletePlaylistsForGood, purgePlaylists, purgeTracks } from "./purge.ts";
import {
  BIN_DAYS,
  type Binned,
  type BinnedPlaylist,
  type BinnedTrack,
  type Emptied,
  type Restored,
} from "./shapes.ts";

export { pruneBin } from "./purge.ts";

type BinDeps = Pick<Deps, "db" | "now">;
type EmptyDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Moves a track into the bin. Nothing shows it until it is restored, and its links answer that they have ended.
 *
 * @throws DomainError `track_not_found`.
 */
export function deleteTrack({ db, now }: BinDeps, ownerId: LibraryId, trackId: string): Binned {
  return transact(db, (tx) => {
    const at = now();
    binTrack(tx, catalog.getOwnedTrack(tx, ownerId, trackId), at);
    return toBinned(trackId, at);
  });
}

/** Moves a track of the account into the bin, and announces it. Call it inside a transaction. */
export function binTrack(
  tx: Db,
  { id, ownerId, name }: Pick<catalog.OwnedTrack, "id" | "ownerId" | "name">,
  at: number,
): void {
  catalog.putInBin(tx, id, at);
  emit(tx, ownerId, "track.deleted", { trackId: id, name }, at);
}

/**
 * Restores a track unchanged, into its playlists too. A track that is not in the bin is left alone.
 *
 * @throws DomainError `track_not_found`.
 */
export function restoreTrack({ db, now }: BinDeps, ownerId: LibraryId, trackId: string): Restored {
  return transact(db, (tx) => {
    if (!unbinTrack(tx, ownerId, trackId, now())) catalog.getOwnedTrack(tx, ownerId, trackId);
    return { ok: true as const, id: trackId };
  });
}

/** Takes a track out of the account's bin, and announces it. Returns false when it is not there. */
export function unbinTrack(tx: Db, ownerId: LibraryId, trackId: string, at: number): boolean {
  const track = catalog.findInBin(tx, ownerId, trackId);
  if (!track) return false;
  catalog.takeOutOfBin(tx, trackId);
  emit(tx, ownerId, "track.restored", { trackId, name: track.name }, at);
  return true;
}

/**
 * Returns a page of the tracks in the account's bin, the last deleted first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listDeletedTracks(
  { db, settings }: Pick<Deps, "db" | "settings">,
  ownerId: LibraryId,
  query: PageRequest,
): Page<BinnedTrack> {
  const { items, paging } = cutPage(
    query,
    `bin of tracks ${ownerId}`,
    (after, limit) => catalog.selectBin(db, ownerId, after, limit),
    ({ deletedAt }) => deletedAt,
  );
  const toItem = ({ deletedAt, cover, ...row }: catalog.BinnedTrack): BinnedTrack => ({
    ...row,
    title: titleOf(row),
    cover: cover === null ? null : artworkUrl(settings, cover),
    ...timesOf(deletedAt),
  });
  return { items: items.map(toItem), paging };
}

/**
 * Deletes one track of the account's bin for good. Its files go to the quarantine.
 *
 * @throws DomainError `track_not_found` unless it is in the bin.
 */
export function deleteTrackForGood(deps: EmptyDeps, ownerId: LibraryId, trackId: string): Emptied {
  if (!catalog.findInBin(deps.db, ownerId, trackId))
    throw new DomainError("track_not_found", "There is no such track in the bin");
  note(deps, ownerId, "bin.delete", { tracks: 1 });
  deleteForGood(deps, [trackId]);
  return { ok: true, deleted: 1 };
}

/** Deletes every track of the account's bin for good. Audited. */
export async function emptyTracks(deps: EmptyDeps, ownerId: LibraryId): Promise<Emptied> {
  const tracks = catalog.listOverdue(deps.db, { ownerId, ...ALL }).length;
  if (tracks > 0) note(deps, ownerId, "bin.empty", { tracks });
  return { ok: true, deleted: await purgeTracks(deps, ownerId, ALL.before) };
}

/**
 * Moves a playlist into the bin. Its link answers that it has ended; its tracks stay in the library.
 *
 * @throws DomainError `playlist_not_found`.
 */
export function deletePlaylist({ db, now }: BinDeps, actor: Member, id: string): Binned {
  return transact(db, (tx) => {
    if (!playlists.findChangeable(tx, actor, id)) throw noPlaylist();
    const at = now();
    playlists.setPlaylistDeleted(tx, id, at);
    return toBinned(id, at);
  });
}

/**
 * Restores a playlist unchanged. A playlist that is not in the bin is left alone.
 *
 * @throws DomainError `playlist_not_found`.
 */
export function restorePlaylist({ db }: BinDeps, actor: Member, id: string): Restored {
  return transact(db, (tx) => {
    const isInBin = playlists.isRestorable(tx, actor, id);
    if (!isInBin && !playlists.hasPlaylist(tx, actor.accountId, id)) throw noPlaylist();
    if (isInBin) playlists.setPlaylistDeleted(tx, id, null);
    return { ok: true as const, id };
  });
}

/**
 * Returns a page of the playlists in the account's bin, the last deleted first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listDeletedPlaylists(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  query: PageRequest,
): Page<BinnedPlaylist> {
  const { items, paging } = cutPage(
    query,
    `bin of playlists ${ownerId}`,
    (after, limit) => playlists.selectPlaylistBin(db, ownerId, after, limit),
    ({ deletedAt }) => deletedAt,
  );
  return { items: items.map(({ deletedAt, ...row }) => ({ ...row, ...timesOf(deletedAt) })), paging };
}

/**
 * Deletes one playlist of the account's bin for good.
 *
 * @throws DomainError `playlist_not_found` unless it is in the bin.
 */
export function deletePlaylistForGood(deps: EmptyDeps, ownerId: LibraryId, id: string): Emptied {
  if (!playlists.isPlaylistInBin(deps.db, ownerId, id)) throw noPlaylist();
  note(deps, ownerId, "bin.delete", { playlists: 1 });
  deletePlaylistsForGood(deps, [id]);
  return { ok: true, deleted: 1 };
}

/** Deletes every playlist of the account's bin for good. Audited. */
export function emptyPlaylists(deps: EmptyDeps, ownerId: LibraryId): Emptied {
  const count = playlists.listOverduePlaylists(deps.db, ownerId, ALL.before).length;
  if (count > 0) note(deps, ownerId, "bin.empty", { playlists: count });
  return { ok: true, deleted: purgePlaylists(deps, ownerId, ALL.before) };
}

/** Everything in a bin. */
const ALL = { before: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };

/** Writes into the audit log that something is deleted for good: first, because a large bin is emptied in steps. */
function note(
  { db, now }: BinDeps,
  ownerId: LibraryId,
  action: "bin.delete" | "bin.empty",
  detail: { tracks: number } | { playlists: number },
): void {
  transact(db, (tx) => audit(tx, { actor: ownerId, action, detail, accountId: ownerId }, now()));
}

const noPlaylist = () => new DomainError("playlist_not_found", "There is no such playlist");
const timesOf = (at: number) => ({ deletedAt: toIso(at), deletesAt: toIso(at + BIN_DAYS * DAY_MS) });
const toBinned = (id: string, at: number): Binned => ({ ok: true, id, ...timesOf(at) });
