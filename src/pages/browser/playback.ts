import { createDeck, type Deck } from "../playback/deck.ts";
import { findById, memory } from "./dom.ts";
import type { Growing } from "./growing.ts";
import type { Track } from "./queue.ts";
import { renew } from "./renew.ts";

/** What plays, and the functions that change it. */
export type Playback = Omit<Deck<Track>, "play" | "current"> & {
  current: () => Track;
  /** Grows with the list on the page. */
  readonly queue: readonly Track[];
  /** True while a track follows the current one, even if the page has not loaded it yet. */
  hasNext: () => boolean;
  /** Plays a track of the queue from the given time. Without a time, the current track continues. */
  play: (index: number, fromSec?: number) => void;
  /** Plays a passage of a track, or of an earlier version of it; then the track is there again, at `backSec`. */
  hear: (index: number, passage: Passage) => void;
  /** Moves one track forward (1) or back (-1); nothing happens at the ends. Back, within a track, restarts it. */
  step: (by: 1 | -1) => void;
};

/** A passage beside a note; `gain` in dB makes both versions equally loud. */
export type Passage = { version: Track; gain: number; fromSec: number; forSec: number; backSec: number };

/** From this time on, "previous" restarts the track. */
const RESTART_AFTER_SEC = 4;
/** The next track is made ready so long before the end. */
const READY_SEC = 20;

/**
 * Makes the playback of a queue, which must not be empty. Nothing is fetched before the first tap, which requests
 * the file at once.
 *
 * @param list The page's list, which may have more tracks than the queue. They are fetched when the queue's end is
 *   near.
 * @param onChange Called on every change of the track, the time or the playing state.
 */
export function createPlayback(
  queue: readonly [Track, ...Track[]],
  list: Growing,
  onChange: () => void,
): Playback {
  const button = findById("match");
  const isMatched = () => button !== undefined && memory.get("match") !== "off";
  const deck = createDeck<Track>({ first: queue[0], isMatched: isMatched(), renew, onChange });
  if (button) bindMatch(button, deck, isMatched(), onChange);
  let index = 0;
  let passage: Passage | undefined;

  const leave = () => {
    const [track, left] = [queue[index], passage];
    passage = undefined;
    if (!track || !left) return;
    deck.loudness.match(isMatched());
    deck.loudness.setGain(track.gain);
    if (deck.current() !== track) deck.load(track, left.backSec);
  };
  const play = (next: number, fromSec?: number) => {
    const track = queue[next];
    if (!track) return;
    leave();
    index = next;
    deck.play(track, fromSec);
  };
  const playNext = () => {
    const [from, next] = [index, index + 1];
    if (next < queue.length) return play(next, 0);
    void list.grow().then((hasGrown) => {
      if (hasGrown && index === from) play(next, 0);
    });
  };
  // Early, because a phone in a pocket may not let the page fetch anything when the track ends.
  deck.audio.addEventListener("loadstart", () => {
    if (index + 1 === queue.length) void list.grow();
  });
  const { audio } = deck;
  audio.addEventListener("ended", () => (passage ? leave() : playNext()));
  audio.addEventListener("pause", () => {
    if (audio.paused && !audio.ended) leave();
  });
  audio.addEventListener("timeupdate", () => {
    if (passage && audio.currentTime >= passage.fromSec + passage.forSec) audio.pause();
    const isNear = deck.durationSec() - audio.currentTime < READY_SEC;
    if (passage || isNear) deck.follow(passage ? undefined : queue[index + 1]);
  });
  return {
    ...deck,
    current: () => deck.current() ?? queue[0],
    queue,
    hasNext: () => index + 1 < queue.length || list.hasMore(),
    play,
    hear: (next, wanted) => {
      index = next;
      passage = wanted;
      deck.loudness.match(true);
      deck.play(wanted.version, wanted.fromSec);
      deck.loudness.setGain(wanted.gain);
    },
    step: (by) => {
      if (by === 1) return playNext();
      if (deck.elapsedSec() > RESTART_AFTER_SEC || index === 0) deck.seek(0);
      else play(index - 1, 0);
    },
  };
}

/** The button that switches loudness matching. The browser remembers the choice. */
function bindMatch(button: HTMLElement, deck: Deck<Track>, isMatched: boolean, onChange: () => void): void {
  let isOn = isMatched;
  const show = () => button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    isOn = !isOn;
    memory.set("match", isOn ? "on" : "off");
    show();
    deck.loudness.match(isOn);
    onChange();
  });
  show();
}
