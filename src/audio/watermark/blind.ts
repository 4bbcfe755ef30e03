import { BANDS, COLUMN_SEC, COLUMNS, READING_RATE_HZ, TILES } from "./grid.ts";
import { FRAME_SIZE, type Levels, levelsOf, type Sound, weigh, whiten } from "./levels.ts";
import type { Pattern } from "./pattern.ts";
import { softBits } from "./soft.ts";

/** Steps of a column in which a period may begin. */
const STEPS_PER_COLUMN = 8;
const STEPS = COLUMNS * STEPS_PER_COLUMN;
/** Speeds that are tried: a tape, a video or a careless conversion is 0.2 % off at most. */
const SPEEDS: readonly number[] = Array.from({ length: 17 }, (_, i) => 1 + (i - 8) * 0.00025);
const KEPT = 8;
const WHITENING = { spanSec: 0.28, clipDb: 3 };
const WEIGHING = { spanSec: 1, floor: 0.2 };

/** What a sound says where one period begins at `shift`; `synchronisation` is how far the pattern stands out, in standard deviations. */
type Reading = { synchronisation: number; soft: Float64Array };

/**
 * Reads a mark without the original: the levels are folded to one period, and synchronisation tells where it begins.
 *
 * @returns Soft bits of the eight places and speeds at which the pattern stands out most. Unmarked sound has some too.
 */
export function readBlind(sound: Sound, pattern: Pattern): Float64Array[] {
  const levels = weigh(whiten(levelsOf(sound, FRAME_SIZE / 4, "logarithms"), WHITENING), WEIGHING);
  const sync = [...pattern.bits.keys()].filter((tile) => pattern.bits[tile] === -1);
  const best: Reading[] = [];
  const tiles = new Float32Array(TILES);
  for (const speed of SPEEDS) {
    const folded = fold(levels, speed);
    for (let shift = 0; shift < STEPS; shift++) {
      gather(folded, shift, tiles);
      const synchronisation = standOut(tiles, sync, pattern);
      if (best.length === KEPT && synchronisation <= (best.at(-1)?.synchronisation ?? 0)) continue;
      best.push({ synchronisation, soft: softBits(tiles, pattern) });
      best.sort((one, other) => other.synchronisation - one.synchronisation);
      best.length = Math.min(best.length, KEPT);
    }
  }
  return best.map(({ soft }) => soft);
}

/** Sums the levels that are a whole number of periods apart: STEPS x BANDS. */
function fold({ frames, hop, db }: Levels, speed: number): Float32Array {
  const folded = new Float32Array(STEPS * BANDS);
  for (let frame = 0; frame < frames; frame++) {
    const sec = ((frame * hop + FRAME_SIZE / 2) / READING_RATE_HZ) * speed;
    const to = (Math.floor((sec / COLUMN_SEC) * STEPS_PER_COLUMN) % STEPS) * BANDS;
    add(db, frame * BANDS, folded, to);
  }
  return folded;
}

/** Sums the steps of each column, when a period begins `shift` steps in. */
function gather(folded: Float32Array, shift: number, tiles: Float32Array): void {
  tiles.fill(0);
  for (let step = 0; step < STEPS; step++) {
    const column = Math.floor(step / STEPS_PER_COLUMN);
    add(folded, ((step + shift) % STEPS) * BANDS, tiles, column * BANDS);
  }
}

function add(from: Float32Array, at: number, to: Float32Array, place: number): void {
  for (let band = 0; band < BANDS; band++)
    to[place + band] = (to[place + band] as number) + (from[at + band] as number);
}

function standOut(tiles: Float32Array, sync: readonly number[], { signs }: Pattern): number {
  let [sum, squares] = [0, 1e-12];
  for (const tile of sync) {
    const value = tiles[tile] as number;
    sum += value * (signs[tile] as number);
    squares += value * value;
  }
  return sum / Math.sqrt(squares);
}
