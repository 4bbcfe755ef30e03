import { createLoudness } from "./loudness.ts";
import type { Track } from "./queue.ts";
import { type Trouble, watchTrouble } from "./recovery.ts";

/** Plays one track at a time, and resumes by itself after a lost connection. */
export type Deck = {
  readonly audio: HTMLAudioElement;
  current: () => Track;
  durationSec: () => number;
  elapsedSec: () => number;
  /** True while it plays or waits for data to play. */
  isOn: () => boolean;
  /** Why there is no sound although there should be. */
  trouble: () => Trouble | undefined;
  /** Plays a track from the given time. Without a time, the current track continues. */
  play: (track: Track, fromSec?: number) => void;
  toggle: () => void;
  seek: (toSec: number) => void;
};

/**
 * Makes a deck with a track on it. Nothing is fetched until it plays; then the file is requested at once.
 *
 * @param onChange Called on every change of the track, the time or the playing state.
 */
export function createDeck(first: Track, onChange: () => void): Deck {
  const audio = new Audio();
  audio.preload = "none";
  const loudness = createLoudness(audio);
  let track = first;
  let isLoaded = false;
  /** What the visitor wants; the element itself forgets it on failure. */
  let isWanted = false;
  /** Where to begin, kept until the browser has the file's header. */
  let waiting: number | undefined;

  const durationSec = () => {
    const own = audio.duration;
    return isLoaded && Number.isFinite(own) && own > 0 ? own : (track.seconds ?? 0);
  };
  const elapsedSec = () => waiting ?? (isLoaded ? audio.currentTime : 0);
  const load = () => {
    isLoaded = true;
    loudness.setGain(track.gain);
    audio.src = track.src;
  };
  // The element's own event reports a track that cannot be played.
  const start = () => void audio.play().catch(() => undefined);
  const reload = () => {
    waiting = elapsedSec();
    load();
    start();
  };
  const current = () => track;
  const recovery = watchTrouble({ audio, current, isWanted: () => isWanted, reload, onChange });
  const isOn = () => isWanted && !["lost", "over", "unplayable"].includes(recovery.trouble() ?? "");
  const seek = (toSec: number) => {
    const place = Math.max(0, Math.min(toSec, Math.max(0, durationSec() - 0.05)));
    const hasHeader = isLoaded && !audio.error && audio.readyState >= HTMLMediaElement.HAVE_METADATA;
    if (hasHeader) audio.currentTime = place;
    else waiting = place;
    onChange();
  };
  const play = (next: Track, fromSec?: number) => {
    loudness.begin();
    recovery.forget();
    isWanted = true;
    const isSame = next === track;
    // A failed element plays nothing until its source is set again.
    if (!isSame || !isLoaded || audio.error) {
      waiting = isSame ? elapsedSec() : undefined;
      track = next;
      load();
    }
    if (fromSec !== undefined) seek(fromSec);
    start();
    onChange();
  };

  audio.addEventListener("loadedmetadata", () => {
    if (waiting !== undefined) audio.currentTime = waiting;
    waiting = undefined;
  });
  audio.addEventListener("pause", () => {
    if (!audio.paused) return;
    isWanted = false;
    recovery.forget();
  });
  for (const name of ["play", "pause", "timeupdate", "durationchange", "seeking", "error", "volumechange"])
    audio.addEventListener(name, onChange);

  return {
    audio,
    current,
    durationSec,
    elapsedSec,
    isOn,
    trouble: recovery.trouble,
    play,
    toggle: () => (isOn() && !recovery.hasJustResumed() ? audio.pause() : play(track)),
    seek,
  };
}
