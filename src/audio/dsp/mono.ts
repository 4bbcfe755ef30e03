import { createDeinterleaver } from "./planar.ts";
import { createResampler, type SampleSink } from "./resample.ts";

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
  const input = createDeinterleaver(channels, (_, count, mono) => resampler.push(mono, count));
  return {
    push: input.push,
    finish() {
      input.finish();
      resampler.finish();
    },
  };
}
