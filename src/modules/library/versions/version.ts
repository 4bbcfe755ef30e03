import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { toIso } from "../../../kernel/time.ts";
import { findVersion, type VersionRow } from "../catalog/service.ts";
import { downloadUrl } from "../files/service.ts";
import type { Version } from "./shapes.ts";

export type VersionDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

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

/** Returns a version as the API sends it, with a fresh link to its file. */
export function toVersion(deps: VersionDeps, row: VersionRow, activeVersionId: string): Version {
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
    downloadUrl: downloadUrl(deps, row),
  };
}
