import type { BentWeights } from "../../src/audio/dsp/logit.ts";

/** The content of a weights file. */
export type WeightsFile = {
  what: string;
  constant: string;
  /** The list that gives the order of the rows. */
  order: string;
  alternatives: string;
  penalty: number;
  clips: number;
  names: readonly string[];
  weights: BentWeights;
  /** What was done after the fit, one sentence. */
  since?: string;
};

const list = (values: readonly number[]) =>
  values.map((value) => Number(value.toPrecision(3)) + 0).join(", ");

/** Returns weights as a source file, one named row per kind of evidence. */
export function weightsSource({ weights, names, ...file }: WeightsFile): string {
  const { what, constant, order, alternatives, penalty, clips, since } = file;
  return [
    'import type { BentWeights } from "../dsp/logit.ts";',
    "",
    "/**",
    ` * Weights of ${what} evidence, in the order of \`${order}\`.`,
    " *",
    ` * Written by lab/fit-tempo-key.ts: maximum likelihood (L2 penalty ${penalty}) on ${clips} rendered clips, see`,
    ` * docs/analysis.md. The sum is a log-odds, so a softmax over the ${alternatives} gives their probabilities.`,
    ...(since === undefined ? [] : [" *", ` * ${since}`]),
    " */",
    "// biome-ignore format: one line per kind of evidence",
    `export const ${constant}: BentWeights = {`,
    `  gains: [${list(weights.gains)}],`,
    `  biases: [${list(weights.biases)}],`,
    "  rows: [",
    ...names.map((name, i) => `    [${list(weights.rows[i] ?? [])}], // ${name}`),
    "  ],",
    "};",
    "",
  ].join("\n");
}
