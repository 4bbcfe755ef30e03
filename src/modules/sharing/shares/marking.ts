import { prepared, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { prepareCopy } from "../marks/service.ts";
import { selectVersions } from "./page-queries.ts";
import { openedWith } from "./player/set.ts";
import { findShare, type ShareRow } from "./queries.ts";
import { isOnOrComing } from "./wire.ts";

const markedLinks = prepared((db) =>
  db.$client.prepare<{ id: string; ownerId: LibraryId }, [string]>(
    `SELECT s.id, s.owner_id AS ownerId FROM tracks t JOIN shares s ON s.owner_id = t.owner_id
     WHERE t.id = ?1 AND t.deleted_at IS NULL AND s.is_marked = 1 AND s.revoked_at IS NULL AND (s.entity_id = t.id
       OR s.entity_id IN (SELECT playlist_id FROM playlist_tracks WHERE track_id = t.id)
       OR s.whole_family = 1 AND s.entity_id IN (SELECT o.track_id FROM family_members m
         JOIN family_members o ON o.family_id = m.family_id WHERE m.track_id = t.id))`,
  ),
);

/** Returns the handler of the job that has what marked links play of a track prepared, when it plays another version. */
export function markLinksHandler(deps: Pick<Deps, "db" | "now" | "settings">): JobHandler {
  return async ({ trackId }) =>
    transact(deps.db, (tx) => {
      for (const { id, ownerId } of markedLinks(tx).all(String(trackId))) {
        const share = findShare(tx, ownerId, id);
        if (share) prepareLink({ ...deps, db: tx }, share, String(trackId));
      }
    });
}

/** Longer lists are prepared as they are played. */
const MOST_AT_ONCE = 50;

/**
 * Has what a link plays prepared for its recipient, before they open it. Call it in the transaction that made or changed the link.
 *
 * @param trackId The only track to prepare; left out: all.
 */
export function prepareLink(
  deps: Pick<Deps, "db" | "now" | "settings">,
  share: ShareRow,
  trackId?: string,
): void {
  if (!share.isMarked || !isOnOrComing(share, deps.now())) return;
  const versions = versionsOf(deps, share).filter(
    (version) => trackId === undefined || version.trackId === trackId,
  );
  for (const version of versions.slice(0, MOST_AT_ONCE)) prepareCopy(deps, share, version, "listen");
}

function versionsOf({ db }: Pick<Deps, "db">, share: ShareRow) {
  if (share.entity === "playlist") return selectVersions(db, share);
  return openedWith(db, share).map(({ row: { id: trackId, versionId, mediaType } }) => ({
    trackId,
    versionId,
    mediaType,
  }));
}
