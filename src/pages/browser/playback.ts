import type { Growing } from "./growing.ts";
import { createLoudness } from "./loudness.ts";
import type { Track } from "./queue.ts";

/** What plays, and how to change that. */
export type Playback = {
  readonly audio: HTMLAudioElement;
  /** Grows with the list of the page. */
  readonly queue: readonly Track[];
  /** True while a track follows the current one, on the page or not yet. */
  hasNext: () => boolean;
  current: () => Track;
  durationSec: () => number;
  elapsedSec: () => number;
  toggle: () => void;
  /** Plays a track of the queue from a time on; the current one goes on unless a time is given. */
  play: (index: number, fromSec?: number) => void;
  /** One track on (1) or back (-1); at the ends nothing happens. Back within a track begins it again. */
  step: (by: 1 | -1) => void;
  seek: (toSec: number) => void;
};

/** After so long, "previous" begins the track again. */
const RESTART_AFTER_SEC = 4;

/**
 * Makes the playback of a queue, which must not be empty. Nothing is fetched before the first tap; that one asks for the
 * file at once.
 *
 * @param list The page's list, which may have more tracks than the queue: they come when the queue's end is near.
 * @param onChange Hears of every change: another track, another time, playing or not.
 */
export function createPlayback(
  queue: readonly [Track, ...Track[]],
  list: Growing,
  onChange: () => void,
): Playback {
  const audio = new Audio();
  audio.preload = "none";
  const loudness = createLoudness(audio);
  let index = 0;
  let isLoaded = false;
  /** Where to begin, until the browser has the file's header. */
  let waiting: number | undefined;

  const current = () => queue[index] ?? queue[0];
  const durationSec = () => {
    const own = audio.duration;
    return isLoaded && Number.isFinite(own) && own > 0 ? own : (current().seconds ?? 0);
  };
  const elapsedSec = () => waiting ?? (isLoaded ? audio.currentTime : 0);
  const load = (next: number) => {
    if (next === index && isLoaded) return;
    index = next;
    isLoaded = true;
    waiting = undefined;
    loudness.setGain(current().gain);
    audio.src = current().src;
    // Early, so that going on needs no waiting: a telephone in a pocket may not let the page ask then.
    if (index + 1 === queue.length) void list.grow();
  };
  const seek = (toSec: number) => {
    const place = Math.max(0, Math.min(toSec, Math.max(0, durationSec() - 0.05)));
    if (isLoaded && audio.readyState >= HTMLMediaElement.HAVE_METADATA) audio.currentTime = place;
    else waiting = place;
    onChange();
  };
  const play = (next: number, fromSec?: number) => {
    loudness.begin();
    const early = waiting;
    load(next);
    const from = fromSec ?? (early !== undefined && next === index ? early : undefined);
    if (from !== undefined) seek(from);
    // What cannot be played is told by the element's own event.
    void audio.play().catch(() => undefined);
    onChange();
  };
  const playNext = () => {
    const [from, next] = [index, index + 1];
    if (next < queue.length) return play(next, 0);
    void list.grow().then((hasGrown) => {
      if (hasGrown && index === from) play(next, 0);
    });
  };

  audio.addEventListener("loadedmetadata", () => {
    if (waiting !== undefined) audio.currentTime = waiting;
    waiting = undefined;
  });
  audio.addEventListener("ended", playNext);
  for (const name of ["play", "pause", "timeupdate", "durationchange", "seeking", "error", "volumechange"])
    audio.addEventListener(name, onChange);

  return {
    audio,
    queue,
    hasNext: () => index + 1 < queue.length || list.hasMore(),
    current,
    durationSec,
    elapsedSec,
    toggle: () => (audio.paused ? play(index) : audio.pause()),
    play,
    step: (by) => {
      if (by === -1 && (elapsedSec() > RESTART_AFTER_SEC || index === 0)) return seek(0);
      if (by === -1) play(index - 1, 0);
      else playNext();
    },
    seek,
  };
}
