import { createPowerSpectrum } from "./fft.ts";
import { hannWindow } from "./window.ts";

/**
 * Receives one frame: `power` holds bins 0..size/2, scaled so that a full-scale sine peaks at 1; `samples` is
 * the unwindowed frame. Both are reused.
 */
export type FrameSink = (power: Float64Array, samples: Float32Array) => void;

/** A streaming short-time Fourier transform with a Hann window. */
export type Stft = {
  push(mono: Float32Array, count: number): void;
  /** Emits one zero-padded frame when the whole stream was shorter than a frame. */
  finish(): void;
};

/**
 * Builds a transform whose frame f covers samples f·hop to f·hop + size.
 *
 * @param size Power of two; `hop` at most `size`.
 */
export function createStft(size: number, hop: number, sink: FrameSink): Stft {
  const spectrumOf = createPowerSpectrum(hannWindow(size).map((value) => value * (4 / size)));
  const frame = new Float32Array(size);
  let filled = 0;
  let frames = 0;

  const emit = () => {
    sink(spectrumOf(frame), frame);
    frames++;
    frame.copyWithin(0, hop);
    filled = size - hop;
  };

  return {
    push(mono, count) {
      let from = 0;
      while (from < count) {
        const taken = Math.min(count - from, size - filled);
        frame.set(mono.subarray(from, from + taken), filled);
        filled += taken;
        from += taken;
        if (filled === size) emit();
      }
    },
    finish() {
      if (frames > 0 || filled === 0) return;
      frame.fill(0, filled);
      emit();
    },
  };
}
