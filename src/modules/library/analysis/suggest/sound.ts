import { degree } from "./evidence.ts";

/** The measurements that a description needs in addition to the features of `summarise`. */
export type Measurements = {
  durationSec: number;
  loudness: { integratedLufs: number | null; rangeLu: number | null };
  tempo: { bpm: number | null };
  key: { name: string | null; confidence: number };
};

/**
 * How a recording comes across. Values without a unit run from 0 (not at all) to 1 (clearly). The bounds were set on
 * finished game scores, synthesised pieces and rendered clips in 18 styles. They suit pieces of music, not single
 * sounds.
 */
export type Sound = {
  /** A beat that one can tap to: regular, and made of clear attacks. */
  beat: number;
  /** Tones without clear attacks: bows, pads, choirs. */
  held: number;
  /** Many clear attacks per second. */
  busy: number;
  /** Compared with other finished recordings. */
  loud: number;
  /** How lively it feels: beat, tempo, attacks and loudness together. */
  lively: number;
  /** Surely in a minor key; surely in a major one. Both 0 without a tonal centre. */
  minor: number;
  major: number;
  /** No tonal centre was found. */
  atonal: number;
  /** Little above the low mids; much in the highs. */
  dark: number;
  bright: number;
  /** Beats per minute, 0 without a beat. */
  bpm: number;
  /** Between quiet and loud parts, loudness units. */
  rangeLu: number;
  /** Salience of attacks: 0.15 bowed strings, 0.5 a band, 1.5 a drum machine. */
  attacks: number;
  attacksPerSec: number;
  /** Regularity of the beat, 0 to 1. */
  pulse: number;
  /** Share of energy below 200 Hz, and share of energy that does not last, 0 to 1. */
  bass: number;
  percussive: number;
  /** Share of side energy, 0 to 1. */
  width: number;
  /** 0 (250 Hz) to 1 (2.8 kHz). */
  brightness: number;
};

/** Returns how a recording comes across, from its measurements; undefined for silence. */
export function soundOf(
  features: Readonly<Record<string, number>>,
  { loudness, tempo, key }: Measurements,
): Sound | undefined {
  const { integratedLufs, rangeLu } = loudness;
  if (integratedLufs === null) return undefined;
  const of = (name: string) => features[name] ?? 0;
  const [attacks, attacksPerSec, pulse] = [of("onsetStrength"), of("onsetRatePerSec"), of("pulseClarity")];
  const bpm = tempo.bpm ?? 0;
  const beat = bpm === 0 ? 0 : Math.min(degree(pulse, 0.3, 0.7), degree(attacks, 0.25, 0.7));
  // Bowed strings have dozens of soft onsets, which are not activity.
  const busy = Math.min(degree(attacksPerSec, 2, 7), degree(attacks, 0.25, 0.6));
  const fast = beat * degree(bpm, 80, 150);
  const loud = degree(integratedLufs, -24, -11);
  return {
    beat,
    held: degree(attacks, 0.35, 0.15),
    busy,
    loud,
    lively: 0.3 * beat + 0.25 * busy + 0.25 * fast + 0.2 * loud,
    minor: modeOf(key, "minor"),
    major: modeOf(key, "major"),
    atonal: key.name === null ? 1 : 0,
    dark: degree(of("brightness"), 0.3, 0.05),
    bright: degree(of("brightness"), 0.4, 0.65),
    bpm,
    rangeLu: rangeLu ?? 0,
    attacks,
    attacksPerSec,
    pulse,
    bass: of("bassShare"),
    percussive: of("percussiveness"),
    width: of("stereoWidth"),
    brightness: of("brightness"),
  };
}

function modeOf({ name, confidence }: Measurements["key"], mode: "major" | "minor"): number {
  return name?.endsWith(mode) ? degree(confidence, 0.2, 0.7) : 0;
}
