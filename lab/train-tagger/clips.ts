import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AudioAnalysis, createAnalyzer } from "../../src/audio/analyzer.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { renderScore } from "../eval-audio/render.ts";
import { arrange } from "./arrangement.ts";

/** Free General MIDI soundfonts from Debian packages. */
export const SOUNDFONTS = [
  "/usr/share/sounds/sf2/FluidR3_GM.sf2",
  "/usr/share/sounds/sf2/TimGM6mb.sf2",
  "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3",
];
export const CODINGS = ["flac", "mp3", "ogg", "opus"];
const SECONDS = 24;
const FORMAT = { sampleRateHz: 44_100, channels: 2 };

/** The measurements of a piece, and the names that apply to it. */
export type Example = Pick<AudioAnalysis, "durationSec" | "loudness" | "tempo" | "key" | "features"> & {
  file: string;
  descriptors: number[];
  tags: string[];
  hasGenre: boolean;
};

/** Renders, distorts and measures pieces. Measurements of an earlier run are read from `folder`. */
export async function renderedExamples(folder: string, count: number): Promise<Example[]> {
  await mkdir(folder, { recursive: true });
  const examples: Example[] = [];
  for (let index = 0; index < count; index++) {
    const cache = join(folder, `${index}.json`);
    if (!existsSync(cache)) await Bun.write(cache, JSON.stringify(await render(folder, index)));
    examples.push((await Bun.file(cache).json()) as Example);
  }
  return examples;
}

/** Renders the piece of a number, and returns the path of the file. */
export async function renderPiece(folder: string, index: number): Promise<string> {
  const random = createRandom(1000 + index);
  const { score } = arrange(random);
  const path = join(folder, `clip.${random.pick(CODINGS)}`);
  const soundfont = random.pick(SOUNDFONTS);
  await renderScore(score, path, { soundfont, seconds: SECONDS, filter: disturbance(random) });
  return path;
}

async function render(folder: string, index: number): Promise<Example> {
  const { tags, hasGenre } = arrange(createRandom(1000 + index));
  const path = await renderPiece(folder, index);
  const example = { ...(await measure(path)), tags: [...tags], hasGenre };
  await rm(path);
  return example;
}

/** Returns filters for equalisation, room, compression and noise, like those of a mix. */
export function disturbance(random: Random): string {
  const filters = [
    `bass=g=${random.between(-5, 6).toFixed(1)}:f=150`,
    `treble=g=${random.between(-6, 6).toFixed(1)}:f=4000`,
  ];
  if (random.chance(0.5)) filters.push(`aecho=0.8:0.5:${Math.round(random.between(35, 120))}|190:0.35|0.2`);
  if (random.chance(0.6)) filters.push("acompressor=threshold=0.1:ratio=4:attack=10:release=150:makeup=3");
  if (random.chance(0.3)) filters.push("aeval=val(0)+0.003*(random(0)-0.5)|val(1)+0.003*(random(1)-0.5)");
  filters.push(`volume=${random.between(-3, 9).toFixed(1)}dB`, "alimiter=limit=0.95");
  return filters.join(",");
}

/** Measures a sound file the way the program does. Needs ffmpeg on PATH. */
export async function measure(file: string): Promise<Omit<Example, "tags" | "hasGenre">> {
  const output = ["-f", "f32le", "-ac", String(FORMAT.channels), "-ar", String(FORMAT.sampleRateHz), "-"];
  const ffmpeg = Bun.spawn(["ffmpeg", "-nostdin", "-v", "error", "-i", file, ...output], { stdout: "pipe" });
  const analyzer = createAnalyzer(FORMAT);
  let rest = new Uint8Array(0);
  for await (const chunk of ffmpeg.stdout) {
    const bytes = new Uint8Array(Buffer.concat([rest, chunk]));
    const whole = bytes.length - (bytes.length % 4);
    analyzer.push(new Float32Array(bytes.buffer.slice(0, whole)));
    rest = bytes.slice(whole);
  }
  if ((await ffmpeg.exited) !== 0) throw new Error(`ffmpeg could not decode ${file}`);
  const { durationSec, loudness, tempo, key, features, descriptors } = analyzer.finish();
  return { file, durationSec, loudness, tempo, key, features, descriptors: [...(descriptors ?? [])] };
}
