import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { removeUnshown } from "../artwork/service.ts";
import * as catalog from "../catalog/service.ts";
import * as playlists from "../playlists/service.ts";
import { setRenditionsAside } from "../renditions/service.ts";
import { BIN_DAYS } from "./shapes.ts";

type PurgeDeps = Pick<Deps, "db" | "now" | "settings">;

/** Tracks of one transaction. */
const BATCH = 50;

/** Deletes tracks and playlists for good that have been in the bin for {@link BIN_DAYS}. */
export async function pruneBin(deps: PurgeDeps): Promise<void> {
  const before = deps.now() - BIN_DAYS * DAY_MS;
  purgePlaylists(deps, null, before);
  await purgeTracks(deps, null, before);
}

/**
 * Deletes the tracks for good that went into the bin before a time, of one account or of all. Requests are served in
 * between. Returns how many there were.
 */
export async function purgeTracks(
  deps: PurgeDeps,
  ownerId: LibraryId | null,
  before: number,
): Promise<number> {
  let deleted = 0;
  const next = () => catalog.listOverdue(deps.db, { ownerId, before, limit: BATCH });
  for (let ids = next(); ids.length > 0; ids = next()) {
    deleteForGood(deps, ids);
    deleted += ids.length;
    await Bun.sleep(0);
  }
  return deleted;
}

/** Deletes tracks and their versions. Files that nothing else names go to the quarantine. */
export function deleteForGood(deps: PurgeDeps, trackIds: readonly string[]): void {
  const { db, now, settings } = deps;
  const remains = transact(db, (tx) => trackIds.flatMap((id) => catalog.deleteTrack(tx, id) ?? []));
  // A separate transaction: if the first one failed to commit, its tracks would come back without their files.
  transact(db, (tx) => {
    for (const sha256 of remains.flatMap(({ sha256s }) => sha256s)) {
      originalsOf(settings).setAside(tx, sha256, now());
      setRenditionsAside(tx, settings, sha256, now());
    }
  });
  removeUnshown(
    deps,
    remains.map(({ cover }) => cover),
  );
}

/** Deletes the playlists for good that went into the bin before a time. Returns how many there were. */
export function purgePlaylists(deps: PurgeDeps, ownerId: LibraryId | null, before: number): number {
  const ids = playlists.listOverduePlaylists(deps.db, ownerId, before);
  deletePlaylistsForGood(deps, ids);
  return ids.length;
}

/** Deletes playlists with their pictures. Their tracks stay in the library. */
export function deletePlaylistsForGood(deps: PurgeDeps, ids: readonly string[]): void {
  const images = transact(deps.db, (tx) => ids.map((id) => playlists.deletePlaylist(tx, id)));
  removeUnshown(deps, images);
}
