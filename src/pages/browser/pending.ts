import type { Track } from "./queue.ts";
import type { Wave } from "./wave.ts";

/** What they read when their browser cannot play it as it is. */
export const NOT_READY = "This track is not ready to be played yet. Please try again in a minute.";

const LOOK_AGAIN_MS = 5000;

/** Looks for the waveform of the current track while that is being analysed, and shows it when it is there. */
export function watchPending(current: () => Track, wave: Wave, onReady: () => void): void {
  const look = async () => {
    const track = current();
    if (!track.isPending || document.hidden) return;
    const answer = await fetch(track.wave, { cache: "no-store" }).catch(() => undefined);
    if (!answer?.ok) return;
    track.isPending = false;
    wave.refresh(track);
    onReady();
  };
  setInterval(() => void look(), LOOK_AGAIN_MS);
}
