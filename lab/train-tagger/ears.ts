import { CATEGORIES, findTag, type TaxonomyCategory } from "../../db/taxonomy.ts";
import { averagePrecision, type Judged } from "./average-precision.ts";
import type { Example } from "./clips.ts";
import { fit, probability, scalesOf } from "./logistic.ts";

/** Fewer pieces with a tag teach its pieces, not its sound. */
const LEAST_PIECES = 8;
/** A tag that is found no better than this above its share of the pieces cannot be heard. */
const LEAST_GAIN = 0.08;
/** L2; far more than the tagger's, because real music differs from these pieces. */
const PENALTY = 0.5;
const FOLDS = 3;
const INT8_MAX = 127;
/** What a name means: a choir is a voice and an instrument, and this is about instruments. */
const ORDER: readonly TaxonomyCategory[] = ["instruments", "genres", "movements"];

/**
 * Trains an ear for every tag of the pieces that can be told by the sound, and writes their directions. Prints how well
 * each tag is found among pieces that its ear has not heard.
 */
export async function writeEars(pieces: readonly Example[], path: string): Promise<void> {
  const scales = scalesOf(pieces.map(({ descriptors }) => descriptors));
  const standard = ({ descriptors }: Example) =>
    descriptors.map((value, i) =>
      Math.max(-4, Math.min(4, (value - (scales[i]?.centre ?? 0)) / (scales[i]?.width ?? 1))),
    );
  const names = [...new Set(pieces.flatMap(({ tags }) => tags))].sort();
  const lines = names.flatMap((name) => {
    const category = ORDER.find((each) => CATEGORIES.includes(each) && findTag(each, name)?.name === name);
    if (category === undefined) return [];
    const known = pieces.filter(({ hasGenre }) => hasGenre || category !== "genres");
    const [rows, labels] = [known.map(standard), known.map(({ tags }) => tags.includes(name))];
    const count = labels.filter(Boolean).length;
    const found = count < LEAST_PIECES ? 0 : averagePrecision(unheard(rows, labels));
    const isKept = count >= LEAST_PIECES && found >= count / rows.length + LEAST_GAIN;
    console.log(
      `${isKept ? "ear" : "   "} ${name.padEnd(20)}${found.toFixed(2)} (${(count / rows.length).toFixed(2)})`,
    );
    if (!isKept) return [];
    const direction = fit(rows, labels, PENALTY).weights.map((weight, i) => weight / (scales[i]?.width ?? 1));
    const bytes = toBytes(direction);
    const trust = (found - count / rows.length) / (1 - count / rows.length);
    const scale = trust / deviationAlong(pieces, bytes);
    const text = Buffer.from(bytes.buffer).toString("base64");
    return [`  ["${category}", "${name}", ${scale.toPrecision(3)}, "${text}"],`];
  });
  await Bun.write(path, `${HEAD(pieces.length)}\n${lines.join("\n")}\n];\n`);
}

const HEAD = (pieces: number) => `/**
 * Category, name, scale and direction of the tags that can be told by their sound. A direction is 96 int8 in base64;
 * scaled, its products differ the more, the better the tag is told. Written by lab/train-tagger.ts from ${pieces} pieces
 * rendered with free soundfonts; see docs/decisions/0014.
 */
export const DIRECTIONS: readonly (readonly [category: string, name: string, scale: number, direction: string])[] = [`;

/** Returns the scores of pieces by an ear that was trained on the others. */
function unheard(rows: readonly number[][], labels: readonly boolean[]): Judged[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const isHeld = (i: number) => i % FOLDS === fold;
    const ear = fit(
      rows.filter((_, i) => !isHeld(i)),
      labels.filter((_, i) => !isHeld(i)),
      PENALTY,
    );
    return rows.flatMap((row, i) =>
      isHeld(i) ? [{ score: probability(ear, row), isTrue: labels[i] === true }] : [],
    );
  }).flat();
}

function toBytes(direction: readonly number[]): Int8Array<ArrayBuffer> {
  const largest = Math.max(...direction.map(Math.abs));
  return Int8Array.from(direction, (value) => Math.round((value / largest) * INT8_MAX));
}

/** Returns the standard deviation of the products of the pieces with a direction. */
function deviationAlong(pieces: readonly Example[], direction: Int8Array): number {
  const products = pieces.map(({ descriptors }) =>
    descriptors.reduce((sum, value, i) => sum + value * (direction[i] ?? 0), 0),
  );
  const mean = products.reduce((sum, value) => sum + value, 0) / products.length;
  return Math.sqrt(products.reduce((sum, value) => sum + (value - mean) ** 2, 0) / products.length);
}
