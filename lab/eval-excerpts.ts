/**
 * Prints how often excerpts are found in a library by their sound alone, and whether any is found that is not in it. Each excerpt is cut
 * anywhere in a piece and changed as a leak would be; then it is looked for in all pieces, and in all but its own.
 *
 * usage: bun lab/eval-excerpts.ts [--pieces 60] [--way TEXT] [--work FOLDER]
 *   --pieces  how many pieces of game music; --way  only the ways of leaking that have this in their names
 *   --work  where Debian packages are kept
 *
 * Needs ffmpeg with libmp3lame and libopus.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../scripts/bench/processes.ts";
import { ANALYSIS_HZ } from "../src/audio/descriptors/spectral.ts";
import {
  createExcerptMeter,
  type ExcerptCodes,
  type ExcerptPlace,
  findPart,
  partsOf,
} from "../src/audio/fingerprint/excerpt.ts";
import { createRandom } from "./eval-audio/random.ts";
import { fetchPieces } from "./eval-watermark/pieces.ts";
import { cut, decode, encode, type Recording } from "./eval-watermark/sound.ts";

const { values } = parseArgs({
  options: {
    pieces: { type: "string", default: "60" },
    way: { type: "string", default: "" },
    work: { type: "string", default: join(tmpdir(), "dubplate-eval-watermark") },
  },
});
const random = createRandom(38);
const folder = temporaryFolder("eval-excerpts");

const OPUS = ["-c:a", "libopus", "-b:a", "64k", "-f", "ogg"];
const MP3 = ["-b:a", "128k", "-f", "mp3"];
/** How an excerpt leaks. `noiseDb`: noise of a room is added so far below it. */
type Way = { name: string; filter?: string; noiseDb?: number; coding: readonly string[] };
const ROOM = "highpass=f=180,lowpass=f=8000,aecho=0.8:0.5:17|31|47:0.35|0.25|0.18";
const PHONE =
  "highpass=f=400,lowpass=f=5000,aecho=0.8:0.7:23|41|67|110|190:0.5|0.4|0.35|0.3|0.2,acompressor=threshold=0.1:ratio=6";
const WAYS: readonly Way[] = [
  { name: "MP3 128", coding: MP3 },
  { name: "mono, Opus 64", coding: ["-ac", "1", ...OPUS] },
  { name: "0.2 % faster, MP3 128", filter: "asetrate=44188,aresample=48000", coding: MP3 },
  { name: "speaker in a room, noise -25 dB, Opus 64", filter: ROOM, noiseDb: -25, coding: OPUS },
  { name: "phone in a hall, noise -12 dB, Opus 64", filter: PHONE, noiseDb: -12, coding: OPUS },
];
const LENGTHS_SEC = [30, 15, 8, 5];

type Piece = { name: string; path: string; codes: Uint32Array; seconds: number };
const pieces: Piece[] = [];
for (const { name, path } of await fetchPieces(values.work, Number(values.pieces))) {
  const codes = await codesOf(path);
  pieces.push({ name, path, codes: codes[0] as Uint32Array, seconds: (codes[0]?.length ?? 0) / 8.35 });
}
const hours = pieces.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
console.log(`${pieces.length} pieces, ${hours.toFixed(1)} hours`);
console.log("excerpt".padEnd(44), "found    ", "bits: median, most  ", "others: least  ", "wrongly");

for (const way of WAYS.filter(({ name }) => name.includes(values.way)))
  for (const seconds of LENGTHS_SEC) {
    const result: Result = { own: [], foreign: [], right: 0, wrong: 0 };
    for (const piece of pieces) {
      const fromSec = random.between(0, piece.seconds - seconds);
      const excerpt = await leak(piece.path, { fromSec, seconds }, way);
      const all = pieces.map((each) => ({ each, place: bestOf(excerpt, each.codes) }));
      const own = all.find(({ each }) => each === piece)?.place;
      const others = all.flatMap(({ each, place }) => (each !== piece && place ? [place] : []));
      result.own.push(own?.bitErrorRate ?? 0.5);
      result.foreign.push(Math.min(0.5, ...others.map(({ bitErrorRate }) => bitErrorRate)));
      if (own?.isSure) result.right++;
      if (others.some(({ isSure }) => isSure)) result.wrong++;
    }
    print(`${way.name}, ${seconds} s`, result);
  }

/** The least differing bits of each excerpt, in its piece and in all others; how many were found, and how many where they are not. */
type Result = { own: number[]; foreign: number[]; right: number; wrong: number };

function print(name: string, { own, foreign, right, wrong }: Result) {
  const sorted = own.toSorted((a, b) => a - b);
  const least = foreign.toSorted((a, b) => a - b);
  const three = (value = 0) => value.toFixed(3);
  console.log(
    name.padEnd(44),
    `${right} of ${own.length}`.padEnd(9),
    `${three(sorted[sorted.length >> 1])}, ${three(sorted.at(-1))}`.padEnd(20),
    three(least[0]).padEnd(15),
    wrong,
  );
}

function bestOf(excerpt: ExcerptCodes, codes: Uint32Array): ExcerptPlace | undefined {
  return partsOf(excerpt)
    .flatMap((part) => findPart(part, codes) ?? [])
    .toSorted((a, b) => a.bitErrorRate - b.bitErrorRate)[0];
}

async function leak(
  path: string,
  { fromSec, seconds }: { fromSec: number; seconds: number },
  { filter, noiseDb, coding }: Way,
): Promise<ExcerptCodes> {
  const file = join(folder, "leak");
  let sound = cut(await decode(path, 44_100, ["-ss", String(fromSec), "-t", String(seconds)]), 0, seconds);
  if (filter) {
    await encode(sound, file, ["-af", filter, "-f", "wav"]);
    sound = await decode(file, 44_100);
  }
  if (noiseDb !== undefined) addNoise(sound, noiseDb);
  await encode(sound, file, coding);
  return codesOf(file);
}

function addNoise({ left, right }: Recording, db: number): void {
  const power = left.reduce((sum, x) => sum + x * x, 0) / Math.max(1, left.length);
  const level = Math.sqrt(3 * power) * 10 ** (db / 20);
  for (const plane of [left, right])
    for (let at = 0; at < plane.length; at++)
      plane[at] = (plane[at] as number) + level * (2 * random.unit() - 1);
}

async function codesOf(path: string): Promise<ExcerptCodes> {
  const { left, right } = await decode(path, ANALYSIS_HZ);
  const meter = createExcerptMeter();
  meter.push(
    left.map((x, at) => (x + (right[at] as number)) / 2),
    left.length,
  );
  return meter.finish();
}
