/** All of a work, in hundredths of a per cent. */
const WHOLE = 10_000;

/**
 * Returns shares of a work in hundredths of a per cent. Those that add up to 100 but for the rounding of each add up to exactly
 * 10,000: thirds become 3,334, 3,333 and 3,333. Others are rounded each by itself.
 *
 * @param shares Per cent, 0 to 100.
 */
export function inHundredths(shares: readonly number[]): number[] {
  return wholeShares(shares) ?? shares.map((share) => Math.round(share * 100));
}

/** Returns {@link inHundredths} of shares that are whole; undefined when they do not add up to 100 per cent. */
export function wholeShares(shares: readonly number[]): number[] | undefined {
  const exact = shares.map((share) => share * 100);
  const sum = exact.reduce((total, share) => total + share, 0);
  // Each may be off by half a hundredth.
  if (exact.length === 0 || Math.abs(sum - WHOLE) > exact.length / 2 + 1e-6) return undefined;
  const whole = exact.map((share) => Math.floor(share + 1e-6));
  const left = WHOLE - whole.reduce((total, share) => total + share, 0);
  const byRest = [...exact.keys()]
    .filter((at) => (exact[at] ?? 0) > 0)
    .sort((a, b) => restOf(exact[b]) - restOf(exact[a]) || a - b);
  const ordered = left > 0 ? byRest : byRest.toReversed();
  for (let given = 0; given < Math.abs(left); given++) {
    const at = ordered[given % ordered.length] ?? 0;
    whole[at] = (whole[at] ?? 0) + Math.sign(left);
  }
  return whole;
}

const restOf = (share = 0): number => share - Math.floor(share + 1e-6);
