/**
 * Prints how well searches find what people want: how well briefs are read, how well the answers fit a library whose
 * truth is known, and whether scores are calibrated.
 *
 * usage: bun lab/eval-search.ts [--briefs FILE.jsonl] [--seed TEXT] [--tracks N] [--wishes N] [--fit] [--cold FOLDER]
 *   [--names FOLDER] [--like FOLDER]
 * --briefs: expected readings, one JSON object per line; without it that part is left out. --fit: prints the points of
 * `calibration.ts` instead. --cold: only the search of real music without tags and names, and its similar tracks.
 * --names: only the search for real music by its names, beside a text index. --like: only "more like this, but slower".
 * Their music comes from Debian packages, which are fetched into FOLDER once and stay there; they need apt-get, dpkg-deb
 * and ffmpeg, --cold also unzip and fluidsynth.
 */
import { parseArgs } from "node:util";
import { atLeast, type Figure, table } from "../scripts/bench/figures.ts";
import { evaluateBriefs } from "./eval-briefs.ts";
import { type ColdAnswer, coldStart, type SimilarByOrigin } from "./eval-search/cold-start.ts";
import { fitCalibration } from "./eval-search/fit.ts";
import { type KnownItems, knownItems } from "./eval-search/known-items.ts";
import { likeThis } from "./eval-search/like-this.ts";
import { evaluate, type Quality } from "./eval-search/measure.ts";

const AIMS = {
  cold: 0.55,
  similar: 0.55,
  names: 0.97,
  ndcg: 0.75,
  ofOracle: 0.9,
  aboveText: 0.1,
  calibrationError: 0.08,
};

/** For briefs that the parser was not tuned on. */
const READING_AIMS: Readonly<Record<string, number>> = {
  bpm: 0.97,
  duration: 0.97,
  key: 0.97,
  keyMode: 0.97,
  vocalPreference: 0.97,
  genres: 0.9,
  instruments: 0.9,
  moods: 0.8,
  lyricThemes: 0.8,
  negation: 0.93,
  referenceArtist: 0.95,
};

const { values } = parseArgs({
  options: {
    briefs: { type: "string" },
    seed: { type: "string", default: "evaluation" },
    tracks: { type: "string", default: "5000" },
    wishes: { type: "string", default: "300" },
    fit: { type: "boolean", default: false },
    cold: { type: "string" },
    like: { type: "string" },
    names: { type: "string" },
  },
});
const sizes = { tracks: Number(values.tracks), briefs: Number(values.wishes) };
if (values.cold !== undefined) {
  printCold(await coldStart(values.cold));
} else if (values.like !== undefined) {
  const { figures, seedsAmongResults, searches } = await likeThis(values.like);
  console.log(
    `like this, of the first ten on the asked side and among the nearest third\n${table(figures)}\nseeds among their own results: ${seedsAmongResults} of ${searches}`,
  );
} else if (values.names !== undefined) {
  printNames(await knownItems(values.names));
} else if (values.fit) {
  console.log(await fitCalibration(sizes));
} else {
  if (values.briefs === undefined)
    console.log("No --briefs FILE.jsonl: how well briefs are read is left out\n");
  else await printReading(values.briefs);
  const { qualities, calibrationError, judged } = await evaluate(values.seed, sizes);
  const of = (name: string) => qualities.find((each) => each.name === name)?.ndcg ?? Number.NaN;
  console.log(
    `search\n${table([
      ...qualities.map((quality) => figureOf(quality, of)),
      {
        what: "expected calibration error",
        figure: calibrationError.toFixed(3),
        yardstick: `${judged.length} scores`,
        aim: { text: `at most ${AIMS.calibrationError}`, isMet: calibrationError <= AIMS.calibrationError },
      },
    ])}`,
  );
}

function printNames(ways: readonly KnownItems[]): void {
  const sum = (value: (way: KnownItems) => number) => ways.reduce((all, way) => all + value(way), 0);
  const [queries, product, text] = [
    sum((way) => way.queries),
    sum((way) => way.product),
    sum((way) => way.fullText),
  ];
  if (queries === 0) {
    console.log("No package with music could be fetched: skipping names");
    return;
  }
  const figures = ways.map((way) => ({
    what: way.way,
    figure: `${way.product} of ${way.queries}`,
    yardstick: `text index ${way.fullText}`,
  }));
  const share = product / queries;
  const yardstick = `text index ${text} of ${queries}`;
  const total = { what: "all", figure: share.toFixed(3), yardstick, aim: atLeast(share, AIMS.names) };
  console.log(`found first by name\n${table([...figures, total])}`);
  for (const { way, misses } of ways) for (const miss of misses) console.log(`  missed, ${way}: ${miss}`);
}

function printCold({ answers, similar }: { answers: readonly ColdAnswer[]; similar: SimilarByOrigin }): void {
  const mean = (value: (answer: ColdAnswer) => number) =>
    answers.reduce((sum, answer) => sum + value(answer), 0) / answers.length;
  const figures = answers.map(({ query, precision, chance, sources }) => ({
    what: query,
    figure: precision.toFixed(1),
    yardstick: `chance ${chance.toFixed(2)}; ${sources}`,
  }));
  const all = mean(({ precision }) => precision);
  const yardstick = `chance ${mean(({ chance }) => chance).toFixed(3)}`;
  const total = { what: "all", figure: all.toFixed(3), yardstick, aim: atLeast(all, AIMS.cold) };
  const origin = {
    what: "similar tracks, same origin",
    figure: similar.precision.toFixed(3),
    yardstick: `chance ${similar.chance.toFixed(3)}; ${similar.tracks} tracks`,
    aim: atLeast(similar.precision, AIMS.similar),
  };
  console.log(`precision at 10 without tags and names\n${table([...figures, total, origin])}`);
}

function figureOf({ name, ndcg }: Quality, of: (name: string) => number): Figure {
  const figure = { what: `nDCG@10, ${name}`, figure: ndcg.toFixed(3) };
  if (name !== "product") return figure;
  const [ofOracle, above] = [ndcg / of("oracle parse"), ndcg - of("full text only")];
  const isMet = ndcg >= AIMS.ndcg && ofOracle >= AIMS.ofOracle && above >= AIMS.aboveText;
  return {
    ...figure,
    yardstick: `${(ofOracle * 100).toFixed(0)} % of the oracle, ${above.toFixed(3)} above full text`,
    aim: { text: `${AIMS.ndcg}, ${AIMS.ofOracle * 100} %, ${AIMS.aboveText} above`, isMet },
  };
}

/** Prints how well a file of briefs is read, field by field. @throws Error when there is no such file. */
async function printReading(path: string): Promise<void> {
  if (!(await Bun.file(path).exists())) throw new Error(`There is no ${path} (--briefs)`);
  const fields = await evaluateBriefs(path);
  const figures = fields.map(({ field, judged, precision, recall, f1 }) => ({
    what: `F1, ${field}`,
    figure: shown(f1),
    yardstick: `precision ${shown(precision)}, recall ${shown(recall)}, judged ${judged}`,
    ...aimOf(field, f1),
  }));
  console.log(`briefs\n${table(figures)}\n`);
}

function aimOf(field: string, f1: number | null): Pick<Figure, "aim"> {
  const aim = READING_AIMS[field];
  return aim === undefined || f1 === null ? {} : { aim: atLeast(f1, aim) };
}

function shown(value: number | null): string {
  return value?.toFixed(3) ?? "-";
}
