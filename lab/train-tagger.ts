/**
 * Trains the small tagger on pieces rendered here and compares it with the rules on real music.
 *
 * usage: bun lab/train-tagger.ts FOLDER --real FILES.json [--count N] [--write] [--ears]
 * FOLDER keeps the measurements of each rendered piece, so a stopped run continues where it was. FILES.json holds
 * measurements of real files, as written by lab/eval-tags.ts --cache. --write writes the weights of the tagger, --ears
 * the directions that search listens along. Needs fluidsynth, ffmpeg and the Debian packages fluid-soundfont-gm,
 * timgm6mb-soundfont and musescore-general-soundfont-small.
 */
import { priorsOf } from "../src/modules/library/analysis/suggest/priors.ts";
import { averagePrecision, type Judged } from "./train-tagger/average-precision.ts";
import { type Example, renderedExamples } from "./train-tagger/clips.ts";
import { writeEars } from "./train-tagger/ears.ts";
import { fit, probability, scalesOf } from "./train-tagger/logistic.ts";
import { LEAST_SECONDS, REAL_LABELS } from "./train-tagger/real-labels.ts";

const GENRES = ["Orchestral", "Electronic", "Ambient", "Rock", "Folk", "Jazz"];
const FAMILIES = [
  "Piano",
  "Organ",
  "Acoustic Guitar",
  "Electric Guitar",
  "Distorted Guitar",
  "Strings",
  "Choir",
];
const MORE = ["Brass", "Woodwinds", "Synth", "Mallets", "Drums", "Four-on-the-Floor", "Swinging", "Waltzing"];
const TAGS = [...GENRES, ...FAMILIES, ...MORE];
/** Tags that could be tested on real music, and that the tagger got right often enough. */
const KEPT = [
  ["genres", "Orchestral"],
  ["genres", "Electronic"],
  ["instruments", "Strings"],
  ["instruments", "Synth"],
] as const;
const THRESHOLDS = [0.5, 0.7];
const FOLDS = 5;

const args = Bun.argv.slice(2);
const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const [folder] = args;
if (folder === undefined)
  throw new Error("usage: bun lab/train-tagger.ts FOLDER --real FILES.json [--count N]");

const rendered = (await renderedExamples(folder, Number(option("--count") ?? 400))).filter(
  ({ descriptors }) => descriptors.length > 0,
);
const real = await realExamples(option("--real"));
const scales = scalesOf(rendered.map(({ descriptors }) => descriptors));
const standard = (descriptors: readonly number[]) =>
  descriptors.map((value, i) =>
    Math.max(-4, Math.min(4, (value - (scales[i]?.centre ?? 0)) / (scales[i]?.width ?? 1))),
  );

console.log(`${rendered.length} rendered pieces, ${real.length} real tracks`);
console.log(
  "tag                 rendered AP (share)   real AP tagger / rules (share, n)   at the threshold: right / said of true",
);
const totals = new Map<string, Judged[]>();
for (const tag of TAGS) printTag(tag);
for (const [who, judged] of totals) console.log(`all real, ${who}: ${atThresholds(judged)}`);
if (args.includes("--write")) await writeWeights();
if (args.includes("--ears")) await writeEars(rendered, "src/modules/search/search/heard/directions.ts");

/** Writes the weights of the tags that did well on real music. */
async function writeWeights(): Promise<void> {
  const rows = (tag: string) => rendered.filter(({ hasGenre }) => hasGenre || !GENRES.includes(tag));
  const rounded = (values: readonly number[]) =>
    `[${values.map((value) => Number(value.toPrecision(5))).join(", ")}]`;
  const tags = KEPT.map(([category, name]) => {
    const known = rows(name);
    const { bias, weights } = fit(
      known.map(({ descriptors }) => standard(descriptors)),
      known.map(({ tags: of }) => of.includes(name)),
    );
    return `  { category: "${category}", name: "${name}", bias: ${Number(bias.toPrecision(5))}, weights: ${rounded(weights)} },`;
  });
  const text = `/** Written by lab/train-tagger.ts from ${rendered.length} pieces rendered with free soundfonts; see docs/decisions/0014. */
export const CENTRES: readonly number[] = ${rounded(scales.map(({ centre }) => centre))};
export const WIDTHS: readonly number[] = ${rounded(scales.map(({ width }) => width))};
export const TAGGER_WEIGHTS = [
${tags.join("\n")}
] as const;
`;
  await Bun.write("src/modules/library/analysis/tagger/weights.ts", text);
  await Bun.$`bunx biome format --write src/modules/library/analysis/tagger/weights.ts`.quiet();
}

function printTag(tag: string): void {
  // A piece without a genre cannot be used for genres.
  const known = rendered.filter(({ hasGenre }) => hasGenre || !GENRES.includes(tag));
  const rows = known.map(({ descriptors }) => standard(descriptors));
  const labels = known.map(({ tags }) => tags.includes(tag));
  const inside = crossValidated(rows, labels);
  const weights = fit(rows, labels);
  const judged = real.flatMap((track) => {
    if (!track.has.includes(tag) && !track.hasNot.includes(tag)) return [];
    const isTrue = track.has.includes(tag);
    const ruled = track.rules.find(({ name }) => name === tag)?.confidence ?? 0;
    return [{ isTrue, ruled, score: probability(weights, standard(track.descriptors)) }];
  });
  const ours = judged.map(({ isTrue, score }) => ({ isTrue, score }));
  const rules = judged.map(({ isTrue, ruled }) => ({ isTrue, score: ruled }));
  // The rules' own threshold is 0.4; on this scale it is 0.5.
  add("tagger", ours);
  add(
    "rules",
    rules.map(({ isTrue, score }) => ({ isTrue, score: score >= 0.4 ? 0.5 : 0 })),
  );
  const share = shareOf(inside);
  const figures =
    judged.length === 0 ? "-" : `${ap(ours)} / ${ap(rules)} (${shareOf(ours)}, ${judged.length})`;
  console.log(
    `${tag.padEnd(20)}${ap(inside)} (${share})          ${figures.padEnd(36)}${atThresholds(ours)}`,
  );
}

function add(who: string, judged: readonly Judged[]): void {
  totals.set(who, [...(totals.get(who) ?? []), ...judged]);
}

function crossValidated(rows: readonly number[][], labels: readonly boolean[]): Judged[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const isHeld = (i: number) => i % FOLDS === fold;
    const weights = fit(
      rows.filter((_, i) => !isHeld(i)),
      labels.filter((_, i) => !isHeld(i)),
    );
    return rows.flatMap((row, i) =>
      isHeld(i) ? [{ score: probability(weights, row), isTrue: labels[i] === true }] : [],
    );
  }).flat();
}

function ap(judged: readonly Judged[]): string {
  const precision = averagePrecision(judged);
  return Number.isNaN(precision) ? "-" : precision.toFixed(2);
}

function shareOf(judged: readonly Judged[]): string {
  return (judged.filter(({ isTrue }) => isTrue).length / judged.length).toFixed(2);
}

function atThresholds(judged: readonly Judged[]): string {
  const positives = judged.filter(({ isTrue }) => isTrue).length;
  return THRESHOLDS.map((threshold) => {
    const said = judged.filter(({ score }) => score >= threshold);
    const right = said.filter(({ isTrue }) => isTrue).length;
    return `${threshold}: ${right} of ${said.length} right, ${right} of ${positives} found`;
  }).join("; ");
}

async function realExamples(path: string | undefined) {
  if (path === undefined) return [];
  const all = (await Bun.file(path).json()) as (Omit<Example, "descriptors"> & {
    descriptors: number[] | null;
  })[];
  return all.flatMap(({ file, descriptors, features, ...analysis }) => {
    const label = REAL_LABELS.find(({ path: pattern }) => pattern.test(file));
    if (!label || !descriptors || analysis.durationSec < LEAST_SECONDS) return [];
    const basis = { features, analysis, embedded: {}, filename: "", descriptors: null, heard: null };
    return [{ ...label, descriptors, rules: priorsOf(basis) }];
  });
}
