import { signal as createSignal } from "@preact/signals";
import { samePlace } from "../first-data.ts";
import { readOutlineOf } from "../player/sound.ts";
import { counted } from "../ui/numbers.ts";
import { toast } from "../ui/toast.tsx";
import { mayFetch } from "./data-dialog.tsx";
import { owner, patchTrack, prefix, tellAll, tracks } from "./here.ts";
import { keepFile, MAX_FAILURES, NotKept } from "./keep-file.ts";
import { keepsSomething, keptShares } from "./kept.ts";
import { putOutline } from "./outlines.ts";
import {
  AUDIO_CACHE,
  COVER_CACHE,
  change,
  deletePaths,
  deleteRows,
  type KeptSound,
  pathOf,
  readRows,
  type TrackRow,
} from "./store.ts";
import { type GivenTrack, isSound, wordsOf } from "./synced.ts";

const AT_ONCE = 2;

const folder = pathOf(owner);

/** Set when there is no room for the rest. */
export const shortage = createSignal<Shortage | undefined>(undefined);
type Shortage = { kept: number; of: number };

const isHere = ({ sound }: TrackRow): boolean => sound !== null;

/** Fetches what is not here yet, in the order in which it plays. Returns whether nothing is worth asking for again soon. */
export async function download(all: readonly GivenTrack[], signal: AbortSignal): Promise<boolean> {
  const rows = new Map(tracks.peek().map((row) => [row.trackId, row]));
  const missing = all.filter((given) => {
    const row = rows.get(given.trackId);
    return given.audio && row && row.failures < MAX_FAILURES && !isSound(given, row.sound);
  });
  const before = shortage.peek();
  shortage.value = undefined;
  const bytes = missing.reduce((sum, { audio }) => sum + (audio?.sizeBytes ?? 0), 0);
  if (missing.length === 0 || !(await mayFetch(bytes))) return true;
  let isWhole = true;
  let isFull = false;
  const cache = await caches.open(AUDIO_CACHE);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const failed =
    ({ trackId }: GivenTrack) =>
    async (thrown: unknown) => {
      showShare(trackId, 0);
      if (either.aborted) return;
      if (!(thrown instanceof NotKept)) throw thrown;
      isWhole = thrown.why === "room";
      if (thrown.why === "file") return noteFailure(trackId);
      stop.abort(thrown);
      isFull ||= thrown.why === "room";
    };
  const work = async () => {
    for (let given = missing.shift(); given && !either.aborted; given = missing.shift())
      await keepTrack(cache, given, either).catch(failed(given));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  signal.throwIfAborted();
  if (isFull) sayFull({ kept: tracks.peek().filter(isHere).length, of: all.length }, before);
  return isWhole;
}

/** It is tried again at every change of the library, and said again only when it is another shortage. */
function sayFull(now: Shortage, before: Shortage | undefined): void {
  shortage.value = now;
  if (before?.kept === now.kept && before.of === now.of) return;
  const kept = `${now.kept} of ${counted(now.of, "track")} were kept`;
  toast(`Not enough room: ${kept}. Remove something, or free space on the device.`, { kind: "alert" });
}

async function keepTrack(cache: Cache, given: GivenTrack, signal: AbortSignal): Promise<void> {
  const { trackId, versionId, audio } = given;
  // It may have been let go of meanwhile.
  if (!audio?.url || !tracks.peek().some((row) => row.trackId === trackId)) return;
  const path = `${folder}/${versionId}/${encodeURIComponent(audio.etag.replaceAll('"', ""))}`;
  const onShare = (share: number) => showShare(trackId, share);
  onShare(0);
  const [cover, hasOutline] = await Promise.all([
    keepCover(given, signal),
    keepOutline(given),
    keepFile(cache, path, { ...audio, url: audio.url }, { signal, onShare }),
  ]);
  const { mediaType, sizeBytes, etag } = audio;
  const sound: KeptSound = {
    versionId,
    ...wordsOf(given),
    path,
    mediaType,
    sizeBytes,
    etag,
    ...(hasOutline && { hasOutline }),
  };
  await patchTrack(trackId, { sound, failures: 0, ...(cover !== undefined && { cover }) });
}

/** All of a track is here when its row says so. While a newer version arrives, the one before still is. */
function showShare(trackId: string, share: number): void {
  const before = keptShares.peek().get(trackId);
  if (before !== 1 && Math.floor(100 * share) !== Math.floor(100 * (before ?? -1)))
    keptShares.value = new Map([...keptShares.peek(), [trackId, Math.min(0.99, share)]]);
}

/** A track without its cover plays all the same. */
async function keepCover({ cover }: GivenTrack, signal: AbortSignal): Promise<string | null | undefined> {
  if (cover === null) return null;
  const path = `${folder}/covers/${encodeURIComponent(cover.replace(/^.*\//, ""))}`;
  const cache = await caches.open(COVER_CACHE);
  if (await cache.match(path)) return path;
  try {
    const response = await fetch(samePlace(cover), { signal });
    if (!response.ok) return undefined;
    await cache.put(path, response);
    return path;
  } catch {
    return undefined;
  }
}

/** A track without its outline is a line. Returns whether it is here. */
async function keepOutline({ trackId, versionId, hasOutline }: GivenTrack): Promise<boolean> {
  if (!hasOutline) return false;
  try {
    const outline = await readOutlineOf(trackId, versionId);
    if (outline) await putOutline(owner, versionId, outline);
    return outline !== undefined;
  } catch {
    return false;
  }
}

/** Fetches the outlines that came after their sounds, as those of new files do. */
export async function keepOutlines(all: readonly GivenTrack[], signal: AbortSignal): Promise<void> {
  const rows = new Map(tracks.peek().map((row) => [row.trackId, row]));
  const arrived: TrackRow[] = [];
  for (const given of all) {
    const row = rows.get(given.trackId);
    if (row?.sound?.versionId !== given.versionId || row.sound.hasOutline) continue;
    if ((await keepOutline(given)) && row.sound)
      arrived.push({ ...row, sound: { ...row.sound, hasOutline: true } });
    signal.throwIfAborted();
  }
  if (arrived.length === 0) return;
  await change(["tracks"], (store) => {
    for (const row of arrived) {
      const found = store("tracks").get(row.key);
      found.onsuccess = () => {
        // It may have been let go of meanwhile, or be another version.
        if (found.result?.sound?.path === row.sound?.path)
          store("tracks").put({ ...found.result, sound: row.sound });
      };
    }
  });
  await tellAll();
}

async function noteFailure(trackId: string): Promise<void> {
  const row = tracks.peek().find((each) => each.trackId === trackId);
  if (row) await patchTrack(trackId, { failures: row.failures + 1 });
}

/** Deletes files that no row names: of versions that were replaced, and of a tab that was closed in the middle. */
export async function tidy(): Promise<void> {
  if (!keepsSomething()) return;
  const rows = await readRows<TrackRow>("tracks", prefix);
  const named = new Set(rows.flatMap(({ sound, cover }) => [sound?.path, cover]));
  const isOrphan = (path: string) => path.startsWith(`${folder}/`) && !named.has(path);
  await deletePaths(AUDIO_CACHE, isOrphan);
  await deletePaths(COVER_CACHE, isOrphan);
  const versionIds = new Set(rows.map(({ sound }) => sound?.versionId));
  await deleteRows("outlines", prefix, (versionId) => !versionIds.has(versionId));
}
