/** Pairs in a waveform picture. */
export const WAVEFORM_BUCKETS = 1000;

/** The waveform of a mono stream in its finest form. */
export type Peaks = {
  /** Frames per pair, a power of two; the last pair may cover fewer. */
  framesPerPair: number;
  /** Alternating minimum and maximum, -127..127 for -1..1 full scale, clipped beyond. At most 65 536 bytes. */
  pairs: Int8Array<ArrayBuffer>;
};

/** Collects the waveform of a mono stream whose length is not known in advance. */
export type WaveformMeter = {
  push(mono: Float32Array, count: number): void;
  /** `outline`: WAVEFORM_BUCKETS pairs in the format of {@link Peaks}, zeros when empty. */
  finish(): { outline: Int8Array; peaks: Peaks };
};

/** The number of fine cells; when they are full, neighbours merge and each cell covers twice the samples. */
const CELLS = 32_768;
/** Most pairs that {@link Peaks} has. */
export const MAX_PAIRS = CELLS;

/** Builds a waveform meter of fixed memory; bucket borders are exact to 1/16 bucket on any length. */
export function createWaveformMeter(): WaveformMeter {
  const lows = new Float32Array(CELLS);
  const highs = new Float32Array(CELLS);
  let cellSamples = 1;
  let cell = 0;
  let inCell = 0;

  const widen = (index: number, mono: Float32Array, from: number, to: number) => {
    let low = lows[index] as number;
    let high = highs[index] as number;
    for (let i = from; i < to; i++) {
      const sample = mono[i] as number;
      if (sample < low) low = sample;
      if (sample > high) high = sample;
    }
    lows[index] = low;
    highs[index] = high;
  };
  const advance = () => {
    inCell = 0;
    if (++cell === CELLS) halve();
  };
  const halve = () => {
    for (let i = 0; i < CELLS / 2; i++) {
      lows[i] = Math.min(lows[2 * i] as number, lows[2 * i + 1] as number);
      highs[i] = Math.max(highs[2 * i] as number, highs[2 * i + 1] as number);
    }
    cell = CELLS / 2;
    cellSamples *= 2;
  };

  return {
    push(mono, count) {
      let from = 0;
      while (from < count) {
        const to = Math.min(count, from + cellSamples - inCell);
        if (inCell === 0) {
          lows[cell] = Number.POSITIVE_INFINITY;
          highs[cell] = Number.NEGATIVE_INFINITY;
        }
        widen(cell, mono, from, to);
        inCell += to - from;
        from = to;
        if (inCell === cellSamples) advance();
      }
    },
    finish: () => ({
      outline: outline(lows, highs, cell + inCell / cellSamples),
      peaks: { framesPerPair: cellSamples, pairs: interleave(lows, highs, cell + (inCell > 0 ? 1 : 0)) },
    }),
  };
}

function outline(lows: Float32Array, highs: Float32Array, cells: number): Int8Array {
  const pairs = new Int8Array(2 * WAVEFORM_BUCKETS);
  if (cells === 0) return pairs;
  const last = Math.ceil(cells) - 1;
  for (let bucket = 0; bucket < WAVEFORM_BUCKETS; bucket++) {
    const from = Math.min(last, Math.floor((bucket * cells) / WAVEFORM_BUCKETS));
    const to = Math.max(from + 1, Math.min(last + 1, Math.ceil(((bucket + 1) * cells) / WAVEFORM_BUCKETS)));
    pairs[2 * bucket] = toByte(lows.subarray(from, to).reduce((low, value) => Math.min(low, value), 1));
    pairs[2 * bucket + 1] = toByte(
      highs.subarray(from, to).reduce((high, value) => Math.max(high, value), -1),
    );
  }
  return pairs;
}

function interleave(lows: Float32Array, highs: Float32Array, cells: number): Int8Array<ArrayBuffer> {
  const pairs = new Int8Array(2 * cells);
  for (let i = 0; i < cells; i++) {
    pairs[2 * i] = toByte(lows[i] as number);
    pairs[2 * i + 1] = toByte(highs[i] as number);
  }
  return pairs;
}

const toByte = (sample: number) => Math.round(127 * Math.max(-1, Math.min(1, sample)));
