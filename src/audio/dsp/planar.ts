/** Frames handed on together. Fixed, so that every later stage sees the same blocks however the input was cut. */
export const BLOCK_FRAMES = 4096;

/** Takes interleaved samples of any amount and hands on planar blocks. */
export type Deinterleaver = {
  /** Takes interleaved samples; a frame may be split between two calls. */
  push(interleaved: Float32Array): void;
  /** Hands on the last, shorter block; a frame cut off in the middle is dropped. */
  finish(): void;
};

/** No signal is this loud (60 dB over full scale); beyond it squares could overflow. */
const LARGEST_SAMPLE = 1000;

/**
 * Builds a splitter of interleaved samples into blocks of BLOCK_FRAMES a channel, the last one shorter. Samples
 * that are not finite become 0.
 *
 * @param sink Receives the channels and how many frames of them count; the arrays are reused.
 */
export function createDeinterleaver(
  channels: number,
  sink: (planes: readonly Float32Array[], count: number) => void,
): Deinterleaver {
  const planes = Array.from({ length: channels }, () => new Float32Array(BLOCK_FRAMES));
  let channel = 0;
  let filled = 0;

  const pushOne = (sample: number) => {
    (planes[channel] as Float32Array)[filled] = sample;
    if (++channel === channels) advance();
  };
  const advance = () => {
    channel = 0;
    if (++filled < BLOCK_FRAMES) return;
    filled = 0;
    sink(planes, BLOCK_FRAMES);
  };
  /** Copies as many whole frames as fit the block, one channel after another. */
  const pushFrames = (interleaved: Float32Array, from: number, frames: number) => {
    for (const [index, plane] of planes.entries())
      for (let i = 0; i < frames; i++)
        plane[filled + i] = sane(interleaved[from + i * channels + index] as number);
    filled += frames - 1;
    advance();
  };

  return {
    push(interleaved) {
      let from = 0;
      while (from < interleaved.length) {
        const frames = Math.min(Math.floor((interleaved.length - from) / channels), BLOCK_FRAMES - filled);
        if (channel > 0 || frames === 0) {
          pushOne(sane(interleaved[from++] as number));
          continue;
        }
        pushFrames(interleaved, from, frames);
        from += frames * channels;
      }
    },
    finish() {
      if (filled > 0) sink(planes, filled);
      filled = 0;
      channel = 0;
    },
  };
}

function sane(sample: number): number {
  if (sample <= LARGEST_SAMPLE && sample >= -LARGEST_SAMPLE) return sample;
  if (!Number.isFinite(sample)) return 0;
  return Math.sign(sample) * LARGEST_SAMPLE;
}
