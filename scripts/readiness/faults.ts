/** Two channels of music at 44.1 kHz, full scale 1. */
export type Stereo = [Float32Array, Float32Array];

const RATE_HZ = 44_100;

/** Each fault, by the rule that finds it: what it makes of sound that is in order. */
export const FAULTS: Readonly<Record<string, (sound: Stereo) => Stereo>> = {
  true_peak: (sound) => {
    const [left, right] = map(sound, (value) => value * 0.5);
    // A tone at a quarter of the rate, sampled beside its peaks: +2 dBTP, while no sample is above -1 dBFS.
    for (let i = 0; i < RATE_HZ; i++) left[middle(sound) + i] = 0.89 * (i & 2 ? -1 : 1);
    return [left, right];
  },
  clipped: (sound) => {
    const gain = 2 / topOf(sound);
    return map(sound, (value) => Math.max(-0.999, Math.min(0.999, value * gain)));
  },
  dc_offset: (sound) => {
    const means = sound.map(meanOf);
    return map(
      sound,
      (value, _, channel) => (value - (means[channel] as number)) * 0.9 + (channel === 0 ? 0.005 : 0),
    );
  },
  silent: (sound) => map(sound, (value) => value * 1e-4),
  long_head_silence: (sound) => padded(sound, RATE_HZ * 2, 0),
  long_tail_silence: (sound) => padded(sound, 0, RATE_HZ * 8),
  starts_in_sound: (sound) => sound.map((samples) => samples.slice(loud(sound))) as Stereo,
  ends_in_sound: (sound) => sound.map((samples) => samples.slice(0, loud(sound) + 3)) as Stereo,
  dropout: (sound) => {
    const at = loud(sound);
    return map(sound, (value, i) => (i > at && i <= at + 882 ? 0 : value));
  },
  out_of_phase: (sound) => sides(sound, -1),
  mono_loss: (sound) => sides(sound, -0.8),
  dual_mono: ([left]) => [left, left.slice()],
  one_sided: (sound) => {
    const [left] = sound;
    return [left, left.map((value) => value * 0.3)];
  },
  padded_bits: (sound) => map(sound, (value) => Math.round(value * 2 ** 15) / 2 ** 15),
  loudness_gain: (sound) => {
    const gain = 30 / topOf(sound);
    return map(sound, (value) => Math.tanh(value * gain) * 0.85);
  },
};

const map = (sound: Stereo, change: (value: number, i: number, channel: number) => number): Stereo =>
  sound.map((samples, channel) => samples.map((value, i) => change(value, i, channel))) as Stereo;

/** The middle of both channels in the left one, and some of it in the right one. */
function sides(sound: Stereo, share: number): Stereo {
  const both = sound[0].map((value, i) => (value + (sound[1][i] as number)) / 2);
  return [both, both.map((value) => share * value)];
}

const padded = (sound: Stereo, head: number, tail: number): Stereo =>
  sound.map((samples) => {
    const longer = new Float32Array(samples.length + head + tail);
    longer.set(samples, head);
    return longer;
  }) as Stereo;

const topOf = (sound: Stereo): number =>
  sound.reduce((top, samples) => samples.reduce((most, value) => Math.max(most, Math.abs(value)), top), 0);
const meanOf = (samples: Float32Array): number =>
  samples.reduce((sum, value) => sum + value, 0) / samples.length;
const middle = (sound: Stereo): number => Math.floor(sound[0].length / 2);

/** Returns the first place behind the middle at which it is loud. */
function loud(sound: Stereo): number {
  for (let i = middle(sound); i < sound[0].length - RATE_HZ; i++)
    if (Math.abs(sound[0][i] as number) > 0.1 && Math.abs(sound[1][i] as number) > 0.02) return i;
  return middle(sound);
}
