import type { LibraryId } from "../../../../db/schema.ts";
import type { Viewer } from "../../../kernel/actor.ts";
import { getOwnedTrack, reviewsOf } from "../catalog/service.ts";
import { listVersions } from "./queries.ts";
import type { Version, VersionList } from "./shapes.ts";
import { getVersionOf, toVersion, type VersionDeps } from "./version.ts";

export { addVersion } from "./add.ts";
export { activateVersion, deleteVersion, readLabel } from "./change.ts";
export { copyVersions } from "./copy.ts";
export { labelVersion, newestVersionOf, playVersion, showOthers } from "./many.ts";
export { showTrack } from "./show.ts";
export { getVersionOf, toVersion } from "./version.ts";

/** Whoever reads versions, and in which library. */
type Reader = Viewer & { accountId: LibraryId };

/**
 * Returns the versions of an account's track, oldest first, each with a fresh link to its file. All are read at one moment: a
 * command may change the library meanwhile.
 *
 * @throws DomainError `track_not_found`.
 */
export function listTrackVersions(
  deps: VersionDeps,
  { accountId: ownerId, ...viewer }: Reader,
  trackId: string,
): VersionList {
  const read = deps.db.$client.transaction((): VersionList => {
    const { activeVersionId } = getOwnedTrack(deps.db, ownerId, trackId);
    const about = { activeVersionId, reviews: reviewsOf(deps.db, trackId) };
    const versions = listVersions(deps.db, trackId).map((row) => toVersion(deps, viewer, row, about));
    return { trackId, activeVersionId, count: versions.length, versions };
  });
  return read.deferred();
}

/**
 * Returns one version of an account's track.
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function getTrackVersion(
  deps: VersionDeps,
  { accountId: ownerId, ...viewer }: Reader,
  trackId: string,
  versionId: string,
): Version {
  const { activeVersionId } = getOwnedTrack(deps.db, ownerId, trackId);
  const row = getVersionOf(deps.db, trackId, versionId);
  return toVersion(deps, viewer, row, { activeVersionId, reviews: reviewsOf(deps.db, trackId) });
}
