/**
 * Estimates tempo and key of every clip in a folder and says how fast.
 *
 * usage: bun scripts/eval-tempo-key.ts CLIPS_FOLDER PREDICTIONS.tsv
 * Writes a line a clip: file name without ending, BPM, key (empty where there is none). Needs ffmpeg on PATH.
 */
import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { createAnalyzer } from "../src/audio/analyzer.ts";

const FORMAT = { sampleRateHz: 44_100, channels: 2 };
const CHUNK_SAMPLES = 16_384;

const [folder, predictionsPath] = Bun.argv.slice(2);
if (!folder || !predictionsPath)
  throw new Error("usage: bun scripts/eval-tempo-key.ts CLIPS_FOLDER PREDICTIONS.tsv");

const lines: string[] = [];
let audioSeconds = 0;
let busySeconds = 0;
for (const file of (await readdir(folder)).sort()) {
  const samples = await decode(join(folder, file));
  const started = performance.now();
  const { tempo, key, durationSec } = analyze(samples);
  busySeconds += (performance.now() - started) / 1000;
  audioSeconds += durationSec;
  lines.push([basename(file, extname(file)), tempo.bpm ?? "", key.name ?? ""].join("\t"));
}
await Bun.write(predictionsPath, `${lines.join("\n")}\n`);
console.log(
  `${lines.length} clips, ${audioSeconds.toFixed(0)} s of audio: ${(audioSeconds / busySeconds).toFixed(0)}x real time`,
);

async function decode(path: string): Promise<Float32Array> {
  const { sampleRateHz, channels } = FORMAT;
  const output = ["-f", "f32le", "-ac", String(channels), "-ar", String(sampleRateHz), "-"];
  const ffmpeg = Bun.spawn(["ffmpeg", "-nostdin", "-v", "error", "-i", path, ...output], { stdout: "pipe" });
  const bytes = await new Response(ffmpeg.stdout).arrayBuffer();
  if ((await ffmpeg.exited) !== 0) throw new Error(`ffmpeg could not decode ${path}`);
  return new Float32Array(bytes);
}

function analyze(samples: Float32Array) {
  const analyzer = createAnalyzer(FORMAT);
  for (let from = 0; from < samples.length; from += CHUNK_SAMPLES)
    analyzer.push(samples.subarray(from, from + CHUNK_SAMPLES));
  return analyzer.finish();
}
