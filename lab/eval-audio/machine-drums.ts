import type { BandStyle } from "./band-styles.ts";
import type { Random } from "./random.ts";

const RATE_HZ = 44_100;
/** General MIDI notes that sound low, and those that sound short and bright; all others are snares. */
const KICKS = [36];
const BRIGHT = [42, 46, 51, 54, 70];

/**
 * Returns a drum machine's loop: a style's drums exactly on the grid, with identical hits per drum; mono at 44.1
 * kHz.
 */
export function machineLoop(
  random: Random,
  style: BandStyle,
  { bpm, seconds }: { bpm: number; seconds: number },
): Float32Array {
  const out = new Float32Array(Math.round(RATE_HZ * seconds));
  const stepSeconds = 60 / bpm / style.stepsPerBeat;
  const barSteps = style.beats * style.stepsPerBeat;
  for (const [pitch, steps] of Object.entries(style.drums)) {
    const isBright = BRIGHT.includes(Number(pitch));
    const sound = KICKS.includes(Number(pitch)) ? kick(random) : burst(random, isBright);
    for (let step = 0; step * stepSeconds < seconds; step++)
      if (steps.includes(step % barSteps)) addAt(out, sound, Math.round(step * stepSeconds * RATE_HZ));
  }
  return out;
}

function kick(random: Random): Float32Array {
  const hz = random.between(45, 65);
  const decay = random.between(12, 30);
  return Float32Array.from({ length: RATE_HZ / 4 }, (_, i) => {
    const t = i / RATE_HZ;
    return 0.6 * Math.exp(-decay * t) * Math.sin(2 * Math.PI * (hz * t + 2 * (1 - Math.exp(-40 * t))));
  });
}

/** Noise that dies away: long and darker for snares and claps, short and bright for hats. */
function burst(random: Random, isBright: boolean): Float32Array {
  const seconds = isBright ? random.between(0.02, 0.06) : random.between(0.08, 0.2);
  const loudness = isBright ? random.between(0.08, 0.25) : random.between(0.25, 0.45);
  const smoothing = isBright ? 0 : random.between(0, 0.6);
  let before = 0;
  return Float32Array.from({ length: Math.round(RATE_HZ * seconds) }, (_, i) => {
    before = smoothing * before + (1 - smoothing) * random.between(-1, 1);
    return loudness * before * Math.exp((-5 * i) / (RATE_HZ * seconds));
  });
}

function addAt(out: Float32Array, sound: Float32Array, at: number): void {
  const count = Math.min(sound.length, out.length - at);
  for (let i = 0; i < count; i++) out[at + i] = (out[at + i] as number) + (sound[i] as number);
}
