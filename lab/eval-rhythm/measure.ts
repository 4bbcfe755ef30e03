import { deserialize, serialize } from "bun:jsc";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ANALYSIS_HZ, createSpectralAnalyzer, type Spectral } from "../../src/audio/descriptors/spectral.ts";
import { createResampler } from "../../src/audio/dsp/resample.ts";
import { decodeMono } from "../fit/features.ts";

const CHUNK = 16_384;

/** What rhythm and sections are estimated from. */
export type Spectra = Pick<Spectral, "onsets" | "pitches" | "fingerprint">;

/** Returns the spectra of a sound file. They are measured once, then read from `cache`. */
export async function spectraOf(path: string, cache: string): Promise<Spectra> {
  await mkdir(cache, { recursive: true });
  const file = Bun.file(join(cache, `${Bun.hash(path).toString(36)}.bin`));
  if (await file.exists()) return deserialize(await file.arrayBuffer()) as Spectra;
  const spectra = measure(await decodeMono(path));
  await Bun.write(file, serialize(spectra));
  return spectra;
}

function measure(mono: Float32Array): Spectra {
  const spectral = createSpectralAnalyzer();
  const resampler = createResampler(44_100, ANALYSIS_HZ, spectral.push);
  for (let from = 0; from < mono.length; from += CHUNK) {
    const chunk = mono.subarray(from, from + CHUNK);
    resampler.push(chunk, chunk.length);
  }
  resampler.finish();
  const { onsets, pitches, fingerprint } = spectral.finish();
  return {
    onsets: { ...onsets, bands: onsets.bands.map((band) => band.slice()) },
    pitches: {
      ...pitches,
      upper: pitches.upper.slice(),
      bass: pitches.bass.slice(),
      classes: pitches.classes.slice(),
    },
    fingerprint: { ...fingerprint, codes: fingerprint.codes.slice(), columns: fingerprint.columns.slice() },
  };
}
