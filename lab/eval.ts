/**
 * Prints what the analysis hears of music that is known, beside analysers that the package indexes offer: metre, bars, swing, sections,
 * tempo and key, then genres, voices, instruments and moods. Each row has precision, recall and count. What is missing is rendered, or
 * fetched by apt-get; what was heard once is kept, so that an interrupted run goes on where it stopped.
 *
 * usage: bun run eval FOLDER [--python PYTHON]... [--abc FOLDER]... [--every 1] [--minutes 600]
 *   FOLDER     keeps the music and what was heard; it grows to several GB
 *   --python   a Python that has essentia or madmom: see lab/eval-rhythm/yardstick.py. None is needed
 *   --abc      collections of tunes in ABC notation, each judged as dances, such as those in the Python package music21
 *   --every    the others hear every so-many-th clip only; our rows are then printed for these once more
 *   --minutes  no further clip of a set is given to a Python after as many
 *
 * Needs what lab/eval-rhythm.ts, lab/render-dances.ts and lab/eval-ears.ts need.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string", multiple: true, default: [] },
    abc: { type: "string", multiple: true, default: [] },
    every: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" },
  },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error("usage: bun run eval FOLDER [--python PYTHON]... [--abc FOLDER]...");

const FONTS = "/usr/share/sounds/sf2";
const rhythm = join(folder, "rhythm");
/** Sets of loops and songs: what weights were learnt from, what was looked at later, and a bank that none of them has. */
const SETS: Readonly<Record<string, readonly string[]>> = {
  fit: ["--part", "fit", "--loops", "36", "--songs", "28"],
  hold: ["--part", "hold", "--loops", "14", "--songs", "20", "--seed", "12"],
  "other-bank": [
    ...["--part", "hold", "--loops", "3", "--songs", "6", "--seed", "2063", "--no-grooves"],
    ...["--soundfont", join(FONTS, "MuseScore_General_Full.sf2")],
  ],
};
const sets = Object.entries(SETS).map(([name, options]) => ({ into: join(rhythm, name), options }));
for (const { into, options } of sets)
  if (!existsSync(join(into, "rhythm.json"))) await lab("eval-rhythm.ts", ["--render", into, ...options]);

const dances = values.abc.map((abc) => ({ abc, into: join(rhythm, `dances-${basename(abc)}`) }));
for (const { abc, into } of dances)
  if (!existsSync(join(into, "truth.tsv")))
    await lab("render-dances.ts", [
      ...["--abc", abc, "--into", into, "--count", "48"],
      ...["--soundfont", join(FONTS, "TimGM6mb.sf2"), "--soundfont", join(FONTS, "sf_GMbank.sf2")],
    ]);

await lab("eval-rhythm.ts", [
  ...[...sets, ...dances].flatMap(({ into }) => ["--truth", into]),
  ...["--kept", join(rhythm, "kept"), "--every", values.every, "--minutes", values.minutes],
  ...values.python.flatMap((python) => ["--python", python]),
]);
for (const takes of ["0", "8"]) await lab("eval-ears.ts", [join(folder, "ears"), "--rows", "--takes", takes]);

async function lab(script: string, options: readonly string[]): Promise<void> {
  console.log(`\nbun lab/${script} ${options.join(" ")}`);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...options], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error(`lab/${script} failed`);
}
