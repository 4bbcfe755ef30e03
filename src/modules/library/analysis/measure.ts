import { deflateRawSync } from "node:zlib";
import { ANALYSIS_HZ, createAnalyzer, createCheck, DESCRIPTOR_VERSION } from "../../../audio/analyzer.ts";
import { createMonoMix } from "../../../audio/dsp/mono.ts";
import { createEars, type Ears } from "../../../ears/ears.ts";
import type { HeardPassages } from "../../../ears/places.ts";
import { createWholeEars } from "../../../ears/whole.ts";
import { type DecodedStream, openDecoder } from "../../../media/decoder.ts";
import { type AudioFormat, sniffFile } from "../../../media/formats/sniff.ts";
import { MediaError } from "../../../media/media-error.ts";
import { probeFile } from "../../../media/tags/probe.ts";
import type { AnalysisOutcome, AnalysisTask, Checked, FileInfo, Heard, Measurement } from "./task.ts";

/** This much audio leaves tens of megabytes of garbage; without a collection, 150 MB would pile up. */
const COLLECT_EVERY_SEC = 300;

/**
 * Reads, decodes and measures one file. The audio is streamed, whatever its length. Meant for a worker thread, which
 * the arithmetic keeps fully busy.
 *
 * @throws Errors that are not the file's fault (a process cannot be started, no space for temporary files), or the
 *   signal's reason. Faults in the file are returned as a `failure`.
 */
export async function measureFile(task: AnalysisTask, signal: AbortSignal): Promise<AnalysisOutcome> {
  const format = await sniffFile(task.path);
  if (!format) return { info: null, ...failureOf(new MediaError("unsupported")) };

  const source = { ...task, format, signal };
  const said = await readInfo(source);
  try {
    const lengthSec = said.info?.declaredDurationSec ?? null;
    return { ...said, measurement: await measureSound({ ...source, lengthSec }) };
  } catch (error) {
    if (error instanceof MediaError) return { ...said, ...failureOf(error) };
    throw error;
  }
}

/**
 * Listens to one file and measures nothing else. What is heard is the same as in {@link measureFile}.
 *
 * @throws As {@link measureFile} does, and MediaError for faults in the file.
 */
export async function listenToFile(task: AnalysisTask, signal: AbortSignal): Promise<Heard> {
  const format = await sniffFile(task.path);
  if (!format) throw new MediaError("unsupported");
  const source = { ...task, format, signal };
  const { info } = await readInfo(source);
  const stream = await openDecoder(source);
  try {
    const ears = createEars(ANALYSIS_HZ, info?.declaredDurationSec ?? null);
    const mix = createMonoMix(stream, ANALYSIS_HZ, ears.push);
    for await (const frames of stream.frames) mix.push(frames);
    mix.finish();
    stream.done();
    return await ears.finish();
  } finally {
    await stream.close();
  }
}

/**
 * Listens to a whole file, passage by passage, and measures nothing else.
 *
 * @throws As {@link listenToFile} does.
 */
export async function hearWholeFile(task: AnalysisTask, signal: AbortSignal): Promise<HeardPassages | null> {
  const format = await sniffFile(task.path);
  if (!format) throw new MediaError("unsupported");
  const source = { ...task, format, signal };
  const { info } = await readInfo(source);
  const ears = await createWholeEars(ANALYSIS_HZ, info?.declaredDurationSec ?? null);
  const stream = await openDecoder(source);
  try {
    const mix = createMonoMix(stream, ANALYSIS_HZ, ears.push);
    for await (const frames of stream.frames) mix.push(frames);
    mix.finish();
    stream.done();
    return ears.finish();
  } finally {
    await stream.close();
  }
}

/**
 * Looks for faults, the structure and the passages of one file and measures nothing else. What is found is the same as in
 * {@link measureFile}.
 *
 * @throws As {@link listenToFile} does.
 */
export async function checkFile(task: AnalysisTask, signal: AbortSignal): Promise<Checked> {
  const format = await sniffFile(task.path);
  if (!format) throw new MediaError("unsupported");
  const stream = await openDecoder({ ...task, format, signal });
  try {
    const check = createCheck(stream);
    for await (const frames of stream.frames) check.push(frames);
    stream.done();
    return check.finish();
  } finally {
    await stream.close();
  }
}

type Source = AnalysisTask & { format: AudioFormat; signal: AbortSignal };

/** Returns null when headers and tags cannot be read: the audio may still be good. */
export async function readInfo(source: Source): Promise<{ info: FileInfo | null; artwork?: Uint8Array }> {
  try {
    const { artwork, ...info } = await probeFile(source);
    return { info, ...(artwork && { artwork: artwork.bytes }) };
  } catch (error) {
    if (error instanceof MediaError) return { info: null };
    throw error;
  }
}

async function measureSound(source: Source & { lengthSec: number | null }): Promise<Measurement> {
  const stream = await openDecoder(source);
  try {
    const ears = createEars(ANALYSIS_HZ, source.lengthSec);
    const analyzer = analyzerFor(stream, ears);
    const hash = new Bun.CryptoHasher("sha256").update(`${stream.sampleRateHz} ${stream.channels} `);
    const samplesPerCollection = COLLECT_EVERY_SEC * stream.sampleRateHz * stream.channels;
    let samples = 0;
    for await (const frames of stream.frames) {
      hash.update(frames);
      analyzer.push(frames);
      samples += frames.length;
      if (samples < samplesPerCollection) continue;
      Bun.gc(true);
      samples = 0;
    }
    const { truncated } = stream.done();
    Bun.gc(true);
    const { peaks, fingerprint, levels, balanceDb, ...measured } = analyzer.finish();
    const recording = {
      pcmSha256: new Uint8Array(hash.digest()),
      fingerprint,
      levels: deflated(levels),
      balanceDb,
      framesPerPair: peaks.framesPerPair,
      peaks: deflated(new Uint8Array(peaks.pairs.buffer)),
    };
    const heard = await ears.finish();
    return { ...measured, recording, heard, descriptorVersion: DESCRIPTOR_VERSION, isTruncated: truncated };
  } finally {
    // End the decoder's process, whatever went wrong above.
    await stream.close();
  }
}

/** Returns a separate copy, which can be transferred between threads. */
const deflated = (bytes: Uint8Array) => Uint8Array.from(deflateRawSync(bytes));

/** @throws MediaError for a rate or channels that nothing measures. */
export function analyzerFor({ sampleRateHz, channels }: DecodedStream, ears: Ears) {
  try {
    return createAnalyzer({ sampleRateHz, channels }, ears.push);
  } catch (error) {
    if (error instanceof RangeError) throw new MediaError("unsupported", error);
    throw error;
  }
}

/** Returns a fault in a file as part of an outcome. */
export const failureOf = ({ code, message }: MediaError) => ({ failure: { code, reason: message } });
