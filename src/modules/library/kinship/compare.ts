import { ANALYSIS_HZ } from "../../../audio/analyzer.ts";
import { voiceLikelihoodOf } from "../../../audio/descriptors/spectral.ts";
import { missingBand } from "../../../audio/kinship/bands.ts";
import { type Placed, placeRun } from "../../../audio/kinship/delay.ts";
import { searchOffset } from "../../../audio/kinship/offset.ts";
import { type Residual, takeFrom } from "../../../audio/kinship/residual.ts";
import { type Coarse, findRuns } from "../../../audio/kinship/runs.ts";
import { createEars } from "../../../ears/ears.ts";
import { voiceIn } from "../../../ears/voice.ts";
import { dependsOnVoice, mayBeHeard } from "./judge.ts";
import { MAX_SOUND_SEC, type Sounds } from "./sounds.ts";
import type { Compared, RelateTask, Summed } from "./task.ts";

/** Less of the delays that are on one line is chance, or another performance. */
const MIN_AGREEMENT = 0.5;
/** What is left below this is what codecs change. */
const FAINT_DB = -40;

/** Lays fingerprints on each other: finds which stretches of the shorter of each pair are in the longer. */
export const layAll = ({ pairs }: Extract<RelateTask, { kind: "lay" }>): Coarse[] =>
  pairs.map(({ short, long }) => findRuns(short, long));

/**
 * Takes the longer of two files from the shorter, where they line up. What says nothing of the two is not measured.
 *
 * @throws MediaError for faults in the files, and the signal's reason.
 */
export async function compareFiles(
  task: Extract<RelateTask, { kind: "compare" }>,
  sounds: Sounds,
  signal: AbortSignal,
): Promise<Compared> {
  // Both whole when they fit, else the longer one as far as there is room.
  const short = await sounds.of(task.short, MAX_SOUND_SEC / 2, signal);
  const long = await sounds.of(task.long, MAX_SOUND_SEC - short.length / ANALYSIS_HZ, signal);
  const placed = place(short, long, task.runs);
  const covered = placed.reduce((sum, { fromSec, toSec }) => sum + toSec - fromSec, 0);
  const shortSec = short.length / ANALYSIS_HZ;
  const sum = (of: (run: Placed) => number) =>
    placed.reduce((all, run) => all + of(run) * (run.toSec - run.fromSec), 0) / Math.max(covered, 1e-9);
  const [first] = placed;
  const lying = {
    shortSec,
    longSec: long.length / ANALYSIS_HZ,
    offsets: placed.length,
    share: Math.min(1, covered / shortSec),
    offsetMs: first ? (1000 * first.delay) / ANALYSIS_HZ : null,
    agreement: sum(({ agreement }) => agreement),
    driftMsPerMinute: sum(({ drift }) => Math.abs(drift)) * 60_000,
  };
  const { rest, residualDb, heldByFirst, nullShare } = takeFrom(
    short,
    long,
    mayBeHeard(lying) ? placed : [],
    ANALYSIS_HZ,
  );
  const compared = { ...lying, residualDb, heldByShort: heldByFirst, nullShare };
  const needsVoice = residualDb > FAINT_DB && dependsOnVoice(compared);
  return { ...compared, residualVoice: needsVoice ? await voiceOf(rest()) : null };
}

/** Finds where the runs are to the sample. Without runs, the whole is tried where it begins and where it fits best. */
function place(short: Float32Array, long: Float32Array, runs: Coarse["runs"]): Placed[] {
  const placeAll = (all: Coarse["runs"]) =>
    all
      .map((run) => placeRun(short, long, run, ANALYSIS_HZ))
      .filter((run) => run !== undefined)
      .filter(({ agreement }) => agreement >= MIN_AGREEMENT);
  if (runs.length > 0) return placeAll(runs);
  const whole = { fromSec: 0, toSec: short.length / ANALYSIS_HZ };
  const atStart = placeAll([{ ...whole, offsetSec: 0 }]);
  if (atStart.length > 0) return atStart;
  const offsetSec = searchOffset(short, long, ANALYSIS_HZ);
  return offsetSec === undefined ? [] : placeAll([{ ...whole, offsetSec }]);
}

/**
 * Takes the sum of stems from a mix.
 *
 * @throws As {@link compareFiles} does.
 */
export async function sumFiles(
  { mix, stems, saysMissing = false }: Extract<RelateTask, { kind: "sum" }>,
  sounds: Sounds,
  signal: AbortSignal,
): Promise<Summed> {
  const maxSec = MAX_SOUND_SEC / (stems.length + 1);
  const whole = await sounds.of(mix, maxSec, signal);
  const sum = new Float32Array(whole.length);
  for (const stem of stems) {
    const samples = await sounds.of(stem, maxSec, signal);
    const length = Math.min(sum.length, samples.length);
    for (let at = 0; at < length; at++) sum[at] = (sum[at] as number) + (samples[at] as number);
  }
  const left = takeSum(whole, sum);
  if (!left) return { residualDb: 0, nullShare: 0, missing: null, residualVoice: null, isPlaced: false };
  const { residualDb, nullShare, rest: restOf } = left;
  if (!saysMissing || residualDb <= FAINT_DB)
    return { residualDb, nullShare, missing: null, residualVoice: null, isPlaced: true };
  const rest = restOf();
  const missing = missingBand(whole, rest, ANALYSIS_HZ);
  const residualVoice = missing === null ? null : await voiceOf(rest);
  return { residualDb, nullShare, missing, residualVoice, isPlaced: true };
}

/** Takes a sum of stems from their mix, both at ANALYSIS_HZ; undefined when they do not line up. */
export function takeSum(mix: Float32Array, sum: Float32Array): Residual | undefined {
  const run = { fromSec: 0, toSec: mix.length / ANALYSIS_HZ, offsetSec: 0 };
  const placed = placeRun(mix, sum, run, ANALYSIS_HZ);
  if (!placed || placed.agreement < MIN_AGREEMENT) return undefined;
  // Stems of one session begin at the same sample: an error of 0.002 samples leaves more than they were rounded by.
  const exact = { ...placed, delay: Math.round(placed.delay), drift: 0 };
  const [fitted, whole] = [
    takeFrom(mix, sum, [placed], ANALYSIS_HZ),
    takeFrom(mix, sum, [exact], ANALYSIS_HZ),
  ];
  return fitted.residualDb < whole.residualDb ? fitted : whole;
}

/** As many samples at once are listened to. */
const BLOCK = 4096;

/** Returns how likely a voice is in a sound; null when it is too short or too quiet. */
async function voiceOf(mono: Float32Array): Promise<number | null> {
  const voiceLikelihood = voiceLikelihoodOf(mono);
  if (voiceLikelihood === null) return null;
  const ears = createEars(ANALYSIS_HZ, mono.length / ANALYSIS_HZ);
  for (let at = 0; at < mono.length; at += BLOCK) {
    const block = mono.subarray(at, at + BLOCK);
    ears.push(block, block.length);
  }
  const heard = await ears.finish();
  return heard === null ? null : voiceIn(heard, voiceLikelihood);
}
