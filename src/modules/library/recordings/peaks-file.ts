/** Magic of a file of peaks, and the version of its layout. */
const MAGIC = "DBPK";
const LAYOUT = 1;
const HEADER_BYTES = 24;
const LEVEL_BYTES = 12;
/** Each pair of a level covers four times the frames of the finer level; the coarsest has at most COARSEST_PAIRS. */
const STEP = 4;
const COARSEST_PAIRS = 256;

/** A recording's waveform as stored. */
export type StoredPeaks = {
  sampleRateHz: number;
  /** Length of the whole recording. */
  frames: number;
  framesPerPair: number;
  /** Deflated int8 pairs (min, max) of the mono mix. */
  peaks: Uint8Array;
};

/**
 * Returns a waveform at every zoom level, finest first, little-endian: "DBPK", uint16 layout 1, uint16 levels, uint32
 * samples per second, uint32 channels (1, the mono mix), float64 frames; for each level uint32 frames per pair, uint32
 * pairs, uint32 offset of its pairs in the file; then the pairs, int8 minimum and maximum, -127..127 for full scale.
 */
export function peaksFile({
  sampleRateHz,
  frames,
  framesPerPair,
  peaks,
}: StoredPeaks): Uint8Array<ArrayBuffer> {
  const levels = zoomLevels(new Int8Array(Bun.inflateSync(Uint8Array.from(peaks)).buffer));
  const dataStart = HEADER_BYTES + LEVEL_BYTES * levels.length;
  const bytes = new Uint8Array(levels.reduce((size, pairs) => size + pairs.length, dataStart));
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  view.setUint16(4, LAYOUT, true);
  view.setUint16(6, levels.length, true);
  view.setUint32(8, sampleRateHz, true);
  view.setUint32(12, 1, true);
  view.setFloat64(16, frames, true);
  let offset = dataStart;
  for (const [index, pairs] of levels.entries()) {
    const at = HEADER_BYTES + LEVEL_BYTES * index;
    view.setUint32(at, framesPerPair * STEP ** index, true);
    view.setUint32(at + 4, pairs.length / 2, true);
    view.setUint32(at + 8, offset, true);
    bytes.set(new Uint8Array(pairs.buffer), offset);
    offset += pairs.length;
  }
  return bytes;
}

function zoomLevels(finest: Int8Array<ArrayBuffer>): Int8Array<ArrayBuffer>[] {
  const levels = [finest];
  for (let pairs = finest; pairs.length / 2 > COARSEST_PAIRS; levels.push(pairs)) pairs = coarser(pairs);
  return levels;
}

function coarser(finer: Int8Array): Int8Array<ArrayBuffer> {
  const pairs = new Int8Array(2 * Math.ceil(finer.length / 2 / STEP));
  for (let pair = 0; pair < pairs.length / 2; pair++) {
    const group = finer.subarray(2 * pair * STEP, 2 * (pair + 1) * STEP);
    pairs[2 * pair] = group.reduce((low, value, i) => (i % 2 === 0 ? Math.min(low, value) : low), 127);
    pairs[2 * pair + 1] = group.reduce(
      (high, value, i) => (i % 2 === 1 ? Math.max(high, value) : high),
      -127,
    );
  }
  return pairs;
}
