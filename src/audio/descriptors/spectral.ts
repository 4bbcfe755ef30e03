import { createMelBank } from "../dsp/mel.ts";
import { createMoments, type Moments } from "../dsp/moments.ts";
import { createStft, type Stft } from "../dsp/stft.ts";
import { createFingerprinter, type Fingerprint } from "../fingerprint/fingerprint.ts";
import { createPitchCollector, type PitchHistograms } from "../key/pitch-histogram.ts";
import { createOnsetDetector, type OnsetEnvelopes } from "../tempo/onset.ts";
import { createVoiceMeter } from "../voice/voice.ts";
import { createFrameMeasure, FRAME_FEATURES } from "./frame-features.ts";
import { createPassageMeter } from "./passage-meter.ts";

/** The rate at which tempo, key and timbre are measured, Hz. */
export const ANALYSIS_HZ = 22_050;

/** Short frames follow rhythm and timbre (46 ms, 100 per second), long ones pitch (372 ms, 5 per second). */
const SHORT_FRAME = 1024;
const SHORT_HOP = 220;
const LONG_FRAME = 8192;
const LONG_HOP = 4096;
/** Timbre changes slowly: every fourth short frame is described. */
const DESCRIBE_EVERY = 4;
const MEL_BANDS = 40;
const MEL_LOW_HZ = 30;
const MEL_HIGH_HZ = 11_000;

/** The measurements on the spectra of one recording. */
export type Spectral = {
  onsets: OnsetEnvelopes;
  pitches: PitchHistograms;
  frames: ReturnType<Moments["finish"]>;
  silentShare: number;
  /** Likelihood of a voice, 0..1; null when too short to tell. */
  voiceLikelihood: number | null;
  fingerprint: Fingerprint;
  /** See `createPassageMeter`. */
  passages: Int8Array<ArrayBuffer>;
};

/** Measures the spectra of a mono stream at ANALYSIS_HZ. */
export type SpectralAnalyzer = { push(mono: Float32Array, count: number): void; finish(): Spectral };

const SHORT_BIN_HZ = ANALYSIS_HZ / SHORT_FRAME;
const createShortMelBank = () => createMelBank(MEL_BANDS, MEL_LOW_HZ, MEL_HIGH_HZ, SHORT_BIN_HZ);

/** Builds the short transform of a mono stream at ANALYSIS_HZ alone. `sink` receives the mel powers of each frame, which are reused. */
export function createShortBands(sink: (melPower: Float64Array) => void): Stft {
  const mel = createShortMelBank();
  const melPower = new Float64Array(MEL_BANDS);
  return createStft(SHORT_FRAME, SHORT_HOP, (power) => {
    mel.apply(power, melPower);
    sink(melPower);
  });
}

/** Returns the `voiceLikelihood` of a mono recording at ANALYSIS_HZ, and measures nothing else. */
export function voiceLikelihoodOf(mono: Float32Array): number | null {
  const voice = createVoiceMeter(createShortMelBank().centresHz);
  const stft = createShortBands(voice.push);
  stft.push(mono, mono.length);
  stft.finish();
  return voice.finish();
}

/** Builds the short and the long transform, with everything that uses their frames. */
export function createSpectralAnalyzer(): SpectralAnalyzer {
  const mel = createShortMelBank();
  const melPower = new Float64Array(MEL_BANDS);
  const onsets = createOnsetDetector(mel.centresHz, ANALYSIS_HZ / SHORT_HOP);
  const fingerprinter = createFingerprinter();
  const voice = createVoiceMeter(mel.centresHz);
  const measure = createFrameMeasure(SHORT_BIN_HZ, MEL_BANDS);
  const values = new Float64Array(FRAME_FEATURES.length);
  const moments = createMoments(FRAME_FEATURES.length);
  const passages = createPassageMeter((DESCRIBE_EVERY * SHORT_HOP) / ANALYSIS_HZ);
  const pitches = createPitchCollector(ANALYSIS_HZ / LONG_FRAME);
  let frame = 0;
  let silent = 0;
  let described = 0;

  const short = createStft(SHORT_FRAME, SHORT_HOP, (power, samples) => {
    mel.apply(power, melPower);
    onsets.push(melPower);
    voice.push(melPower);
    fingerprinter.push(melPower);
    if (frame++ % DESCRIBE_EVERY !== 0) return;
    described++;
    const isSound = measure(power, melPower, samples, values);
    if (isSound) moments.push(values);
    else silent++;
    passages.push(isSound ? values : undefined);
  });
  const long = createStft(LONG_FRAME, LONG_HOP, pitches.push);

  return {
    push(mono, count) {
      short.push(mono, count);
      long.push(mono, count);
    },
    finish() {
      short.finish();
      long.finish();
      return {
        onsets: onsets.finish(),
        pitches: pitches.finish(),
        frames: moments.finish(),
        silentShare: described > 0 ? silent / described : 1,
        voiceLikelihood: voice.finish(),
        fingerprint: fingerprinter.finish(),
        passages: passages.finish(),
      };
    },
  };
}
