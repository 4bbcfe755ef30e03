/**
 * Prints how well notes are carried into an edited version. Each piece is edited by ffmpeg, heard as the program hears it, and asked
 * for a note every 1.7 s; beside it, how well one offset for the whole does. Then every piece is laid on every other.
 *
 * usage: bun lab/eval-carry.ts [--sec 240] [--keep FOLDER] [--music FOLDER] [--misses] [FILE_OR_FOLDER...]
 *   --sec     how much of each piece
 *   --keep    keeps what was heard of each edit, for the next time
 *   --music   where packages of music are fetched to
 *   --misses  lists each note that is wrong
 *
 * Without files, ten pieces of game music are fetched that the method was not made with. Needs ffmpeg, and apt-get to fetch.
 */
import { mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import { temporaryFolder } from "../scripts/bench/processes.ts";
import { alignFingerprints } from "../src/audio/fingerprint/fingerprint-match.ts";
import { refineOffset } from "../src/audio/fingerprint/fingerprint-offset.ts";
import { alignSections } from "../src/audio/fingerprint/sections.ts";
import { type Placed, placeNote } from "../src/modules/sharing/comments/carry/place.ts";
import { AIMED, type Edit, OTHERS } from "./eval-carry/edits.ts";
import { decoded, type Heard, type Hearing, hear, tracedAt } from "./eval-carry/hear.ts";
import { fetchPieces, type Piece } from "./eval-carry/pieces.ts";

const FIRST_SEC = 0.3;
const EVERY_SEC = 1.7;
const NEAR_SEC = 0.02;
/** As near to an edit, nothing is promised. */
const EDGE_SEC = 1.5;

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    sec: { type: "string", default: "240" },
    keep: { type: "string" },
    music: { type: "string" },
    misses: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const hearing: Hearing = { folder: temporaryFolder("carry"), keep: values.keep, sec: Number(values.sec) };
if (values.keep) mkdirSync(values.keep, { recursive: true });
const pieces =
  positionals.length > 0 ? given() : await fetchPieces(values.music ?? join(hearing.folder, "music"));

function given(): Piece[] {
  const glob = new Glob("**/*.{wav,flac,ogg,opus,mp3}");
  const paths = positionals.flatMap((path) =>
    statSync(path).isDirectory() ? [...glob.scanSync({ cwd: path, absolute: true })].sort() : [path],
  );
  return paths.map((path) => ({ name: basename(path), path }));
}

/** A piece as it is before it is edited. */
type Original = { name: string; path: string; heard: Heard };
const originals: Original[] = [];
for (const [index, { name, path }] of pieces.entries()) {
  const wav = await decoded(hearing, path, index);
  const source = { path: wav, name, other: wav, lengthSec: 0 };
  originals.push({ name, path: wav, heard: await hear(hearing, source, undefined) });
}
console.log(`${pieces.length} pieces, the first ${values.sec} s of each:`);
for (const { name, heard } of originals) console.log(`  ${name} (${Math.round(heard.lengthSec)} s)`);

/** How the notes of a kind of edit were placed. */
type Tally = {
  /** Notes that the edit has, and that are not beside one of its edges: for these there is a promise. */
  promised: number;
  near: number;
  errorsSec: number[];
  /** Of those, placed as `about`, as gone, and as certain though more than NEAR_SEC off. */
  about: number;
  gone: number;
  wrong: number;
  /** What was cut: how many notes, placed as certain, and `about`. */
  cut: number;
  cutCarried: number;
  cutAbout: number;
  /** By one offset for the whole. */
  oneNear: number;
  spentMs: number[];
};

function count(tally: Tally, wanted: number | undefined, got: Placed): boolean {
  if (wanted === undefined) {
    tally.cut++;
    if (got.how === "carried") tally.cutCarried++;
    if (got.how === "about") tally.cutAbout++;
    return got.how !== "carried";
  }
  tally.promised++;
  if (got.how === "about") tally.about++;
  if (got.atSec === null) {
    tally.gone++;
    return false;
  }
  const error = Math.abs(got.atSec - wanted);
  tally.errorsSec.push(error);
  if (error <= NEAR_SEC) tally.near++;
  else if (got.how === "carried") tally.wrong++;
  return error <= NEAR_SEC;
}

function oneOffset(a: Heard, b: Heard): number | undefined {
  const whole = alignFingerprints(a.fingerprint, b.fingerprint);
  if (!whole || whole.bitErrorRate > 0.35) return undefined;
  return refineOffset(a.levels, b.levels, whole.offsetSec) ?? whole.offsetSec;
}

async function tallyOf(edit: Edit): Promise<Tally> {
  const tally: Tally = {
    ...{ promised: 0, near: 0, errorsSec: [], about: 0, gone: 0, wrong: 0 },
    ...{ cut: 0, cutCarried: 0, cutAbout: 0, oneNear: 0, spentMs: [] },
  };
  for (const [index, original] of originals.entries()) {
    const { name, path, heard: a } = original;
    const other = originals[(index + 1) % originals.length]?.path ?? path;
    const b = await hear(hearing, { path, name, other, lengthSec: a.lengthSec }, edit);
    countNotes(tally, edit, original, b);
    tally.spentMs.push(cpuMs(() => alignSections(a, b)));
  }
  return tally;
}

/** Counts a note every EVERY_SEC of a piece. */
function countNotes(tally: Tally, edit: Edit, { name, heard: a }: Original, b: Heard): void {
  const alignment = alignSections(a, b);
  const single = oneOffset(a, b);
  for (let sec = FIRST_SEC; sec < a.lengthSec - 1; sec += EVERY_SEC) {
    if (edit.edges?.some((edge) => Math.abs(sec - edge) < EDGE_SEC)) continue;
    const wanted = b.traced ? tracedAt(b.traced, sec) : edit.where(sec, a.lengthSec);
    const got = placeNote({ positionSec: sec, endSec: null }, alignment, b.lengthSec);
    if (!count(tally, wanted, got)) tellMiss(`${edit.name}; ${name}; ${sec.toFixed(1)}`, wanted, got);
    if (isNear(wanted, single === undefined ? undefined : sec + single)) tally.oneNear++;
  }
}

function tellMiss(note: string, wanted: number | undefined, { atSec, how }: Placed): void {
  if (values.misses) console.log(`    ${note}: ${wanted?.toFixed(3)}, not ${atSec} (${how})`);
}

const isNear = (wanted: number | undefined, got: number | undefined) =>
  wanted !== undefined && got !== undefined && Math.abs(got - wanted) <= NEAR_SEC;

/** Returns what some work takes once it is warm, whatever else runs on the machine: the mean of three. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < 3; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 3000;
}

const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
const ms = (sec: number | undefined) => (sec === undefined ? "-" : (1000 * sec).toFixed(1));
const middle = (sorted: readonly number[]) => sorted[sorted.length >> 1];

async function print(title: string, edits: readonly Edit[]): Promise<void> {
  console.log(
    `\n| ${title} | notes | within 20 ms | one offset | median, 99 %, worst ms | about | gone | wrong and certain | cut: notes, certain, about | CPU ms per pair: median, most |`,
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const edit of edits) {
    const tally = await tallyOf(edit);
    const errors = tally.errorsSec.sort((one, two) => one - two);
    const spent = tally.spentMs.sort((one, two) => one - two);
    const spread = [middle(errors), errors[Math.floor(0.99 * errors.length)], errors.at(-1)]
      .map(ms)
      .join(", ");
    const { promised, about, gone, wrong, cut, cutCarried, cutAbout } = tally;
    console.log(
      `| ${edit.name} | ${promised} | ${percent(tally.near, promised)} | ${percent(tally.oneNear, promised)} | ${spread} | ${about} | ${gone} | ${wrong} | ${cut}, ${cutCarried}, ${cutAbout} | ${middle(spent)?.toFixed(1)}, ${spent.at(-1)?.toFixed(1)} |`,
    );
  }
}

await print("what section 4 of the design has", AIMED);
await print("what else musicians do", OTHERS);

const pairs = originals.flatMap((a) => originals.filter((b) => b !== a).map((b) => [a, b] as const));
const placed = pairs.filter(([a, b]) => alignSections(a.heard, b.heard)?.some(({ points }) => points));
console.log(
  `\nother pieces: ${pairs.length - placed.length} of ${pairs.length} pairs without a place for any note`,
);
if (values.misses) for (const [a, b] of placed) console.log(`    ${a.name} in ${b.name}`);
