import { computed } from "@preact/signals";
import * as player from "../../player/player.ts";
import type { PlayerTrack } from "../../player/queue.ts";
import { elapsedSec, isPlaying, sound } from "../../player/state.ts";
import type { Track } from "./queries.ts";

export { elapsedSec as positionSec, isPlaying };

/** The version that is loaded; undefined before anything was played. */
export const loaded = computed(
  () => sound.value && { trackId: sound.value.trackId, versionId: sound.value.versionId },
);

/** Plays a version of a track from a time; the version that is loaded goes on where it was. */
export function play(track: PlayerTrack & { versionId: string }, fromSec?: number): void {
  if (loaded.peek()?.versionId !== track.versionId) {
    player.play({
      tracks: [track],
      index: 0,
      source: { key: `track ${track.id}` },
      ...(fromSec && { fromSec }),
    });
    return;
  }
  if (fromSec !== undefined) player.seek(fromSec);
  if (!isPlaying.peek()) player.toggle();
}

export function pause(): void {
  if (isPlaying.peek()) player.toggle();
}

export const seek = player.seek;
export const exactSec = player.exactSec;

/** Returns a version of a track as the player knows it. */
export const toPlay = ({ id, audio_profile }: Track, title: string, versionId: string) => ({
  id,
  title,
  artist: audio_profile.artist,
  cover: audio_profile.cover,
  versionId,
});
