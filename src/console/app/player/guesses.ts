/** Returns the chance to have so many or more of some answers right by guessing one of two. */
export function chanceOf(right: number, rounds: number): number {
  let ways = 0;
  for (let k = right; k <= rounds; k++) ways += choose(rounds, k);
  return ways / 2 ** rounds;
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);

/** Returns a chance in percent, with one digit more where it is small. */
export const percentOf = (chance: number): number =>
  chance >= 0.1 ? Math.round(100 * chance) : Math.round(1000 * chance) / 10;
