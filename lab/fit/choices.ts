import { type BentWeights, bentSum, softmax } from "../../src/audio/dsp/logit.ts";
import { createRandom } from "../eval-audio/random.ts";

/** A choice among alternatives: the evidence for each, and which are right (several may be). */
export type Choice = { evidence: readonly (readonly number[])[]; isRight: readonly boolean[] };

/**
 * How weights are fitted: an L2 penalty on the weights of evidence scaled to unit deviation, and the number of
 * bends. Bends start at random, so several starts are averaged to reduce the influence of chance.
 */
export type Fitting = { penalty: number; bends: number; starts: number };

const STEPS = 400;
const RATE = 0.03;

/** Returns the choices that can be learnt from: those with a right alternative. */
const usable = (choices: readonly Choice[]) => choices.filter(({ isRight }) => isRight.some(Boolean));

/**
 * Fits weights so that a softmax over bent sums names the right alternatives, by maximum likelihood (Adam: Kingma &
 * Ba, 2015). The same seed gives the same result.
 */
export function fitChoices(choices: readonly Choice[], { starts, ...fitting }: Fitting): BentWeights {
  const fits = Array.from({ length: starts }, (_, start) =>
    fitOnce(choices, { ...fitting, seed: start + 1 }),
  );
  return {
    gains: fits.flatMap(({ gains }) => gains.map((gain) => gain / starts)),
    biases: fits.flatMap(({ biases }) => biases),
    rows: (fits[0]?.rows ?? []).map((_, i) => {
      const rows = fits.map((fit) => fit.rows[i] ?? []);
      const plain = rows.reduce((sum, row) => sum + (row[0] ?? 0), 0) / starts;
      return [plain, ...rows.flatMap((row) => row.slice(1))];
    }),
  };
}

/** How weights in force are moved: the penalty counts from where they are. */
const TUNING = { steps: 120, rate: 0.01 };

/** Moves weights in force so that they also name the right alternatives of more choices, and forget little. */
export function tuneChoices(choices: readonly Choice[], from: BentWeights, penalty: number): BentWeights {
  const scale = scaleOf(usable(choices));
  const net = createNet(scale.means.length, from.gains.length, 1);
  net.load(from, scale);
  descend(net, scaledBy(scale, choices), { ...TUNING, penalty, origin: net.parameters.slice() });
  return net.unscaled(scale);
}

type OneFit = { penalty: number; bends: number; seed: number };

function fitOnce(choices: readonly Choice[], { penalty, bends, seed }: OneFit): BentWeights {
  const scale = scaleOf(usable(choices));
  const net = createNet(scale.means.length, bends, seed);
  const origin = new Float64Array(net.parameters.length);
  descend(net, scaledBy(scale, choices), { steps: STEPS, rate: RATE, penalty, origin });
  return net.unscaled(scale);
}

type Scaled = { rows: Float64Array[]; isRight: readonly boolean[] };

function scaledBy(scale: Scale, choices: readonly Choice[]): Scaled[] {
  return usable(choices).map(({ evidence, isRight }) => ({
    rows: evidence.map((row) =>
      Float64Array.from(row, (v, i) => (v - at(scale.means, i)) / at(scale.deviations, i)),
    ),
    isRight,
  }));
}

type Descent = { steps: number; rate: number; penalty: number; origin: Float64Array };

function descend(
  { parameters, addGradient }: ReturnType<typeof createNet>,
  scaled: readonly Scaled[],
  { steps, rate: fastest, penalty, origin }: Descent,
): void {
  const gradient = new Float64Array(parameters.length);
  const mean = new Float64Array(parameters.length);
  const square = new Float64Array(parameters.length);
  for (let step = 1; step <= steps; step++) {
    gradient.fill(0);
    for (const { rows, isRight } of scaled) addGradient(rows, isRight, gradient);
    const rate = fastest * Math.min(1, 2 * (1 - step / steps) + 0.02);
    for (let i = 0; i < parameters.length; i++) {
      const slope = at(gradient, i) / scaled.length + penalty * (at(parameters, i) - at(origin, i));
      mean[i] = 0.9 * at(mean, i) + 0.1 * slope;
      square[i] = 0.999 * at(square, i) + 0.001 * slope * slope;
      const size = Math.sqrt(at(square, i) / (1 - 0.999 ** step)) + 1e-8;
      parameters[i] = at(parameters, i) - (rate * at(mean, i)) / (1 - 0.9 ** step) / size;
    }
  }
}

const at = (values: Float64Array, index: number) => values[index] as number;

type Scale = { means: Float64Array; deviations: Float64Array };

function scaleOf(choices: readonly Choice[]): Scale {
  const rows = choices.flatMap(({ evidence }) => evidence);
  const dimensions = rows[0]?.length ?? 0;
  const means = new Float64Array(dimensions);
  const deviations = new Float64Array(dimensions);
  for (const row of rows)
    for (const [i, value] of row.entries()) means[i] = at(means, i) + value / rows.length;
  for (const row of rows)
    for (const [i, value] of row.entries())
      deviations[i] = at(deviations, i) + (value - at(means, i)) ** 2 / rows.length;
  return { means, deviations: deviations.map((variance) => Math.sqrt(variance) + 1e-6) };
}

/** Parameters in one list: the linear weights, then weights and bias of each bend, then the gains. */
function createNet(dimensions: number, bends: number, seed: number) {
  const random = createRandom(seed);
  const parameters = new Float64Array(dimensions + bends * (dimensions + 1) + bends);
  const offset = (bend: number) => dimensions + bend * (dimensions + 1);
  const gainAt = (bend: number) => dimensions + bends * (dimensions + 1) + bend;
  for (let i = dimensions; i < parameters.length; i++)
    parameters[i] = random.normal(i < gainAt(0) ? 0.5 / Math.sqrt(dimensions) : 0.3);

  const bendOf = (row: Float64Array, bend: number) => {
    let sum = at(parameters, offset(bend) + dimensions);
    for (let i = 0; i < dimensions; i++) sum += at(parameters, offset(bend) + i) * at(row, i);
    return Math.tanh(sum);
  };
  const forward = (row: Float64Array) => {
    const bent = Array.from({ length: bends }, (_, bend) => bendOf(row, bend));
    let score = bent.reduce((sum, value, bend) => sum + at(parameters, gainAt(bend)) * value, 0);
    for (let i = 0; i < dimensions; i++) score += at(parameters, i) * at(row, i);
    return { bent, score };
  };
  const addRow = (row: Float64Array, bent: readonly number[], excess: number, gradient: Float64Array) => {
    for (let i = 0; i < dimensions; i++) gradient[i] = at(gradient, i) + excess * at(row, i);
    for (const [bend, value] of bent.entries()) {
      const slope = excess * at(parameters, gainAt(bend)) * (1 - value * value);
      gradient[gainAt(bend)] = at(gradient, gainAt(bend)) + excess * value;
      for (let i = 0; i < dimensions; i++)
        gradient[offset(bend) + i] = at(gradient, offset(bend) + i) + slope * at(row, i);
      gradient[offset(bend) + dimensions] = at(gradient, offset(bend) + dimensions) + slope;
    }
  };

  return {
    parameters,
    addGradient(rows: readonly Float64Array[], isRight: readonly boolean[], gradient: Float64Array) {
      const outputs = rows.map(forward);
      const chances = softmax(outputs.map(({ score }) => score));
      const right = chances.reduce((sum, chance, i) => sum + (isRight[i] ? chance : 0), 0);
      for (const [i, row] of rows.entries()) {
        const chance = chances[i] as number;
        const excess = chance - (isRight[i] ? chance / right : 0);
        if (Math.abs(excess) > 1e-7) addRow(row, outputs[i]?.bent ?? [], excess, gradient);
      }
    },
    /** Takes weights of the unscaled evidence. */
    load({ gains, biases, rows }: BentWeights, { means, deviations }: Scale): void {
      for (const [i, row] of rows.entries()) {
        parameters[i] = (row[0] ?? 0) * at(deviations, i);
        for (let bend = 0; bend < bends; bend++)
          parameters[offset(bend) + i] = (row[bend + 1] ?? 0) * at(deviations, i);
      }
      for (let bend = 0; bend < bends; bend++) {
        const shift = rows.reduce((sum, row, i) => sum + (row[bend + 1] ?? 0) * at(means, i), 0);
        parameters[offset(bend) + dimensions] = (biases[bend] ?? 0) + shift;
        parameters[gainAt(bend)] = gains[bend] ?? 0;
      }
    },
    /** Returns weights for the unscaled evidence, without a constant that all alternatives share. */
    unscaled({ means, deviations }: Scale): BentWeights {
      const weightOf = (from: number, i: number) => at(parameters, from + i) / at(deviations, i);
      const all = Array.from({ length: bends }, (_, bend) => bend);
      const shift = (bend: number) =>
        means.reduce((sum, mean, i) => sum + weightOf(offset(bend), i) * mean, 0);
      return {
        gains: all.map((bend) => at(parameters, gainAt(bend))),
        biases: all.map((bend) => at(parameters, offset(bend) + dimensions) - shift(bend)),
        rows: Array.from(means, (_, i) => [weightOf(0, i), ...all.map((bend) => weightOf(offset(bend), i))]),
      };
    },
  };
}

const SHARPEST = 2.5;

/**
 * Returns weights scaled by the factor that maximises the likelihood on other choices, because the penalty makes
 * them too uncertain. The most likely alternative stays the same.
 */
export function calibrated(weights: BentWeights, choices: readonly Choice[]): BentWeights {
  const scored = usable(choices).map(({ evidence, isRight }) => ({
    scores: evidence.map((row) => bentSum(row, weights)),
    isRight,
  }));
  let best = { factor: 1, loss: Number.POSITIVE_INFINITY };
  for (let factor = 0.5; factor <= SHARPEST; factor += 0.05) {
    const loss = scored.reduce((sum, { scores, isRight }) => {
      const chances = softmax(scores.map((score) => factor * score));
      return sum - Math.log(chances.reduce((all, chance, i) => all + (isRight[i] ? chance : 0), 1e-12));
    }, 0);
    if (loss < best.loss) best = { factor, loss };
  }
  const { factor } = best;
  return {
    ...weights,
    gains: weights.gains.map((gain) => gain * factor),
    rows: weights.rows.map(([plain = 0, ...bends]) => [plain * factor, ...bends]),
  };
}
