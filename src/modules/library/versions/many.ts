import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { requestMarking } from "../../sharing/marks/service.ts";
import { findVersion, type OwnedTrack, updateTrack, updateVersion } from "../catalog/service.ts";
import { requestCarrying } from "../recordings/service.ts";
import { requestRendition } from "../renditions/service.ts";
import { announceChange } from "./announce.ts";
import { listVersions } from "./queries.ts";

/**
 * Makes a version the one that its track plays, and announces it. Call it inside a transaction. Returns the version that
 * played before; undefined when it is that one, or not of the track.
 */
export function playVersion(
  tx: Db,
  deps: Pick<Deps, "ffmpegPath">,
  track: OwnedTrack,
  versionId: string,
  at: number,
): string | undefined {
  const version = findVersion(tx, versionId);
  if (version?.trackId !== track.id || track.activeVersionId === versionId) return undefined;
  const before = findVersion(tx, track.activeVersionId);
  const cid = version.analysedAt === null ? "" : version.sha256;
  updateTrack(tx, track.id, { activeVersionId: versionId, cid });
  requestRendition(tx, deps, version.sha256, at);
  requestCarrying(tx, versionId, { isMissing: true }, at);
  requestMarking(tx, track.id, at);
  const isShown = before?.visible === version.visible;
  announceChange(tx, track, ["audio", ...(isShown ? [] : ["visible"])], at);
  return track.activeVersionId;
}

/** Returns the id of a track's newest version. */
export function newestVersionOf(tx: Db, trackId: string): string | undefined {
  return listVersions(tx, trackId).at(-1)?.id;
}

/**
 * Labels a version. `from`: only one with that label. Returns its label of before; undefined when nothing is different.
 */
export function labelVersion(
  tx: Db,
  track: OwnedTrack,
  versionId: string,
  { label, from }: { label: string | null; from?: string | null },
): { before: string | null } | undefined {
  const version = findVersion(tx, versionId);
  if (version?.trackId !== track.id || version.label === label) return undefined;
  if (from !== undefined && version.label !== from) return undefined;
  updateVersion(tx, versionId, { label });
  return { before: version.label };
}

/**
 * Shows or hides versions of a track that it does not play, and announces it. `ids` left out: all of them. Returns those
 * that are different now.
 */
export function showOthers(
  tx: Db,
  track: OwnedTrack,
  { visible, ids }: { visible: boolean; ids?: readonly string[] },
  at: number,
): string[] {
  const changed = listVersions(tx, track.id)
    .filter(({ id }) => id !== track.activeVersionId && (ids?.includes(id) ?? true))
    .filter((version) => version.visible !== visible)
    .map(({ id }) => id);
  for (const id of changed) updateVersion(tx, id, { visible });
  if (changed.length > 0) announceChange(tx, track, ["versions"], at);
  return changed;
}
