/**
 * Fits the weights of metre and of downbeats on rendered clips, and prints how often the likeliest is right.
 *
 * usage: bun lab/fit-metre.ts --truth FOLDER... [--dances FOLDER...] [--penalty 0.02] [--bends 3] [--write]
 *   --truth    folders of lab/eval-rhythm.ts; the part `fit` of each is learnt from
 *   --dances   folders of lab/render-dances.ts, for the metre
 *   --write    writes the weights
 *
 * What is measured in the clips is kept in the folder `cache` beside the first.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BentWeights, bentSum, softmax } from "../src/audio/dsp/logit.ts";
import { trackBeats } from "../src/audio/structure/beats.ts";
import {
  countStrengths,
  downbeatEvidence,
  downbeatEvidenceNames,
} from "../src/audio/structure/downbeat-evidence.ts";
import { harmonyOf } from "../src/audio/structure/harmony.ts";
import {
  COUNTINGS,
  type Counting,
  metreBasis,
  metreEvidence,
  metreEvidenceNames,
} from "../src/audio/structure/metre-evidence.ts";
import { METRES } from "../src/audio/structure/names.ts";
import {
  CLASS_FIRST_SEC,
  CLASS_RATE_HZ,
  countsOf,
  ONSET_DELAY_SEC,
} from "../src/audio/structure/structure.ts";
import { analyseRhythm, TOTAL_VIEW } from "../src/audio/tempo/rhythm.ts";
import { estimateTempo } from "../src/audio/tempo/tempo.ts";
import { readTruth } from "./eval-audio/clip.ts";
import { danceOf, type RhythmClip, readRhythms } from "./eval-rhythm/clip.ts";
import { spectraOf } from "./eval-rhythm/measure.ts";
import { type Choice, calibrated, fitChoices } from "./fit/choices.ts";
import { weightsSource } from "./fit/weights-source.ts";

type Example = { clip: RhythmClip; metre?: Choice; downbeat?: Choice };

const { values } = parseArgs({
  options: {
    truth: { type: "string", multiple: true, default: [] },
    dances: { type: "string", multiple: true, default: [] },
    penalty: { type: "string", default: "0.02" },
    bends: { type: "string", default: "3" },
    write: { type: "boolean", default: false },
  },
});
const [first = ""] = values.truth;
const examples: Example[] = [];
const clips = await Promise.all([...values.truth.map(readRhythms), ...values.dances.map(readDances)]);
for (const clip of clips.flat()) examples.push(await exampleOf(clip, join(first, "../cache")));
const fitting = { penalty: Number(values.penalty), bends: Number(values.bends), starts: 3 };
for (const what of ["metre", "downbeat"] as const) {
  const all = examples.flatMap((example) => (example[what] ? [{ ...example, choice: example[what] }] : []));
  // Every fifth clip sets the confidence.
  const fit = all.filter((_, i) => i % 5 !== 0).map(({ choice }) => choice);
  const rest = all.filter((_, i) => i % 5 === 0);
  const weights = calibrated(
    fitChoices(fit, what === "metre" ? fitting : { ...fitting, bends: 2 }),
    rest.map(({ choice }) => choice),
  );
  print(
    what,
    "fit",
    all.filter((_, i) => i % 5 !== 0),
    weights,
  );
  print(what, "rest", rest, weights);
  if (values.write) await write(what, weights, all.length);
}

/** Returns dances as clips of one metre each: jigs in nine or twelve eighths are counted as pairs of beats, too. */
async function readDances(folder: string): Promise<RhythmClip[]> {
  return (await readTruth(folder)).flatMap(({ file, group, bpm, part }) => {
    const counted = danceOf(group);
    if (!bpm || !counted) return [];
    const [metre, beats] = counted;
    return [{ file, group: "dances", part, metre, bpm, barSec: (60 * beats) / bpm }];
  });
}

async function exampleOf(clip: RhythmClip, cache: string): Promise<Example> {
  const { onsets, pitches } = await spectraOf(clip.file, cache);
  const rhythm = analyseRhythm(onsets);
  const { bpm } = estimateTempo(rhythm);
  if (bpm === null) return { clip };
  const harmony = harmonyOf(pitches.classes, CLASS_RATE_HZ, CLASS_FIRST_SEC);
  const basis = metreBasis(rhythm, harmony);
  const isBar = ({ metre, beats }: Counting) =>
    metre === clip.metre && Math.abs((60 * beats) / bpm / clip.barSec - 1) < 0.04;
  const isMultiple = ({ metre, beats }: Counting) =>
    metre === clip.metre &&
    [0.5, 2].some((factor) => Math.abs((60 * beats) / bpm / clip.barSec / factor - 1) < 0.04);
  const right = COUNTINGS.some(isBar) ? isBar : metreIsDuple(clip) ? isMultiple : isBar;
  const metre = {
    evidence: COUNTINGS.map((counting) => metreEvidence(basis, bpm, counting)),
    isRight: COUNTINGS.map(right),
  };
  const counting = COUNTINGS.find(isBar);
  const onset = rhythm.excesses[TOTAL_VIEW];
  if (clip.firstSec === undefined || !counting || !onset) return { clip, metre };
  const counts = countsOf(Float64Array.from(trackBeats(onset, (60 * rhythm.rateHz) / bpm)), counting);
  const strengths = countStrengths(
    rhythm.excesses,
    harmony,
    counts.frames,
    (frame) => frame / rhythm.rateHz + ONSET_DELAY_SEC,
  );
  const { firstSec, barSec } = clip;
  const near = Array.from({ length: counts.length }, (_, phase) => {
    const times = strengths.times.filter((_, i) => i % counts.length === phase);
    const offs = times.map((time) => Math.abs((((time - firstSec) / barSec + 0.5) % 1) - 0.5) * barSec);
    return offs.filter((off) => off < 0.1).length / Math.max(1, times.length);
  });
  const downbeat = {
    evidence: near.map((_, phase) => downbeatEvidence(strengths, counts.length, phase)),
    isRight: near.map((share) => share > 0.6),
  };
  return { clip, metre, downbeat };
}

function metreIsDuple({ metre }: RhythmClip): boolean {
  return metre === "4/4" || metre === "6/8";
}

function print(
  what: string,
  part: string,
  all: readonly { clip: RhythmClip; choice: Choice }[],
  weights: BentWeights,
): void {
  const judged = all.map(({ clip, choice }) => {
    const chances = softmax(choice.evidence.map((row) => bentSum(row, weights)));
    const best = chances.indexOf(Math.max(...chances));
    const named = what === "metre" ? COUNTINGS[best]?.metre : String(best);
    const sure =
      what === "metre"
        ? chances.reduce((sum, chance, i) => sum + (COUNTINGS[i]?.metre === named ? chance : 0), 0)
        : (chances[best] ?? 0);
    return {
      clip,
      isRight: choice.isRight[best] ?? false,
      isPossible: choice.isRight.some(Boolean),
      named,
      sure,
    };
  });
  const share = (some: readonly { isRight: boolean }[]) =>
    `${some.filter(({ isRight }) => isRight).length}/${some.length}`;
  console.log(
    what,
    part,
    "right",
    share(judged),
    "possible",
    judged.filter(({ isPossible }) => isPossible).length,
  );
  for (const group of new Set(all.map(({ clip }) => clip.group)))
    for (const metre of METRES) {
      const some = judged.filter(({ clip }) => clip.group === group && clip.metre === metre);
      const named = some.map((each) => each.named).filter((name) => name !== metre);
      if (some.length > 0)
        console.log(
          " ",
          group,
          metre,
          share(some),
          "possible",
          some.filter((each) => each.isPossible).length,
          what === "metre" ? `name ${some.length - named.length} ${named.join(" ")}` : "",
        );
    }
  for (const bound of [0.5, 0.6, 0.7, 0.8, 0.9]) {
    const said = judged.filter(({ sure }) => sure >= bound);
    const right = said.filter((each) => (what === "metre" ? each.named === each.clip.metre : each.isRight));
    console.log(`  from ${bound}: ${right.length} of ${said.length} said, of ${judged.length}`);
  }
}

async function write(what: "metre" | "downbeat", weights: BentWeights, clips: number): Promise<void> {
  const names = what === "metre" ? metreEvidenceNames() : downbeatEvidenceNames();
  const source = weightsSource({
    what,
    constant: `${what.toUpperCase()}_WEIGHTS`,
    order: `${what}EvidenceNames`,
    alternatives: what === "metre" ? "countings" : "counts of a bar",
    penalty: fitting.penalty,
    clips,
    names,
    weights,
  }).replaceAll("lab/fit-tempo-key.ts", "lab/fit-metre.ts");
  await Bun.write(join(import.meta.dir, `../src/audio/structure/${what}-weights.ts`), source);
}
