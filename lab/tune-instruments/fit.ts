import { HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import { fit, scalesOf } from "../train-tagger/logistic.ts";
import { type Heard, meanOf } from "./rows.ts";

/** Makes the log-odds of HEARD_NAMES into those of one of them. */
export type Mapping = { weights: Float64Array; bias: number };

/** L2 penalty, in units of the mean loss. */
const PENALTY = 0.005;
/** How far what is fitted to a name may be from what is fitted to all: the deviations of a normal prior. */
const [SLOPE_WIDTH, BIAS_WIDTH] = [0.3, 2];

/** Fits a logistic regression over the log-odds of all names to each instrument, passage by passage. */
export function fitSecond(heard: readonly Heard[]): Mapping[] {
  const rows = heard.flatMap(({ passages, labels }) => passages.map((passage) => ({ passage, labels })));
  const scales = scalesOf(rows.map(({ passage }) => [...passage]));
  const inputs = rows.map(({ passage }) =>
    scales.map(({ centre, width }, i) => ((passage[i] as number) - centre) / width),
  );
  return HEARD_INSTRUMENTS.map((_, name) => {
    const known = rows.flatMap(({ labels }, i) => (Number.isNaN(labels[name]) ? [] : [i]));
    const { bias, weights } = fit(
      known.map((i) => inputs[i] as number[]),
      known.map((i) => rows[i]?.labels[name] === 1),
      PENALTY,
    );
    const own = Float64Array.from(weights, (weight, i) => weight / (scales[i]?.width ?? 1));
    return { weights: own, bias: own.reduce((sum, w, i) => sum - w * (scales[i]?.centre ?? 0), bias) };
  });
}

type Example = { inputs: readonly number[]; isTrue: boolean };
/** What a fit is drawn to, and how strongly. */
type Prior = { centre: readonly number[]; widths: readonly number[] };

/**
 * Fits to each instrument how much what was heard first and what the second mapping makes of it count, on whole pieces;
 * returns both in one. Genres stay as they were heard first.
 */
export function calibrated(second: readonly Mapping[], heard: readonly Heard[]): Mapping[] {
  const pieces = heard.map((piece) => ({ mean: meanOf(piece), labels: piece.labels }));
  const examples = second.map((mapping, name) =>
    pieces.flatMap(({ mean, labels }): Example[] => {
      const inputs = [mean[name] as number, mapped(mapping, mean), 1];
      return Number.isNaN(labels[name]) ? [] : [{ inputs, isTrue: labels[name] === 1 }];
    }),
  );
  const usual = newton(examples.flat(), { centre: [0, 0, 0], widths: [10, 10, 10] });
  const prior = {
    centre: [usual[0] ?? 0, usual[1] ?? 0, 0],
    widths: [SLOPE_WIDTH, SLOPE_WIDTH, BIAS_WIDTH],
  };
  const instruments = second.map(({ weights, bias }, name): Mapping => {
    const [first = 0, later = 0, own = 0] = newton(examples[name] ?? [], prior);
    const both = Float64Array.from(weights, (weight, i) => later * weight + (i === name ? first : 0));
    return { weights: both, bias: later * bias + own };
  });
  const genres = HEARD_NAMES.slice(HEARD_INSTRUMENTS.length).map((genre): Mapping => {
    return { weights: Float64Array.from(HEARD_NAMES, (name) => (name === genre ? 1 : 0)), bias: 0 };
  });
  return [...instruments, ...genres];
}

/** Returns the log-odds that a mapping makes of those of all names. */
export function mapped({ weights, bias }: Mapping, logOdds: ArrayLike<number>): number {
  return weights.reduce((sum, weight, i) => sum + weight * (logOdds[i] ?? 0), bias);
}

const STEPS = 30;

/** Fits a logistic regression with a normal prior by Newton's method. */
function newton(examples: readonly Example[], prior: Prior): number[] {
  let weights = [...prior.centre];
  for (let step = 0; step < STEPS; step++) {
    const { slopes, bends } = slopesAt(weights, examples, prior);
    const move = solved(bends, slopes);
    weights = weights.map((weight, i) => weight - (move[i] ?? 0));
  }
  return weights;
}

/** Returns the first and second derivatives of the loss. */
function slopesAt(weights: readonly number[], examples: readonly Example[], { centre, widths }: Prior) {
  const slopes = weights.map((weight, i) => (weight - (centre[i] ?? 0)) / (widths[i] ?? 1) ** 2);
  const bends = widths.map((width, i) => widths.map((_, j) => (i === j ? 1 / width ** 2 : 0)));
  for (const { inputs, isTrue } of examples) {
    const sum = inputs.reduce((all, input, i) => all + input * (weights[i] ?? 0), 0);
    const probability = 1 / (1 + Math.exp(-sum));
    const error = probability - (isTrue ? 1 : 0);
    for (const [i, input] of inputs.entries()) {
      slopes[i] = (slopes[i] ?? 0) + error * input;
      addScaled(bends[i] ?? [], inputs, probability * (1 - probability) * input);
    }
  }
  return { slopes, bends };
}

function addScaled(row: number[], other: readonly number[], factor: number): void {
  for (const [i, value] of other.entries()) row[i] = (row[i] ?? 0) + factor * value;
}

/** Solves a small positive definite system by elimination. */
function solved(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (const [i, row] of rows.entries()) {
    const pivot = row[i] ?? 1;
    for (const [j, value] of row.entries()) row[j] = value / pivot;
    for (const other of rows) if (other !== row) addScaled(other, [...row], -(other[i] ?? 0));
  }
  return rows.map((row) => row.at(-1) ?? 0);
}
