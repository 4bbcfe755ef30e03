import { calibrate, type Trial } from "./calibration.ts";
import { centreOf, type Example, inputsOf } from "./inputs.ts";
import { fitLogistic, type Observation } from "./logistic.ts";
import { scoreOf, type TagModel } from "./tag-classifier.ts";

/** L2 penalty on weights that multiply inputs of length 1. */
const PENALTY = 0.03;
/** From this many verdicts on, only the weights count. */
const ENOUGH = 5;
/** The total weight of the positive examples when there are no negative ones, and how much each negative adds. */
const REACH = 1;
const REACH_PER_NEGATIVE = 0.3;
const FOLDS = 5;

/**
 * Trains the model of a tag. The same examples in the same order give the same model to the last bit. It awaits
 * `breathe` between steps, which keeps the program responsive while it trains many models.
 *
 * @param examples At least one.
 */
export async function trainTag(
  examples: readonly Example[],
  breathe: () => Promise<void>,
): Promise<TagModel> {
  const trials = await heldOut(examples, breathe);
  return { ...fit(examples), calibration: calibrate(trials) };
}

function fit(examples: readonly Example[]): Omit<TagModel, "calibration"> {
  const centre = centreOf(examples);
  const observations = examples.map((example) => ({
    ...example,
    inputs: inputsOf(example.sound, centre, example.offset),
  }));
  const said = observations.filter(({ isSaid }) => isSaid);
  const trust = Math.min(1, said.length / ENOUGH);
  const weights = fitLogistic(balanced(observations), PENALTY);
  return { centre, weights, trust, neighbours: trust < 1 ? said : [] };
}

/** Positive examples alone show where a tag is, but not how far it reaches: without negative ones they count less. */
function balanced(observations: readonly Observation[]): Observation[] {
  const positive = observations.reduce((sum, { isPositive, weight }) => sum + (isPositive ? weight : 0), 0);
  const negatives = observations.filter(({ isPositive }) => !isPositive).length;
  const share = Math.min(1, (REACH + REACH_PER_NEGATIVE * negatives) / positive);
  return observations.map((each) => (each.isPositive ? { ...each, weight: share * each.weight } : each));
}

/** Scores each example with a model that was not trained on it: leaving out one at a time, or a fifth. */
async function heldOut(examples: readonly Example[], breathe: () => Promise<void>): Promise<Trial[]> {
  const folds = Math.min(FOLDS, examples.length);
  const trials: Trial[] = [];
  for (let fold = 0; fold < folds && folds > 1; fold++) {
    const model = fit(examples.filter((_, index) => index % folds !== fold));
    for (const [index, example] of examples.entries())
      if (index % folds === fold)
        trials.push({ ...example, score: scoreOf(model, example.sound, example.offset) });
    await breathe();
  }
  return trials;
}
