import { CODE_BITS, type Pattern } from "./pattern.ts";

/** Sums what the tiles say of each bit: CODE_BITS values, positive for 1, any unit. */
export function softBits(tiles: Float32Array, { signs, bits }: Pattern): Float64Array {
  const soft = new Float64Array(CODE_BITS);
  for (let tile = 0; tile < tiles.length; tile++) {
    const bit = bits[tile] as number;
    if (bit >= 0) soft[bit] = (soft[bit] as number) + (tiles[tile] as number) * (signs[tile] as number);
  }
  return soft;
}
