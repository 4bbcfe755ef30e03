/**
 * Prints how well the ears tell where something is heard: in pieces of a minute, of which another line-up plays the middle
 * third, by soundfonts that nothing was trained on.
 *
 * usage: bun lab/eval-places.ts FOLDER [--pieces N] [--every N]
 * Then how many instruments are suggested with the whole recording, in these pieces and in real music, of which every Nth
 * is heard.
 *
 * FOLDER keeps the clips, as for lab/eval-ears.ts, and what was heard. Needs ffmpeg, fluidsynth, timidity, and Debian's
 * csound-soundfont and freepats.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEars } from "../src/ears/ears.ts";
import { EARS_HZ } from "../src/ears/levels.ts";
import {
  type HeardPassages,
  PLACED_NAMES,
  type Place,
  type PlacedName,
  placesOf,
} from "../src/ears/places.ts";
import { createWholeEars } from "../src/ears/whole.ts";
import { MOST_UNSAID } from "../src/modules/library/analysis/tagger/heard.ts";
import { impliedBy, instrumentsHeard } from "../src/modules/library/analysis/tagger/instruments.ts";
import { createProgress } from "./eval-audio/progress.ts";
import { createRandom } from "./eval-audio/random.ts";
import { judgedMusic } from "./eval-ears/judged-music.ts";
import { readKept } from "./eval-ears/kept.ts";
import { type JudgedFile, judgedLineUps } from "./eval-ears/line-ups.ts";

/** Of each clip. */
const SECONDS = 20;
const [FROM, TO, ALL] = [SECONDS, 2 * SECONDS, 3 * SECONDS];
const REAL_SECONDS = 120;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pieces: { type: "string", default: "48" }, every: { type: "string", default: "1" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: bun lab/eval-places.ts FOLDER [--pieces N] [--every N]");

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const overlap = (one: Place, other: Place) =>
  Math.max(0, Math.min(one.toSec, other.toSec) - Math.max(one.fromSec, other.fromSec));

/** `six` is what an analysis hears. */
type Kept = { stepSec: number; likelihoods: number[]; six: number[] };
type Judged = {
  heard: HeardPassages;
  six: readonly number[];
  is: readonly string[];
  isWrong: (name: string) => boolean;
};
type Piece = Judged & { around: JudgedFile; middle: JudgedFile };

const clips = await judgedLineUps(join(folder, "line-ups"));
const kept = await readKept<Kept>(folder);
const pieces: Piece[] = [];
const random = createRandom(2600);
const progress = createProgress(Number(values.pieces));
while (pieces.length < Number(values.pieces)) {
  const [around, middle] = [random.pick(clips), random.pick(clips)];
  if (around.source === middle.source) continue;
  const known = await kept(`whole ${around.path} ${middle.path}`, () =>
    hear([around.path, middle.path, around.path], SECONDS),
  );
  const isWrong = (name: string) => !mayHave(around, name) && !mayHave(middle, name);
  const is = [...new Set([...around.is, ...middle.is])];
  pieces.push({ around, middle, ...judgedOf(known, is, isWrong) });
  progress.step();
}
print(
  "heard in the middle third alone",
  (name, { around, middle }) => has(middle, name) && !mayHave(around, name),
);
print("heard all the time", (name, { around, middle }) => has(middle, name) && has(around, name));
print("not played", (name, { around, middle }) => !mayHave(middle, name) && !mayHave(around, name));

const real: Judged[] = [];
const music = await judgedMusic(folder);
for (const [i, { path, source, is, not = [] }] of music.entries()) {
  if (i % Number(values.every) !== 0) continue;
  const known = await kept(`whole ${source} ${path}`, () => hear([path], REAL_SECONDS));
  real.push(judgedOf(known, is, (name) => not.includes(name)));
}
printSaid("pieces of a minute", pieces);
printSaid("real music", real);

function judgedOf(
  { stepSec, likelihoods, six }: Kept,
  is: readonly string[],
  isWrong: Judged["isWrong"],
): Judged {
  return { heard: { stepSec, likelihoods: Uint8Array.from(likelihoods) }, six, is, isWrong };
}

/** Prints how many instruments are suggested, without and with the whole recording: right of said, of those to be found. */
function printSaid(title: string, all: readonly Judged[]): void {
  for (const isWhole of [false, true]) {
    let [right, said, truth] = [0, 0, 0];
    for (const { heard, six, is, isWrong } of all) {
      const tags = instrumentsHeard(six, isWhole ? heard : undefined);
      const names = [...tags, ...impliedBy(tags)].flatMap(({ category, name, confidence }) =>
        category === "instruments" && confidence > MOST_UNSAID ? [name] : [],
      );
      const judged = [...new Set(names)].filter((name) => is.includes(name) || isWrong(name));
      said += judged.length;
      right += judged.filter((name) => is.includes(name)).length;
      truth += PLACED_NAMES.filter((name) => is.includes(name)).length;
    }
    const by = isWhole ? "the whole" : "six passages";
    console.log(`${title} (${all.length}), ${by}: ${right} of ${said} right, of ${truth}`);
  }
}

async function hear(paths: readonly string[], seconds: number): Promise<Kept> {
  const whole = await createWholeEars(EARS_HZ, paths.length * seconds);
  const ears = createEars(EARS_HZ, paths.length * seconds);
  for (const path of paths) {
    const samples = await decoded(path, seconds);
    whole.push(samples, samples.length);
    ears.push(samples, samples.length);
  }
  const { stepSec = 0, likelihoods = [] } = whole.finish() ?? {};
  return { stepSec, likelihoods: [...likelihoods], six: [...((await ears.finish()) ?? [])] };
}

async function decoded(path: string, seconds: number): Promise<Float32Array> {
  const format = ["-t", String(seconds), "-ac", "1", "-ar", String(EARS_HZ), "-f", "f32le", "-"];
  return new Float32Array(await Bun.$`ffmpeg -nostdin -v error -i ${path} ${format}`.quiet().arrayBuffer());
}

function has({ is }: JudgedFile, name: string): boolean {
  return is.includes(name);
}

function mayHave({ is, perhaps = [] }: JudgedFile, name: string): boolean {
  return is.includes(name) || perhaps.includes(name);
}

/** Prints how many of those names have a place, and for how much of the time it is right. */
function print(title: string, isMeant: (name: PlacedName, piece: Piece) => boolean): void {
  const all = pieces.flatMap((piece) =>
    PLACED_NAMES.filter((name) => isMeant(name, piece)).map((name) => placesOf(piece.heard, name, ALL)),
  );
  const placed = all.filter((places) => places.length > 0);
  const inside = sum(placed.flat().map((place) => overlap(place, { fromSec: FROM, toSec: TO })));
  const whole = sum(placed.flat().map(({ fromSec, toSec }) => toSec - fromSec));
  const begins = placed.map(([first]) => Math.abs((first?.fromSec ?? 0) - FROM)).sort((a, b) => a - b);
  console.log(
    `${title}: ${placed.length} of ${all.length} have a place; ${Math.round((100 * inside) / whole)} % of their time is in the middle third, ` +
      `half of them begin within ${begins[Math.floor(begins.length / 2)]} s of it`,
  );
}
