import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { requireText } from "../../../kernel/text.ts";
import { requestMarking } from "../../sharing/marks/service.ts";
import * as catalog from "../catalog/service.ts";
import { requestCarrying } from "../recordings/service.ts";
import { requestRendition, setRenditionsAside } from "../renditions/service.ts";
import { announceAudio, announceChange } from "./announce.ts";
import type { ActivatedVersion, DeletedVersion, Version, VersionChange } from "./shapes.ts";
import { EDITOR, getVersionOf, toVersion } from "./version.ts";

type ChangeDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "ffmpegPath">;
/** A version, its track, and the account that owns them. */
type Target = { ownerId: LibraryId; trackId: string; versionId: string };

/**
 * Makes a version the one that its track plays. The measurements stay as they are, whichever version they come from;
 * the track's hash becomes that of the new file. Repeating the call changes nothing (decision 3.1).
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function activateVersion(deps: ChangeDeps, { ownerId, trackId, versionId }: Target): ActivatedVersion {
  const { db, now } = deps;
  return transact(db, (tx) => {
    const at = now();
    const track = catalog.getOwnedTrack(tx, ownerId, trackId);
    const version = getVersionOf(tx, trackId, versionId);
    const answer = { ok: true as const, trackId, activeVersionId: versionId };
    if (track.activeVersionId === versionId) return answer;

    const before = getVersionOf(tx, trackId, track.activeVersionId);
    const cid = version.analysedAt === null ? "" : version.sha256;
    catalog.updateTrack(tx, trackId, { activeVersionId: versionId, cid });
    requestRendition(tx, deps, version.sha256, at);
    requestCarrying(tx, versionId, { isMissing: true }, at);
    requestMarking(tx, trackId, at);
    announceAudio(tx, track, ["audio", ...(before.visible === version.visible ? [] : ["visible"])], at);
    return answer;
  });
}

/**
 * Changes a version's name, label or visibility; fields that are left out stay as they are. The app shows a track when
 * its active version is visible.
 *
 * @throws DomainError `track_not_found`, `version_not_found`, `validation_failed` for a blank name.
 */
export function changeVersion(
  deps: ChangeDeps,
  { ownerId, trackId, versionId }: Target,
  { name, label, visible }: VersionChange,
): Version {
  const columns = {
    ...(name !== undefined && { name: readVersionName(name) }),
    ...(label !== undefined && { label: readLabel(label) }),
    ...(visible !== undefined && { visible }),
  };
  return transact(deps.db, (tx) => {
    const track = catalog.getOwnedTrack(tx, ownerId, trackId);
    const before = getVersionOf(tx, trackId, versionId);
    const changed = Object.fromEntries(
      Object.entries(columns).filter(([name, value]) => before[name as keyof typeof columns] !== value),
    );
    const about = { activeVersionId: track.activeVersionId, reviews: catalog.reviewsOf(tx, trackId) };
    if (Object.keys(changed).length === 0) return toVersion(deps, EDITOR, before, about);

    catalog.updateVersion(tx, versionId, changed);
    const after = getVersionOf(tx, trackId, versionId);
    const isActive = track.activeVersionId === versionId;
    if (after.visible !== before.visible)
      announceChange(tx, track, [isActive ? "visible" : "versions"], deps.now());
    return toVersion(deps, EDITOR, after, about);
  });
}

/**
 * Deletes a version. Its file goes to the quarantine unless another version has the same bytes.
 *
 * @throws DomainError `track_not_found`, `version_not_found`, `active_version`.
 */
export function deleteVersion(
  { db, now, settings }: ChangeDeps,
  { ownerId, trackId, versionId }: Target,
): DeletedVersion {
  const { sha256 } = transact(db, (tx) => {
    const track = catalog.getOwnedTrack(tx, ownerId, trackId);
    const version = getVersionOf(tx, trackId, versionId);
    if (track.activeVersionId === versionId)
      throw new DomainError(
        "active_version",
        "The active version cannot be deleted. Make another version the active one first",
      );
    catalog.deleteVersion(tx, versionId);
    return version;
  });
  // A separate transaction: if the first one failed to commit, its version would come back without a file.
  transact(db, (tx) => {
    originalsOf(settings).setAside(tx, sha256, now());
    setRenditionsAside(tx, settings, sha256, now());
  });
  return { ok: true, trackId, deletedVersionId: versionId };
}

/**
 * Returns a version's name without surrounding white space.
 *
 * @throws DomainError `validation_failed` when nothing is left.
 */
export function readVersionName(name: string): string {
  return requireText("name", name);
}

/** Returns a version's label without surrounding white space, or null when nothing is left (decision 4.18). */
export function readLabel(label: string | null): string | null {
  return label?.trim() || null;
}
