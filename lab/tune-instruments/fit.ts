import { HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import { fit, scalesOf } from "../train-tagger/logistic.ts";
import { type Heard, type Means, meansOf } from "./rows.ts";

/** Makes the log-odds of HEARD_NAMES, and what the network of instruments hears of a name, into those of that name. */
export type Mapping = { weights: Float64Array; bias: number; share: number };

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
    return {
      weights: own,
      bias: own.reduce((sum, w, i) => sum - w * (scales[i]?.centre ?? 0), bias),
      share: 0,
    };
  });
}

type Example = { inputs: readonly number[]; isTrue: boolean };
/** What a fit is drawn to, and how strongly. */
type Prior = { centre: readonly number[]; widths: readonly number[] };

/**
 * Fits to each instrument how much what was heard first, what the second mapping makes of it, and what the network of
 * instruments hears count, on whole pieces; returns all in one. Genres stay as they were heard first.
 *
 * @param isByNetwork Whether the network counts, for each instrument.
 */
export function calibrated(
  second: readonly Mapping[],
  heard: readonly Heard[],
  isByNetwork: readonly boolean[],
): Mapping[] {
  const pieces = heard.map((piece) => ({ means: meansOf(piece), labels: piece.labels }));
  const examplesOf = (name: number, isWith: boolean) =>
    pieces.flatMap(({ means, labels }): Example[] => {
      const own = [means.layer[name] as number, mapped(second[name] as Mapping, means, name)];
      const inputs = [...own, ...(isWith ? [means.network[name] as number] : []), 1];
      return Number.isNaN(labels[name]) ? [] : [{ inputs, isTrue: labels[name] === 1 }];
    });
  const priors = new Map(
    [false, true].map((isWith) => [isWith, priorOf((name) => examplesOf(name, isWith))]),
  );
  const instruments = second.map(({ weights, bias }, name): Mapping => {
    const isWith = isByNetwork[name] === true;
    const prior = priors.get(isWith) ?? { centre: [], widths: [] };
    const [first = 0, later = 0, ...others] = newton(examplesOf(name, isWith), prior);
    const both = Float64Array.from(weights, (weight, i) => later * weight + (i === name ? first : 0));
    return { weights: both, bias: later * bias + (others.at(-1) ?? 0), share: isWith ? (others[0] ?? 0) : 0 };
  });
  const genres = HEARD_NAMES.slice(HEARD_INSTRUMENTS.length).map((genre): Mapping => {
    const weights = Float64Array.from(HEARD_NAMES, (name) => (name === genre ? 1 : 0));
    return { weights, bias: 0, share: 0 };
  });
  return [...instruments, ...genres];
}

/** Fits to all instruments together, and returns that as what each of them is drawn to. */
function priorOf(examplesOf: (name: number) => Example[]): Prior {
  const all = HEARD_INSTRUMENTS.flatMap((_, name) => examplesOf(name));
  const slopes = (all[0]?.inputs.length ?? 1) - 1;
  const nothing = Array<number>(slopes + 1).fill(0);
  const usual = newton(all, { centre: nothing, widths: nothing.map(() => 10) });
  return {
    centre: [...usual.slice(0, slopes), 0],
    widths: [...Array<number>(slopes).fill(SLOPE_WIDTH), BIAS_WIDTH],
  };
}

/** Returns the log-odds of an instrument that its mapping makes of what was heard. */
export function mapped({ weights, bias, share }: Mapping, { layer, network }: Means, name: number): number {
  const own = weights.reduce((sum, weight, i) => sum + weight * (layer[i] ?? 0), bias);
  return own + share * (network[name] ?? 0);
}

const STEPS = 30;
const LEAST_PART = 1e-3;

/** Fits a logistic regression with a normal prior by Newton's method, with shorter steps where whole ones lead astray. */
function newton(examples: readonly Example[], prior: Prior): number[] {
  let weights = [...prior.centre];
  for (let step = 0; step < STEPS; step++) {
    const { slopes, bends } = slopesAt(weights, examples, prior);
    const move = solved(bends, slopes);
    const loss = lossAt(weights, examples, prior);
    for (let part = 1; part > LEAST_PART; part /= 2) {
      const moved = weights.map((weight, i) => weight - part * (move[i] ?? 0));
      if (!(lossAt(moved, examples, prior) < loss)) continue;
      weights = moved;
      break;
    }
  }
  return weights;
}

function lossAt(weights: readonly number[], examples: readonly Example[], { centre, widths }: Prior): number {
  const off = weights.reduce(
    (sum, weight, i) => sum + ((weight - (centre[i] ?? 0)) / (widths[i] ?? 1)) ** 2,
    0,
  );
  return examples.reduce((sum, { inputs, isTrue }) => {
    const logOdds = sumOf(inputs, weights);
    return sum + Math.log1p(Math.exp(-Math.abs(logOdds))) + Math.max(0, isTrue ? -logOdds : logOdds);
  }, off / 2);
}

const sumOf = (inputs: readonly number[], weights: readonly number[]) =>
  inputs.reduce((sum, input, i) => sum + input * (weights[i] ?? 0), 0);

/** Returns the first and second derivatives of the loss. */
function slopesAt(weights: readonly number[], examples: readonly Example[], { centre, widths }: Prior) {
  const slopes = weights.map((weight, i) => (weight - (centre[i] ?? 0)) / (widths[i] ?? 1) ** 2);
  const bends = widths.map((width, i) => widths.map((_, j) => (i === j ? 1 / width ** 2 : 0)));
  for (const { inputs, isTrue } of examples) {
    const probability = 1 / (1 + Math.exp(-sumOf(inputs, weights)));
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
