/**
 * Prints how well the ears tell where something is heard: in pieces of a minute, of which another line-up plays the middle
 * third, by soundfonts that nothing was trained on.
 *
 * usage: bun lab/eval-places.ts FOLDER [--pieces N]
 * FOLDER keeps the clips, as for lab/eval-ears.ts, and what was heard. Needs ffmpeg, fluidsynth, timidity, and Debian's
 * csound-soundfont and freepats.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EARS_HZ } from "../src/ears/levels.ts";
import {
  type HeardPassages,
  PLACED_NAMES,
  type Place,
  type PlacedName,
  placesOf,
} from "../src/ears/places.ts";
import { createWholeEars } from "../src/ears/whole.ts";
import { createProgress } from "./eval-audio/progress.ts";
import { createRandom } from "./eval-audio/random.ts";
import { readKept } from "./eval-ears/kept.ts";
import { type JudgedFile, judgedLineUps } from "./eval-ears/line-ups.ts";

/** Of each clip. */
const SECONDS = 20;
const [FROM, TO, ALL] = [SECONDS, 2 * SECONDS, 3 * SECONDS];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pieces: { type: "string", default: "48" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: bun lab/eval-places.ts FOLDER [--pieces N]");

type Kept = { stepSec: number; likelihoods: number[] };
type Piece = { around: JudgedFile; middle: JudgedFile; heard: HeardPassages };

const clips = await judgedLineUps(join(folder, "line-ups"));
const kept = await readKept<Kept>(folder);
const pieces: Piece[] = [];
const random = createRandom(2600);
const progress = createProgress(Number(values.pieces));
while (pieces.length < Number(values.pieces)) {
  const [around, middle] = [random.pick(clips), random.pick(clips)];
  if (around.source === middle.source) continue;
  const { stepSec, likelihoods } = await kept(`places ${around.path} ${middle.path}`, () =>
    hear(around, middle),
  );
  pieces.push({ around, middle, heard: { stepSec, likelihoods: Uint8Array.from(likelihoods) } });
  progress.step();
}
print(
  "heard in the middle third alone",
  (name, { around, middle }) => has(middle, name) && !mayHave(around, name),
);
print("heard all the time", (name, { around, middle }) => has(middle, name) && has(around, name));
print("not played", (name, { around, middle }) => !mayHave(middle, name) && !mayHave(around, name));

async function hear(around: JudgedFile, middle: JudgedFile): Promise<Kept> {
  const ears = await createWholeEars(EARS_HZ, ALL);
  for (const { path } of [around, middle, around]) {
    const samples = await decoded(path);
    ears.push(samples, samples.length);
  }
  const { stepSec = 0, likelihoods = [] } = ears.finish() ?? {};
  return { stepSec, likelihoods: [...likelihoods] };
}

async function decoded(path: string): Promise<Float32Array> {
  const format = ["-t", String(SECONDS), "-ac", "1", "-ar", String(EARS_HZ), "-f", "f32le", "-"];
  const bytes = await Bun.$`ffmpeg -nostdin -v error -i ${path} ${format}`.quiet().arrayBuffer();
  const samples = new Float32Array(SECONDS * EARS_HZ);
  samples.set(new Float32Array(bytes).subarray(0, samples.length));
  return samples;
}

function has({ is }: JudgedFile, name: PlacedName): boolean {
  return is.includes(name);
}

function mayHave({ is, perhaps = [] }: JudgedFile, name: PlacedName): boolean {
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

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const overlap = (one: Place, other: Place) =>
  Math.max(0, Math.min(one.toSec, other.toSec) - Math.max(one.fromSec, other.fromSec));
