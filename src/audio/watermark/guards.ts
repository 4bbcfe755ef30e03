/** A part of a frame this many times as strong as a part before it is an attack. */
const ATTACK = 8;
const LEAST_CALM = 0.2;
/** One bin with more than this share of its band makes it a tone. Chosen with the next one on 24 pieces: docs/decisions/0127-watermark.md. */
const TONE = 0.4;
const LEAST_NOISY = 0.3;
const PARTS = 8;

/**
 * Returns how much of a mark a frame may carry without a pre-echo: 1 in steady sound, down to 0.2 where one eighth of it is far
 * stronger than one before.
 *
 * @param channels The samples of a frame, of each channel. Its ends do not count, since the window fades them.
 */
export function calmness(channels: readonly Float64Array[], frameSize: number): number {
  const length = frameSize / PARTS;
  let quietest = Number.POSITIVE_INFINITY;
  let jump = 1;
  for (let part = 1; part < PARTS - 1; part++) {
    const energy = energyOf(channels, part * length, (part + 1) * length);
    jump = Math.max(jump, energy / quietest);
    quietest = Math.min(quietest, energy);
  }
  return jump < ATTACK ? 1 : Math.max(LEAST_CALM, Math.sqrt(ATTACK / jump));
}

function energyOf(channels: readonly Float64Array[], from: number, to: number): number {
  let sum = 1e-9;
  for (const samples of channels) for (let i = from; i < to; i++) sum += (samples[i] as number) ** 2;
  return sum;
}

/**
 * Returns how much of a mark a band may carry: 1 where it is noise, down to 0.3 where one bin holds nearly all of it. Of a tone, a
 * change of level is heard first.
 */
export function noisiness(power: Float64Array, from: number, to: number): number {
  let sum = 1e-20;
  let highest = 0;
  for (let bin = from; bin < to; bin++) {
    const value = power[bin] as number;
    sum += value;
    if (value > highest) highest = value;
  }
  const share = highest / sum;
  return share < TONE ? 1 : 1 - ((1 - LEAST_NOISY) * (share - TONE)) / (1 - TONE);
}
