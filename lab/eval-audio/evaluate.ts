import { foldChroma } from "../../src/audio/key/chroma.ts";
import { estimateKey } from "../../src/audio/key/key.ts";
import { analyseRhythm } from "../../src/audio/tempo/rhythm.ts";
import { estimateTempo } from "../../src/audio/tempo/tempo.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import type { Measurement } from "../../src/modules/library/analysis/task.ts";
import { decodeMono, featuresOf } from "../fit/features.ts";
import { analyseFile } from "./analyse-file.ts";
import { type Clip, readTruth } from "./clip.ts";
import { ESSENTIA_METHODS, type EssentiaMethod, loadEssentia } from "./essentia.ts";
import { createProgress } from "./progress.ts";
import { type Answer, isTempoRight, keyScore, tally, tallyCells } from "./score.ts";

const OURS = "dubplate";
const BINS = 5;

/** One analyser's answer for a clip, its confidence (only ours) and the time that it took. */
type Graded = { analyser: string; clip: Clip; answer: Answer; seconds: number };
type Sureness = { what: "tempo" | "key"; confidence: number; isRight: boolean };

/**
 * Analyses every clip of a folder the way the program does, and prints the accuracy beside that of essentia.js.
 *
 * @param kept Where what tempo and key are estimated from is kept; nothing else is measured then.
 */
export async function evaluateClips(
  folder: string,
  { withEssentia, kept }: { withEssentia: boolean; kept: string | undefined },
): Promise<void> {
  const essentia = withEssentia ? await loadEssentia() : undefined;
  if (withEssentia && !essentia)
    console.log("essentia.js is not installed (`bun install` in lab/): no yardstick.");
  const graded: Graded[] = [];
  const sure: Sureness[] = [];
  let audioSeconds = 0;
  const clips = await readTruth(folder);
  const progress = createProgress(clips.length);
  for (const clip of clips) {
    const { tempo, key, durationSec, seconds } = await estimatesOf(clip.file, kept);
    audioSeconds += durationSec;
    graded.push({ analyser: OURS, clip, answer: { bpm: tempo.bpm, key: key.name }, seconds });
    sure.push(...surenessOf(clip, tempo, { name: key.name, confidence: key.confidence }));
    if (essentia) graded.push(...opinionsOf(essentia, clip, await decodeMono(clip.file)));
    progress.step();
  }
  printTable(folder, graded);
  printSpeeds(graded, audioSeconds);
  for (const what of ["tempo", "key"] as const)
    printCalibration(
      what,
      sure.filter((answer) => answer.what === what),
    );
}

type Estimates = Pick<Measurement, "tempo" | "key" | "durationSec"> & { seconds: number };

async function estimatesOf(path: string, kept: string | undefined): Promise<Estimates> {
  if (kept === undefined) {
    const { measurement, seconds } = await analyseFile(path, findFfmpeg(undefined)?.path);
    return { ...measurement, seconds };
  }
  const started = performance.now();
  const { onsets, pitches } = await featuresOf(path, kept);
  const rhythm = analyseRhythm(onsets);
  const tempo = estimateTempo(rhythm);
  const key = estimateKey(foldChroma(pitches), pitches.steadiness);
  return { tempo, key, durationSec: rhythm.seconds, seconds: (performance.now() - started) / 1000 };
}

function surenessOf(
  clip: Clip,
  tempo: { bpm: number | null; confidence: number },
  key: { name: string | null; confidence: number },
): Sureness[] {
  const found: Sureness[] = [];
  if (clip.bpm && tempo.bpm !== null)
    found.push({ what: "tempo", confidence: tempo.confidence, isRight: isTempoRight(tempo.bpm, clip) });
  if (clip.key && key.name !== null)
    found.push({ what: "key", confidence: key.confidence, isRight: keyScore(key.name, clip.key) === 1 });
  return found;
}

const isTempoMethod = (method: EssentiaMethod) => method !== "shaath" && method !== "bgate";

/**
 * Returns the answers of essentia's methods. Each method answers one question for every clip, and is graded only on
 * that.
 */
function opinionsOf(
  ask: NonNullable<Awaited<ReturnType<typeof loadEssentia>>>,
  clip: Clip,
  mono: Float32Array,
): Graded[] {
  const asked = ESSENTIA_METHODS.filter((method) => (isTempoMethod(method) ? clip.bpm : clip.key));
  return asked.map((method) => {
    const { seconds, ...answer } = ask(mono, method);
    const question = isTempoMethod(method) ? { key: undefined } : { bpm: undefined };
    return { analyser: `essentia ${method}`, clip: { ...clip, ...question }, answer, seconds };
  });
}

const analysersOf = (graded: readonly Graded[]) => [...new Set(graded.map(({ analyser }) => analyser))];

function printTable(folder: string, graded: readonly Graded[]): void {
  console.log(`\n${folder}`);
  console.log("analyser\tgroup\tclips\tAcc1\tAcc2\tkey exact\tweighted\tno beat\tno key");
  for (const analyser of analysersOf(graded))
    for (const [group, sums] of [...tally(graded.filter((answer) => answer.analyser === analyser))].sort(
      byGroup,
    ))
      if (group === "all" || analyser === OURS)
        console.log([analyser, group, ...tallyCells(sums)].join("\t"));
}

const byGroup = ([a]: [string, unknown], [b]: [string, unknown]) =>
  Number(a === "all") - Number(b === "all") || a.localeCompare(b);

function printSpeeds(graded: readonly Graded[], audioSeconds: number): void {
  const speeds = analysersOf(graded).map((name) => {
    const took = graded.reduce((sum, { analyser, seconds }) => sum + (analyser === name ? seconds : 0), 0);
    return `${name} ${(audioSeconds / took).toFixed(0)}`;
  });
  console.log(
    `\ntimes real time (ours with decoding and everything else, essentia without): ${speeds.join(", ")}`,
  );
}

/** Prints how often answers of similar confidence are right: the two numbers should agree. */
function printCalibration(what: string, answers: readonly Sureness[]): void {
  const lines = Array.from({ length: BINS }, (_, bin) => {
    const inside = answers.filter(
      ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin,
    );
    const mean = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    const right = inside.filter(({ isRight }) => isRight).length / inside.length;
    return inside.length > 0 ? `${inside.length} said ${mean.toFixed(2)} right ${right.toFixed(2)}` : "";
  });
  console.log(`${what} confidence: ${lines.filter(Boolean).join("; ")}`);
}
