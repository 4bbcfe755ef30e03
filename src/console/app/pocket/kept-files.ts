import { type Signal, signal } from "@preact/signals";
import type { Sound } from "../player/sound.ts";
import { AUDIO_CACHE, COVER_CACHE, type KeptSound, type TrackRow } from "./store.ts";

/** So many sounds have an address: the one that plays, the next, and one that was just left. */
const MAX_ADDRESSES = 3;
const addresses = new Map<string, string>();

/** Returns what plays for a kept track; undefined when its file is not here. Its address works until a few others were made. */
export async function soundOfRow({
  trackId,
  title,
  artist,
  cover,
  sound,
}: TrackRow): Promise<Sound | undefined> {
  const src = sound && (await addressOf(sound));
  if (!src) return undefined;
  return {
    trackId,
    versionId: sound.versionId,
    src,
    seconds: sound.durationSec ?? undefined,
    gain: sound.gainDb,
    title,
    artist: artist ?? "",
    picture: cover === null ? undefined : await coverAddress(cover),
  };
}

async function addressOf({ path, mediaType }: KeptSound): Promise<string | undefined> {
  const known = addresses.get(path);
  const address = known ?? (await makeAddress(AUDIO_CACHE, path, mediaType));
  if (address === undefined) return undefined;
  // The one used last is the last to go.
  addresses.delete(path);
  addresses.set(path, address);
  for (const [old, oldAddress] of [...addresses].slice(0, -MAX_ADDRESSES)) {
    addresses.delete(old);
    URL.revokeObjectURL(oldAddress);
  }
  return address;
}

async function makeAddress(cache: string, path: string, type?: string): Promise<string | undefined> {
  // Opening a cache would make one.
  if (!(await caches.has(cache))) return undefined;
  const blob = await (await (await caches.open(cache)).match(path))?.blob();
  return blob && URL.createObjectURL(type === undefined ? blob : blob.slice(0, blob.size, type));
}

const covers = new Map<string, Signal<string | undefined>>();
const loading = new Map<string, Promise<string | undefined>>();

/** The address of a kept cover, once it is known. */
export function coverOf(path: string | null): string | null {
  if (path === null) return null;
  const known = covers.get(path) ?? signal(undefined);
  if (!covers.has(path)) {
    covers.set(path, known);
    void coverAddress(path);
  }
  return known.value ?? null;
}

function coverAddress(path: string): Promise<string | undefined> {
  const made = loading.get(path) ?? makeAddress(COVER_CACHE, path).catch(() => undefined);
  loading.set(path, made);
  void made.then((address) => {
    const known = covers.get(path) ?? signal(undefined);
    covers.set(path, known);
    known.value = address;
  });
  return made;
}
