import type { Stereo } from "../../src/demo/dsp/audio.ts";
import type { Random } from "../../src/demo/dsp/random.ts";
import { encodeWav } from "../../src/demo/wav.ts";

/** An audio file to send, and the hash that must be stored if it is accepted. */
export type Sound = { filename: string; bytes: Uint8Array; sha256: string };

const SAMPLE_RATE_HZ = 44_100;

/**
 * Makes a short WAV (44.1 kHz stereo, 0.3 to 1.5 s, or 8 s once in ten) that is unique to the random numbers: a
 * decaying tone under a pulse, long enough to be analysed.
 */
export function makeSound(filename: string, random: Random): Sound {
  const seconds = random() < 0.1 ? 8 : 0.3 + random() * 1.2;
  const bytes = encodeWav(tone(Math.round(seconds * SAMPLE_RATE_HZ), random), []);
  return { filename, bytes, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
}

function tone(frames: number, random: Random): Stereo {
  const [left, right] = [new Float32Array(frames), new Float32Array(frames)];
  const step = (2 * Math.PI * (80 + random() * 800)) / SAMPLE_RATE_HZ;
  const pulseFrames = Math.round(SAMPLE_RATE_HZ * (0.3 + random() * 0.4));
  for (let i = 0; i < frames; i++) {
    left[i] = 0.5 * Math.sin(step * i) * Math.exp(-(i % pulseFrames) / 8000);
    right[i] = 0.5 * Math.sin(step * 1.5 * i);
  }
  return { left, right };
}
