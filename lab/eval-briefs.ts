/**
 * Reads briefs and prints how well the parser understood them, per field, or writes its interpretations, one per line.
 *
 * usage: bun lab/eval-briefs.ts <briefs.jsonl> [predictions.jsonl | --table | --time] [--misses]
 */
import path from "node:path";
import { parseBrief } from "../src/brief/read.ts";
import { toWireInterpretation } from "../src/modules/search/search/answer/wire.ts";
import { type Brief, type FieldScore, type Prediction, scoreBriefs } from "./eval-briefs/score.ts";

async function readBriefs(path: string): Promise<Brief[]> {
  const lines = (await Bun.file(path).text()).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line) as Brief);
}

/** Interprets each brief as an empty library would. */
function interpret({ query }: Brief): Prediction {
  const brief = parseBrief(query, { findArtist: () => undefined });
  return toWireInterpretation(brief, { appliedConstraints: {}, appliedTuning: {} });
}

/**
 * Scores the parser on a file of briefs, field by field. Each line is a JSON object: `id`, `style`, `query`,
 * `expect`.
 */
export async function evaluateBriefs(path: string): Promise<FieldScore[]> {
  const briefs = await readBriefs(path);
  return scoreBriefs(briefs, briefs.map(interpret)).fields;
}

/** Returns a line for each brief of a file that is misread, with what is wrong. */
export async function misreadBriefs(path: string): Promise<string[]> {
  const briefs = await readBriefs(path);
  return scoreBriefs(briefs, briefs.map(interpret)).misses;
}

async function main([file, ...options]: string[]): Promise<number> {
  if (!file) {
    console.error(
      "usage: bun lab/eval-briefs.ts <briefs.jsonl> [predictions.jsonl | --table | --time] [--misses]",
    );
    return 2;
  }
  const briefs = await readBriefs(file);
  if (options.includes("--time")) {
    printTimes(briefs);
    return 0;
  }
  const predictions = briefs.map(interpret);
  if (options.includes("--table")) {
    const { fields, misses } = scoreBriefs(briefs, predictions);
    if (options.includes("--misses")) for (const miss of misses) console.log(miss);
    console.log("field               judged  precision  recall      F1");
    for (const { field, judged, precision, recall, f1 } of fields)
      console.log(
        `${field.padEnd(18)}${String(judged).padStart(8)}${show(precision)}${show(recall)}${show(f1)}`,
      );
    printSummary(fields);
    console.log(`briefs with a mistake: ${misses.length} of ${briefs.length}`);
    return 0;
  }
  const lines = briefs.map(({ id }, index) => JSON.stringify({ id, interpretation: predictions[index] }));
  await Bun.write(options[0] ?? Bun.stdout, `${lines.join("\n")}\n`);
  return 0;
}

/** Prints tempo and length as one figure, and how many of a hundred rejected names came back as wanted. */
function printSummary(fields: readonly FieldScore[]): void {
  const of = (...names: string[]) => fields.filter(({ field }) => names.includes(field));
  const numbers = of("bpm", "duration").flatMap(({ f1, wanted }) => (f1 === null ? [] : [{ f1, wanted }]));
  const all = numbers.reduce((sum, { wanted }) => sum + wanted, 0);
  const mean = numbers.reduce((sum, { f1, wanted }) => sum + (f1 * wanted) / all, 0);
  const [kept = null] = of("negation").map(({ recall }) => recall);
  console.log(`numbers: bpm and duration, by how many were wanted ${show(all === 0 ? null : mean)}`);
  console.log(`negation: broken in a hundred ${kept === null ? "-" : (100 - 100 * kept).toFixed(1)}`);
}

const ROUNDS = 20;
const LONGEST_BRIEF = 2000;

/**
 * Prints milliseconds per reading, beside a fixed piece of work from the same run, because a busy machine's figures
 * vary.
 */
function printTimes(briefs: readonly Brief[]): void {
  const long = {
    ...briefs[0],
    query: briefs
      .map(({ query }) => query)
      .join(" ")
      .slice(0, LONGEST_BRIEF),
  } as Brief;
  const print = (name: string, work: () => void, count: number) => {
    work();
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) work();
    console.log(
      `${name.padEnd(28)}${((performance.now() - start) / ROUNDS / count).toFixed(3).padStart(9)} ms`,
    );
  };
  print("yardstick: 1 M square roots", squareRoots, 1);
  print(`a brief of ${path.basename(process.argv[2] ?? "")}`, () => briefs.forEach(interpret), briefs.length);
  print(`a brief of ${LONGEST_BRIEF} characters`, () => void interpret(long), 1);
}

function squareRoots(): void {
  let sum = 0;
  for (let value = 0; value < 1_000_000; value++) sum += Math.sqrt(value);
  if (Number.isNaN(sum)) throw new Error("unreachable");
}

const show = (value: number | null) => (value === null ? "-" : value.toFixed(3)).padStart(9);

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
