import { isConnected } from "../api/connection.ts";
import type { Sound } from "../player/sound.ts";
import { device, stale, tracks } from "./here.ts";
import { soundOfRow } from "./kept-files.ts";
import { isLeaseOver } from "./lease.ts";

/**
 * Returns what plays for a track from this device; undefined: it plays from the server. Another version than the active one
 * plays from here only while the server cannot be reached.
 */
export async function findKept(trackId: string, versionId?: string): Promise<Sound | undefined> {
  const row = tracks.peek().find((each) => each.trackId === trackId);
  const own = device.peek();
  if (!row?.sound || !own || isLeaseOver(own)) return undefined;
  const keptId = row.sound.versionId;
  const isActive = keptId === row.wantedVersionId && !stale.has(trackId);
  const isOther = versionId === undefined ? !isActive && isConnected.peek() : versionId !== keptId;
  return isOther ? undefined : soundOfRow(row);
}
