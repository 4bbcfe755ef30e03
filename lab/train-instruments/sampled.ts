import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFiles, TONE_HZ, trimmed } from "./decode.ts";
import { readOrchestra } from "./orchestra.ts";
import type { Sample } from "./sampler.ts";
import { readSfz, sfzOf } from "./sfz.ts";
import type { Bank } from "./sources.ts";

/** Programs that the packages of recorded tones have, by the end of their folders' names. */
export const RECORDED: Readonly<Record<string, readonly number[]>> = {
  piano: [0, 1, 2],
  xylophone: [13],
  organ: [16],
  harmonium: [20],
  "guitar-nylon": [24],
  "guitar-acoustic": [25],
  "guitar-electric": [26, 27],
  "bass-electric": [33],
  violin: [40],
  cello: [42],
  harp: [46],
  trumpet: [56],
  trombone: [57],
  tuba: [58],
  "french-horn": [60],
  saxophone: [65, 66],
  bassoon: [70],
  clarinet: [71],
  flute: [73],
};
const TONE = /^([A-G])(s?)(\d)\.mp3$/;
const SEMITONES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/**
 * Returns the recorded tones of a program in a bank: an orchestra's players, an SFZ file or a folder of those, a folder
 * with a folder for each instrument and an MP3 for each tone (A4.mp3, Cs5.mp3), or the start of the names of files of
 * WebAudioFont's data after their program's number.
 */
export async function readSamples({ path, format, ...bank }: Bank, program: number): Promise<Sample[]> {
  if (bank.program !== undefined && bank.program !== program) return [];
  if (format === "orchestra") return readOrchestra(path.split(":"), program);
  if (format === "sfz") {
    const file = path.endsWith(".sfz") ? path : sfzOf(path, program);
    return file ? readSfz(file) : [];
  }
  if (existsSync(path)) return readRecorded(path, program);
  const [folder, name] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
  const file = join(folder, `${String(10 * program).padStart(4, "0")}_${name}_sf2_file.js`);
  return existsSync(file) ? readZones(file) : [];
}

async function readRecorded(path: string, program: number): Promise<Sample[]> {
  const folder = Object.keys(RECORDED).find((name) => RECORDED[name]?.includes(program));
  if (folder === undefined || !existsSync(join(path, folder))) return [];
  const files = readdirSync(join(path, folder))
    .filter((file) => TONE.test(file))
    .sort();
  const sounds = await decodeFiles(files.map((file) => join(path, folder, file)));
  return files.map((file, i) => {
    const [, letter = "", sharp, octave] = TONE.exec(file) ?? [];
    const pitch = 12 * (Number(octave) + 1) + (SEMITONES[letter] ?? 0) + (sharp ? 1 : 0);
    const samples = trimmed(sounds[i] ?? new Float32Array(0));
    return { samples, hz: TONE_HZ, cents: 100 * pitch, lowest: 0, highest: 127, loopStart: 0, loopEnd: 0 };
  });
}

/** Names of samples that the soundfont has that judges: nothing is trained on them. */
const judged = await namesInJudged();

async function readZones(file: string): Promise<Sample[]> {
  const text = await Bun.file(file).text();
  const zones = text.split(/\n\t\t,?\{/).slice(1);
  const all: Omit<Sample, "samples">[] = [];
  const sounds: Uint8Array[] = [];
  for (const zone of zones) {
    const number = (key: string) => Number(new RegExp(`${key}:(-?[\\d.]+)`).exec(zone)?.[1] ?? 0);
    const name = folded(/\/\/_tone\.(\S+)/.exec(zone)?.[1] ?? "");
    if (name !== "" && judged.has(name)) return [];
    const sound = /file:'([^']+)'/.exec(zone)?.[1];
    if (sound === undefined) continue;
    const scale = TONE_HZ / number("sampleRate");
    sounds.push(Buffer.from(sound, "base64"));
    all.push({
      hz: TONE_HZ,
      cents: number("originalPitch") - 100 * number("coarseTune") - number("fineTune"),
      lowest: number("keyRangeLow"),
      highest: number("keyRangeHigh"),
      loopStart: number("loopStart") * scale,
      loopEnd: number("loopEnd") * scale,
    });
  }
  const samples = await decodedTones(sounds);
  return samples.map((each, i) => ({ ...(all[i] as Omit<Sample, "samples">), samples: each }));
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

async function namesInJudged(): Promise<Set<string>> {
  const bytes = Buffer.from(await Bun.file("/usr/share/sounds/sf2/sf_GMbank.sf2").bytes());
  const at = bytes.indexOf("shdr");
  const names = new Set<string>();
  for (let from = at + 8; from < at + 8 + bytes.readUInt32LE(at + 4); from += 46) {
    const [name = ""] = bytes.toString("latin1", from, from + 20).split("\0");
    names.add(folded(name));
  }
  return names;
}

async function decodedTones(sounds: readonly Uint8Array[]): Promise<Float32Array[]> {
  const folder = await mkdtemp(join(tmpdir(), "dubplate-zones-"));
  try {
    const paths = sounds.map((_, i) => join(folder, `${i}.mp3`));
    for (const [i, bytes] of sounds.entries()) await Bun.write(paths[i] as string, bytes);
    return await decodeFiles(paths);
  } finally {
    await rm(folder, { recursive: true });
  }
}
