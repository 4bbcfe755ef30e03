import type { Stereo } from "../../src/demo/dsp/audio.ts";
import { SAMPLE_RATE_HZ } from "../../src/demo/dsp/audio.ts";
import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { encodeWav } from "../../src/demo/wav.ts";

/** Returns a WAV of the demo's pieces, repeated to a length. No two with different numbers are the same recording. */
export function makePiece(number: number, seconds: number): Uint8Array {
  const piece = DEMO_PIECES[number % DEMO_PIECES.length];
  if (!piece) throw new Error("The demo has no pieces");
  const mix = mixPiece(piece);
  const gain = 1 - 0.05 * Math.floor(number / DEMO_PIECES.length);
  const frames = Math.round(seconds * SAMPLE_RATE_HZ) + number;
  const repeated = (channel: Float32Array) =>
    Float32Array.from({ length: frames }, (_, index) => gain * (channel[index % channel.length] ?? 0));
  const whole: Stereo = { left: repeated(mix.left), right: repeated(mix.right) };
  return encodeWav(whole, []);
}
