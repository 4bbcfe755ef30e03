/**
 * Renders music whose metre, bar lines, swing and sections are known, and prints how much of it the analysis finds: precision,
 * recall and count per row.
 *
 * usage: bun lab/eval-rhythm.ts --render FOLDER --part fit|hold [--seed 11] [--loops 40] [--songs 30] [--no-grooves]
 *        bun lab/eval-rhythm.ts --truth FOLDER... [--kept FOLDER] [--madmom PYTHON]
 *   --render   where clips and their truth are written
 *   --part     "fit" is what weights are learnt from; "hold" is looked at once
 *   --loops    clips per metre, --songs whole songs with sections; grooves of MMA where it is installed
 *   --truth    folders of clips to judge
 *   --kept     where spectra are kept, so that clips are decoded once
 *   --madmom   a Python that has madmom, which then hears the same clips: see lab/eval-rhythm/yardstick.py
 *
 * Needs fluidsynth, a General MIDI soundfont, ffmpeg and, for grooves, mma.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findStructure } from "../src/audio/structure/structure.ts";
import { analyseRhythm } from "../src/audio/tempo/rhythm.ts";
import { estimateTempo } from "../src/audio/tempo/tempo.ts";
import { type RhythmClip, readRhythms } from "./eval-rhythm/clip.ts";
import { spectraOf } from "./eval-rhythm/measure.ts";
import { renderRhythms } from "./eval-rhythm/render-set.ts";
import { type Judged, printRhythm, type RhythmAnswer } from "./eval-rhythm/report.ts";

const { values } = parseArgs({
  options: {
    render: { type: "string" },
    part: { type: "string", default: "fit" },
    seed: { type: "string", default: "11" },
    loops: { type: "string", default: "40" },
    songs: { type: "string", default: "30" },
    "no-grooves": { type: "boolean", default: false },
    truth: { type: "string", multiple: true, default: [] },
    kept: { type: "string" },
    madmom: { type: "string" },
  },
});
if (values.render)
  await renderRhythms(values.render, {
    seed: Number(values.seed),
    part: values.part === "hold" ? "hold" : "fit",
    perMetre: Number(values.loops),
    songs: Number(values.songs),
    grooves: !values["no-grooves"],
  });
for (const folder of values.truth) await judge(folder);

async function judge(folder: string): Promise<void> {
  const clips = await readRhythms(folder);
  const ours: Judged[] = [];
  let [seconds, took] = [0, 0];
  for (const clip of clips) {
    const { onsets, pitches, fingerprint } = await spectraOf(
      clip.file,
      values.kept ?? join(folder, "../cache"),
    );
    const rhythm = analyseRhythm(onsets);
    const tempo = estimateTempo(rhythm);
    const started = performance.now();
    const answer = findStructure({ rhythm, tempo, pitches, fingerprint, durationSec: rhythm.seconds });
    took += performance.now() - started;
    seconds += rhythm.seconds;
    ours.push({ clip, answer });
  }
  console.log(`\n${folder}\nanalyser\twhat\tprecision\trecall\tcount`);
  printRhythm("dubplate", ours);
  if (values.madmom) printRhythm("madmom", await heardBy(values.madmom, clips));
  console.log(`${((took / seconds) * 0.24).toFixed(3)} s for four minutes, beside what is measured already`);
}

async function heardBy(python: string, clips: readonly RhythmClip[]): Promise<Judged[]> {
  const script = join(import.meta.dir, "eval-rhythm/yardstick.py");
  const files = new Blob([clips.map(({ file }) => `${file}\n`).join("")]);
  const said = await Bun.$`${python} ${script} < ${files}`.text();
  return said
    .trim()
    .split("\n")
    .flatMap((line, i) => (clips[i] ? [{ clip: clips[i], answer: JSON.parse(line) as RhythmAnswer }] : []));
}
