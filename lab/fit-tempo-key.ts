/**
 * Fits the weights of tempo and key evidence on rendered music whose tempo and key are known, and prints their
 * accuracy on held-out clips.
 *
 * usage: bun lab/fit-tempo-key.ts --work FOLDER [--generator PATH] [--write]
 *   --work       where clips are rendered and measured; existing clips are not rendered again
 *   --generator  path of another generator of clips, in Python; its clips are left out without it
 *   --write      writes src/audio/tempo/tempo-weights.ts and src/audio/key/key-weights.ts
 *
 * Needs fluidsynth, a soundfont and ffmpeg; uses apt-get, mma, lmms, abc2midi and libopenmpt if present.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BentWeights, bentSum, softmax } from "../src/audio/dsp/logit.ts";
import { foldChroma } from "../src/audio/key/chroma.ts";
import { KEY_EVIDENCE, KEYS, keyContext, keyEvidence } from "../src/audio/key/key-evidence.ts";
import { analyseRhythm } from "../src/audio/tempo/rhythm.ts";
import { tempoCandidates } from "../src/audio/tempo/tempo-candidates.ts";
import { evidenceNames, tempoEvidence } from "../src/audio/tempo/tempo-evidence.ts";
import { type Clip, readTruth } from "./eval-audio/clip.ts";
import { renderDevelopmentSet, renderLoops, renderMachineLoops } from "./eval-audio/development-set.ts";
import { isTempoFamilyRight, isTempoRight, keyScore } from "./eval-audio/score.ts";
import { givenGenerator, renderSharedSet } from "./eval-audio/shared-set.ts";
import { type Choice, calibrated, type Fitting, fitChoices } from "./fit/choices.ts";
import { featuresOf } from "./fit/features.ts";
import { unpackMusic } from "./fit/packages.ts";
import { renderGrooves, renderMidiFiles, renderModules, renderProjects, renderTunes } from "./fit/sets.ts";
import { weightsSource } from "./fit/weights-source.ts";

/** The tempo level depends on combinations of evidence; the evidence for a key adds up. */
const TEMPO_FITTING: Fitting = { penalty: 0.02, bends: 4, starts: 3 };
const KEY_FITTING: Fitting = { penalty: 0.015, bends: 0, starts: 1 };
const SHARED_FIT_SEEDS = [11, 12, 13, 21, 22];
const SHARED_HOLD_SEEDS = [41];
const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

const { values } = parseArgs({
  options: {
    work: { type: "string" },
    generator: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
if (!values.work)
  throw new Error("usage: bun lab/fit-tempo-key.ts --work FOLDER [--generator PATH] [--write]");
const work = values.work;

const clips = await gather(givenGenerator(values.generator));
const examples: Example[] = [];
for (const clip of clips) examples.push(await exampleOf(clip));
const fit = examples.filter(({ clip }) => clip.part === "fit");

const held = examples.filter(({ clip }) => clip.part === "hold");

const tempoChoices = fit.flatMap(({ tempo }) => tempo ?? []);
const keyChoices = fit.flatMap(({ key }) => key ?? []);
const tempoWeights = calibrated(
  fitChoices(tempoChoices, TEMPO_FITTING),
  held.flatMap(({ tempo }) => tempo ?? []),
);
const keyWeights = calibrated(
  fitChoices(keyChoices, KEY_FITTING),
  held.flatMap(({ key }) => key ?? []),
);
printTable();
printCalibration(
  "tempo",
  examples.flatMap((example) => tempoOutcome(example) ?? []),
);
printCalibration(
  "key",
  examples.flatMap((example) => keyOutcome(example) ?? []),
);
if (values.write) await writeWeights();

type Example = {
  clip: Clip;
  tempi: number[];
  tempo: Choice | undefined;
  key: Choice | undefined;
};

type Outcome = { part: Clip["part"]; set: string; confidence: number; exact: boolean; loose: number };

/** Renders missing clips and returns all clips. */
async function gather(generator: string | undefined): Promise<Clip[]> {
  const music = join(work, "src");
  const set = (name: string) => join(work, "sets", name);
  const makers: [name: string, part: Clip["part"] | undefined, make: (folder: string) => Promise<unknown>][] =
    [
      [
        "own201",
        undefined,
        (folder) => renderDevelopmentSet(folder, { seed: 201, part: "fit", folkClips: 60 }),
      ],
      [
        "own202",
        undefined,
        (folder) => renderDevelopmentSet(folder, { seed: 202, part: "fit", folkClips: 60 }),
      ],
      [
        "own301",
        undefined,
        (folder) => renderDevelopmentSet(folder, { seed: 301, part: "hold", folkClips: 60 }),
      ],
      ["loops501", undefined, (folder) => renderLoops(folder, { seed: 501, part: "fit" })],
      ["loops502", undefined, (folder) => renderLoops(folder, { seed: 502, part: "hold" })],
      [
        "machine531",
        undefined,
        (folder) => renderMachineLoops(folder, { seed: 531, part: "fit", loopsAStyle: 12 }),
      ],
      [
        "machine532",
        undefined,
        (folder) => renderMachineLoops(folder, { seed: 532, part: "hold", loopsAStyle: 4 }),
      ],
      ["mma", undefined, renderGrooves],
      ["modules", undefined, (folder) => renderModules(music, folder)],
      ["midi", undefined, (folder) => renderMidiFiles(music, folder)],
      ["lmms", undefined, (folder) => renderProjects(music, folder)],
      ["abc", undefined, (folder) => renderTunes(music, folder)],
    ];
  for (const [seeds, part] of [
    [SHARED_FIT_SEEDS, "fit"],
    [SHARED_HOLD_SEEDS, "hold"],
  ] as const)
    for (const seed of seeds)
      makers.push([`gen${seed}`, part, (folder) => renderSharedSet(generator, folder, seed)]);
  if (!existsSync(music))
    console.log(`Could not download: ${(await unpackMusic(music)).join(", ") || "nothing"}`);
  const found: Clip[] = [];
  for (const [name, part, make] of makers) {
    const isThere = () =>
      existsSync(join(set(name), "truth.tsv")) || existsSync(join(set(name), "truth.csv"));
    if (!isThere()) await make(set(name));
    if (!isThere()) console.log(`${name} is left out: its renderer is missing`);
    else
      found.push(
        ...(await readTruth(set(name))).map((clip) => ({
          ...clip,
          part: part ?? clip.part,
          group: groupOf(name, clip),
        })),
      );
  }
  return found;
}

function groupOf(set: string, { group }: Clip): string {
  if (!set.startsWith("own")) return set.replace(/\d+$/, "");
  return group === "folk" ? "own folk" : "own bands";
}

async function exampleOf(clip: Clip): Promise<Example> {
  const { onsets, pitches } = await featuresOf(clip.file, join(work, "cache2"));
  const rhythm = analyseRhythm(onsets);
  const tempi = clip.bpm ? tempoCandidates(rhythm) : [];
  const context = keyContext(foldChroma(pitches));
  return {
    clip,
    tempi,
    tempo: clip.bpm
      ? {
          evidence: tempi.map((bpm) => tempoEvidence(rhythm, bpm)),
          isRight: tempi.map((bpm) => isTempoRight(bpm, clip)),
        }
      : undefined,
    key: clip.key
      ? {
          evidence: Array.from({ length: KEYS }, (_, key) => keyEvidence(context, key)),
          isRight: Array.from({ length: KEYS }, (_, key) => keyName(key) === clip.key),
        }
      : undefined,
  };
}

function keyName(key: number): string {
  return `${TONICS[key % 12]} ${key < 12 ? "major" : "minor"}`;
}

function likeliest({ evidence }: Choice, weights: BentWeights): { index: number; confidence: number } {
  const probabilities = softmax(evidence.map((row) => bentSum(row, weights)));
  const confidence = Math.max(...probabilities);
  return { index: probabilities.indexOf(confidence), confidence };
}

function tempoOutcome({ clip, tempi, tempo }: Example): Outcome | undefined {
  if (!tempo || tempi.length === 0) return undefined;
  const { index, confidence } = likeliest(tempo, tempoWeights);
  const bpm = tempi[index] ?? null;
  const outcome = { exact: isTempoRight(bpm, clip), loose: isTempoFamilyRight(bpm, clip) ? 1 : 0 };
  return { part: clip.part, set: clip.group, confidence, ...outcome };
}

function keyOutcome({ clip, key }: Example): Outcome | undefined {
  if (!key) return undefined;
  const { index, confidence } = likeliest(key, keyWeights);
  const outcome = { exact: key.isRight[index] === true, loose: keyScore(keyName(index), clip.key ?? "") };
  return { part: clip.part, set: clip.group, confidence, ...outcome };
}

function printTable(): void {
  console.log("part\tset\tclips\tAcc1\tAcc2\tclips\texact\tweighted");
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const name = `${example.clip.part}\t${example.clip.group}`;
    groups.set(name, [...(groups.get(name) ?? []), example]);
  }
  for (const [name, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    const cells = [tempoOutcome, keyOutcome].flatMap((outcomeOf) => {
      const outcomes = members.flatMap((example) => outcomeOf(example) ?? []);
      const share = (value: (outcome: Outcome) => number) =>
        outcomes.length > 0 ? ((100 * sum(outcomes.map(value))) / outcomes.length).toFixed(1) : "";
      return [outcomes.length, share(({ exact }) => (exact ? 1 : 0)), share(({ loose }) => loose)];
    });
    console.log([name, ...cells].join("\t"));
  }
}

/** Prints how often answers on held-out clips are right, for each fifth of the confidences. */
function printCalibration(what: string, outcomes: readonly Outcome[]): void {
  for (let fifth = 0; fifth < 5; fifth++) {
    const inside = outcomes.filter(
      ({ part, confidence }) => part === "hold" && Math.min(4, Math.floor(confidence * 5)) === fifth,
    );
    if (inside.length === 0) continue;
    const mean = sum(inside.map(({ confidence }) => confidence)) / inside.length;
    const right = inside.filter(({ exact }) => exact).length / inside.length;
    console.log(`${what}: ${inside.length} said with ${mean.toFixed(2)} are right in ${right.toFixed(2)}`);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

async function writeWeights(): Promise<void> {
  const folder = join(import.meta.dir, "../src/audio");
  await Bun.write(
    join(folder, "tempo/tempo-weights.ts"),
    weightsSource({
      what: "tempo",
      constant: "TEMPO_WEIGHTS",
      order: "evidenceNames",
      alternatives: "candidates",
      penalty: TEMPO_FITTING.penalty,
      clips: tempoChoices.length,
      names: evidenceNames(),
      weights: tempoWeights,
    }),
  );
  await Bun.write(
    join(folder, "key/key-weights.ts"),
    weightsSource({
      what: "key",
      constant: "KEY_WEIGHTS",
      order: "KEY_EVIDENCE",
      alternatives: "keys",
      penalty: KEY_FITTING.penalty,
      clips: keyChoices.length,
      names: KEY_EVIDENCE,
      weights: keyWeights,
    }),
  );
}
