/**
 * Renders music whose metre, bar lines, swing and sections are known, and prints how much of it the analysis finds, beside other
 * analysers: precision, recall and count per row.
 *
 * usage: bun lab/eval-rhythm.ts --render FOLDER --part fit|hold [--seed 11] [--loops 40] [--songs 30] [--no-grooves]
 *                               [--soundfont FILE]...
 *        bun lab/eval-rhythm.ts --truth FOLDER... [--kept FOLDER] [--python PYTHON]... [--minutes 9] [--every 1]
 *   --render     where clips and their truth are written
 *   --part       "fit" is what weights are learnt from; "hold" is looked at once
 *   --loops      clips per metre, --songs whole songs with sections; grooves of MMA where it is installed
 *   --soundfont  banks that play loops and songs, instead of those that weights were learnt from
 *   --truth      folders of clips to judge: of this script, of lab/render-dances.ts, or of lab/fit-tempo-key.ts
 *   --kept       where spectra and the answers of others are kept, so that clips are decoded and heard once
 *   --python     a Python that has essentia or madmom, which then hear the same clips: see lab/eval-rhythm/yardstick.py
 *   --minutes    no further clip is given to a Python after as many, in each folder; the next run goes on with the rest
 *   --every      others hear every so-many-th clip only; our rows are then printed for these once more
 *
 * Needs fluidsynth, a General MIDI soundfont, ffmpeg and, for grooves, mma.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { foldChroma } from "../src/audio/key/chroma.ts";
import { estimateKey } from "../src/audio/key/key.ts";
import { findStructure } from "../src/audio/structure/structure.ts";
import { analyseRhythm } from "../src/audio/tempo/rhythm.ts";
import { estimateTempo } from "../src/audio/tempo/tempo.ts";
import { readKnown } from "./eval-rhythm/clip.ts";
import { spectraOf } from "./eval-rhythm/measure.ts";
import { opinionsOf } from "./eval-rhythm/opinions.ts";
import { renderRhythms } from "./eval-rhythm/render-set.ts";
import { type Judged, printRhythm } from "./eval-rhythm/report.ts";

const { values } = parseArgs({
  options: {
    render: { type: "string" },
    part: { type: "string", default: "fit" },
    seed: { type: "string", default: "11" },
    loops: { type: "string", default: "40" },
    songs: { type: "string", default: "30" },
    "no-grooves": { type: "boolean", default: false },
    soundfont: { type: "string", multiple: true, default: [] },
    truth: { type: "string", multiple: true, default: [] },
    kept: { type: "string" },
    python: { type: "string", multiple: true, default: [] },
    minutes: { type: "string", default: "600" },
    every: { type: "string", default: "1" },
  },
});
if (values.render)
  await renderRhythms(values.render, {
    seed: Number(values.seed),
    part: values.part === "hold" ? "hold" : "fit",
    perMetre: Number(values.loops),
    songs: Number(values.songs),
    grooves: !values["no-grooves"],
    soundfonts: values.soundfont,
  });
for (const folder of values.truth) await judge(folder);

async function judge(folder: string): Promise<void> {
  const clips = await readKnown(folder);
  const kept = values.kept ?? join(folder, "../cache");
  const ours: Judged[] = [];
  let [seconds, took] = [0, 0];
  for (const clip of clips) {
    const { onsets, pitches, fingerprint } = await spectraOf(clip.file, kept);
    const rhythm = analyseRhythm(onsets);
    const tempo = estimateTempo(rhythm);
    const key = estimateKey(foldChroma(pitches), pitches.steadiness).name;
    const started = performance.now();
    const structure = findStructure({ rhythm, tempo, pitches, fingerprint, durationSec: rhythm.seconds });
    took += performance.now() - started;
    seconds += rhythm.seconds;
    ours.push({ clip, answer: { ...structure, bpm: tempo.bpm, key } });
  }
  console.log(`\n${folder}\nanalyser\twhat\tprecision\trecall\tcount`);
  printRhythm("dubplate", ours);
  const asked = clips.filter((_, i) => i % Number(values.every) === 0);
  for (const python of values.python) {
    const others = await opinionsOf(python, asked, { kept, minutes: Number(values.minutes) });
    const heard = new Set([...others.values()].flat().map(({ clip }) => clip));
    if (heard.size < clips.length)
      printRhythm(
        `dubplate, these ${heard.size}`,
        ours.filter(({ clip }) => heard.has(clip)),
      );
    for (const [analyser, judged] of others) printRhythm(analyser, judged);
  }
  console.log(`${((took / seconds) * 0.24).toFixed(3)} s for four minutes, beside what is measured already`);
}
