/**
 * Learns which differences in sound tell that two tracks are from different hands, from music whose origin is known, and
 * writes the weights.
 *
 * usage: bun lab/train-alike.ts FOLDER [--write]
 * FOLDER has a folder with recordings for each origin, and keeps what was measured in alike.jsonl. Each half of the
 * origins is judged by weights from the other.
 */
import { existsSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { DESCRIPTOR_VERSION } from "../src/audio/analyzer.ts";
import { DESCRIBED, soundVector } from "../src/modules/library/sounds/service.ts";
import { type AlikeWeights, alikeDirection } from "../src/modules/search/search/heard/alike.ts";
import { createRandom } from "./eval-audio/random.ts";
import { measureFirstMinutes } from "./eval-ears/first-minutes.ts";
import { inverseOf } from "./train-tagger/inverse.ts";

/** A single number would fit 12 tracks: differences in every direction are at least this share of the usual. */
const RIDGE = 0.3;
/** Tracks of an origin that count in full; of origins with more, each counts less. */
const FULL = 12;
const LEAST_TRACKS = 3;
const [AT, SHUFFLES] = [10, 4];

type Track = { origin: string; vector: Float32Array };
type Kept = { path: string; heard: number[] | null; descriptors: number[] | null };

const [folder] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun lab/train-alike.ts FOLDER [--write]");
const tracks = await readTracks(folder);
const origins = [...new Set(tracks.map(({ origin }) => origin))].sort();
console.log(`${tracks.length} tracks of ${origins.length} origins`);
const folds = Array.from({ length: SHUFFLES }, (_, seed) => halvesOf(seed)).flat();
const figures = folds.map(({ learnt, judged }) => [
  shareOfSame(judged),
  shareOfSame(judged, weightsOf(learnt)),
]);
const mean = (at: number) => figures.reduce((sum, figure) => sum + (figure[at] ?? 0), 0) / figures.length;
console.log(
  `of the ten most alike, from the same origin: as they are ${mean(0).toFixed(3)}, learnt ${mean(1).toFixed(3)}`,
);
if (Bun.argv.includes("--write")) await write(weightsOf(tracks));

async function readTracks(home: string): Promise<Track[]> {
  const cache = join(home, "alike.jsonl");
  const kept = new Map<string, Kept>();
  if (existsSync(cache))
    for (const line of (await Bun.file(cache).text()).trim().split("\n")) {
      const each = JSON.parse(line) as Kept;
      kept.set(each.path, each);
    }
  const glob = new Bun.Glob("*/**/*.{mp3,ogg,opus,flac,wav,xm,it,mod,s3m}");
  const found: Track[] = [];
  for (const path of [...glob.scanSync({ cwd: home, followSymlinks: true })].sort()) {
    let each = kept.get(path);
    if (!each) {
      const { heard, descriptors } = await measureFirstMinutes(join(home, path), home);
      each = { path, heard, descriptors };
      await appendFile(cache, `${JSON.stringify(each)}\n`);
    }
    const { heard, descriptors } = each;
    const sound =
      heard && descriptors
        ? soundVector(DESCRIPTOR_VERSION, Float32Array.from(descriptors), Float32Array.from(heard))
        : undefined;
    if (sound) found.push({ origin: path.split(sep)[0] ?? "", vector: sound.unit });
  }
  const sizes = Map.groupBy(found, ({ origin }) => origin);
  return found.filter(({ origin }) => (sizes.get(origin)?.length ?? 0) >= LEAST_TRACKS);
}

/** Splits the origins in two, and takes each half once to learn from. */
function halvesOf(seed: number): { learnt: Track[]; judged: Track[] }[] {
  const random = createRandom(seed + 1);
  const keys = new Map(origins.map((origin) => [origin, random.unit()]));
  const order = [...origins].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
  const isFirst = new Set(order.filter((_, i) => i % 2 === 0));
  const first = tracks.filter(({ origin }) => isFirst.has(origin));
  const second = tracks.filter(({ origin }) => !isFirst.has(origin));
  return [
    { learnt: first, judged: second },
    { learnt: second, judged: first },
  ];
}

/** Returns the share of the ten most alike that come from the same origin. */
function shareOfSame(judged: readonly Track[], weights?: AlikeWeights): number {
  const shares = judged.map((track) => {
    const target = weights ? alikeDirection(track.vector, weights) : track.vector;
    const dot = ({ vector }: Track) => vector.reduce((sum, value, i) => sum + value * (target[i] ?? 0), 0);
    const others = judged.filter((other) => other !== track).map((other) => ({ other, score: dot(other) }));
    const first = others.sort((a, b) => b.score - a.score).slice(0, AT);
    return first.filter(({ other }) => other.origin === track.origin).length / AT;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Returns the centre of each part, and the inverse of how tracks of one origin differ in it. */
function weightsOf(learnt: readonly Track[]): AlikeWeights {
  const size = learnt[0]?.vector.length ?? 0;
  return [partOf(learnt, 0, DESCRIBED), partOf(learnt, DESCRIBED, size)];
}

function partOf(learnt: readonly Track[], from: number, to: number): AlikeWeights[number] {
  const rows = learnt.map(({ origin, vector }) => ({ origin, values: unitOf(vector.subarray(from, to)) }));
  const size = to - from;
  const meanOf = (of: typeof rows) =>
    Float64Array.from(
      { length: size },
      (_, i) => of.reduce((sum, row) => sum + (row.values[i] ?? 0), 0) / of.length,
    );
  const spread = Array.from({ length: size }, () => new Float64Array(size));
  let count = 0;
  for (const [, of] of Map.groupBy(rows, ({ origin }) => origin)) {
    const centre = meanOf(of);
    const weight = Math.min(1, FULL / of.length);
    count += weight * (of.length - 1);
    for (const { values } of of)
      addSquare(
        spread,
        weight,
        values.map((value, i) => value - (centre[i] ?? 0)),
      );
  }
  const usual = spread.reduce((sum, row, i) => sum + (row[i] ?? 0), 0) / size / count;
  const inverse = inverseOf(
    spread.map((row, i) => row.map((value, j) => value / count + (i === j ? RIDGE * usual : 0))),
  );
  const trace = inverse.reduce((sum, row, i) => sum + (row[i] ?? 0), 0);
  return {
    centre: meanOf(rows),
    inverse: Float64Array.from(inverse.flatMap((row) => [...row.map((value) => (value * size) / trace)])),
  };
}

function addSquare(sum: readonly Float64Array[], weight: number, values: Float64Array): void {
  for (const [i, row] of sum.entries())
    for (let j = 0; j < row.length; j++)
      row[j] = (row[j] ?? 0) + weight * (values[i] ?? 0) * (values[j] ?? 0);
}

function unitOf(values: Float32Array): Float64Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Float64Array.from(values, (value) => (length > 0 ? value / length : 0));
}

/** Writes each matrix as the int16 of its lower triangle. */
async function write(weights: AlikeWeights): Promise<void> {
  const parts = weights.map(({ centre, inverse }) => {
    const size = centre.length;
    const step = Math.max(...inverse.map(Math.abs)) / 32_767;
    const triangle = [...inverse].filter((_, i) => i % size <= Math.floor(i / size));
    const bytes = Buffer.from(Int16Array.from(triangle, (value) => Math.round(value / step)).buffer);
    const numbers = [...centre].map((value) => Number(value.toPrecision(3)));
    return `{ centre: [${numbers.join(", ")}], step: ${step.toPrecision(6)}, triangle: "${bytes.toString("base64")}" }`;
  });
  const path = join(import.meta.dir, "../src/modules/search/search/heard/alike-weights.ts");
  await Bun.write(
    path,
    `/**
 * How tracks of one origin differ, for what is measured and what is heard: the middle, and the lower triangle of the
 * inverse as int16 in steps. Written by lab/train-alike.ts from ${tracks.length} tracks of ${origins.length} origins; see docs/decisions/0047.
 */
export const ALIKE_WEIGHTS = [${parts.join(", ")}] as const;
`,
  );
  await Bun.$`bunx biome format --write ${path}`.quiet();
}
