/**
 * Prints how often a mark is found in leaks of music that nothing was set on, whether anyone is named for clean or foreign sound, how
 * audible the mark is beside MP3 at 320 kbit/s, and how fast it is made.
 *
 * usage: bun lab/eval-watermark.ts [--pieces 40] [--from 0] [--rendered FOLDER] [--work FOLDER] [--codes 100000] [--foreign 5]
 *   --pieces    how many pieces of game music, 60 s of each; --from leaves out the first ones
 *   --rendered  more pieces: the recordings of a folder, such as those of lab/render-masters.ts
 *   --work      where Debian packages are kept
 *   --codes     codes that are tried on each leak
 *   --foreign   clean and foreign sounds that are tried with the codes of each piece
 *
 * Needs ffmpeg with libmp3lame and libopus.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../scripts/bench/processes.ts";
import { readBlind } from "../src/audio/watermark/blind.ts";
import { READING_RATE_HZ } from "../src/audio/watermark/grid.ts";
import { readInformed } from "../src/audio/watermark/informed.ts";
import { codeOf, type Pattern, patternOf } from "../src/audio/watermark/pattern.ts";
import { chanceOfError, matchesOf, RISK, scoresOf } from "../src/audio/watermark/verdict.ts";
import { derive } from "../src/kernel/secrets.ts";
import { createRandom } from "./eval-audio/random.ts";
import { LEAKS, type Leak } from "./eval-watermark/leaks.ts";
import { type Audibility, audibilityOf } from "./eval-watermark/noise-to-mask.ts";
import { fetchPieces, type Piece, piecesIn } from "./eval-watermark/pieces.ts";
import { cut, decode, encode, mark, mix, type Recording, rateOf } from "./eval-watermark/sound.ts";

const { values } = parseArgs({
  options: {
    pieces: { type: "string", default: "40" },
    from: { type: "string", default: "0" },
    rendered: { type: "string" },
    work: { type: "string", default: join(tmpdir(), "dubplate-eval-watermark") },
    codes: { type: "string", default: "100000" },
    foreign: { type: "string", default: "5" },
  },
});
const SECONDS = 60;
/** Seconds of each piece that are compared with its MP3. */
const HEARD_SEC = 30;
const folder = temporaryFolder("eval-watermark");
const random = createRandom(38);
const issued = Array.from({ length: Number(values.codes) }, (_, candidate) => ({
  candidate,
  code: codeOf(Uint8Array.from({ length: 16 }, () => 256 * random.unit())),
}));

const codes = issued.map(({ code }) => code);

/** What became of one way of leaking: the scores of the right recipients, and in how many pieces all of them were named. */
type Row = { scores: number[]; found: number; pieces: number; wrong: number; demanded: number | null };
const rows = new Map<string, Row>();
/** The highest score that any code reached on each clean or foreign sound, and whether someone was named. */
const unmarked = { highest: 0, sounds: 0, readings: 0, named: 0 };
const heard: Record<"mark" | "MP3 320", Audibility[]> = { mark: [], "MP3 320": [] };
let before: Recording | undefined;
const speed = { soundSec: 0, processorSec: 0 };

const game = await fetchPieces(values.work, Number(values.pieces));
const pieces = [
  ...game.slice(Number(values.from)),
  ...(values.rendered ? await piecesIn(values.rendered) : []),
];
for (const [index, piece] of pieces.entries()) {
  await evaluate(piece, patternOfPiece(index));
  const scores = [...rows.values()].map((row) => (row.scores.at(-1) ?? 0).toFixed(1));
  console.error(`${index + 1} of ${pieces.length}: ${piece.name}: ${scores.join(" ")}`);
}
print();

/** Each piece is a version of its own. */
function patternOfPiece(index: number): Pattern {
  return patternOf(derive(Buffer.alloc(32, 38), `watermark ver_${index}`));
}

async function evaluate(piece: Piece, pattern: Pattern): Promise<void> {
  const master = await decode(piece.path, await rateOf(piece.path), ["-t", String(SECONDS)]);
  const original = await decode(piece.path, READING_RATE_HZ, ["-t", String(SECONDS)]);
  const [one, other] = [random.pick(issued), random.pick(issued)];
  const began = process.cpuUsage();
  const copy = mark(master, pattern, one.code);
  const { user, system } = process.cpuUsage(began);
  speed.processorSec += (user + system) / 1e6;
  speed.soundSec += master.left.length / master.rateHz;
  const mixed = mix(copy, mark(master, pattern, other.code));
  for (const leak of LEAKS) {
    const recipients = leak.isMixed ? [one, other] : [one];
    const sound = await leaked(leak.isMixed ? mixed : copy, leak);
    const informed = readInformed(sound, original, pattern).map(({ soft }) => soft);
    judge(leak.name, informed, recipients, leak.demanded);
    if (leak.blind) judge(`${leak.name}, blind`, readBlind(sound, pattern), recipients, leak.blind.demanded);
  }
  await tryUnmarked(original, pattern);
  before = original;
  await listen(original, mark(original, pattern, one.code));
}

/** Cuts a copy anywhere and codes it. Returns it as it is read. */
async function leaked(copy: Recording, { seconds, codings }: Leak): Promise<Recording> {
  let sound = cut(copy, random.between(0, copy.left.length / copy.rateHz - seconds), seconds);
  for (const coding of codings) {
    const path = join(folder, "leak");
    await encode(sound, path, coding);
    sound = await decode(path, READING_RATE_HZ);
  }
  return sound;
}

type Issued = (typeof issued)[number];

function judge(
  name: string,
  readings: readonly Float64Array[],
  recipients: readonly Issued[],
  demanded: number | null,
): void {
  const row = rows.get(name) ?? { scores: [], found: 0, pieces: 0, wrong: 0, demanded };
  rows.set(name, row);
  const matches = matchesOf(readings, issued).map(({ candidate }) => candidate);
  row.pieces++;
  if (recipients.every(({ candidate }) => matches.includes(candidate))) row.found++;
  row.wrong += matches.filter((match) => recipients.every(({ candidate }) => candidate !== match)).length;
  row.scores.push(
    ...scoresOf(
      readings,
      recipients.map(({ code }) => code),
    ),
  );
}

/** Tries all codes on the piece itself, on the piece before, and on copies that were marked under the keys of other versions. */
async function tryUnmarked(original: Recording, pattern: Pattern): Promise<void> {
  for (let number = 0; number < Number(values.foreign); number++) {
    const foreign = () => mark(original, patternOfPiece(10_000 + number), random.pick(issued).code);
    const copy = number === 0 ? original : number === 1 ? (before ?? original) : foreign();
    const sound = await leaked(copy, LEAKS[number % 3] as Leak);
    const readings = [
      ...readInformed(sound, original, pattern).map(({ soft }) => soft),
      ...readBlind(sound, pattern),
    ];
    unmarked.sounds++;
    unmarked.readings += readings.length;
    for (const score of scoresOf(readings, codes)) {
      unmarked.highest = Math.max(unmarked.highest, score);
      if (chanceOfError(score, readings.length * codes.length) <= RISK) unmarked.named++;
    }
  }
}

async function listen(original: Recording, copy: Recording): Promise<void> {
  const plain = cut(original, 0, HEARD_SEC);
  const path = join(folder, "heard.mp3");
  await encode(plain, path, ["-b:a", "320k"]);
  const coded = await decode(path, READING_RATE_HZ);
  heard.mark.push(audibilityOf(plain.left, copy.left));
  heard["MP3 320"].push(audibilityOf(plain.left, coded.left));
}

function print(): void {
  console.log(`${pieces.length} pieces of ${SECONDS} s, ${issued.length} codes tried on each leak`);
  console.log("leak".padEnd(44), "named", "  wrongly", " score: median, least", "  demanded");
  for (const [name, { scores, found, pieces: count, wrong, demanded }] of rows) {
    const sorted = scores.toSorted((one, two) => one - two);
    const median = sorted[sorted.length >> 1] ?? 0;
    console.log(
      name.padEnd(44),
      `${found} of ${count}`.padEnd(9),
      String(wrong).padEnd(8),
      `${median.toFixed(1)}, ${(sorted[0] ?? 0).toFixed(1)}`.padEnd(20),
      demanded === null ? "" : `${100 * demanded} %${found < demanded * count ? "  MISSED" : ""}`,
    );
  }
  const { highest, sounds, readings, named } = unmarked;
  console.log(
    `${named} named for ${sounds} clean and foreign sounds; highest score of ${issued.length} codes on ${readings} readings: ` +
      `${highest.toFixed(2)}`,
  );
  for (const [name, all] of Object.entries(heard)) {
    const shares = all.map(({ bandFrames, aboveThreshold }) => (100 * aboveThreshold) / bandFrames);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const worst = Math.max(...shares);
    console.log(
      `above the masking threshold, ${name}: ${mean.toFixed(2)} % of band-frames, worst piece ${worst.toFixed(2)} %`,
    );
  }
  console.log(`marking: ${(speed.soundSec / speed.processorSec).toFixed(0)} x real time (processor time)`);
}
