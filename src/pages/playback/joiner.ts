/**
 * Joins two players of one audio graph to the sample: the next one begins early and unheard, is kept in a ring, and is heard
 * from the frame on in which the first has ended. Runs in an AudioWorklet.
 */
import { type Ask, BLOCK, type Joined, LOOK } from "./seam.ts";

/** Globals of an AudioWorklet, which the types of the DOM leave out. */
declare const currentFrame: number;
declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: unknown) => void;
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort };

const CHANNELS = [0, 1] as const;
/** So many frames of zeros are the end, near the time at which it is due. */
const SILENT = BLOCK;
/** The page's times are right to so much. */
const NEAR = Math.round(0.06 * sampleRate);
/** Lengths are known to half a millisecond. */
const LEAST_RINGING = Math.round(0.0006 * sampleRate);
const MOST_RINGING = Math.round(0.003 * sampleRate);
const FADE = Math.round(0.005 * sampleRate);
const SIZE = 2 ** Math.ceil(Math.log2(sampleRate));

/** What is heard from a frame of the output on, with the last frames of what was heard before it. */
type Heard = {
  lane: number;
  late: number;
  from: number;
  rings?: { lane: number; late: number; until: number };
};
type Channels = readonly Float32Array[];

class Joiner extends AudioWorkletProcessor {
  readonly #rings = [0, 1].map(() => CHANNELS.map(() => new Float32Array(SIZE)));
  /** By lane, the frame after the last that is not zero. */
  readonly #silentAt = [-SIZE, -SIZE];
  /** By lane, the first frame that was not zero after a silence. */
  readonly #soundAt = [0, 0];
  #ringing = 0;
  #heard: Heard;
  #next: Heard | undefined;
  #wait: Extract<Ask, { endAt: number }> | undefined;
  /** Frames that are left of a fade before `#next` is heard. */
  #fading = 0;

  constructor({ processorOptions }: { processorOptions: { lane: number } }) {
    super();
    this.#heard = { lane: processorOptions.lane, late: LOOK, from: 0 };
    this.port.onmessage = ({ data }: MessageEvent<Ask>) => this.#take(data);
  }

  #take(ask: Ask): void {
    if (ask.endAt !== undefined) {
      this.#wait = ask;
      return;
    }
    this.#wait = undefined;
    const { lane, late } = this.#heard;
    if (lane === ask.lane && late === LOOK && !this.#next) return;
    this.#next = { lane: ask.lane, late: LOOK, from: currentFrame + FADE };
    this.#fading = FADE;
  }

  #sample(lane: number, channel: 0 | 1, frame: number): number {
    return this.#rings[lane]?.[channel]?.[frame & (SIZE - 1)] ?? 0;
  }

  #write(lane: number, input: Channels): void {
    for (let at = 0; at < BLOCK; at++) {
      const left = input[0]?.[at] ?? 0;
      const right = input[1]?.[at] ?? left;
      const place = (currentFrame + at) & (SIZE - 1);
      (this.#rings[lane]?.[0] as Float32Array)[place] = left;
      (this.#rings[lane]?.[1] as Float32Array)[place] = right;
      if (left !== 0 || right !== 0) this.#sound(lane, currentFrame + at);
    }
  }

  #sound(lane: number, frame: number): void {
    if (frame - (this.#silentAt[lane] ?? 0) > NEAR) this.#soundAt[lane] = frame;
    this.#silentAt[lane] = frame + 1;
  }

  /**
   * Returns by how many frames what is heard is longer than its file: where the browser converts the rate, its filter rings before
   * the first frame and after the last. It shows when a file has played from its start to its end without a pause.
   */
  #ringingOf(lane: number, frames: number): number {
    const longer = (this.#silentAt[lane] ?? 0) - (this.#soundAt[lane] ?? 0) - frames;
    if (Math.abs(longer) < LEAST_RINGING) this.#ringing = 0;
    else if (longer > 0 && longer < MOST_RINGING) this.#ringing = longer;
    return this.#ringing;
  }

  /** Returns the first frame of a lane that is not zero, near the one at which it began; that one when it began with silence. */
  #beginOf(lane: number, about: number): number {
    for (let frame = about - NEAR; frame < Math.min(about + NEAR, currentFrame + BLOCK); frame++)
      if (CHANNELS.some((channel) => this.#sample(lane, channel, frame) !== 0)) return frame;
    return about;
  }

  /** Joins when what is heard has ended. */
  #look({ lane, endAt, begunAt, frames }: Extract<Ask, { endAt: number }>): void {
    const now = currentFrame + BLOCK;
    const before = this.#heard;
    const silentAt = this.#silentAt[before.lane] ?? 0;
    if (now - silentAt < SILENT) return;
    // Whatever ends in silence ends when it is due.
    const isCut = silentAt >= endAt - NEAR;
    if (!isCut && now < endAt) return;
    const until = (isCut ? silentAt : endAt) + before.late;
    const from = Math.max(currentFrame, until - (isCut ? this.#ringingOf(before.lane, frames) : 0));
    const late = from - this.#beginOf(lane, begunAt);
    this.#wait = undefined;
    this.#next = {
      lane,
      from,
      late: Math.min(SIZE - BLOCK, Math.max(LOOK, late)),
      rings: { lane: before.lane, late: before.late, until },
    };
    this.port.postMessage({ lane, lateSec: this.#next.late / sampleRate } satisfies Joined);
  }

  /** Returns what is heard of a channel at a frame of the output. */
  #mixed(channel: 0 | 1, frame: number): number {
    const { lane, late, rings } = this.#heard;
    const ringing = rings && frame < rings.until ? this.#sample(rings.lane, channel, frame - rings.late) : 0;
    return this.#sample(lane, channel, frame - late) + ringing;
  }

  #read(output: Channels): void {
    for (let at = 0; at < BLOCK; at++) {
      const frame = currentFrame + at;
      if (this.#next && frame >= this.#next.from) {
        this.#heard = this.#next;
        this.#next = undefined;
        this.#fading = 0;
      }
      const level = this.#fading > 0 ? this.#fading-- / FADE : 1;
      for (const channel of CHANNELS) {
        const out = output[channel];
        if (out) out[at] = level * this.#mixed(channel, frame);
      }
    }
  }

  process(inputs: readonly Channels[], [output]: readonly Channels[]): boolean {
    this.#write(0, inputs[0] ?? []);
    this.#write(1, inputs[1] ?? []);
    if (this.#wait && !this.#next) this.#look(this.#wait);
    this.#read(output ?? []);
    return true;
  }
}

registerProcessor("joiner", Joiner);
