import { BLOCK_FRAMES, createDeinterleaver } from "./planar.ts";
import { createResampler, type SampleSink } from "./resample.ts";

/** Writes the mean of all channels into `mono`. */
export function mixDown(planes: readonly Float32Array[], count: number, mono: Float32Array): void {
  const [first, ...others] = planes;
  mono.set((first as Float32Array).subarray(0, count));
  for (const plane of others)
    for (let i = 0; i < count; i++) mono[i] = (mono[i] as number) + (plane[i] as number);
  if (others.length > 0) for (let i = 0; i < count; i++) mono[i] = (mono[i] as number) / planes.length;
}

/** A stream that is mixed to mono. */
export type MonoMix = {
  /** Takes interleaved samples, full scale 1, cut anywhere; not finite counts as 0. */
  push(interleaved: Float32Array): void;
  /** Passes on the rest. Call once. */
  finish(): void;
};

/** Mixes a recording to mono at `rateHz` as it streams by, sample for sample as an analyzer does. */
export function createMonoMix(
  { sampleRateHz, channels }: { sampleRateHz: number; channels: number },
  rateHz: number,
  sink: SampleSink,
): MonoMix {
  const resampler = createResampler(sampleRateHz, rateHz, sink);
  const mono = new Float32Array(BLOCK_FRAMES);
  const input = createDeinterleaver(channels, (planes, count) => {
    mixDown(planes, count, mono);
    resampler.push(mono, count);
  });
  return {
    push: input.push,
    finish() {
      input.finish();
      resampler.finish();
    },
  };
}
