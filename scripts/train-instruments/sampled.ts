import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sample } from "./sampler.ts";

const HZ = 32_000;
/** Programs that the packages of recorded tones have, by the end of their folders' names. */
const RECORDED: Readonly<Record<string, readonly number[]>> = {
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
 * Returns the recorded tones of a program. `path` is a folder with a folder for each instrument and an MP3 for each tone
 * (A4.mp3, Cs5.mp3), or the start of the names of files of WebAudioFont's data after their program's number.
 */
export async function readSamples(path: string, program: number): Promise<Sample[]> {
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
  const sounds = await decoded(
    await Promise.all(files.map((file) => Bun.file(join(path, folder, file)).bytes())),
  );
  return files.map((file, i) => {
    const [, letter = "", sharp, octave] = TONE.exec(file) ?? [];
    const pitch = 12 * (Number(octave) + 1) + (SEMITONES[letter] ?? 0) + (sharp ? 1 : 0);
    const samples = trimmed(sounds[i] ?? new Float32Array(0));
    return { samples, hz: HZ, cents: 100 * pitch, lowest: 0, highest: 127, loopStart: 0, loopEnd: 0 };
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
    const scale = HZ / number("sampleRate");
    sounds.push(Buffer.from(sound, "base64"));
    all.push({
      hz: HZ,
      cents: number("originalPitch") - 100 * number("coarseTune") - number("fineTune"),
      lowest: number("keyRangeLow"),
      highest: number("keyRangeHigh"),
      loopStart: number("loopStart") * scale,
      loopEnd: number("loopEnd") * scale,
    });
  }
  const samples = await decoded(sounds);
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

/** Decodes MP3s in one process; none when one of them is broken. */
async function decoded(all: readonly Uint8Array[]): Promise<Float32Array[]> {
  const folder = await mkdtemp(join(tmpdir(), "dubplate-tones-"));
  try {
    const inputs: string[] = [];
    const outputs: string[] = [];
    for (const [i, bytes] of all.entries()) {
      const path = join(folder, `${i}.mp3`);
      await Bun.write(path, bytes);
      inputs.push("-i", path);
      outputs.push("-map", `${i}:a`, "-ac", "1", "-ar", String(HZ), "-f", "f32le", `${path}.raw`);
    }
    const done = await Bun.$`ffmpeg -nostdin -v error -threads 1 ${inputs} ${outputs}`.quiet().nothrow();
    if (done.exitCode !== 0) return [];
    return await Promise.all(
      all.map(async (_, i) => new Float32Array(await Bun.file(join(folder, `${i}.mp3.raw`)).arrayBuffer())),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Cuts off the silence before a recorded tone. */
function trimmed(samples: Float32Array): Float32Array {
  const most = samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  const start = samples.findIndex((value) => Math.abs(value) > 0.03 * most);
  return samples.subarray(Math.max(0, start - 160));
}
