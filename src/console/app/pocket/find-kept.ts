import { isConnected } from "../api/connection.ts";
import type { Sound } from "../player/sound.ts";
import { device, stale, tracks } from "./here.ts";
import { isLeaseOver } from "./lease.ts";
import { AUDIO_CACHE, COVER_CACHE } from "./store.ts";

/** So many addresses of sounds stay open: what plays, what plays next, and what played just before. */
const OPEN = 4;
const opened: string[] = [];

/**
 * Returns what plays for a track from this device; undefined: it plays from the server. Another version than the active one
 * plays from here only while the server cannot be reached.
 */
export async function findKept(trackId: string, versionId?: string): Promise<Sound | undefined> {
  const row = tracks.peek().find((each) => each.trackId === trackId);
  const own = device.peek();
  if (!row?.sound || !own || isLeaseOver(own)) return undefined;
  const { sound, title, artist, cover } = row;
  const isActive = sound.versionId === row.wantedVersionId && !stale.has(trackId);
  if (versionId === undefined ? !isActive && isConnected.peek() : versionId !== sound.versionId)
    return undefined;
  const src = await addressIn(AUDIO_CACHE, sound.path);
  if (src === undefined) return undefined;
  opened.push(src);
  for (const old of opened.splice(0, opened.length - OPEN)) URL.revokeObjectURL(old);
  return {
    trackId,
    versionId: sound.versionId,
    src,
    seconds: sound.durationSec ?? undefined,
    gain: sound.gainDb,
    title,
    artist: artist ?? "",
    picture: cover === null ? undefined : await addressIn(COVER_CACHE, cover),
  };
}

/** Returns an address of a file in a cache; undefined: the browser has cleared it. */
async function addressIn(name: string, path: string): Promise<string | undefined> {
  const response = await (await caches.open(name)).match(path);
  return response && URL.createObjectURL(await response.blob());
}
