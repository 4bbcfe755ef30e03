/**
 * Prints what is suggested on music that nothing was trained or chosen on, without and with the ears: real music, whose
 * packages say in words what it is, rendered line-ups, and pieces whose names say what they are for.
 *
 * usage: bun lab/eval-ears.ts FOLDER [--rows] [--takes 0] [--all] [--short]
 * FOLDER keeps the music and what was measured in it. Needs apt-get download, dpkg-deb, unzip, ffmpeg, fluidsynth,
 * timidity, and Debian's csound-soundfont and freepats. Without the ears the suggestions are those of before them.
 *   --rows   instead, precision, recall and count of each name, beside the published networks' own likeliest tags
 *   --takes  the first take of the rendered line-ups; nothing was chosen on those from 8 on
 *   --all    also voices, the search without tags, similar tracks, dances, learning, speed, memory and size, each by its own
 *            script and beside the figures of before the ears. It takes hours; an interrupted run goes on where it stopped.
 *   --short  every eighth piece, and of --all only what needs no further music
 */
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "./eval-audio/progress.ts";
import { printEras } from "./eval-ears/eras.ts";
import { basisOf, type KeptBasis, measureFirstMinutes } from "./eval-ears/first-minutes.ts";
import { judgedMoods } from "./eval-ears/judged-moods.ts";
import { judgedMusic } from "./eval-ears/judged-music.ts";
import { readKept } from "./eval-ears/kept.ts";
import { judgedLineUps } from "./eval-ears/line-ups.ts";
import { runOthers } from "./eval-ears/others.ts";
import { printMoodRows, printRows } from "./eval-ears/rows.ts";
import { printScenes } from "./eval-ears/scenes.ts";
import { printSuggested } from "./eval-ears/suggested.ts";

const SHORT_EVERY = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "boolean", default: false },
    takes: { type: "string", default: "0" },
    all: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined)
  throw new Error("usage: bun lab/eval-ears.ts FOLDER [--rows] [--takes 0] [--all] [--short]");
const kept = await readKept<KeptBasis>(folder);

const music = await measured(await judgedMusic(folder));
const lineUps = await measured(await judgedLineUps(join(folder, "line-ups"), Number(values.takes)));
const moods = await measured(await judgedMoods(folder));
if (values.rows) {
  printRows("real music", music);
  printRows("rendered line-ups", lineUps);
  printMoodRows(moods);
} else {
  printSuggested("real music", music);
  printSuggested("rendered line-ups", lineUps);
  printScenes(moods);
  printEras([...music, ...lineUps, ...moods]);
  if (values.all) await runOthers(folder, values.short);
}

/** Returns the files with what was measured in their first two minutes. */
async function measured<File extends { path: string; source: string }>(files: readonly File[]) {
  const wanted = files.filter((_, i) => !values.short || i % SHORT_EVERY === 0);
  const progress = createProgress(wanted.length);
  const judged: (File & { basis: ReturnType<typeof basisOf> })[] = [];
  for (const file of wanted) {
    const key = `${file.source} ${basename(file.path)}`;
    const basis = await kept(key, () => measureFirstMinutes(file.path, folder ?? ""));
    judged.push({ ...file, basis: basisOf(basis) });
    progress.step();
  }
  return judged;
}
