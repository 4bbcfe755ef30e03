import type { BentWeights } from "../dsp/logit.ts";

/**
 * Weights of downbeat evidence, in the order of `downbeatEvidenceNames`.
 *
 * Written by lab/fit-metre.ts: maximum likelihood (L2 penalty 0.02) on 264 rendered clips, see
 * docs/analysis.md. The sum is a log-odds, so a softmax over the counts of a bar gives their probabilities.
 */
// biome-ignore format: one line per kind of evidence
export const DOWNBEAT_WEIGHTS: BentWeights = {
  gains: [0.319, 0.306, 0.279, 0.33, -0.255, -0.336],
  biases: [-0.716, -0.14, -0.156, -0.667, 0.372, 0.686],
  rows: [
    [0.0974, 0.291, 0.465, 0.262, 0.489, -0.109, -0.591], // low on the first
    [-0.355, -0.46, 0.0616, 0.0582, -0.232, 0.26, 0.115], // low on the second
    [-0.306, -0.383, -0.292, -0.207, -0.496, 0.324, 0.479], // low on the last
    [0.0157, -0.0601, -0.304, -0.29, -0.0903, -0.0835, 0.143], // low on the half
    [-0.332, -0.802, 0.424, 0.245, -0.586, 0.445, 0.395], // body on the first
    [0.0661, 0.0843, -0.251, -0.182, -0.0884, -0.0551, 0.177], // body on the second
    [-0.131, 0.432, -0.275, -0.339, 0.236, 0.119, -0.0662], // body on the last
    [0.0278, 0.251, -0.275, -0.365, 0.376, 0.148, -0.444], // body on the half
    [0.165, -0.0771, 0.273, 0.274, -0.066, 0.0555, 0.0944], // middle on the first
    [-0.211, -0.00602, -0.243, -0.301, -0.0356, 0.122, 0.0173], // middle on the second
    [-0.31, 0.208, -0.0648, -0.198, 0.0878, 0.225, -0.019], // middle on the last
    [0.135, 0.00504, 0.0735, 0.117, 0.0792, -0.112, -0.0831], // middle on the half
    [-0.036, -0.0664, -0.194, -0.219, -0.18, 0.157, 0.251], // high on the first
    [-0.382, -0.344, 0.178, 0.132, -0.335, 0.0533, 0.345], // high on the second
    [-0.0194, 0.622, 0.344, 0.0216, 0.684, -0.171, -0.832], // high on the last
    [0.0122, -0.636, 0.155, 0.281, -0.686, 0.0897, 0.658], // high on the half
    [-0.202, -0.116, -0.0314, 0.0249, -0.305, 0.528, 0.394], // total on the first
    [-0.49, -0.405, -0.225, -0.355, -0.24, 0.131, 0.0886], // total on the second
    [-0.135, 0.577, 0.246, -0.212, 0.598, 0.0291, -0.599], // total on the last
    [0.454, 0.00567, 0.197, 0.24, 0.153, -0.305, -0.244], // total on the half
    [0.865, 0.643, 0.561, 0.515, 0.694, -0.645, -0.677], // harmony on the first
    [-0.3, -0.19, -0.387, -0.405, -0.154, 0.35, 0.168], // harmony on the second
    [-0.502, -0.19, -0.47, -0.402, -0.329, 0.444, 0.307], // harmony on the last
    [-0.263, -0.153, -0.292, -0.284, -0.133, 0.162, 0.159], // harmony on the half
    [0.745, 0.203, 0.656, 0.616, 0.425, -0.24, -0.518], // bass on the first
    [0.142, 0.422, -0.539, -0.613, 0.254, -0.116, -0.158], // bass on the second
    [0.144, 0.0777, 0.943, 0.872, 0.261, -0.43, -0.445], // bass on the last
    [0.0743, 0.368, -0.671, -0.667, 0.187, -0.0872, -0.0489], // bass on the half
    [0.486, 0.454, -0.502, -0.325, -0.321, 0.143, 0.51], // changes every two bars
    [0.436, -0.153, 0.0422, 0.119, -0.224, -0.112, 0.229], // changes every four bars
    [0.205, 1.38, 0.0401, 0.00732, 1.58, -0.0126, -1.78], // low every four bars
    [-0.275, 0.5, -0.393, -0.529, 0.426, 0.176, -0.374], // high every four bars
    [1.33, 1.01, 0.344, 0.318, 0.957, -0.701, -0.921], // starts the piece
  ],
};
