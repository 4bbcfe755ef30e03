import { calibrate, type Trial } from "./calibration.ts";
import { centreOf, type Example, inputsOf } from "./inputs.ts";
import { fitLogistic, type Observation } from "./logistic.ts";
import { scoreOf, type TagModel } from "./tag-model.ts";

/** Changes whenever the same examples would train another model. */
export const TRAINING_VERSION = "1";

/** On weights that multiply inputs of length 1. */
const PENALTY = 0.08;
/** From this many verdicts on the weights speak alone. */
const ENOUGH = 5;
/** What all positive examples count together where there is no other, and how much more for each that is not. */
const REACH = 1;
const REACH_PER_NEGATIVE = 0.3;
const FOLDS = 5;

/**
 * Returns the model of a tag. It follows from the examples and their order alone, to the last bit. Between its steps
 * it waits for `breathe`, so that whoever trains many stays responsive.
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
    inputs: inputsOf(example.descriptors, centre, example.offset),
  }));
  const said = observations.filter(({ isSaid }) => isSaid);
  const trust = Math.min(1, said.length / ENOUGH);
  const weights = fitLogistic(balanced(observations), PENALTY);
  return { centre, weights, trust, neighbours: trust < 1 ? said : [] };
}

/** Positive examples alone say where a tag is and not how far it reaches: without others they count less. */
function balanced(observations: readonly Observation[]): Observation[] {
  const positive = observations.reduce((sum, { isPositive, weight }) => sum + (isPositive ? weight : 0), 0);
  const negatives = observations.filter(({ isPositive }) => !isPositive).length;
  const share = Math.min(1, (REACH + REACH_PER_NEGATIVE * negatives) / positive);
  return observations.map((each) => (each.isPositive ? { ...each, weight: share * each.weight } : each));
}

/** Returns what each example scores with a model that was not trained on it: one by one, or in five parts. */
async function heldOut(examples: readonly Example[], breathe: () => Promise<void>): Promise<Trial[]> {
  const folds = Math.min(FOLDS, examples.length);
  const trials: Trial[] = [];
  for (let fold = 0; fold < folds && folds > 1; fold++) {
    const model = fit(examples.filter((_, index) => index % folds !== fold));
    for (const [index, example] of examples.entries())
      if (index % folds === fold)
        trials.push({ ...example, score: scoreOf(model, example.descriptors, example.offset) });
    await breathe();
  }
  return trials;
}
