import { createDeck, type Deck } from "./deck.ts";
import type { Growing } from "./growing.ts";
import type { Track } from "./queue.ts";

/** What plays, and how to change that. */
export type Playback = Omit<Deck, "play"> & {
  /** Grows with the list of the page. */
  readonly queue: readonly Track[];
  /** True while a track follows the current one, on the page or not yet. */
  hasNext: () => boolean;
  /** Plays a track of the queue from a time on; the current one goes on unless a time is given. */
  play: (index: number, fromSec?: number) => void;
  /** One track on (1) or back (-1); at the ends nothing happens. Back within a track begins it again. */
  step: (by: 1 | -1) => void;
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
  const deck = createDeck(queue[0], onChange);
  let index = 0;

  const play = (next: number, fromSec?: number) => {
    const track = queue[next];
    if (!track) return;
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
  // Early, so that going on needs no waiting: a phone in a pocket may not let the page ask then.
  deck.audio.addEventListener("loadstart", () => {
    if (index + 1 === queue.length) void list.grow();
  });
  deck.audio.addEventListener("ended", playNext);
  return {
    ...deck,
    queue,
    hasNext: () => index + 1 < queue.length || list.hasMore(),
    play,
    step: (by) => {
      if (by === 1) return playNext();
      if (deck.elapsedSec() > RESTART_AFTER_SEC || index === 0) deck.seek(0);
      else play(index - 1, 0);
    },
  };
}
