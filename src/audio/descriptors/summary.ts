import type { Moments } from "../dsp/moments.ts";
import type { Chroma } from "../key/chroma.ts";
import { profileFits } from "../key/key-evidence.ts";
import { KEY_PROFILES } from "../key/key-profiles.ts";
import type { Loudness } from "../loudness/loudness.ts";
import type { Rhythm } from "../tempo/rhythm.ts";
import { TOTAL_VIEW } from "../tempo/rhythm.ts";
import type { TempoEstimate } from "../tempo/tempo.ts";
import { FRAME_FEATURES } from "./frame-features.ts";

/** The measurements that describe a recording. */
export type Measurements = {
  frames: ReturnType<Moments["finish"]>;
  /** Share of frames that were silent, 0..1. */
  silentShare: number;
  /** Likelihood of a voice, 0..1; null when too short to tell. */
  voiceLikelihood: number | null;
  rhythm: Rhythm;
  tempo: TempoEstimate;
  chroma: Chroma;
  /** Share of pitched energy that lasts, 0..1. */
  steadiness: number;
  loudness: Loudness;
  /** Linear sample peak. */
  peak: number;
  /** Share of side energy, 0..1. */
  stereoWidth: number;
};

/** Loudness assumed for a recording too short to measure, LUFS; so quiet that it adds no energy. */
const UNKNOWN_LUFS = -30;
/** Mean salience of onsets: bowed strings, and a band. */
const SOFT_ATTACKS = 0.15;
const CLEAR_ATTACKS = 0.6;
/** A mean (power-weighted) centroid of 250 Hz has brightness 0, of 2.8 kHz brightness 1. */
const DARKEST_OCTAVE = Math.log2(250);
const BRIGHTNESS_OCTAVES = 3.5;

/**
 * Returns human-readable features: ratios 0..1, rates per second, frequencies in Hz, levels in dB. All finite. `energy`
 * weighs loudness (-30 to -6 LUFS), clear attacks (up to 8 per second), beat and brightness, each 0..1. Only clear
 * attacks count, because bowed strings have dozens of onsets without being lively.
 */
export function summarise(measured: Measurements): Record<string, number> {
  const { frames, rhythm, tempo, chroma, loudness, steadiness } = measured;
  const mean = (name: string) => frames.mean[FRAME_FEATURES.indexOf(name)] ?? 0;
  const deviation = (name: string) => frames.deviation[FRAME_FEATURES.indexOf(name)] ?? 0;
  const onsetRate = rhythm.views[TOTAL_VIEW]?.onsetRateHz ?? 0;
  const lufs = loudness.integratedLufs ?? UNKNOWN_LUFS;
  const brightness = unit((mean("centroid") - DARKEST_OCTAVE) / BRIGHTNESS_OCTAVES);
  const tonal = tonality(chroma);
  const clarity = unit((rhythm.activity - SOFT_ATTACKS) / (CLEAR_ATTACKS - SOFT_ATTACKS));
  return {
    energy:
      0.3 * unit((lufs + 30) / 24) +
      clarity * (0.4 * unit(onsetRate / 8) + 0.15 * tempo.pulseClarity) +
      0.15 * brightness,
    brightness,
    percussiveness: frames.count > 0 ? 1 - steadiness : 0,
    onsetRatePerSec: onsetRate,
    lowOnsetRatePerSec: rhythm.views[0]?.onsetRateHz ?? 0,
    highOnsetRatePerSec: rhythm.views[3]?.onsetRateHz ?? 0,
    onsetStrength: rhythm.activity,
    pulseClarity: tempo.pulseClarity,
    spectralFlatness: frames.count > 0 ? 10 ** mean("flatness") : 0,
    centroidHz: hertz("centroid"),
    amplitudeCentroidHz: hertz("amplitude centroid"),
    rolloffHz: hertz("rolloff"),
    zeroCrossingHz: hertz("zero crossings"),
    dynamicRangeDb: 10 * deviation("level"),
    crestDb: measured.peak > 0 ? 20 * Math.log10(measured.peak) - lufs : 0,
    loudnessRangeLu: loudness.rangeLu ?? 0,
    stereoWidth: measured.stereoWidth,
    silentShare: measured.silentShare,
    chromaEntropy: entropy(chroma.upper),
    bassEntropy: entropy(chroma.bass),
    scaleFit: Math.max(tonal.major, tonal.minor),
    minorLead: tonal.minor - tonal.major,
    bassShare: bandShare("level below 100 Hz") + bandShare("level below 200 Hz"),
    ...(measured.voiceLikelihood !== null && { voiceLikelihood: measured.voiceLikelihood }),
    lowMidShare: bandShare("level below 400 Hz") + bandShare("level below 800 Hz"),
    trebleShare: bandShare("level below 6400 Hz") + bandShare("level below 11025 Hz"),
  };

  function hertz(name: string): number {
    return frames.count > 0 ? 2 ** mean(name) : 0;
  }

  function bandShare(name: string): number {
    return frames.count > 0 ? 10 ** mean(name) : 0;
  }
}

const unit = (value: number) => Math.max(0, Math.min(1, value));

/** Evenness of a distribution over 12 pitch classes, 0 (one class) to 1 (all equal); 1 when it is empty. */
function entropy(chroma: Float64Array): number {
  const bits = chroma.reduce((sum, share) => (share > 0 ? sum - share * Math.log2(share) : sum), 0);
  return chroma.some((share) => share > 0) ? bits / Math.log2(12) : 1;
}

function tonality({ upper }: Chroma): { major: number; minor: number } {
  const [triadWeighted] = KEY_PROFILES;
  const fits = triadWeighted ? profileFits(upper, triadWeighted) : new Float64Array(24);
  return { major: Math.max(...fits.subarray(0, 12)), minor: Math.max(...fits.subarray(12)) };
}
