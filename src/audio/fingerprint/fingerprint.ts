/** Bands that a code compares: one bit per neighbouring pair. */
const BANDS = 33;
/** The first compared band of the mel bank: below 200 Hz, two copies differ in what their codecs kept. */
const FIRST_BAND = 4;
/** Short frames that are summed into a block: 0.06 s at 100 frames per second. */
const FRAMES_PER_BLOCK = 6;
/** Blocks per Hann-weighted window, 0.6 s: even copies cut between two codes then look much the same. */
const WINDOW_BLOCKS = 10;
/** Blocks between a window and the one that it is compared with. */
const LAG_BLOCKS = 6;
/** Blocks from one code to the next. */
const BLOCKS_PER_CODE = 2;
/** Power below which a step is silence: -70 dB of a full-scale sine. */
const SILENCE_POWER = 1e-7;

/** The most codes in a fingerprint: the first 24 minutes. */
export const MAX_CODES = 12_000;

/** Codes that one column of levels spans, 0.48 s. */
export const CODES_PER_COLUMN = 4;
/** Levels per column, each over four bands of the mel bank. */
export const COLUMN_LEVELS = 10;
const BANDS_PER_LEVEL = 4;
/** The level that 0 stands for; one unit is half a decibel. */
const FLOOR_DB = -110;
const UNITS_PER_DB = 2;
const FRAMES_PER_COLUMN = CODES_PER_COLUMN * BLOCKS_PER_CODE * FRAMES_PER_BLOCK;

/** Short frames from one code to the next. */
export const FRAMES_PER_CODE = FRAMES_PER_BLOCK * BLOCKS_PER_CODE;

/** Codes per second, 8.35. */
export const CODES_PER_SECOND = 22_050 / 220 / FRAMES_PER_BLOCK / BLOCKS_PER_CODE;

/** The code for silence, which is never compared. */
export const SILENT_CODE = 0;

/** Collects the fingerprint of one recording from its mel spectra. */
export type Fingerprinter = {
  /** Takes the mel powers of one short frame, 100 per second. */
  push(melPower: Float64Array): void;
  /** Returns the fingerprint of the first 24 minutes; it has no codes if the recording is under a second. */
  finish(): Fingerprint;
};

/** What a recording is recognised by. */
export type Fingerprint = {
  /** One 32-bit code per step, {@link CODES_PER_SECOND}. */
  codes: Uint32Array<ArrayBuffer>;
  /** COLUMN_LEVELS bytes per CODES_PER_COLUMN codes: half decibels above -110 dB. */
  columns: Uint8Array<ArrayBuffer>;
};

const WEIGHTS = Float64Array.from(
  { length: WINDOW_BLOCKS },
  (_, i) => Math.sin((Math.PI * (i + 0.5)) / WINDOW_BLOCKS) ** 2,
);

/**
 * Builds a fingerprinter. Bit b of a code says whether the level of band b, relative to the band above it, rose since
 * the previous step. Gain, equalising and codec losses change few of these bits.
 *
 * @see Haitsma & Kalker 2002, "A highly robust audio fingerprinting system", section 4.2; here on log powers, and at 8
 *   codes per second where they use 86.
 */
export function createFingerprinter(): Fingerprinter {
  const codes: number[] = [];
  const columns: number[] = [];
  const column = new Float64Array(COLUMN_LEVELS);
  /** Powers of the last blocks, oldest first. */
  const blocks: Float64Array[] = [];
  /** Log powers of the last windows, one per code. */
  const windows: Float64Array[] = [];
  let block = new Float64Array(BANDS);
  let frames = 0;

  const endBlock = (index: number) => {
    blocks.push(block);
    block = new Float64Array(BANDS);
    if (index < WINDOW_BLOCKS || (index - WINDOW_BLOCKS) % BLOCKS_PER_CODE !== 0) return;
    blocks.splice(0, blocks.length - WINDOW_BLOCKS);
    const now = levelsOf(blocks);
    windows.push(now);
    if (windows.length <= LAG_BLOCKS / BLOCKS_PER_CODE) return;
    const before = windows.shift() ?? now;
    codes.push(isSilent(now) || isSilent(before) ? SILENT_CODE : codeOf(before, now));
  };
  const addToColumn = (melPower: Float64Array) => {
    for (let band = 0; band < melPower.length; band++) {
      const level = Math.floor(band / BANDS_PER_LEVEL);
      column[level] = (column[level] as number) + (melPower[band] as number) / FRAMES_PER_COLUMN;
    }
    if ((frames + 1) % FRAMES_PER_COLUMN !== 0) return;
    for (const power of column) columns.push(toUnits(power));
    column.fill(0);
  };
  return {
    push(melPower) {
      if (codes.length === MAX_CODES) return;
      addToColumn(melPower);
      for (let band = 0; band < BANDS; band++)
        block[band] = (block[band] as number) + (melPower[FIRST_BAND + band] as number) / FRAMES_PER_BLOCK;
      if (++frames % FRAMES_PER_BLOCK === 0) endBlock(frames / FRAMES_PER_BLOCK);
    },
    finish: () => ({ codes: Uint32Array.from(codes), columns: Uint8Array.from(columns) }),
  };
}

/** Returns the power of a level that {@link Fingerprint} holds. */
export const powerOf = (level: number) => 10 ** ((level / UNITS_PER_DB + FLOOR_DB) / 10);

const toUnits = (power: number) =>
  Math.max(
    0,
    Math.min(255, Math.round((10 * Math.log10(power + Number.MIN_VALUE) - FLOOR_DB) * UNITS_PER_DB)),
  );

/** Log powers of a window of blocks. */
function levelsOf(blocks: readonly Float64Array[]): Float64Array {
  const levels = new Float64Array(BANDS);
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i] as Float64Array;
    for (let band = 0; band < BANDS; band++)
      levels[band] = (levels[band] as number) + (WEIGHTS[i] as number) * (block[band] as number);
  }
  for (let band = 0; band < BANDS; band++)
    levels[band] = Math.log10((levels[band] as number) + Number.MIN_VALUE);
  return levels;
}

function isSilent(levels: Float64Array): boolean {
  let most = Number.NEGATIVE_INFINITY;
  for (let band = 0; band < levels.length; band++) most = Math.max(most, levels[band] as number);
  return most < Math.log10(SILENCE_POWER);
}

function codeOf(before: Float64Array, now: Float64Array): number {
  let code = 0;
  for (let band = 0; band < BANDS - 1; band++)
    code = (code << 1) | (slopeAt(now, band) > slopeAt(before, band) ? 1 : 0);
  return (code === SILENT_CODE ? 1 : code) >>> 0;
}

const slopeAt = (levels: Float64Array, band: number) =>
  (levels[band] as number) - (levels[band + 1] as number);
