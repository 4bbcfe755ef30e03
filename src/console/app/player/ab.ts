/** One of two versions that are compared. */
export type Side = "a" | "b";
/** What analyses say of the two; a loudness is null while it is unknown. */
export type Learnt = { offsetSec: number; lufs: readonly [a: number | null, b: number | null] };
export type Span = { fromSec: number; toSec: number };

/** Short enough not to hear both, long enough not to click. */
const RAMP_SEC = 0.008;
/** Both start this much later, in one block of the output: "now" could fall between two blocks. */
const LEAD_SEC = 0.02;
/** The most that a busy computer makes the two wait. */
const LONGEST_LEAD_SEC = 0.64;

/** Returns the linear gain that brings one version down to the softer of the two; 1 where a loudness is unknown. */
export function matchedGain(own: number | null, other: number | null): number {
  if (own === null || other === null) return 1;
  return 10 ** (Math.min(0, other - own) / 20);
}

/**
 * Plays two versions at one time, of which one sounds. Both run from decoded buffers that were started at one moment of one
 * clock, so they never drift: switching only moves two gains. Times are those of `a`.
 *
 * `offsetSec`: the same moment comes so much later in `b` than in `a`.
 */
export class AbPlayer {
  readonly #context: BaseAudioContext;
  readonly #buffers: readonly [AudioBuffer, AudioBuffer];
  #learnt: Learnt;
  readonly #gains: readonly [GainNode, GainNode];
  #sources: AudioBufferSourceNode[] = [];
  #chosen: Side = "a";
  #isMatched = true;
  #span: Span | null = null;
  #startedAt = 0;
  #fromSec = 0;

  constructor(context: BaseAudioContext, buffers: readonly [AudioBuffer, AudioBuffer], learnt: Learnt) {
    this.#context = context;
    this.#buffers = buffers;
    this.#learnt = learnt;
    const gain = () => {
      const node = context.createGain();
      node.connect(context.destination);
      return node;
    };
    this.#gains = [gain(), gain()];
  }

  get isPlaying(): boolean {
    return this.#sources.length > 0;
  }

  /** Length of `a`. */
  get durationSec(): number {
    return this.#buffers[0].duration;
  }

  get positionSec(): number {
    if (!this.isPlaying) return this.#fromSec;
    const at = this.#fromSec + Math.max(0, this.#context.currentTime - this.#startedAt);
    if (!this.#span || at < this.#span.toSec) return at;
    const { fromSec, toSec } = this.#span;
    return fromSec + ((at - fromSec) % (toSec - fromSec));
  }

  play(fromSec = this.#fromSec): void {
    this.#fromSec = fromSec;
    this.#apply(0);
    // A page that was held up until the moment had come would have started one without the other.
    for (let leadSec = LEAD_SEC; leadSec <= LONGEST_LEAD_SEC; leadSec *= 2) {
      this.#silence();
      this.#startedAt = this.#context.currentTime + leadSec;
      this.#sources = this.#buffers.map((buffer, index) => this.#start(buffer, index));
      if (this.#context.currentTime < this.#startedAt) return;
    }
  }

  pause(): void {
    this.#fromSec = this.positionSec;
    this.#silence();
  }

  seek(toSec: number): void {
    if (this.isPlaying) this.play(toSec);
    else this.#fromSec = toSec;
  }

  choose(side: Side): void {
    this.#chosen = side;
    this.#apply(RAMP_SEC);
  }

  match(isOn: boolean): void {
    this.#isMatched = isOn;
    this.#apply(RAMP_SEC);
  }

  /** Goes by what analyses say from now on; both start again when it moves one against the other. */
  learn(learnt: Learnt): void {
    const isMoved = learnt.offsetSec !== this.#learnt.offsetSec;
    this.#learnt = learnt;
    if (isMoved) this.seek(this.positionSec);
    this.#apply(RAMP_SEC);
  }

  /** Repeats a span; null plays on to the end. */
  loop(span: Span | null): void {
    const at = this.positionSec;
    this.#span = span;
    this.seek(span ? Math.min(Math.max(at, span.fromSec), span.toSec) : at);
  }

  #start(buffer: AudioBuffer, index: number): AudioBufferSourceNode {
    const shift = index === 0 ? 0 : this.#learnt.offsetSec;
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    if (this.#span) {
      source.loop = true;
      source.loopStart = Math.max(0, this.#span.fromSec + shift);
      source.loopEnd = this.#span.toSec + shift;
    }
    source.connect(this.#gains[index] as GainNode);
    const at = this.#fromSec + shift;
    source.start(this.#startedAt + Math.max(0, -at), Math.max(0, at));
    return source;
  }

  #silence(): void {
    for (const source of this.#sources) {
      source.stop();
      source.disconnect();
    }
    this.#sources = [];
  }

  #levelOf(index: 0 | 1): number {
    if ((index === 0) !== (this.#chosen === "a")) return 0;
    const { lufs } = this.#learnt;
    return this.#isMatched ? matchedGain(lufs[index], lufs[index === 0 ? 1 : 0]) : 1;
  }

  /** Moves the gains in a straight line: two versions are nearly one signal, so their sum keeps its level. */
  #apply(rampSec: number): void {
    const now = this.#context.currentTime;
    for (const index of [0, 1] as const) {
      const { gain } = this.#gains[index];
      gain.cancelScheduledValues(now);
      gain.setValueAtTime(gain.value, now);
      gain.linearRampToValueAtTime(this.#levelOf(index), now + rampSec);
    }
  }
}
