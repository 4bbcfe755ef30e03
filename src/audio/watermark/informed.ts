import { type Alignment, alignmentsOf } from "./align.ts";
import { BANDS, firstTileAt, READING_RATE_HZ, TILES } from "./grid.ts";
import { FRAME_SIZE, levelsAt, levelsOf, type Sound, weigh, whiten } from "./levels.ts";
import type { Pattern } from "./pattern.ts";
import { softBits } from "./soft.ts";

/** A leak, read at one place of its original. */
export type InformedReading = { soft: Float64Array; where: Alignment };

const HOP = FRAME_SIZE / 4;
/** The mean over 2 s takes out equalisers and gain. */
const WHITENING = { spanSec: 2, clipDb: 1.5 };
const WEIGHING = { spanSec: 0.25, floor: 0.05 };
/** Below this, a band of the original is silence, dB. */
const LEAST_DB = -66;

/**
 * Reads a mark with the original at hand: the music is taken off, frame by frame, so that it does not drown the mark.
 *
 * @returns One reading for each place where the leak may be; none where the original is another recording.
 */
export function readInformed(leak: Sound, original: Sound, pattern: Pattern): InformedReading[] {
  const places = alignmentsOf(leak, original);
  if (places.length === 0) return [];
  const levels = levelsOf(leak, HOP, "power");
  return places.map((where) => {
    const centre = FRAME_SIZE / 2;
    const first = where.offsetSec * READING_RATE_HZ;
    const starts = Float64Array.from(
      { length: levels.frames },
      (_, frame) => first + where.speed * (frame * HOP + centre) - centre,
    );
    const music = levelsAt(original, { starts, hop: HOP }, "power");
    const rest = { ...levels, db: levels.db.map((level, i) => level - (music.db[i] as number)) };
    const white = weigh(whiten(rest, WHITENING), WEIGHING);
    const tiles = new Float32Array(TILES);
    for (let frame = 0; frame < levels.frames; frame++) {
      const tile = firstTileAt(((starts[frame] as number) + centre) / READING_RATE_HZ);
      addAudible(white.db, music.db, frame * BANDS, tiles.subarray(tile, tile + BANDS));
    }
    return { soft: softBits(tiles, pattern), where };
  });
}

function addAudible(white: Float32Array, music: Float32Array, at: number, column: Float32Array): void {
  for (let band = 0; band < BANDS; band++)
    if ((music[at + band] as number) > LEAST_DB)
      column[band] = (column[band] as number) + (white[at + band] as number);
}
