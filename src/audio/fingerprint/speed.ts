import { forEachMatch } from "./code-matches.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** Speeds that are tried: those of a mix that was made a few beats a minute faster or slower. */
const MAX_CHANGE = 0.06;
const STEP = 0.001;
/** How many more codes must match at another speed than at the same. */
const MIN_GAIN = 1.3;
const MIN_MATCHES = 12;

/** Returns how many seconds of `b` one second of `a` takes: 0.99 where `b` is 1 % faster; 1 where no other speed fits better. */
export function likelySpeed(a: Fingerprint, b: Fingerprint): number {
  const places: number[] = [];
  const others: number[] = [];
  forEachMatch(
    a.codes,
    b.codes,
    (code) => code,
    (place, other) => {
      places.push(place);
      others.push(other);
    },
  );
  const zero = Math.ceil((1 + MAX_CHANGE) * a.codes.length) + 1;
  const votes = new Int32Array(zero + b.codes.length + 2);
  const matchesAt = (speed: number) => {
    votes.fill(0);
    let most = 0;
    for (let i = 0; i < places.length; i++) {
      const offset = zero + (others[i] as number) - Math.round(speed * (places[i] as number));
      const here = (votes[offset] as number) + 1;
      votes[offset] = here;
      const count = here + (votes[offset - 1] as number) + (votes[offset + 1] as number);
      if (count > most) most = count;
    }
    return most;
  };
  const steps = Math.round(MAX_CHANGE / STEP);
  let best = { speed: 1, matches: Math.max(MIN_MATCHES, MIN_GAIN * matchesAt(1)) };
  for (let step = -steps; step <= steps; step++) {
    const speed = 1 + step * STEP;
    const matches = matchesAt(speed);
    if (matches > best.matches) best = { speed, matches };
  }
  return best.speed;
}
