const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;
const RANGE_GATE_LU = -20;
const RANGE_LOW_QUANTILE = 0.1;
const RANGE_HIGH_QUANTILE = 0.95;

/** Returns the loudness of a K-weighted mean-square power, LUFS. The offset cancels the filter's gain at 997 Hz. */
export const toLufs = (power: number): number => -0.691 + 10 * Math.log10(power);

const toPower = (lufs: number) => 10 ** ((lufs + 0.691) / 10);

/**
 * Returns the integrated (gated) loudness of a programme, LUFS, or null when no block passes the absolute gate.
 *
 * @param powers Channel-weighted mean-square power of each K-weighted 400 ms block, 75 % overlap; linear.
 * @see ITU-R BS.1770-4, annex 1, equations 3 to 7.
 */
export function integratedLoudness(powers: Float32Array): number | null {
  const audible = meanAbove(powers, toPower(ABSOLUTE_GATE_LUFS));
  if (audible === null) return null;
  const gated = meanAbove(
    powers,
    Math.max(audible * 10 ** (RELATIVE_GATE_LU / 10), toPower(ABSOLUTE_GATE_LUFS)),
  );
  return gated === null ? null : toLufs(gated);
}

/**
 * Returns the loudness range of a programme, LU, or null when nothing passes the gate.
 *
 * @param powers Channel-weighted mean-square power of each K-weighted 3 s block, any overlap of 2/3 or more; linear.
 * @see EBU Tech 3342, section 3.
 */
export function loudnessRange(powers: Float32Array): number | null {
  const audible = meanAbove(powers, toPower(ABSOLUTE_GATE_LUFS));
  if (audible === null) return null;
  const gate = Math.max(audible * 10 ** (RANGE_GATE_LU / 10), toPower(ABSOLUTE_GATE_LUFS));
  const kept = powers.filter((power) => power > gate).sort();
  if (kept.length === 0) return null;
  const at = (quantile: number) => kept[Math.round((kept.length - 1) * quantile)] as number;
  return 10 * Math.log10(at(RANGE_HIGH_QUANTILE) / at(RANGE_LOW_QUANTILE));
}

function meanAbove(powers: Float32Array, gate: number): number | null {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < powers.length; i++) {
    const power = powers[i] as number;
    if (power <= gate) continue;
    sum += power;
    count++;
  }
  return count === 0 ? null : sum / count;
}
