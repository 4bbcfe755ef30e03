/** What lock screens show of a track. */
type Shown = { title: string; artist: string; picture: string | undefined };

/** What a lock screen can do. */
type Announced = {
  /** Undefined: nothing is loaded. */
  current: () => Shown | undefined;
  isOn: () => boolean;
  durationSec: () => number;
  elapsedSec: () => number;
  readonly audio: Readonly<{ playbackRate: number }>;
  toggle: () => void;
  seek: (toSec: number) => void;
  /** Left out: there is one track. */
  step?: ((by: 1 | -1) => void) | undefined;
  album: string;
};

/** Shows what plays on lock screens and headphones, and responds to their buttons. */
export function announceTo(playback: Announced): { update: () => void } {
  if (!("mediaSession" in navigator)) return { update: () => undefined };
  const session = navigator.mediaSession;
  const { step, album } = playback;
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
  if (step) {
    handle("previoustrack", () => step(-1));
    handle("nexttrack", () => step(1));
  }

  let announced: unknown;
  return {
    update: () => {
      const track = playback.current();
      if (!track) {
        announced = undefined;
        session.metadata = null;
        session.playbackState = "none";
        session.setPositionState();
        return;
      }
      if (announced !== track && playback.isOn()) {
        announced = track;
        const { title, artist, picture } = track;
        const artwork = picture === undefined ? [] : [{ src: new URL(picture, location.href).href }];
        session.metadata = new MediaMetadata({ title, artist, album, artwork });
      }
      session.playbackState = playback.isOn() ? "playing" : "paused";
      if (announced !== undefined) showPlace(session, playback);
    },
  };
}

/** Shows where the music is: nowhere as long as its length is not known, rather than where the track before was. */
function showPlace(session: MediaSession, { durationSec, elapsedSec, audio }: Announced): void {
  const duration = durationSec();
  const { playbackRate } = audio;
  const position = Math.min(elapsedSec(), duration);
  session.setPositionState(duration > 0 ? { duration, playbackRate, position } : undefined);
}
