/** Coefficients of y = b0·x + b1·x₁ + b2·x₂ - a1·y₁ - a2·y₂. */
export type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number };

/** The analogue prototypes behind the standard's 48 kHz tables, which give other rates the same response. */
const SHELF = { hz: 1681.974450955533, gainDb: 3.999843853973347, q: 0.7071752369554196 };
const HIGH_PASS = { hz: 38.13547087602444, q: 0.5003270373238773 };
const SHELF_BAND_EXPONENT = 0.4996667741545416;

/**
 * Returns the two K-weighting stages (head shelf, then high-pass) for any sampling rate, by the bilinear transform.
 *
 * @see ITU-R BS.1770-4, annex 1, tables 1 and 2 (reproduced to 1e-9 at 48 kHz).
 */
export function kWeighting(sampleRateHz: number): { shelf: Biquad; highPass: Biquad } {
  return { shelf: shelfAt(sampleRateHz), highPass: highPassAt(sampleRateHz) };
}

function shelfAt(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * SHELF.hz) / sampleRateHz);
  const high = 10 ** (SHELF.gainDb / 20);
  const band = high ** SHELF_BAND_EXPONENT;
  const a0 = 1 + k / SHELF.q + k * k;
  return {
    b0: (high + (band * k) / SHELF.q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / SHELF.q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / SHELF.q + k * k) / a0,
  };
}

function highPassAt(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * HIGH_PASS.hz) / sampleRateHz);
  const a0 = 1 + k / HIGH_PASS.q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / HIGH_PASS.q + k * k) / a0 };
}

/**
 * Returns the power weight of each channel in the usual order of its layout: front 1, LFE 0, side surround 1.41.
 *
 * @param channels 1 to 8: mono, L R, L R C, L R Ls Rs, L R C Ls Rs, 5.1, 6.1, 7.1. Any further channel has weight 1.
 * @see ITU-R BS.1770-4, annex 1 table 3 and annex 3 table 4.
 */
export function channelWeights(channels: number): number[] {
  const side = 1.41;
  const layouts: Record<number, number[]> = {
    4: [1, 1, side, side],
    5: [1, 1, 1, side, side],
    6: [1, 1, 1, 0, side, side],
    7: [1, 1, 1, 0, 1, side, side],
    8: [1, 1, 1, 0, 1, 1, side, side],
  };
  return layouts[channels] ?? Array.from({ length: channels }, () => 1);
}
