import { createDeck, type Deck } from "./deck.ts";
import type { Track } from "./queue.ts";

/** What plays, and how to change that. */
export type Playback = Omit<Deck, "play"> & {
  readonly queue: readonly Track[];
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
 * @param onChange Hears of every change: another track, another time, playing or not.
 */
export function createPlayback(queue: readonly [Track, ...Track[]], onChange: () => void): Playback {
  const deck = createDeck(queue[0], onChange);
  let index = 0;

  const play = (next: number, fromSec?: number) => {
    const track = queue[next];
    if (!track) return;
    index = next;
    deck.play(track, fromSec);
  };
  deck.audio.addEventListener("ended", () => {
    if (index + 1 < queue.length) play(index + 1, 0);
  });
  return {
    ...deck,
    queue,
    play,
    step: (by) => {
      if (by === -1 && (deck.elapsedSec() > RESTART_AFTER_SEC || index === 0)) return deck.seek(0);
      play(index + by, 0);
    },
  };
}
