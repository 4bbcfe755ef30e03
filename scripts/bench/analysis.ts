import { join } from "node:path";
import { SAMPLE_RATE_HZ, type Stereo, silence } from "../../src/demo/dsp/audio.ts";
import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { openDecoder } from "../../src/media/decoder.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { sniffFile } from "../../src/media/formats/sniff.ts";
import { measureFile } from "../../src/modules/library/analysis/measure.ts";
import { benchEssentia } from "./analysis-essentia.ts";
import { benchLoad } from "./analysis-load.ts";
import { benchMemory } from "./analysis-memory.ts";
import { atLeast, type Figure, median } from "./figures.ts";
import { DUBPLATE, temporaryFolder } from "./processes.ts";

export const PIECE_SEC = 240;
const AIM_SPEED = 120;
const UPLOADS = 30;

type Subject = { name: string; path: string; ffmpegPath: string | undefined };

/**
 * Measures how much faster than real time a four-minute piece is analysed, compared with decoding alone and with
 * essentia.js; how many tracks per minute a server analyses and how that slows its reads; and the memory that an
 * analysis needs.
 */
export async function benchAnalysis({
  quick,
  file,
}: {
  quick: boolean;
  file: string | undefined;
}): Promise<Figure[]> {
  const folder = temporaryFolder("bench");
  const wav = join(folder, "piece.wav");
  await Bun.write(wav, longPiece(quick ? PIECE_SEC / 8 : PIECE_SEC));
  const ffmpegPath = findFfmpeg(undefined)?.path;
  const subjects: Subject[] = [{ name: "WAV, built-in decoder", path: wav, ffmpegPath: undefined }];
  const mp3 = join(folder, "piece.mp3");
  if (ffmpegPath !== undefined) {
    await encodeMp3(ffmpegPath, wav, mp3);
    subjects.push({ name: "WAV, ffmpeg", path: wav, ffmpegPath });
    subjects.push({ name: "MP3, ffmpeg", path: mp3, ffmpegPath });
    subjects.push({ name: "MP3, built-in decoder", path: mp3, ffmpegPath: undefined });
  }
  if (file !== undefined) subjects.push({ name: "the file given", path: file, ffmpegPath });

  const figures: Figure[] = [];
  for (const subject of subjects) figures.push(await figureOf(subject, quick ? 1 : 3));
  if (ffmpegPath !== undefined) {
    figures.push(...(await benchEssentia(mp3)));
    figures.push(...(await benchLoad(folder, mp3, quick ? 4 : UPLOADS)));
    if (!quick) figures.push(...(await benchMemory(folder, mp3, ffmpegPath)));
  }
  return figures;
}

/** Returns a WAV file of {@link longMix}. */
export const longPiece = (seconds: number): Uint8Array => encodeWav(longMix(seconds), []);

/** Returns demo pieces one after the other, cut off after `seconds`. */
export function longMix(seconds: number): Stereo {
  const piece = silence(seconds * SAMPLE_RATE_HZ);
  let frame = 0;
  for (let index = 0; frame < piece.left.length; index++) {
    const next = DEMO_PIECES[index % DEMO_PIECES.length];
    if (!next) throw new Error("There are no demo pieces");
    const { left, right } = mixPiece(next);
    const count = Math.min(left.length, piece.left.length - frame);
    piece.left.set(left.subarray(0, count), frame);
    piece.right.set(right.subarray(0, count), frame);
    frame += count;
  }
  return piece;
}

export async function encodeMp3(ffmpegPath: string, from: string, to: string): Promise<void> {
  const ffmpeg = Bun.spawn([ffmpegPath, "-nostdin", "-v", "error", "-i", from, "-b:a", "320k", to]);
  if ((await ffmpeg.exited) !== 0) throw new Error("ffmpeg could not write an MP3");
}

async function figureOf({ name, path, ffmpegPath }: Subject, rounds: number): Promise<Figure> {
  const task = { path, ffmpegPath, selfCommand: DUBPLATE };
  const times: { whole: number; decoding: number }[] = [];
  let durationSec = Number.NaN;
  for (let round = 0; round < rounds; round++) {
    let startedAt = performance.now();
    durationSec = await decode(task);
    const decoding = performance.now() - startedAt;
    startedAt = performance.now();
    const outcome = await measureFile(task, new AbortController().signal);
    if ("failure" in outcome) throw new Error(`${name}: ${outcome.failure.reason}`);
    times.push({ whole: performance.now() - startedAt, decoding });
  }
  const whole = median(times.map((time) => time.whole)) / 1000;
  const decoding = median(times.map((time) => time.decoding)) / 1000;
  return {
    what: `${name}, ${durationSec.toFixed(0)} s`,
    figure: `${(durationSec / whole).toFixed(0)}x real time (${whole.toFixed(2)} s)`,
    yardstick: `decoding alone ${(durationSec / decoding).toFixed(0)}x`,
    share: decoding / whole,
    aim: atLeast(durationSec / whole, AIM_SPEED),
  };
}

/** Decodes a file and drops the samples. Returns its duration in seconds. */
async function decode(task: Omit<Subject, "name"> & { selfCommand: readonly string[] }): Promise<number> {
  const format = await sniffFile(task.path);
  if (!format) throw new Error(`${task.path} is not an audio file`);
  const stream = await openDecoder({ ...task, format, signal: new AbortController().signal });
  for await (const _ of stream.frames);
  return stream.done().decodedSec;
}
