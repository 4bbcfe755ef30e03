import { HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import { type Mapping, type Source, solved } from "./fit.ts";
import type { Heard } from "./rows.ts";

/** L2 penalty on standardised inputs, in units of the mean loss. */
const PENALTY = 0.005;
const STEPS = 10;
/** Parts of some pieces, of which each is heard by what was fitted to the others. */
const PARTS = 3;
const LAYER = HEARD_NAMES.length;

/** What is weighed: the log-odds of the layer, or those of the network of instruments too. */
type Of = "layer" | "both";
/** Passages: the standardised inputs of each, with a 1 at the end, and its labels. */
type Rows = { width: number; inputs: Float64Array[]; labels: readonly Float32Array[]; scales: Scale[] };
type Scale = { centre: number; width: number };

/** Fits a logistic regression over the log-odds of all names to each instrument, passage by passage. */
export function fitSecond(heard: readonly Heard[], of: Of): Mapping[] {
  const rows = rowsOf(heard, of);
  return HEARD_INSTRUMENTS.map((_, name) => mappingOf(rows, fitName(rows, name)));
}

/** Fits the same to mixes and to pieces, in parts too, so that each piece is also heard by what was not fitted to it. */
export function fitSecondWithPieces(mixes: readonly Heard[], pieces: readonly Heard[]): Source {
  const parts = Array.from({ length: PARTS }, (_, part) =>
    fitSecond([...mixes, ...pieces.filter((_, i) => i % PARTS !== part)], "both"),
  );
  return {
    mappings: fitSecond([...mixes, ...pieces], "both"),
    unheard: (piece) => parts[piece % PARTS] ?? [],
  };
}

function rowsOf(heard: readonly Heard[], of: Of): Rows {
  const all = heard.flatMap(({ passages, byNetwork, labels }) =>
    passages.map((passage, i) => ({
      labels,
      inputs: of === "layer" ? [...passage] : [...passage, ...(byNetwork[i] ?? [])],
    })),
  );
  const width = all[0]?.inputs.length ?? 0;
  const scales = Array.from({ length: width }, (_, i): Scale => {
    const centre = all.reduce((sum, { inputs }) => sum + (inputs[i] ?? 0), 0) / all.length;
    const variance = all.reduce((sum, { inputs }) => sum + ((inputs[i] ?? 0) - centre) ** 2, 0) / all.length;
    return { centre, width: Math.sqrt(variance) || 1 };
  });
  const inputs = all.map(({ inputs }) =>
    Float64Array.from([...inputs.map((value, i) => standard(value, scales[i])), 1]),
  );
  return { width, inputs, labels: all.map(({ labels }) => labels), scales };
}

const standard = (value: number, { centre, width }: Scale = { centre: 0, width: 1 }) =>
  (value - centre) / width;

/** Returns the mapping that the weights of standardised inputs are. */
function mappingOf({ width, scales }: Rows, weights: Float64Array): Mapping {
  const own = Float64Array.from({ length: LAYER + HEARD_INSTRUMENTS.length }, (_, i) =>
    i < width ? (weights[i] ?? 0) / (scales[i]?.width ?? 1) : 0,
  );
  const bias = scales.reduce((sum, { centre }, i) => sum - (own[i] ?? 0) * centre, weights[width] ?? 0);
  return { layer: own.slice(0, LAYER), network: own.slice(LAYER), bias };
}

type Known = { row: Float64Array; label: number };

/** Fits by Newton's method, from nothing. */
function fitName({ width, inputs, labels }: Rows, name: number): Float64Array {
  const known = inputs.flatMap((row, i): Known[] => {
    const label = labels[i]?.[name] ?? Number.NaN;
    return Number.isNaN(label) ? [] : [{ row, label }];
  });
  const weights = new Float64Array(width + 1);
  for (let step = 0; step < STEPS; step++) {
    const { slopes, bends } = slopesAt(weights, known);
    for (const [i, move] of solved(bends, slopes).entries()) weights[i] = (weights[i] as number) - move;
  }
  return weights;
}

/** Returns the first and second derivatives of the mean loss with its penalty, which leaves the last weight alone. */
function slopesAt(weights: Float64Array, known: readonly Known[]) {
  const penalties = Array.from(weights, (_, i) => (i + 1 < weights.length ? PENALTY : 0));
  const slopes = penalties.map((penalty, i) => penalty * (weights[i] as number));
  const bends = penalties.map((penalty, i) => weights.map((_, j) => (i === j ? penalty : 0)));
  for (const { row, label } of known) {
    const logOdds = row.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
    const probability = 1 / (1 + Math.exp(-logOdds));
    const error = (probability - label) / known.length;
    const bend = (probability * (1 - probability)) / known.length;
    for (const [i, value] of row.entries()) {
      slopes[i] = (slopes[i] as number) + error * value;
      addScaled(bends[i] as Float64Array, row, { factor: bend * value, upTo: i });
    }
  }
  const all = bends.map((each, i) => Array.from(each, (value, j) => (j > i ? (bends[j]?.[i] ?? 0) : value)));
  return { slopes, bends: all };
}

type Part = { factor: number; upTo: number };

/** Adds the first numbers of a row: the second derivatives are the same across the diagonal. */
function addScaled(into: Float64Array, row: Float64Array, { factor, upTo }: Part): void {
  for (let i = 0; i <= upTo; i++) into[i] = (into[i] as number) + factor * (row[i] as number);
}
