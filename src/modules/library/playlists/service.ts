import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Member, mayDo, type Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import type { Need } from "../../../kernel/roles.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { requireText } from "../../../kernel/text.ts";
import { toIso } from "../../../kernel/time.ts";
import {
  createShare,
  findPublicShare,
  privatePagePath,
  publicPageUrl,
} from "../../sharing/shares/service.ts";
import { fileUrl } from "../files/service.ts";
import { listTracksById, missingTracks } from "../tracks/service.ts";
import { readAlbum } from "./album.ts";
import { findChangeable } from "./changeable.ts";
import * as queries from "./queries.ts";
import type {
  Added,
  Created,
  CreatePlaylist,
  ListPlaylistsQuery,
  NoSuchPlaylist,
  NoSuchTracks,
  Ordered,
  Playlist,
  PlaylistDetail,
  PlaylistTrack,
  Removed,
} from "./shapes.ts";
import { checkPermutation, readCsv } from "./track-ids.ts";
import { noSuchPlaylist, toPlaylist } from "./wire.ts";

export {
  albumNamed,
  changeAlbum,
  coverAlbum,
  findAlbum,
  makeAlbum,
  tracksInOrder,
} from "./arrive.ts";
export {
  deletePlaylist,
  isPlaylistInBin,
  isRestorable,
  listOverduePlaylists,
  selectPlaylistBin,
  setPlaylistDeleted,
} from "./bin.ts";
export { updatePlaylist } from "./change.ts";
export { findChangeable } from "./changeable.ts";
export { readNumber } from "./facts.ts";
export { transferPlaylists } from "./transfer.ts";

type ReadDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;
type WriteDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Returns a page of an account's playlists and albums, newest first: all of them, or those of a kind.
 *
 * @param among Only these; left out: all of them.
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listPlaylists(
  { db, settings }: Pick<Deps, "db" | "settings">,
  ownerId: LibraryId,
  { kind, ...query }: ListPlaylistsQuery,
  among?: readonly string[],
): Page<Playlist> {
  const select = (after: Place, limit: number) =>
    queries.selectPage(db, ownerId, after, limit, { kind, among });
  const list = kind === undefined ? `playlists ${ownerId}` : `playlists ${ownerId} ${kind}`;
  const { items, paging } = cutPage(query, list, select, (row) => row.createdAt);
  return { items: items.map((row) => toPlaylist(settings, row)), paging };
}

/** True when the account has the playlist, and not in the bin. */
export function hasPlaylist(db: Db, ownerId: LibraryId, id: string): boolean {
  return queries.findPlaylist(db, ownerId, id) !== undefined;
}

/** Returns a playlist with its tracks in order, each with a fresh link to its original. */
export function getPlaylist(
  deps: ReadDeps,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  id: string,
): PlaylistDetail | NoSuchPlaylist {
  const row = queries.findPlaylist(deps.db, ownerId, id);
  if (!row) return noSuchPlaylist();
  const modes = modesOf(deps, ownerId, row);
  const tracks = tracksOf(deps, viewer, ownerId, id);
  return { ...toPlaylist(deps.settings, row), userId: ownerId, modes, tracks };
}

/** Whether a playlist's public link is live once it is made: over REST and tools it is, as the contract says. */
type MadeFor = { isShared: boolean };

/**
 * Makes a playlist or an album with its public link, or changes nothing when a track is not the account's. The link opens nothing
 * until its owner shares it, unless `isShared`, and unless its maker may make no links.
 *
 * @throws DomainError `validation_failed` for a blank name, as `readAlbum`, or a comma-separated text with no track id or too many.
 */
export function createPlaylist(
  deps: WriteDeps,
  actor: Member,
  { name, description = null, trackIds, dedupe = false, kind = "playlist", ...rest }: CreatePlaylist,
  { isShared: isAsked }: MadeFor,
): Created | NoSuchTracks {
  const ownerId = actor.accountId;
  const isShared = isAsked && mayDo(actor, "create:shares");
  const { collaborative = false, ...album } = rest;
  const trimmed = requireText("name", name);
  const columns = {
    kind,
    ...(kind === "album" && { albumType: "album" as const }),
    ...readAlbum(album, kind),
  };
  const named = typeof trackIds === "string" ? readCsv(trackIds) : trackIds;
  const ids = dedupe ? [...new Set(named)] : named;
  return transact(deps.db, (tx) => {
    const refusal = refuseMissing(tx, ownerId, ids);
    if (refusal) return refusal;
    const [id, at] = [newId("pl"), deps.now()];
    const row = { id, ownerId, name: trimmed, description, collaborative, ...columns };
    queries.insertPlaylist(tx, { ...row, createdAt: at, updatedAt: at });
    queries.appendTracks(tx, id, ids, at);
    const { token } = createShare(
      tx,
      { ownerId, entity: "playlist", entityId: id, turned: isShared ? null : "not-yet" },
      at,
    );
    const links = {
      privateLink: `${publicUrlOf(deps.settings)}${privatePagePath(id)}`,
      publicLink: publicPageUrl(deps, "playlist", token),
    };
    const playlist = { id, ...links, name: trimmed, description };
    return { ok: true, playlist, tracks: { count: ids.length, ids } };
  });
}

/** Appends tracks to a playlist in the order given, or adds none if one is not the account's. */
export function addTracks(
  { db, now }: WriteDeps,
  actor: Member,
  playlistId: string,
  trackIds: readonly string[],
): Added | NoSuchPlaylist | NoSuchTracks {
  const ownerId = actor.accountId;
  return changing(db, actor, "create:playlists", playlistId, (tx, { trackCount }) => {
    const refusal = refuseMissing(tx, ownerId, trackIds);
    if (refusal) return refusal;
    const at = now();
    queries.appendTracks(tx, playlistId, trackIds, at);
    queries.updatePlaylist(tx, ownerId, playlistId, { updatedAt: at });
    return { ok: true, playlistId, added: trackIds.length, trackCount: trackCount + trackIds.length };
  });
}

/**
 * Adds one track to the end of a playlist, as part of a bulk change. The account must own both. Call it inside a
 * transaction. Returns the number of its place, undefined when the playlist has the track already and `dedupe` is set.
 */
export function placeTrack(
  tx: Db,
  { playlistId, trackId, dedupe }: { playlistId: string; trackId: string; dedupe: boolean },
  at: number,
): number | undefined {
  if (dedupe && queries.holdsTrack(tx, playlistId, trackId)) return undefined;
  const [place] = queries.appendTracks(tx, playlistId, [trackId], at);
  queries.touchPlaylist(tx, playlistId, at);
  return place;
}

/** Takes back what {@link placeTrack} did. Call it inside a transaction. */
export function unplaceTrack(
  tx: Db,
  { playlistId, trackId, place }: { playlistId: string; trackId: string; place: number },
  at: number,
): void {
  queries.removePlace(tx, playlistId, trackId, place);
  queries.touchPlaylist(tx, playlistId, at);
}

/** Removes every occurrence of a track from a playlist; having none is not an error. */
export function removeTrack(
  { db, now }: WriteDeps,
  actor: Member,
  playlistId: string,
  trackId: string,
): Removed | NoSuchPlaylist {
  const ownerId = actor.accountId;
  return changing(db, actor, "update:playlists", playlistId, (tx) => {
    const removed = queries.removeTrack(tx, playlistId, trackId);
    if (removed > 0) queries.updatePlaylist(tx, ownerId, playlistId, { updatedAt: now() });
    return { ok: true, playlistId, trackId, removed };
  });
}

/**
 * Changes the order of a playlist's tracks.
 *
 * @throws DomainError `validation_failed` with `data.missing` and `data.unexpected` when `trackIds` is not a
 *   permutation of the playlist's tracks, each as often as it occurs (decision 4.25).
 */
export function orderPlaylist(
  { db, now }: WriteDeps,
  actor: Member,
  playlistId: string,
  trackIds: string[],
): Ordered | NoSuchPlaylist {
  const ownerId = actor.accountId;
  return changing(db, actor, "update:playlists", playlistId, (tx) => {
    const places = queries.selectPlaces(tx, playlistId);
    checkPermutation(
      places.map(({ trackId }) => trackId),
      trackIds,
    );
    queries.reorderPlaces(tx, places, trackIds);
    queries.updatePlaylist(tx, ownerId, playlistId, { updatedAt: now() });
    return { ok: true, playlistId, trackIds };
  });
}

/**
 * Runs a change under the write lock, if the playlist is the account's.
 *
 * @throws DomainError `insufficient_scope` for the playlist of somebody else, where the role allows changing only one's own.
 */
function changing<Result extends object>(
  db: Db,
  actor: Member,
  need: Need,
  id: string,
  change: (tx: Db, row: queries.ListedPlaylist) => Result,
): Result | NoSuchPlaylist {
  return transact<object>(db, (tx) => {
    const row = findChangeable(tx, actor, id, need);
    return row ? change(tx, row) : noSuchPlaylist();
  }) as Result | NoSuchPlaylist; // what `work` above returns; transact's type cannot see through Result
}

function tracksOf(deps: ReadDeps, viewer: Viewer, ownerId: LibraryId, playlistId: string): PlaylistTrack[] {
  const entries = queries.selectEntries(deps.db, playlistId);
  const trackIds = new Set(entries.map(({ trackId }) => trackId));
  const items = listTracksById(deps, ownerId, [...trackIds]);
  return entries.flatMap(({ trackId, ...version }, order) => {
    const item = items.get(trackId);
    return item ? [{ ...item, order, downloadUrl: fileUrl(deps, viewer, version) }] : [];
  });
}

function modesOf(deps: ReadDeps, ownerId: LibraryId, row: queries.ListedPlaylist): PlaylistDetail["modes"] {
  const share = findPublicShare(deps, ownerId, row.id);
  const ownPage = { mode: "PRIVATE", link: null, active: true, createdAt: toIso(row.createdAt) };
  if (!share) return [ownPage];
  const { token, isActive, createdAt } = share;
  return [{ mode: "SHARE_VIEW", link: token, active: isActive, createdAt: toIso(createdAt) }, ownPage];
}

function refuseMissing(tx: Db, ownerId: LibraryId, trackIds: readonly string[]): NoSuchTracks | undefined {
  const missing = missingTracks({ db: tx }, ownerId, trackIds);
  if (missing.length === 0) return undefined;
  const message = missing.length === 1 ? "1 track was not found" : `${missing.length} tracks were not found`;
  return { ok: false, error: "TRACKS_NOT_FOUND", message, missing };
}
