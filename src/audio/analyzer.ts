import { describe } from "./descriptors/descriptors.ts";
import { ANALYSIS_HZ, createSpectralAnalyzer, type Spectral } from "./descriptors/spectral.ts";
import { createBalanceMeter } from "./descriptors/spectral-balance.ts";
import { summarise } from "./descriptors/summary.ts";
import { createDeinterleaver } from "./dsp/planar.ts";
import { createResampler, type SampleSink } from "./dsp/resample.ts";
import { createFaultFinder, type SoundFaults } from "./faults/faults.ts";
import type { Fingerprint } from "./fingerprint/fingerprint.ts";
import { createLevelTracker } from "./fingerprint/fingerprint-levels.ts";
import { foldChroma } from "./key/chroma.ts";
import { estimateKey, type KeyEstimate } from "./key/key.ts";
import { createLoudnessMeter, type Loudness } from "./loudness/loudness.ts";
import { createPeakMeter } from "./loudness/true-peak.ts";
import { findStructure, type Structure } from "./structure/structure.ts";
import { analyseRhythm } from "./tempo/rhythm.ts";
import { estimateTempo, type TempoEstimate } from "./tempo/tempo.ts";
import { createWaveformMeter, type Peaks } from "./waveform.ts";

export { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_NAMES, DESCRIPTOR_VERSION } from "./descriptors/descriptors.ts";
export { ANALYSIS_HZ } from "./descriptors/spectral.ts";
export type { SoundFaults } from "./faults/faults.ts";

/** Everything measured in one recording. A null says that there is nothing to measure, not that it failed. */
export type AudioAnalysis = {
  durationSec: number;
  sampleRateHz: number;
  channels: number;
  /** Peaks are of the loudest channel; null for silence, and for sounds that are too short (0.4 s, range and short-term 3 s). */
  loudness: Loudness & { truePeakDbtp: number | null; samplePeakDbfs: number | null };
  /** WAVEFORM_BUCKETS pairs min, max of the mono mix; -127..127 for -1..1. */
  waveform: Int8Array;
  /** The same outline as finely as it is kept. */
  peaks: Peaks;
  fingerprint: Fingerprint;
  /** Loudness from moment to moment, see `createLevelTracker`. */
  levels: Uint8Array<ArrayBuffer>;
  /** Of each octave band, dB, see `createBalanceMeter`. */
  balanceDb: (number | null)[];
  /** What it may be sent back for, and where the true peak is, in seconds. */
  faults: SoundFaults & { truePeakAtSec: number };
  /** `bpm` null when there is no beat; 30..300, at most three candidates, likeliest first. */
  tempo: Pick<TempoEstimate, "bpm" | "confidence" | "candidates">;
  structure: Structure;
  /** `name` null when atonal, percussive or shorter than a second. */
  key: KeyEstimate;
  /** DESCRIPTOR_DIMENSIONS values named by DESCRIPTOR_NAMES, of length 1 (L2); null for silence. */
  descriptors: Float32Array | null;
  /** Frame descriptors of every ten seconds, see `createPassageMeter`. */
  passages: Int8Array<ArrayBuffer>;
  /** Summary features a person can read, see `summarise`; all finite. */
  features: Record<string, number>;
};

/** Measures one recording as it streams by. */
export type Analyzer = {
  /** Takes interleaved samples, full scale 1, cut anywhere; not finite counts as 0. */
  push(interleaved: Float32Array): void;
  /** Returns the analysis of all that was pushed. Call once. */
  finish(): AudioAnalysis;
};

const MIN_RATE_HZ = 1000;
const MAX_RATE_HZ = 768_000;
const MAX_CHANNELS = 64;
/** Nothing shorter has a tempo or a key. */
const MIN_MUSICAL_SECONDS = 1;

/**
 * Builds an analyzer for one recording. Memory grows by about 2 kB a second of audio.
 *
 * @param listen Also receives the mono mix, at ANALYSIS_HZ.
 * @throws RangeError when the rate is not a whole number of 1000..768000 Hz, or channels not of 1..64.
 */
export function createAnalyzer(
  format: { sampleRateHz: number; channels: number },
  listen?: SampleSink,
): Analyzer {
  requireFormat(format);
  const loudness = createLoudnessMeter(format);
  const peaks = createPeakMeter(format);
  const faults = createFaultFinder(format);
  const waveform = createWaveformMeter();
  const spectral = createSpectralAnalyzer();
  const balance = createBalanceMeter(format.sampleRateHz);
  const levelTracker = createLevelTracker();
  const resampler = createResampler(format.sampleRateHz, ANALYSIS_HZ, (samples, count) => {
    spectral.push(samples, count);
    levelTracker.push(samples, count);
    listen?.(samples, count);
  });
  let frames = 0;

  const input = createDeinterleaver(format.channels, (planes, count, mono) => {
    frames += count;
    loudness.push(planes, count);
    peaks.push(planes, count);
    faults.push(planes, count);
    waveform.push(mono, count);
    balance.push(mono, count);
    resampler.push(mono, count);
  });

  return {
    push: input.push,
    finish() {
      input.finish();
      resampler.finish();
      const durationSec = frames / format.sampleRateHz;
      const { truePeak, samplePeak } = peaks.finish();
      const levels = loudness.finish();
      const { outline, peaks: finest } = waveform.finish();
      const { passages, ...spectra } = spectral.finish();
      return {
        ...format,
        durationSec,
        loudness: { ...levels, truePeakDbtp: decibels(truePeak), samplePeakDbfs: decibels(samplePeak) },
        waveform: outline,
        peaks: finest,
        fingerprint: spectra.fingerprint,
        levels: levelTracker.finish(),
        passages,
        balanceDb: balance.finish(),
        faults: { ...faults.finish(), truePeakAtSec: peaks.peakFrame() / format.sampleRateHz },
        ...musical(spectra, {
          durationSec,
          loudness: levels,
          peak: samplePeak,
          stereoWidth: faults.stereoWidth(),
        }),
      };
    },
  };
}

/** Finds what {@link createAnalyzer} calls the faults, the structure and the passages of a recording, and nothing else. */
export type Check = {
  push(interleaved: Float32Array): void;
  finish(): Pick<AudioAnalysis, "faults" | "structure" | "passages">;
};

/** Builds a {@link Check}. @throws RangeError as {@link createAnalyzer} does. */
export function createCheck(format: { sampleRateHz: number; channels: number }): Check {
  requireFormat(format);
  const peaks = createPeakMeter(format);
  const faults = createFaultFinder(format);
  const spectral = createSpectralAnalyzer();
  const resampler = createResampler(format.sampleRateHz, ANALYSIS_HZ, spectral.push);
  let frames = 0;
  const input = createDeinterleaver(format.channels, (planes, count, mono) => {
    frames += count;
    peaks.push(planes, count);
    faults.push(planes, count);
    resampler.push(mono, count);
  });
  return {
    push: input.push,
    finish() {
      input.finish();
      peaks.finish();
      resampler.finish();
      const { passages, ...spectra } = spectral.finish();
      const rhythm = analyseRhythm(spectra.onsets);
      const durationSec = frames / format.sampleRateHz;
      return {
        faults: { ...faults.finish(), truePeakAtSec: peaks.peakFrame() / format.sampleRateHz },
        structure: findStructure({ ...spectra, rhythm, tempo: estimateTempo(rhythm), durationSec }),
        passages,
      };
    },
  };
}

function requireFormat({ sampleRateHz, channels }: { sampleRateHz: number; channels: number }): void {
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < MIN_RATE_HZ || sampleRateHz > MAX_RATE_HZ)
    throw new RangeError(
      `Sample rate ${sampleRateHz} Hz is not a whole number of ${MIN_RATE_HZ}..${MAX_RATE_HZ}`,
    );
  if (!Number.isInteger(channels) || channels < 1 || channels > MAX_CHANNELS)
    throw new RangeError(`${channels} channels is not a whole number of 1..${MAX_CHANNELS}`);
}

/** Under -120 dB there is nothing but rounding. */
const decibels = (linear: number) => (linear > 1e-6 ? 20 * Math.log10(linear) : null);

type Whole = { durationSec: number; loudness: Loudness; peak: number; stereoWidth: number };

/** Draws tempo, key, features and descriptors from the spectra. */
function musical(
  { onsets, pitches, fingerprint, ...timbre }: Omit<Spectral, "passages">,
  { durationSec, ...levels }: Whole,
): Pick<AudioAnalysis, "tempo" | "structure" | "key" | "descriptors" | "features"> {
  const rhythm = analyseRhythm(onsets);
  const chroma = foldChroma(pitches);
  const estimate = estimateTempo(rhythm);
  const isLongEnough = durationSec >= MIN_MUSICAL_SECONDS;
  const tempo = isLongEnough ? estimate : { ...estimate, bpm: null, confidence: 0, candidates: [] };
  const key = isLongEnough
    ? estimateKey(chroma, pitches.steadiness)
    : { name: null, confidence: 0, tuningCents: null };
  const measured = { ...timbre, rhythm, tempo, chroma, steadiness: pitches.steadiness, ...levels };
  const features = summarise(measured);
  const { bpm, confidence, candidates } = tempo;
  return {
    tempo: { bpm, confidence, candidates },
    structure: findStructure({ rhythm, tempo, pitches, fingerprint, durationSec }),
    key,
    descriptors: describe(measured, features),
    features,
  };
}
