import { CODES_PER_COLUMN, CODES_PER_SECOND, COLUMN_LEVELS, powerOf } from "../fingerprint/fingerprint.ts";
import { CLASSES } from "../key/pitch-histogram.ts";

/** Bars from `from` on, up to `to` (not included). */
export type Span = { from: number; to: number };

/** How every bar sounds. */
export type BarFeatures = {
  count: number;
  /** Seconds at which each bar begins. */
  starts: Float64Array;
  meanOf(span: Span): Float64Array;
  /** Sum of squared distances of the bars from their mean, divided by the number of features. */
  scatter(from: number, to: number): number;
  /** Against the loudest bar. */
  levelDb(span: Span): number;
};

/** What bars are described from. */
export type BarSources = {
  /** As in a fingerprint. */
  columns: Uint8Array;
  /** Row-major, frames × CLASSES. */
  classes: Float32Array;
  classRateHz: number;
  classFirstSec: number;
  /** Onsets of all bands together, and their rate. */
  onset: Float32Array;
  onsetHz: number;
};

const COLUMNS_PER_SECOND = CODES_PER_SECOND / CODES_PER_COLUMN;
/** Decibels, shares of a pitch class and onsets that count as one unit of distance. */
const LEVEL_UNIT_DB = 5;
const HARMONY_UNIT = 0.07;
/** Harmony goes in circles of several bars; what is compared are whole circles. */
const CIRCLE_BARS = 4;
const FLOOR_DB = -60;
const FEATURES = COLUMN_LEVELS + CLASSES / 2 + 2;

/** Returns the features of bars that begin at `starts`. The recording ends with the columns. */
export function barFeatures(starts: Float64Array, sources: BarSources): BarFeatures {
  const endSec = sources.onset.length / sources.onsetHz;
  const columnCount = sources.columns.length / COLUMN_LEVELS;
  const count = starts.findLastIndex((start) => start * COLUMNS_PER_SECOND < columnCount - 1) + 1;
  const end = (bar: number) => starts[bar + 1] ?? endSec;
  const powers = new Float64Array(count * COLUMN_LEVELS);
  const densities = new Float64Array(count);
  const rows = new Float64Array(count * FEATURES);
  const classes = new Float64Array((count * CLASSES) / 2);
  for (let bar = 0; bar < count; bar++) {
    const [from, to] = [starts[bar] as number, end(bar)];
    addLevels(sources.columns, from, to, powers.subarray(bar * COLUMN_LEVELS, (bar + 1) * COLUMN_LEVELS));
    addClasses(sources, from, to, classes.subarray((bar * CLASSES) / 2, ((bar + 1) * CLASSES) / 2));
    densities[bar] = meanBetween(sources.onset, from * sources.onsetHz, to * sources.onsetHz);
  }
  const loudest = Math.max(...Array.from({ length: count }, (_, bar) => sumOf(powers, bar)), 1e-12);
  const usual = densities.reduce((sum, value) => sum + value, 0) / Math.max(1, count) || 1;
  for (let bar = 0; bar < count; bar++) {
    const row = rows.subarray(bar * FEATURES, (bar + 1) * FEATURES);
    for (let band = 0; band < COLUMN_LEVELS; band++)
      row[band] = decibels((powers[bar * COLUMN_LEVELS + band] as number) / loudest) / LEVEL_UNIT_DB;
    writeCircle(classes, bar, count, row.subarray(COLUMN_LEVELS));
    row[FEATURES - 2] = (2 * (densities[bar] as number)) / usual;
    row[FEATURES - 1] = decibels(sumOf(powers, bar) / loudest) / (LEVEL_UNIT_DB / 2);
  }
  const sums = prefixSums(rows, count);
  return {
    count,
    starts,
    meanOf: ({ from, to }) => meanRow(sums.plain, from, to),
    scatter: (from, to) => scatterOf(sums, from, to),
    levelDb: ({ from, to }) => decibels(meanPower(from, to)),
  };

  function meanPower(from: number, to: number): number {
    let sum = 0;
    for (let bar = from; bar < to; bar++) sum += sumOf(powers, bar);
    return sum / Math.max(1, to - from) / loudest;
  }
}

const decibels = (power: number) => Math.max(FLOOR_DB, 10 * Math.log10(power + 1e-12));

function sumOf(powers: Float64Array, bar: number): number {
  let sum = 0;
  for (let band = 0; band < COLUMN_LEVELS; band++) sum += powers[bar * COLUMN_LEVELS + band] as number;
  return sum;
}

function addLevels(columns: Uint8Array, fromSec: number, toSec: number, out: Float64Array): void {
  const first = Math.max(0, Math.ceil(fromSec * COLUMNS_PER_SECOND));
  const last = Math.min(columns.length / COLUMN_LEVELS - 1, Math.floor(toSec * COLUMNS_PER_SECOND) - 1);
  const to = Math.max(first, last);
  for (let column = first; column <= to; column++)
    for (let band = 0; band < COLUMN_LEVELS; band++)
      out[band] =
        (out[band] as number) + powerOf(columns[column * COLUMN_LEVELS + band] ?? 0) / (to - first + 1);
}

/** Adds the shares of the pitch classes; those of the bass count with the others. */
function addClasses(
  { classes, classRateHz, classFirstSec }: BarSources,
  fromSec: number,
  toSec: number,
  out: Float64Array,
): void {
  const first = Math.max(0, Math.ceil((fromSec - classFirstSec) * classRateHz));
  const last = Math.min(classes.length / CLASSES, Math.ceil((toSec - classFirstSec) * classRateHz));
  let sum = 0;
  for (let frame = first; frame < last; frame++)
    for (let i = 0; i < CLASSES; i++) {
      const weight = classes[frame * CLASSES + i] as number;
      out[i % out.length] = (out[i % out.length] as number) + weight;
      sum += weight;
    }
  if (sum > 0) for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) / sum;
}

function writeCircle(classes: Float64Array, bar: number, count: number, out: Float64Array): void {
  const half = CLASSES / 2;
  const from = Math.max(0, Math.min(count - CIRCLE_BARS, bar - (bar % CIRCLE_BARS)));
  const to = Math.min(count, from + CIRCLE_BARS);
  for (let i = 0; i < half; i++) {
    let sum = 0;
    for (let at = from; at < to; at++) sum += classes[at * half + i] as number;
    out[i] = sum / (to - from) / HARMONY_UNIT;
  }
}

function meanBetween(values: Float32Array, from: number, to: number): number {
  const [first, last] = [Math.max(0, Math.round(from)), Math.min(values.length, Math.round(to))];
  let sum = 0;
  for (let i = first; i < last; i++) sum += values[i] as number;
  return last > first ? sum / (last - first) : 0;
}

type Sums = { plain: Float64Array; squares: Float64Array };

function prefixSums(rows: Float64Array, count: number): Sums {
  const plain = new Float64Array((count + 1) * FEATURES);
  const squares = new Float64Array(count + 1);
  for (let bar = 0; bar < count; bar++) {
    let square = 0;
    for (let i = 0; i < FEATURES; i++) {
      const value = rows[bar * FEATURES + i] as number;
      plain[(bar + 1) * FEATURES + i] = (plain[bar * FEATURES + i] as number) + value;
      square += value * value;
    }
    squares[bar + 1] = (squares[bar] as number) + square;
  }
  return { plain, squares };
}

function meanRow(plain: Float64Array, from: number, to: number): Float64Array {
  return Float64Array.from(
    { length: FEATURES },
    (_, i) => ((plain[to * FEATURES + i] as number) - (plain[from * FEATURES + i] as number)) / (to - from),
  );
}

function scatterOf({ plain, squares }: Sums, from: number, to: number): number {
  let sum = (squares[to] as number) - (squares[from] as number);
  for (let i = 0; i < FEATURES; i++) {
    const total = (plain[to * FEATURES + i] as number) - (plain[from * FEATURES + i] as number);
    sum -= (total * total) / (to - from);
  }
  return Math.max(0, sum / FEATURES);
}
