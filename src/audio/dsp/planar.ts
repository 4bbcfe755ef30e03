import { createPlaneKernel, LARGEST_SAMPLE } from "./plane-kernel.ts";

/** Frames per block. Fixed, so later stages see the same blocks however the input was cut. */
export const BLOCK_FRAMES = 4096;

/** Takes any number of interleaved samples and passes on planar blocks. */
export type Deinterleaver = {
  /** Takes interleaved samples; a frame may be split between two calls. */
  push(interleaved: Float32Array): void;
  /** Passes on the last, shorter block; drops an incomplete frame. */
  finish(): void;
};

/**
 * Receives the channels, the number of valid frames, and their mean over all channels, which may be one of them. The arrays are
 * reused.
 */
type PlaneSink = (planes: readonly Float32Array[], count: number, mono: Float32Array) => void;

/**
 * Builds a splitter of interleaved samples into blocks of BLOCK_FRAMES per channel; the last one is shorter. Samples
 * that are not finite become 0.
 */
export function createDeinterleaver(channels: number, sink: PlaneSink): Deinterleaver {
  const { planes, mono, split, mix } = channels === 2 ? stereoPlanes() : plainPlanes(channels);
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
    pass(BLOCK_FRAMES);
  };
  const pass = (frames: number) => {
    mix(frames);
    sink(planes, frames, mono);
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
        split(interleaved.subarray(from, from + frames * channels), filled);
        from += frames * channels;
        filled += frames - 1;
        advance();
      }
    },
    finish() {
      if (filled > 0) pass(filled);
      filled = 0;
      channel = 0;
    },
  };
}

type Planes = {
  planes: readonly Float32Array[];
  mono: Float32Array;
  /** Writes whole frames to the planes, from the frame `at` on. */
  split(interleaved: Float32Array, at: number): void;
  /** Writes the mean of the first `count` frames. */
  mix(count: number): void;
};

function plainPlanes(channels: number): Planes {
  const planes = Array.from({ length: channels }, () => new Float32Array(BLOCK_FRAMES));
  const [first = new Float32Array(0), ...others] = planes;
  const mono = others.length === 0 ? first : new Float32Array(BLOCK_FRAMES);
  return {
    planes,
    mono,
    split(interleaved, at) {
      for (const [index, plane] of planes.entries())
        for (let i = index, frame = at; i < interleaved.length; i += channels, frame++)
          plane[frame] = sane(interleaved[i] as number);
    },
    mix(count) {
      if (mono === first) return;
      mono.set(first.subarray(0, count));
      for (const plane of others)
        for (let i = 0; i < count; i++) mono[i] = (mono[i] as number) + (plane[i] as number);
      for (let i = 0; i < count; i++) mono[i] = (mono[i] as number) / channels;
    },
  };
}

function stereoPlanes(): Planes {
  const kernel = createPlaneKernel(BLOCK_FRAMES);
  const { left, right, mono, input } = kernel;
  return {
    planes: [left, right],
    mono,
    split(interleaved, at) {
      input.set(interleaved);
      kernel.split(interleaved.length / 2, at);
    },
    mix: (count) => kernel.mix(count),
  };
}

function sane(sample: number): number {
  if (sample <= LARGEST_SAMPLE && sample >= -LARGEST_SAMPLE) return sample;
  if (!Number.isFinite(sample)) return 0;
  return Math.sign(sample) * LARGEST_SAMPLE;
}
