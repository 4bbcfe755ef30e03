import type { Playback } from "./playback.ts";

/** Shows what plays on lock screens and headphones, and responds to their buttons. */
export function announceTo(playback: Playback): { update: () => void } {
  if (!("mediaSession" in navigator)) return { update: () => undefined };
  const session = navigator.mediaSession;
  const isMany = playback.queue.length > 1;
  const album = isMany ? (document.querySelector("h1")?.textContent ?? "") : "";
  const handle = (action: MediaSessionAction, handler: (details: MediaSessionActionDetails) => void) => {
    try {
      session.setActionHandler(action, handler);
    } catch {
      // The browser does not know the button.
    }
  };
  handle("play", playback.toggle);
  handle("pause", playback.toggle);
  handle("seekbackward", ({ seekOffset = 10 }) => playback.seek(playback.elapsedSec() - (seekOffset || 10)));
  handle("seekforward", ({ seekOffset = 10 }) => playback.seek(playback.elapsedSec() + (seekOffset || 10)));
  handle("seekto", ({ seekTime }) => playback.seek(seekTime ?? 0));
  if (isMany) {
    handle("previoustrack", () => playback.step(-1));
    handle("nexttrack", () => playback.step(1));
  }

  let announced: unknown;
  return {
    update: () => {
      const track = playback.current();
      if (announced !== track && playback.isOn()) {
        announced = track;
        const { title, artist, picture } = track;
        const artwork = picture === undefined ? [] : [{ src: new URL(picture, location.href).href }];
        session.metadata = new MediaMetadata({ title, artist, album, artwork });
      }
      session.playbackState = playback.isOn() ? "playing" : "paused";
      const duration = playback.durationSec();
      if (announced !== undefined && duration > 0)
        session.setPositionState({ duration, position: Math.min(playback.elapsedSec(), duration) });
    },
  };
}
