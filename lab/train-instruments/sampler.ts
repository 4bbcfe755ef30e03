import type { Random } from "../eval-audio/random.ts";
import type { Tone } from "./phrases.ts";

/** A recorded tone, and the range of pitches that it is used for; loop in samples, none where `loopEnd` is 0. */
export type Sample = {
  samples: Float32Array;
  hz: number;
  /** Its pitch, in cents: 6900 is 440 Hz at A4. */
  cents: number;
  lowest: number;
  highest: number;
  loopStart: number;
  loopEnd: number;
  /** How hard it was played, 0 to 127; absent where all were played alike. */
  velocity?: number;
};

const RELEASE_SECONDS = 0.12;
/** Seconds after which a plucked or struck tone has fallen to a third, in the middle of the range. */
const DECAY_SECONDS = 1.1;

/** A player takes the recorded tones next to the one that is meant, as no two tones of a player are the same. */
const VARIED_CENTS = 101;
/** Of these, those that were played as hard as is meant. */
const VARIED = 5;
/** How many play one tone of a section, and how far they are apart, in seconds and cents. */
const [DESKS, DESK_SECONDS, DESK_CENTS] = [5, 0.05, 12];

/** Plays tones with recorded ones. Those of struck and plucked programs die away, as their loops do not. */
export function playSamples(
  all: readonly Sample[],
  tones: readonly Tone[],
  {
    program,
    length,
    hz,
    random,
    isSection,
  }: { program: number; length: number; hz: number; random: Random; isSection: boolean },
): Float32Array {
  const out = new Float32Array(length);
  for (const tone of tones)
    for (let desk = 0; desk < (isSection ? DESKS : 1); desk++) {
      const sample = sampleFor(all, tone, random);
      const played = isSection
        ? { at: tone.at + random.unit() * DESK_SECONDS, pitch: tone.pitch + random.normal(DESK_CENTS / 100) }
        : {};
      if (sample) addTone(out, sample, { ...tone, ...played, hz, decays: decays(program) });
    }
  return out;
}

function sampleFor(all: readonly Sample[], tone: Tone, random: Random): Sample | undefined {
  const inRange = all.filter(({ lowest, highest }) => tone.pitch >= lowest && tone.pitch <= highest);
  const away = ({ cents }: Sample) => Math.abs(cents - 100 * tone.pitch);
  const near = (inRange.length > 0 ? inRange : all).toSorted((a, b) => away(a) - away(b));
  const first = near[0];
  if (first?.velocity === undefined) return first;
  const varied = near.filter((sample) => away(sample) <= away(first) + VARIED_CENTS);
  const isLong = ({ samples, hz }: Sample) => samples.length / hz > 0.8 * tone.seconds;
  const longest = Math.max(...varied.map(({ samples }) => samples.length));
  const lasting = varied.filter((sample) => isLong(sample) || sample.samples.length > 0.8 * longest);
  const asHard = ({ velocity = 0 }: Sample) => Math.abs(velocity - tone.velocity);
  return random.pick(lasting.toSorted((a, b) => asHard(a) - asHard(b)).slice(0, VARIED));
}

function decays(program: number): boolean {
  return DYING.some(([from, to]) => program >= from && program <= to);
}

/** Programs of pianos, mallets, plucked guitars, basses, pizzicato, harps and plucked folk instruments, from and to. */
const DYING = [
  [0, 15],
  [24, 28],
  [32, 37],
  [45, 46],
  [104, 108],
] as const;

type Played = Tone & { hz: number; decays: boolean };

function addTone(out: Float32Array, sample: Sample, tone: Played): void {
  const { at, seconds, pitch, velocity, hz } = tone;
  const { samples, loopStart, loopEnd } = sample;
  const step = (2 ** ((100 * pitch - sample.cents) / 1200) * sample.hz) / hz;
  const from = Math.round(at * hz);
  const held = Math.round(seconds * hz);
  const release = RELEASE_SECONDS * hz;
  const end = Math.min(held + release, out.length - from);
  const isLooped = loopEnd > loopStart + 8 && loopEnd <= samples.length;
  const fall = tone.decays && isLooped ? Math.exp(-1 / (DECAY_SECONDS * hz * 2 ** ((60 - pitch) / 24))) : 1;
  let [place, level] = [0, (velocity / 127) ** 1.6];
  for (let i = 0; i < end; i++) {
    if (isLooped && place >= loopEnd) place = loopStart + ((place - loopStart) % (loopEnd - loopStart));
    if (place + 1 >= samples.length) break;
    const fade = i < held ? 1 : 1 - (i - held) / release;
    out[from + i] = (out[from + i] as number) + level * fade * between(samples, place);
    level *= fall;
    place += step;
  }
}

function between(samples: Float32Array, place: number): number {
  const whole = Math.floor(place);
  const part = place - whole;
  return (samples[whole] as number) * (1 - part) + (samples[whole + 1] as number) * part;
}
