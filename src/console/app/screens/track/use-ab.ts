import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { errorOf } from "../../api/errors.ts";
import { samePlace } from "../../first-data.ts";
import { AbPlayer, type Learnt, type Side, type Span } from "../../player/ab.ts";
import { toastError } from "../../ui/toast.tsx";
import { begin } from "./comparison.ts";
import type { Version } from "./queries.ts";
import { pause as pauseSound } from "./sound.ts";

/** Reads a version for a comparison. */
export type Decode = (
  context: BaseAudioContext,
  version: Version,
  signal: AbortSignal,
) => Promise<AudioBuffer>;

/** The player of a comparison; its memory is given back when the comparison closes. */
export function useAb(a: Version, b: Version, offsetSec: number, read: Decode = decode): Ab {
  const ab = useMemo(() => new Ab(a, b, read), [a.id, b.id, read]);
  ab.offsetSec = offsetSec;
  useEffect(
    () => ab.learn({ offsetSec, lufs: [a.integratedLufs, b.integratedLufs] }),
    [ab, offsetSec, a.integratedLufs, b.integratedLufs],
  );
  useEffect(() => {
    const end = begin({ ids: { a: a.id, b: b.id }, listen: ab.listen, now: ab.now });
    return () => {
      end();
      ab.close();
    };
  }, [ab, a.id, b.id]);
  return ab;
}

/** A comparison as the sheet shows it. The files are fetched and decoded when it is first played. */
export class Ab {
  readonly isPlaying = signal(false);
  readonly isLoading = signal(false);
  readonly positionSec = signal(0);
  readonly side = signal<Side>("a");
  readonly isMatched = signal(true);
  /** The part that is repeated. */
  readonly span = signal<Span | undefined>(undefined);
  /** The same moment comes so much later in B. */
  offsetSec = 0;
  readonly #versions: readonly [Version, Version];
  #lufs: Learnt["lufs"];
  readonly #read: Decode;
  readonly #stop = new AbortController();
  #context: AudioContext | undefined;
  #loading: Promise<AbPlayer> | undefined;
  #player: AbPlayer | undefined;

  constructor(a: Version, b: Version, read: Decode) {
    this.#versions = [a, b];
    this.#read = read;
    this.#lufs = [a.integratedLufs, b.integratedLufs];
  }

  /** An analysis may end while the two play. */
  readonly learn = (learnt: Learnt): void => {
    this.#lufs = learnt.lufs;
    this.#player?.learn(learnt);
  };

  readonly play = async (): Promise<void> => {
    pauseSound();
    if (this.isPlaying.peek() || this.isLoading.peek()) return;
    try {
      this.isLoading.value = this.#player === undefined;
      this.#loading ??= this.#load();
      const player = await this.#loading;
      await this.#context?.resume();
      player.play(this.positionSec.peek());
      this.isPlaying.value = true;
      this.#follow();
    } catch (thrown) {
      this.#loading = undefined;
      if (!this.#stop.signal.aborted) toastError(thrown);
    } finally {
      this.isLoading.value = false;
    }
  };

  readonly pause = (): void => {
    this.#player?.pause();
    this.isPlaying.value = false;
  };

  readonly toggle = (): void => {
    if (this.isPlaying.peek()) this.pause();
    else void this.play();
  };

  /** Changes the version that sounds. */
  readonly choose = (side: Side): void => {
    // The ear first: what shows may take a frame.
    this.#player?.choose(side);
    this.side.value = side;
  };

  readonly swap = (): void => this.choose(this.side.peek() === "a" ? "b" : "a");

  /** Plays, and has one version sound. */
  readonly listen = (side: Side): void => {
    this.choose(side);
    void this.play();
  };

  readonly match = (isOn: boolean): void => {
    this.#player?.match(isOn);
    this.isMatched.value = isOn;
  };

  readonly loop = (span: Span | undefined): void => {
    this.span.value = span;
    this.#player?.loop(span ?? null);
    if (this.#player) this.positionSec.value = this.#player.positionSec;
  };

  readonly moveTo = (sec: number): void => {
    this.positionSec.value = sec;
    this.#player?.seek(sec);
  };

  /** What is heard, in the times of the version that sounds. */
  readonly now = () => {
    const side = this.side.peek();
    const later = side === "b" ? this.offsetSec : 0;
    const span = this.span.peek();
    return {
      side,
      atSec: Math.max(0, this.positionSec.peek() + later),
      span: span && { fromSec: Math.max(0, span.fromSec + later), toSec: span.toSec + later },
      isPlaying: this.isPlaying.peek(),
    };
  };

  close(): void {
    this.#stop.abort();
    this.pause();
    this.#player = undefined;
    void this.#context?.close();
  }

  async #load(): Promise<AbPlayer> {
    const context = new AudioContext();
    this.#context = context;
    const [a, b] = this.#versions;
    const { signal: stop } = this.#stop;
    const buffers = await Promise.all([this.#read(context, a, stop), this.#read(context, b, stop)]);
    const player = new AbPlayer(context, buffers, { offsetSec: this.offsetSec, lufs: this.#lufs });
    player.choose(this.side.peek());
    player.match(this.isMatched.peek());
    player.loop(this.span.peek() ?? null);
    this.#player = player;
    return player;
  }

  /** The position moves with every frame while something sounds. */
  #follow(): void {
    const player = this.#player;
    if (!player?.isPlaying) return;
    this.positionSec.value = player.positionSec;
    if (!this.span.peek() && this.positionSec.peek() >= player.durationSec) {
      this.pause();
      this.moveTo(0);
    } else requestAnimationFrame(() => this.#follow());
  }
}

/** Fetches and decodes a version. @throws ApiError. */
export async function decode(
  context: BaseAudioContext,
  version: Version,
  signal: AbortSignal,
): Promise<AudioBuffer> {
  const response = await fetch(samePlace(version.playbackUrl), { signal });
  if (!response.ok) throw await errorOf(response);
  return await context.decodeAudioData(await response.arrayBuffer());
}
