import type { Db } from "../../../../db/client.ts";
import type { Viewer } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { toIso } from "../../../kernel/time.ts";
import { findVersion, type VersionReview, type VersionRow } from "../catalog/service.ts";
import { fileUrl } from "../files/service.ts";
import type { Version } from "./shapes.ts";

export type VersionDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** Whoever may change versions may have their files. */
export const EDITOR: Viewer = {};

/**
 * Returns a version of a track. The caller must be allowed to see the track.
 *
 * @throws DomainError `version_not_found`, also for another track's version.
 */
export function getVersionOf(db: Db, trackId: string, versionId: string): VersionRow {
  const row = findVersion(db, versionId);
  if (row?.trackId === trackId) return row;
  throw new DomainError("version_not_found", "The track has no such version");
}

const NOTHING_SAID: VersionReview = { approved: 0, changes: 0, openNotes: 0, answeredNotes: 0 };

/** Returns a version as the API sends it, with a fresh link to its file as the reader may have it. */
export function toVersion(
  deps: VersionDeps,
  viewer: Viewer,
  row: VersionRow,
  { activeVersionId, reviews }: { activeVersionId: string; reviews: ReadonlyMap<string, VersionReview> },
): Version {
  return {
    id: row.id,
    trackId: row.trackId,
    label: row.label,
    name: row.name,
    order: row.versionOrder,
    active: row.id === activeVersionId,
    visible: row.visible,
    type: row.mediaType,
    size: row.sizeBytes,
    ...(row.analysedAt !== null && { cid: row.sha256 }),
    createdAt: toIso(row.createdAt),
    downloadUrl: fileUrl(deps, viewer, row),
    review: reviews.get(row.id) ?? NOTHING_SAID,
  };
}
