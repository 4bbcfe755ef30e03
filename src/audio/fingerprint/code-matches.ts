import { SILENT_CODE } from "./fingerprint.ts";

/** A value at more places is looked for at so many of them, evenly chosen: it says little of where it is. */
const MAX_PLACES = 64;

/**
 * Calls back with each place of `a` and the places of `b` at which the codes are equal in some bits. `weight` is less the more places
 * there are: 1 for all of them together.
 */
export function forEachMatch(
  a: Uint32Array,
  b: Uint32Array,
  bitsOf: (code: number) => number,
  visit: (place: number, other: number, weight: number) => void,
): void {
  const places = placesOf(b, bitsOf);
  for (let place = 0; place < a.length; place++) {
    const code = a[place] as number;
    const others = code === SILENT_CODE ? undefined : places.get(bitsOf(code));
    if (!others) continue;
    const step = Math.max(1, others.length / MAX_PLACES);
    for (let i = 0; i < others.length; i += step)
      visit(place, others[Math.floor(i)] as number, 1 / others.length);
  }
}

function placesOf(codes: Uint32Array, bitsOf: (code: number) => number): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (let place = 0; place < codes.length; place++) {
    const code = codes[place] as number;
    if (code === SILENT_CODE) continue;
    const known = places.get(bitsOf(code));
    if (known) known.push(place);
    else places.set(bitsOf(code), [place]);
  }
  return places;
}
