/**
 * Trains the layer of the ears that hears instruments, on made-up pieces by many soundfonts and on real music, and writes
 * src/ears/weights/instruments.bin and the probability from which names are suggested.
 *
 * usage: bun lab/train-instruments.ts FOLDER [--mixes N] [--write]
 * FOLDER keeps what was rendered and heard, so that an interrupted run goes on where it stopped, and has what
 * lab/train-instruments/sources.ts names. Each instrument is judged on banks of sounds and on packages that it was
 * not trained on, and how often it was right is printed. Needs fluidsynth, ffmpeg, apt-get download and dpkg-deb.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { HEARD_NAMES } from "../src/ears/tags.ts";
import { boundsOf } from "./train-instruments/bounds.ts";
import { FEATURES, hearMixes } from "./train-instruments/features.ts";
import { createSummer, fitSums, type Model, type Rows, scoresOf, without } from "./train-instruments/fit.ts";
import { type Piece, readPieces, scalesOf, standardised } from "./train-instruments/pieces.ts";
import { hearReal } from "./train-instruments/real.ts";
import { banksIn } from "./train-instruments/sources.ts";
import { writeBounds, writeWeights } from "./train-instruments/write.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mixes: { type: "string", default: "4000" }, write: { type: "boolean", default: false } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: bun lab/train-instruments.ts FOLDER [--mixes N] [--write]");
await hearMixes(folder, banksIn(folder), { count: Number(values.mixes) });
await hearReal(folder);

const pieces = await readPieces(folder);
console.log(`${pieces.length} pieces, ${pieces.filter(({ isReal }) => isReal).length} of them real`);
const scales = scalesOf(pieces);
const inputs = new Map(
  pieces.map((piece) => [piece, piece.passages.map((passage) => standardised(passage, scales))]),
);
const means = meansOf(pieces);
const sumsOf = createSummer(FEATURES, means);
const all = sumsOf(rowsOf(pieces));

const unheard = unheardScores();
const judged = HEARD_NAMES.map((_, i) =>
  [...unheard].flatMap(([{ labels, isReal }, scores]) =>
    Number.isNaN(labels[i]) ? [] : [{ score: scores[i] ?? 0, isTrue: labels[i] === 1, isReal }],
  ),
);
const bounds = boundsOf(judged).map((bound, i) => ({ name: HEARD_NAMES[i] as string, ...bound }));
for (const { name, text } of bounds) console.log(`${name.padEnd(20)}${text}`);
if (values.write) {
  const path = join(import.meta.dir, "../src/ears/weights/instruments.bin");
  await writeWeights(path, { model: fitSums(all, means), scales, bounds });
  await writeBounds(bounds, `lab/train-instruments.ts from ${pieces.length} pieces; see docs/decisions/0053`);
}

/** Returns what is heard in each piece by regressions that were fitted to none of its group. */
function unheardScores(): Map<Piece, Float32Array> {
  const scores = new Map<Piece, Float32Array>();
  for (const fold of foldsOf(pieces)) {
    const held = pieces.filter(({ groups }) => groups.some((group) => fold.includes(group)));
    const model = fitSums(without(all, sumsOf(rowsOf(held))), means);
    for (const piece of held) if (piece.groups.length === 1) scores.set(piece, heardIn(piece, model));
    console.error(`without ${fold.join(", ")}`);
  }
  return scores;
}

/** Returns groups that are left out together: a bank of sounds, and packages. */
function foldsOf(some: readonly Piece[]): string[][] {
  const groups = (isReal: boolean) => [
    ...new Set(some.filter((piece) => piece.isReal === isReal).flatMap((piece) => piece.groups)),
  ];
  const packages = groups(true);
  const banks = groups(false);
  return banks.map((bank, i) => [bank, ...packages.filter((_, j) => j % banks.length === i)]);
}

function rowsOf(some: readonly Piece[]): Rows {
  return {
    inputs: some.flatMap((piece) => inputs.get(piece) ?? []),
    labels: some.flatMap(({ passages, labels }) => passages.map(() => labels)),
  };
}

/** Returns the share of the passages, of which it is known, that have each name. */
function meansOf(some: readonly Piece[]): Float32Array {
  const labels = some.flatMap((piece) => piece.passages.map(() => piece.labels));
  return Float32Array.from(HEARD_NAMES, (_, j) => {
    const known = labels.map((each) => each[j] as number).filter((label) => !Number.isNaN(label));
    return known.reduce((sum, label) => sum + label, 0) / known.length;
  });
}

/** Returns the mean over the passages, as the ears take it. */
function heardIn(piece: Piece, model: Model): Float32Array {
  const mean = new Float32Array(HEARD_NAMES.length);
  for (const [i, input] of (inputs.get(piece) ?? []).entries())
    for (const [j, score] of scoresOf(model, input).entries())
      mean[j] = (mean[j] as number) + (piece.shares[i] ?? 0) * score;
  return mean;
}
