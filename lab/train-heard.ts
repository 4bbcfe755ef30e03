/**
 * Trains what a taxonomy tag sounds like, from what the ears heard and what was measured in real music and rendered
 * pieces, and writes the weights.
 *
 * usage: bun lab/train-heard.ts FOLDER [--write] [--write-scales]
 * FOLDER keeps the music and measured.jsonl, what was heard in each piece, so that an interrupted run goes on where it
 * stopped. Each tag is judged on packages that it was not trained on, and how often its probabilities were right is printed.
 * --write-scales: also writes what vectors are measured in, which makes every library listen again.
 * Needs what lab/train-tagger.ts needs.
 */
import { join } from "node:path";
import type { TaxonomyCategory } from "../db/taxonomy.ts";
import { HEARD_TAGS } from "../src/ears/tags.ts";
import { type Piece, piecesIn } from "./train-tagger/heard-pieces.ts";
import { fit, probability, scalesOf, type Weights } from "./train-tagger/logistic.ts";
import { farthestScale, writeScales } from "./train-tagger/write-scales.ts";

/** Tags with enough real music to judge them. */
const TAGS: readonly (readonly [category: TaxonomyCategory, name: string])[] = [
  ["genres", "Electronic"],
  ["genres", "Rock"],
  ["genres", "Metal"],
  ["genres", "Orchestral"],
  ["genres", "Ambient"],
  ["instruments", "Synth"],
  ["instruments", "Distorted Guitar"],
  ["instruments", "Electric Guitar"],
  ["instruments", "Strings"],
  ["instruments", "Piano"],
  ["instruments", "Drums"],
  ["instruments", "Flute"],
  ["instruments", "Guitar"],
  ["instruments", "Acoustic Guitar"],
  ["instruments", "Woodwinds"],
  ["instruments", "Brass"],
  ["instruments", "Organ"],
];
/** Log-odds are clamped: below this, a network only says that it is sure. */
const LEAST = -9;
/** Inputs are this much smaller than their deviation, because they go together: steps would be too long. */
const SHRINK = 4;
const PENALTY = 0.0075;
/** Nothing is suggested that is more likely wrong than right. */
const EVEN = 0.5;
/** What a suggestion must reach on other packages, and how often it must have been made there. */
const BINS = 5;
const [LEAST_PRECISION, LEAST_SAID] = [0.87, 15];

const [folder] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun lab/train-heard.ts FOLDER [--write]");
const pieces = await piecesIn(folder);
const clamped = ({ heard, descriptors }: Piece) => [
  ...heard.map((value) => Math.max(LEAST, value)),
  ...descriptors,
];
const scales = scalesOf(pieces.map(clamped));
const standard = (piece: Piece) =>
  clamped(piece).map((value, i) => (value - (scales[i]?.centre ?? 0)) / (SHRINK * (scales[i]?.width ?? 1)));

console.log(`${pieces.length} pieces`);
const heardScales = scales.slice(0, HEARD_TAGS.length);
console.log(
  `the scales in force are at most ${farthestScale(heardScales).toFixed(3)} widths from those of these pieces`,
);
if (Bun.argv.includes("--write-scales")) await writeScales(heardScales);
const lines = TAGS.flatMap(([category, name]) => {
  const known = pieces.filter(({ has, perhaps }) => has.includes(name) || !perhaps.includes(name));
  const rows = known.map(standard);
  const labels = known.map(({ has }) => has.includes(name));
  const unheard = unheardScores(known, rows, labels);
  const { scale, shift } = calibrationOf(unheard, labels);
  const probabilities = unheard.map((score) => sigmoid(scale * score + shift));
  const found = leastProbability(probabilities, labels);
  const count = labels.filter(Boolean).length;
  console.log(`${name.padEnd(18)}${count} of ${known.length}: ${found ? found.text : "cannot be suggested"}`);
  console.log(`  ${reliabilityOf(probabilities, labels)}`);
  if (!found) return [];
  const { bias, weights } = fit(rows, labels, PENALTY);
  const raw = weights.map((weight, i) => weight / (SHRINK * (scales[i]?.width ?? 1)));
  const offset = raw.reduce((sum, weight, i) => sum - weight * (scales[i]?.centre ?? 0), bias);
  const numbers = raw.map((weight) => Number((scale * weight).toPrecision(3)));
  const [ears, measured] = [numbers.slice(0, HEARD_TAGS.length), numbers.slice(HEARD_TAGS.length)];
  return [
    `  { category: "${category}", name: "${name}", least: ${Math.max(EVEN, Number(found.least.toFixed(3)))}, bias: ${(scale * offset + shift).toPrecision(4)}, weights: [${ears.join(", ")}], measured: [${measured.join(", ")}] },`,
  ];
});
if (Bun.argv.includes("--write")) await write();

/** Returns the log-odds of each piece by a model that has heard none of its package. */
function unheardScores(known: readonly Piece[], rows: number[][], labels: boolean[]): number[] {
  const models = new Map<string, Weights>();
  for (const source of new Set(known.map((piece) => piece.source))) {
    const others = [...known.keys()].filter((i) => known[i]?.source !== source);
    models.set(
      source,
      fit(
        others.map((i) => rows[i] ?? []),
        others.map((i) => labels[i] === true),
        PENALTY,
      ),
    );
  }
  return known.map(({ source }, i) =>
    logit(probability(models.get(source) ?? { bias: 0, weights: [] }, rows[i] ?? [])),
  );
}

/** Returns the line from log-odds to calibrated log-odds. */
function calibrationOf(
  scores: readonly number[],
  labels: readonly boolean[],
): { scale: number; shift: number } {
  const { bias, weights } = fit(
    scores.map((score) => [score]),
    labels,
    0,
  );
  return { scale: Math.max(0, weights[0] ?? 1), shift: bias };
}

/** Returns the lowest probability from which enough suggestions are right; undefined when there is none. */
function leastProbability(probabilities: readonly number[], labels: readonly boolean[]) {
  const order = [...probabilities.keys()].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0));
  let right = 0;
  let best: { least: number; text: string } | undefined;
  for (const [rank, i] of order.entries()) {
    if (labels[i]) right++;
    const said = rank + 1;
    if (said < LEAST_SAID || right / said < LEAST_PRECISION) continue;
    const least = probabilities[i] ?? 1;
    best = { least, text: `from ${least.toFixed(2)} on, ${right} of ${said} right` };
  }
  return best;
}

/** Tells how often pieces of each probability have the tag: both numbers should agree. */
function reliabilityOf(probabilities: readonly number[], labels: readonly boolean[]): string {
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const inside = [...probabilities.keys()].filter(
      (i) => Math.min(BINS - 1, Math.floor(BINS * (probabilities[i] ?? 0))) === bin,
    );
    const said = inside.reduce((sum, i) => sum + (probabilities[i] ?? 0), 0) / inside.length;
    const right = inside.filter((i) => labels[i]).length / inside.length;
    return inside.length > 0 ? `${inside.length} said ${said.toFixed(2)} right ${right.toFixed(2)}` : "";
  });
  return bins.filter(Boolean).join("; ");
}

function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

function logit(value: number): number {
  return Math.log(value / (1 - value));
}

async function write(): Promise<void> {
  const path = join(import.meta.dir, "../src/modules/library/analysis/tagger/heard-weights.ts");
  const text = `// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: a weight may be near a constant by chance.

/**
 * For each tag that the ears can suggest: weights of what they heard and of
 * the descriptors, calibrated, and the least probability. Written by
 * lab/train-heard.ts from ${pieces.length} pieces; see docs/decisions/0037.
 */
export const HEARD_WEIGHTS = [
${lines.join("\n")}
] as const;
`;
  await Bun.write(path, text);
  await Bun.$`bunx biome format --write ${path}`.quiet();
}
