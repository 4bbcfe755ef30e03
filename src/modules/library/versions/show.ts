import type { Db } from "../../../../db/client.ts";
import { findVersion, type OwnedTrack, updateVersion } from "../catalog/service.ts";
import { announceChange } from "./announce.ts";

/**
 * Shows a track in the library or hides it, by its active version, and announces it. Call it inside a transaction. Returns
 * false when it already was so.
 */
export function showTrack(tx: Db, track: OwnedTrack, visible: boolean, at: number): boolean {
  const version = findVersion(tx, track.activeVersionId);
  if (!version || version.visible === visible) return false;
  updateVersion(tx, version.id, { visible });
  announceChange(tx, track, ["visible"], at);
  return true;
}
