/** Frames per block. Fixed, so later stages see the same blocks however the input was cut. */
export const BLOCK_FRAMES = 4096;

/** Takes any number of interleaved samples and passes on planar blocks. */
export type Deinterleaver = {
  /** Takes interleaved samples; a frame may be split between two calls. */
  push(interleaved: Float32Array): void;
  /** Passes on the last, shorter block; drops an incomplete frame. */
  finish(): void;
};

/** Samples are clamped to this (60 dB above full scale), beyond which squares could overflow. */
const LARGEST_SAMPLE = 1000;

/**
 * Builds a splitter of interleaved samples into blocks of BLOCK_FRAMES per channel; the last one is shorter. Samples
 * that are not finite become 0.
 *
 * @param sink Receives the channels and the number of valid frames; the arrays are reused.
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
