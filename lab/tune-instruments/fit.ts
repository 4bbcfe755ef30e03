import { HEARD_INSTRUMENTS, HEARD_NAMES } from "../../src/ears/tags.ts";
import type { Judged } from "./bounds.ts";
import { type Heard, type Means, meansOf } from "./rows.ts";

/** Makes the log-odds of HEARD_NAMES, and those of the network of instruments, into those of a name. */
export type Mapping = { layer: Float64Array; network: Float64Array; bias: number };
/** What may count for each instrument; `unheard` are mappings that were not fitted to a piece, by its place. */
export type Source = { mappings: readonly Mapping[]; unheard?: (piece: number) => readonly Mapping[] };

/** How far what is fitted to a name may be from what is fitted to all: the deviations of a normal prior. */
const [SLOPE_WIDTH, BIAS_WIDTH] = [0.3, 2];

type Example = { inputs: readonly number[]; isTrue: boolean };
/** What a fit is drawn to, and how strongly. */
type Prior = { centre: readonly number[]; widths: readonly number[] };

/** Fits to each instrument how much each source counts, on whole pieces; returns all in one. */
export function calibrated(heard: readonly Heard[], sources: readonly Source[]): Source {
  const pieces = heard.map((piece, at) => ({
    means: meansOf(piece),
    labels: piece.labels,
    sources: sources.map((source) => ofPiece(source, at)),
  }));
  const examplesOf = (name: number) =>
    pieces.flatMap(({ means, labels, sources }): Example[] => {
      const inputs = sources.map((mappings) => mapped(mappings[name] as Mapping, means));
      return Number.isNaN(labels[name]) ? [] : [{ inputs: [...inputs, 1], isTrue: labels[name] === 1 }];
    });
  const prior = priorOf(examplesOf);
  const counts = HEARD_INSTRUMENTS.map((_, name) => newton(examplesOf(name), prior));
  const allInOne = (of: readonly (readonly Mapping[])[]) =>
    counts.map((each, name) =>
      sumOfMappings(
        of.map((mappings) => mappings[name] as Mapping),
        each,
      ),
    );
  return {
    mappings: allInOne(sources.map(({ mappings }) => mappings)),
    unheard: (piece) => allInOne(sources.map((source) => ofPiece(source, piece))),
  };
}

/** Returns the mappings that were not fitted to a piece, where there are any. */
export const ofPiece = ({ mappings, unheard }: Source, piece: number): readonly Mapping[] =>
  unheard?.(piece) ?? mappings;

/** Returns mappings that hear genres as the layer does, behind those of instruments. */
export const withLayersGenres = (instruments: readonly Mapping[]): Mapping[] => [
  ...instruments,
  ...layerAlone().slice(HEARD_INSTRUMENTS.length),
];

/** Returns mappings that leave what the layer hears as it is. */
export function layerAlone(): Mapping[] {
  return HEARD_NAMES.map((_, name) => ({ ...nothing(), layer: unit(HEARD_NAMES.length, name) }));
}

/** Returns mappings that leave what the network hears as it is. */
export function networkAlone(): Mapping[] {
  return HEARD_INSTRUMENTS.map((_, name) => ({
    ...nothing(),
    network: unit(HEARD_INSTRUMENTS.length, name),
  }));
}

const nothing = (): Mapping => ({
  layer: new Float64Array(HEARD_NAMES.length),
  network: new Float64Array(HEARD_INSTRUMENTS.length),
  bias: 0,
});
const unit = (length: number, at: number) => Float64Array.from({ length }, (_, i) => (i === at ? 1 : 0));

/** Returns the sum of mappings, each as often as it counts, and of a last number. */
function sumOfMappings(mappings: readonly Mapping[], counts: readonly number[]): Mapping {
  const sum = { ...nothing(), bias: counts.at(-1) ?? 0 };
  for (const [i, { layer, network, bias }] of mappings.entries()) {
    const count = counts[i] ?? 0;
    for (const [j, weight] of layer.entries()) sum.layer[j] = (sum.layer[j] ?? 0) + count * weight;
    for (const [j, weight] of network.entries()) sum.network[j] = (sum.network[j] ?? 0) + count * weight;
    sum.bias += count * bias;
  }
  return sum;
}

/** Returns the log-odds of a name that its mapping makes of what was heard. */
export function mapped({ layer, network, bias }: Mapping, heard: Means): number {
  const own = layer.reduce((sum, weight, i) => sum + weight * (heard.layer[i] ?? 0), bias);
  return network.reduce((sum, weight, i) => sum + weight * (heard.network[i] ?? 0), own);
}

/** Returns how likely each name is in a piece. */
export function judgedPiece(mappings: readonly Mapping[], piece: Heard): Judged {
  const means = meansOf(piece);
  const probabilities = mappings.map((mapping) => 1 / (1 + Math.exp(-mapped(mapping, means))));
  return { probabilities, labels: piece.labels };
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
export function solved(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (const [i, row] of rows.entries()) {
    const pivot = row[i] ?? 1;
    for (const [j, value] of row.entries()) row[j] = value / pivot;
    for (const other of rows) if (other !== row) addScaled(other, [...row], -(other[i] ?? 0));
  }
  return rows.map((row) => row.at(-1) ?? 0);
}
