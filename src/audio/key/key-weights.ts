import type { BentWeights } from "../dsp/logit.ts";

/**
 * Weights of key evidence, in the order of `KEY_EVIDENCE`.
 *
 * Written by lab/fit-tempo-key.ts: maximum likelihood (L2 penalty 0.015) on 790 rendered clips, see
 * docs/analysis.md. The sum is a log-odds, so a softmax over the keys gives their probabilities.
 */
// biome-ignore format: one line per kind of evidence
export const KEY_WEIGHTS: BentWeights = {
  gains: [],
  biases: [],
  rows: [
    [0.44], // fit of Albrecht
    [0.669], // fit of Temperley
    [0.376], // fit of Faraldo
    [0.563], // fit of the scale
    [1.34], // bass fit of the scale
    [2.77], // segments' fit
    [1.25], // segments won
    [0.514], // bass on tonic
    [0.345], // bass on third
    [0.409], // bass on fourth
    [0.314], // bass on fifth
    [0.539], // bass on sixth
    [0.11], // bass on seventh
    [0.265], // tonic
    [0.508], // third
    [0.481], // fifth
    [0.622], // seventh
    [0.816], // raised seventh
    [1.01], // tonic triad in segments
    [0.773], // opens on tonic
    [-0.46], // minor
    [1.66], // chord of the tonic
    [0.409], // chord of the dominant
    [0.112], // chord of the subdominant
    [-0.433], // chord of the relative key
    [0.905], // chord of the parallel key
    [2.06], // dominant to tonic
    [-0.338], // subdominant to tonic
    [0.414], // away from tonic
    [1.94], // dominant to relative tonic
    [1.91], // opens on the tonic chord
    [-0.507], // closes on the tonic chord
    [0.217], // bass rests on tonic
    [0.242], // bass rests on fifth
    [-0.418], // strongest is tonic
    [-0.316], // strongest is fifth
    [0.27], // last bass is tonic
    [-0.023], // last strongest is tonic
  ],
};
