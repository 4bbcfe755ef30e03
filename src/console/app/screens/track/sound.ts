import { effect, signal } from "@preact/signals";

/** What the sheet plays: one version of a track. */
export type Playing = { trackId: string; versionId: string };

/** The version that is loaded; undefined before anything was played. */
export const loaded = signal<Playing | undefined>(undefined);
export const isPlaying = signal(false);
/** Where the loaded version is, in seconds. */
export const positionSec = signal(0);

const audio = new Audio();
audio.preload = "auto";

const note = () => {
  isPlaying.value = !audio.paused;
  positionSec.value = audio.currentTime;
};
for (const type of ["play", "pause", "ended", "seeked", "timeupdate"]) audio.addEventListener(type, note);

// The position moves with every frame while something sounds.
effect(() => {
  if (!isPlaying.value) return;
  let frame = 0;
  const follow = () => {
    positionSec.value = audio.currentTime;
    frame = requestAnimationFrame(follow);
  };
  follow();
  return () => cancelAnimationFrame(frame);
});

/** Returns the address of a file as this page asks for it, whatever address the server knows itself by. */
export function localAddress(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}

/** Plays a version from a time; the version that is loaded goes on where it was. */
export function play(what: Playing & { url: string }, fromSec?: number): void {
  const isLoaded = loaded.peek()?.versionId === what.versionId;
  if (!isLoaded) {
    audio.src = localAddress(what.url);
    loaded.value = { trackId: what.trackId, versionId: what.versionId };
  }
  if (fromSec !== undefined) audio.currentTime = fromSec;
  void audio.play().catch(() => undefined);
}

export function pause(): void {
  audio.pause();
}

export function seek(toSec: number): void {
  audio.currentTime = toSec;
  note();
}
