import { deserialize, serialize } from "bun:jsc";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ANALYSIS_HZ, createSpectralAnalyzer } from "../../src/audio/descriptors/spectral.ts";
import { createResampler } from "../../src/audio/dsp/resample.ts";
import type { PitchHistograms } from "../../src/audio/key/pitch-histogram.ts";
import type { OnsetEnvelopes } from "../../src/audio/tempo/onset.ts";

const DECODED_HZ = 44_100;
const CHUNK = 16_384;

/** The data that tempo and key are estimated from. */
export type Features = { onsets: OnsetEnvelopes; pitches: PitchHistograms };

/** Returns the onsets and pitches of a sound file. They are measured once, then read from `cache`. */
export async function featuresOf(path: string, cache: string): Promise<Features> {
  await mkdir(cache, { recursive: true });
  const file = Bun.file(join(cache, `${Bun.hash(path).toString(36)}.bin`));
  if (await file.exists()) return deserialize(await file.arrayBuffer()) as Features;
  const features = measure(await decodeMono(path));
  await Bun.write(file, serialize(features));
  return features;
}

/** Decodes to mono at 44.1 kHz. @throws Error when ffmpeg cannot. */
export async function decodeMono(path: string): Promise<Float32Array> {
  const output = ["-ac", "1", "-ar", String(DECODED_HZ), "-f", "f32le", "-"];
  const ffmpeg = Bun.spawn(["ffmpeg", "-nostdin", "-v", "error", "-i", path, ...output], { stdout: "pipe" });
  const bytes = await new Response(ffmpeg.stdout).arrayBuffer();
  if ((await ffmpeg.exited) !== 0) throw new Error(`ffmpeg could not decode ${path}`);
  return new Float32Array(bytes);
}

function measure(mono: Float32Array): Features {
  const spectral = createSpectralAnalyzer();
  const resampler = createResampler(DECODED_HZ, ANALYSIS_HZ, spectral.push);
  for (let from = 0; from < mono.length; from += CHUNK) {
    const chunk = mono.subarray(from, from + CHUNK);
    resampler.push(chunk, chunk.length);
  }
  resampler.finish();
  const { onsets, pitches } = spectral.finish();
  return {
    onsets: { ...onsets, bands: onsets.bands.map((band) => band.slice()) },
    pitches: {
      ...pitches,
      upper: pitches.upper.slice(),
      bass: pitches.bass.slice(),
      classes: pitches.classes.slice(),
    },
  };
}
