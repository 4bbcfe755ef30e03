import { stat } from "node:fs/promises";
import { ANALYSIS_HZ } from "../../../audio/analyzer.ts";
import { createMonoMix } from "../../../audio/dsp/mono.ts";
import { createDeinterleaver } from "../../../audio/dsp/planar.ts";
import { createResampler, type SampleSink } from "../../../audio/dsp/resample.ts";
import { createExcerptMeter, findPart } from "../../../audio/fingerprint/excerpt.ts";
import { readBlind } from "../../../audio/watermark/blind.ts";
import { READING_RATE_HZ } from "../../../audio/watermark/grid.ts";
import { readInformed } from "../../../audio/watermark/informed.ts";
import type { Sound } from "../../../audio/watermark/levels.ts";
import { patternOf } from "../../../audio/watermark/pattern.ts";
import { openDecoder } from "../../../media/decoder.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { limitsFor } from "../../../media/limits.ts";
import { MediaError } from "../../../media/media-error.ts";
import { readPart } from "../../../media/part.ts";
import { markedBeside } from "./sample.ts";
import { MOST_SEC } from "./shapes.ts";
import type { Coded, Found, LeakOutcome, LeakTask, Readings, SoundFile, Span } from "./task.ts";

/**
 * Does a task.
 *
 * @throws MediaError for faults in a file, and the signal's reason.
 */
export function measure(task: LeakTask, signal: AbortSignal): LeakOutcome | Promise<LeakOutcome> {
  if (task.kind === "codes") return codesOf(task.file, signal);
  if (task.kind === "sample") return soundOf(task.file, task.span, signal).then(markedBeside);
  return task.kind === "find" ? findAll(task) : read(task, signal);
}

async function codesOf(file: SoundFile, signal: AbortSignal): Promise<Coded> {
  const meter = createExcerptMeter();
  let seconds = 0;
  await decode(file, { fromSec: 0, toSec: MOST_SEC }, signal, (stream) => {
    const mix = createMonoMix(stream, ANALYSIS_HZ, (samples, count) => {
      meter.push(samples, count);
      seconds += count / ANALYSIS_HZ;
    });
    return { push: mix.push, finish: mix.finish };
  });
  return { codes: meter.finish(), durationSec: seconds };
}

const findAll = ({ parts, recordings }: Extract<LeakTask, { kind: "find" }>): Found[] =>
  recordings.flatMap(({ recordingId, codes }) => {
    const places = parts.flatMap((part) => findPart(part, codes) ?? []);
    return places.length > 0 ? [{ recordingId, places }] : [];
  });

async function read(
  { file, span, original, key }: Extract<LeakTask, { kind: "read" }>,
  signal: AbortSignal,
): Promise<Readings> {
  const pattern = patternOf(key);
  const leak = await soundOf(file, span, signal);
  if (!original) return readBlind(leak, pattern).map((soft) => ({ soft, originalSec: null }));
  const music = await soundOf(original.file, original, signal);
  return readInformed(leak, music, pattern).map(({ soft, where }) => ({
    soft,
    originalSec: original.fromSec + where.offsetSec,
  }));
}

/** Returns a part of a file as marks are read from it: the first two channels. */
async function soundOf(file: SoundFile, span: Span, signal: AbortSignal): Promise<Sound> {
  const most = Math.ceil((span.toSec - span.fromSec) * READING_RATE_HZ);
  const planes: Float32Array[] = [];
  const filled: number[] = [];
  await decode(file, span, signal, ({ sampleRateHz, channels }) => {
    const used = Math.min(2, channels);
    const resamplers = Array.from({ length: used }, (_, index) => {
      planes[index] = new Float32Array(most);
      filled[index] = 0;
      return createResampler(sampleRateHz, READING_RATE_HZ, into(planes, filled, index));
    });
    const input = createDeinterleaver(channels, (blocks, count) => {
      for (const [index, resampler] of resamplers.entries())
        resampler.push(blocks[index] as Float32Array, count);
    });
    return {
      push: input.push,
      finish() {
        input.finish();
        for (const resampler of resamplers) resampler.finish();
      },
    };
  });
  const [left = new Float32Array(0), right = left] = planes.map((plane, index) =>
    plane.subarray(0, filled[index]),
  );
  return { left, right };
}

const into =
  (planes: readonly Float32Array[], filled: number[], index: number): SampleSink =>
  (samples, count) => {
    const [plane, at] = [planes[index] as Float32Array, filled[index] as number];
    const taken = Math.min(count, plane.length - at);
    plane.set(samples.subarray(0, taken), at);
    filled[index] = at + taken;
  };

type Input = { push(interleaved: Float32Array): void; finish(): void };

/** Decodes a part of a file in a child. What is before the part is thrown away, and nothing is decoded after it. */
async function decode(
  file: SoundFile,
  span: Span,
  signal: AbortSignal,
  open: (format: { sampleRateHz: number; channels: number }) => Input,
): Promise<void> {
  const format = await sniffFile(file.path);
  if (!format) throw new MediaError("unsupported");
  const { size } = await stat(file.path);
  const stream = await openDecoder({ ...file, format, signal, limits: limitsFor(size, span.toSec) });
  const input = open(stream);
  await readPart(stream, span, (samples) => input.push(samples));
  input.finish();
}
