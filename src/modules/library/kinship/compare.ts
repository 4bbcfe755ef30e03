import { stat } from "node:fs/promises";
import { ANALYSIS_HZ, createAnalyzer } from "../../../audio/analyzer.ts";
import { createMonoMix } from "../../../audio/dsp/mono.ts";
import { type Placed, placeRun } from "../../../audio/kinship/delay.ts";
import { searchOffset } from "../../../audio/kinship/offset.ts";
import { takeFrom } from "../../../audio/kinship/residual.ts";
import { type Coarse, findRuns } from "../../../audio/kinship/runs.ts";
import { createEars } from "../../../ears/ears.ts";
import { voiceIn } from "../../../ears/voice.ts";
import { openDecoder } from "../../../media/decoder.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { limitsFor } from "../../../media/limits.ts";
import { MediaError } from "../../../media/media-error.ts";
import type { Compared, RelateTask, SoundFile, Summed } from "./task.ts";

/** Of all files of a comparison together. */
const MAX_SOUND_SEC = 600;
const MAX_CPU_SEC = 60;
/** Less of the delays that are on one line is chance, or another performance. */
const MIN_AGREEMENT = 0.5;
/** What is left below this is what codecs change. */
const FAINT_DB = -40;

/** Lays fingerprints on others: finds which stretches of the shorter of each pair are in the longer. */
export function layAll({ own, others }: Extract<RelateTask, { kind: "lay" }>): Coarse[] {
  return others.map((other) =>
    own.codes.length <= other.codes.length ? findRuns(own, other) : findRuns(other, own),
  );
}

/**
 * Decodes two files and takes the longer from the shorter, where they line up.
 *
 * @throws MediaError for faults in the files, and the signal's reason.
 */
export async function compareFiles(
  { one, other, runs }: Extract<RelateTask, { kind: "compare" }>,
  signal: AbortSignal,
): Promise<Compared> {
  const [a, b] = await decodeBoth(one, other, signal);
  const isSwapped = a.length > b.length;
  const [short, long] = isSwapped ? [b, a] : [a, b];
  const placed = place(short, long, runs);
  const found = takeFrom(short, long, placed, ANALYSIS_HZ);
  const covered = placed.reduce((sum, { fromSec, toSec }) => sum + toSec - fromSec, 0);
  const shortSec = short.length / ANALYSIS_HZ;
  const sum = (of: (run: Placed) => number) =>
    placed.reduce((all, run) => all + of(run) * (run.toSec - run.fromSec), 0) / Math.max(covered, 1e-9);
  const [first] = placed;
  return {
    isSwapped,
    shortSec,
    longSec: long.length / ANALYSIS_HZ,
    offsets: placed.length,
    share: Math.min(1, covered / shortSec),
    offsetMs: first ? (1000 * first.delay) / ANALYSIS_HZ : null,
    agreement: sum(({ agreement }) => agreement),
    driftMsPerMinute: sum(({ drift }) => Math.abs(drift)) * 60_000,
    residualDb: found.residualDb,
    heldByShort: found.heldByFirst,
    nullShare: found.nullShare,
    residualVoice: placed.length > 0 && found.residualDb > FAINT_DB ? await voiceOf(found.rest) : null,
  };
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
 * Decodes a mix and stems of it, one after the other, and takes their sum from the mix.
 *
 * @throws As {@link compareFiles} does.
 */
export async function sumFiles(
  { mix, stems }: Extract<RelateTask, { kind: "sum" }>,
  signal: AbortSignal,
): Promise<Summed> {
  const maxSec = MAX_SOUND_SEC / (stems.length + 1);
  const whole = await decodeMono(mix, maxSec, signal);
  const sum = new Float32Array(whole.length);
  for (const stem of stems) {
    const samples = await decodeMono(stem, maxSec, signal);
    const length = Math.min(sum.length, samples.length);
    for (let at = 0; at < length; at++) sum[at] = (sum[at] as number) + (samples[at] as number);
  }
  const run = { fromSec: 0, toSec: whole.length / ANALYSIS_HZ, offsetSec: 0 };
  const placed = placeRun(whole, sum, run, ANALYSIS_HZ);
  if (!placed || placed.agreement < MIN_AGREEMENT) return { residualDb: 0, nullShare: 0 };
  const { residualDb, nullShare } = takeFrom(whole, sum, [placed], ANALYSIS_HZ);
  return { residualDb, nullShare };
}

/** Decodes two files: both whole when they fit, else the longer one as far as there is room. */
async function decodeBoth(
  one: SoundFile,
  other: SoundFile,
  signal: AbortSignal,
): Promise<[Float32Array, Float32Array]> {
  const a = await decodeMono(one, MAX_SOUND_SEC / 2, signal);
  const b = await decodeMono(other, MAX_SOUND_SEC - a.length / ANALYSIS_HZ, signal);
  return [a, b];
}

/** Returns the beginning of a file as one channel at ANALYSIS_HZ. */
async function decodeMono(file: SoundFile, maxSec: number, signal: AbortSignal): Promise<Float32Array> {
  const format = await sniffFile(file.path);
  if (!format) throw new MediaError("unsupported");
  const { size } = await stat(file.path);
  const limits = limitsFor(size, maxSec);
  const stream = await openDecoder({
    ...{ ...file, format, signal },
    limits: { ...limits, cpuSec: Math.min(limits.cpuSec, MAX_CPU_SEC / 2) },
  });
  const mono = new Float32Array(Math.ceil(maxSec * ANALYSIS_HZ));
  let filled = 0;
  const mix = createMonoMix(stream, ANALYSIS_HZ, (samples, count) => {
    const kept = Math.min(count, mono.length - filled);
    mono.set(samples.subarray(0, kept), filled);
    filled += kept;
  });
  for await (const frames of stream.frames) {
    mix.push(frames);
    if (filled === mono.length) break;
  }
  mix.finish();
  return mono.slice(0, filled);
}

/** Returns how likely a voice is in a sound; null when it is too short or too quiet. */
async function voiceOf(mono: Float32Array): Promise<number | null> {
  const ears = createEars(ANALYSIS_HZ, mono.length / ANALYSIS_HZ);
  const analyzer = createAnalyzer({ sampleRateHz: ANALYSIS_HZ, channels: 1 }, ears.push);
  analyzer.push(mono);
  const { voiceLikelihood } = analyzer.finish().features;
  const heard = await ears.finish();
  return heard === null || voiceLikelihood === undefined ? null : voiceIn(heard, voiceLikelihood);
}
