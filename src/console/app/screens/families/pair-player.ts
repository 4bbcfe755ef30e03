import { signal } from "@preact/signals";
import { errorOf } from "../../api/errors.ts";
import { AbPlayer, type Side } from "../../player/ab.ts";
import * as player from "../../player/player.ts";
import { soundOf } from "../../player/sound.ts";
import { isPlaying as isPlayerPlaying } from "../../player/state.ts";
import { toastError } from "../../ui/toast.tsx";

/** So long one of the two sounds before the other does. */
const TURN_SEC = 4;

/** `offsetSec`: where the track begins in the other one. */
type Asked = { id: string; otherId: string; offsetSec: number };

/** Plays a track and the one that it may belong to, in turns on one clock. The files are fetched when it is first played. */
export class PairPlayer {
  readonly isPlaying = signal(false);
  /** In the times of the other track. */
  readonly positionSec = signal(0);
  /** `a` is the other track. */
  readonly side = signal<Side>("a");
  readonly #asked: Asked;
  readonly #stop = new AbortController();
  #context: AudioContext | undefined;
  #player: Promise<AbPlayer> | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.positionSec.value = Math.max(0, asked.offsetSec);
  }

  readonly toggle = async (): Promise<void> => {
    if (this.isPlaying.peek()) {
      (await this.#player)?.pause();
      this.isPlaying.value = false;
      return;
    }
    if (isPlayerPlaying.peek()) player.toggle();
    try {
      this.#player ??= this.#load();
      const ab = await this.#player;
      await this.#context?.resume();
      ab.play(this.positionSec.peek());
      this.isPlaying.value = true;
      this.#follow(ab);
    } catch (thrown) {
      this.#player = undefined;
      if (!this.#stop.signal.aborted) toastError(thrown);
    }
  };

  close(): void {
    this.#stop.abort();
    this.isPlaying.value = false;
    void this.#context?.close();
  }

  async #load(): Promise<AbPlayer> {
    const context = new AudioContext();
    this.#context = context;
    const { id, otherId, offsetSec } = this.#asked;
    const sounds = await Promise.all([soundOf(otherId), soundOf(id)]);
    const [a, b] = await Promise.all(sounds.map(({ src }) => this.#decode(context, src)));
    if (!a || !b) throw new Error("Nothing was decoded");
    const [one, other] = sounds;
    return new AbPlayer(context, [a, b], {
      offsetSec: -offsetSec,
      // What brings them to one loudness says how much softer one is.
      lufs: [-(one?.gain ?? 0), -(other?.gain ?? 0)],
    });
  }

  async #decode(context: AudioContext, src: string): Promise<AudioBuffer> {
    const response = await fetch(src, { signal: this.#stop.signal });
    if (!response.ok) throw await errorOf(response);
    return await context.decodeAudioData(await response.arrayBuffer());
  }

  /** The position moves with every frame, and the side with every turn. */
  #follow(ab: AbPlayer): void {
    if (!ab.isPlaying || this.#stop.signal.aborted) return;
    const at = ab.positionSec;
    this.positionSec.value = at;
    const side: Side = Math.floor(at / TURN_SEC) % 2 === 0 ? "a" : "b";
    if (side !== this.side.peek()) {
      ab.choose(side);
      this.side.value = side;
    }
    if (at >= ab.durationSec) {
      ab.pause();
      this.isPlaying.value = false;
      this.positionSec.value = Math.max(0, this.#asked.offsetSec);
    } else requestAnimationFrame(() => this.#follow(ab));
  }
}
