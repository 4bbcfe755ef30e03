import { type Calibration, UNCALIBRATED } from "./calibration.ts";
import { INPUTS, inputsOf, priorLogOdds } from "./inputs.ts";
import { dot, logit, sigmoid } from "./logistic.ts";
import { type Neighbour, voteOf } from "./neighbours.ts";
import { SOUND_DIMENSIONS } from "./sound.ts";

/** Everything that was learnt about one tag; judging a track by it needs no other data. */
export type TagModel = {
  calibration: Calibration;
  /** The centre from which tracks are judged. */
  centre: Float64Array;
  /** One per input. */
  weights: Float64Array;
  /** How much the weights count against the neighbours, 0 to 1. */
  trust: number;
  /** The examples themselves, while there are few. */
  neighbours: readonly Neighbour[];
};

/** Returns the score of a track before calibration, as log-odds. */
export function scoreOf(
  { centre, weights, trust, neighbours }: Omit<TagModel, "calibration">,
  sound: Float32Array,
  offset: number,
): number {
  const inputs = inputsOf(sound, centre, offset);
  const learnt = offset + dot(weights, inputs);
  if (trust === 1) return learnt;
  return logit(trust * sigmoid(learnt) + (1 - trust) * voteOf(neighbours, inputs, offset));
}

/** Returns the probability, 0 to 1, of the tag on a track with this sound; `prior` is the rules' confidence. */
export function probabilityOf(model: TagModel, sound: Float32Array, prior: number): number {
  const score = scoreOf(model, sound, priorLogOdds(prior));
  return sigmoid(model.calibration.slope * score + model.calibration.shift);
}

/** Where the parts of an encoded model begin. */
const CENTRE_AT = 3;
const WEIGHTS_AT = CENTRE_AT + SOUND_DIMENSIONS;
const NEIGHBOURS_AT = WEIGHTS_AT + INPUTS;
const NEIGHBOUR_SIZE = 1 + INPUTS;

/** Returns a model as numbers: slope, shift, trust, centre, weights, then each neighbour's signed weight and inputs. */
export function encodeModel({ calibration, centre, weights, trust, neighbours }: TagModel): Float64Array {
  const values = new Float64Array(NEIGHBOURS_AT + neighbours.length * NEIGHBOUR_SIZE);
  values.set([calibration.slope, calibration.shift, trust]);
  values.set(centre, CENTRE_AT);
  values.set(weights, WEIGHTS_AT);
  for (const [index, { inputs, isPositive, weight }] of neighbours.entries()) {
    const at = NEIGHBOURS_AT + index * NEIGHBOUR_SIZE;
    values[at] = isPositive ? weight : -weight;
    values.set(inputs, at + 1);
  }
  return values;
}

/** Returns the model that {@link encodeModel} wrote. */
export function decodeModel(values: Float64Array): TagModel {
  const [slope = UNCALIBRATED.slope, shift = UNCALIBRATED.shift, trust = 1] = values;
  const neighbours: Neighbour[] = [];
  for (let at = NEIGHBOURS_AT; at < values.length; at += NEIGHBOUR_SIZE) {
    const signed = values[at] ?? 0;
    const inputs = values.subarray(at + 1, at + NEIGHBOUR_SIZE);
    neighbours.push({ inputs, isPositive: signed > 0, weight: Math.abs(signed) });
  }
  return {
    calibration: { slope, shift },
    trust,
    centre: values.subarray(CENTRE_AT, WEIGHTS_AT),
    weights: values.subarray(WEIGHTS_AT, NEIGHBOURS_AT),
    neighbours,
  };
}
