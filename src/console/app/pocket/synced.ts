import { trackTitle } from "../../shared/names.ts";
import type { Data } from "../api/routes.ts";
import { owner, prefix } from "./here.ts";
import type { Wanted } from "./kept.ts";
import type { KeptSound, TrackRow } from "./store.ts";

/** What a sync answers. */
export type Synced = Data<"POST /app/pocket/{id}/sync">;
export type GivenTrack = Synced["tracks"][number];

/** Returns what a wanted thing is called by now. */
export const nameOf = ({ entity, id, name }: Wanted, given: Synced["lists"], all: readonly GivenTrack[]) =>
  (entity === "playlist"
    ? given.find((list) => list.id === id)?.name
    : all.find(({ trackId }) => trackId === id)?.title) ?? name;

/** Returns the row of a track after a sync. What plays here goes on until the newer version has arrived. */
export function toRow(given: GivenTrack, before: TrackRow | undefined): TrackRow {
  const { trackId, title, artist, versionId, audio, retryAfterSec } = given;
  const same = before?.wantedVersionId === versionId;
  const sound = before?.sound ?? null;
  return {
    ...owner,
    key: prefix + trackId,
    trackId,
    title: trackTitle({ title: null, name: title }),
    artist,
    cover: given.cover === null ? null : (before?.cover ?? null),
    // Nothing of it may be kept any more.
    sound:
      audio === null && retryAfterSec === null
        ? null
        : sound && { ...sound, ...(isSound(given, sound) && wordsOf(given)) },
    wantedVersionId: versionId,
    failures: same ? (before?.failures ?? 0) : 0,
  };
}

/** True when the sound is the one that is to be kept. */
export const isSound = ({ versionId, audio }: GivenTrack, sound: KeptSound | null): boolean =>
  sound !== null && sound.versionId === versionId && (audio === null || audio.etag === sound.etag);

/** What is said of a sound with it. */
export const wordsOf = ({ label, durationSec, gainDb }: GivenTrack) => ({ label, durationSec, gainDb });
