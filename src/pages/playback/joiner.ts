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
const FADE = Math.round(0.005 * sampleRate);
const SIZE = 2 ** Math.ceil(Math.log2(sampleRate));

/** What is heard from a frame of the output on. */
type Heard = { lane: number; late: number; from: number };
type Channels = readonly Float32Array[];

class Joiner extends AudioWorkletProcessor {
  readonly #rings = [0, 1].map(() => CHANNELS.map(() => new Float32Array(SIZE)));
  /** By lane, the frame after the last that is not zero. */
  readonly #silentAt = [0, 0];
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
      if (left !== 0 || right !== 0) this.#silentAt[lane] = currentFrame + at + 1;
    }
  }

  /** Returns the first frame of a lane that is not zero, near the one at which it began; that one when it began with silence. */
  #beginOf(lane: number, about: number): number {
    for (let frame = about - NEAR; frame < Math.min(about + NEAR, currentFrame + BLOCK); frame++)
      if (CHANNELS.some((channel) => this.#sample(lane, channel, frame) !== 0)) return frame;
    return about;
  }

  /** Joins when what is heard has ended. */
  #look({ lane, endAt, begunAt }: Extract<Ask, { endAt: number }>): void {
    const now = currentFrame + BLOCK;
    const silentAt = this.#silentAt[this.#heard.lane] ?? 0;
    if (now - silentAt < SILENT) return;
    // Whatever ends in silence ends when it is due.
    const isCut = silentAt >= endAt - NEAR;
    if (!isCut && now < endAt) return;
    const from = Math.max(currentFrame, (isCut ? silentAt : endAt) + this.#heard.late);
    const late = from - this.#beginOf(lane, begunAt);
    this.#wait = undefined;
    this.#next = { lane, from, late: Math.min(SIZE - BLOCK, Math.max(LOOK, late)) };
    this.port.postMessage({ lane, lateSec: this.#next.late / sampleRate } satisfies Joined);
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
        if (out) out[at] = level * this.#sample(this.#heard.lane, channel, frame - this.#heard.late);
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
