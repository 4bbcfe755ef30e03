/**
 * Prints how well recordings are recognised. Copies of each clip in other codecs, louder, softer, cut and at other
 * rates are fingerprinted from the file the way the program does it, and compared with the original. Then every clip
 * is compared with every other, and mixes of one song with each other.
 *
 * usage: bun lab/eval-recordings.ts [--clips 24] [--songs 8] [--midi FOLDER]... [FILE_OR_FOLDER]...
 *   --clips  how many of the clips found to use, evenly chosen; --songs MIDI files to remix
 *   --midi   folders of MIDI files, such as those that generate.py writes
 *
 * Needs ffmpeg; mixes need fluidsynth and a General MIDI soundfont.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import { DUBPLATE, temporaryFolder } from "../scripts/bench/processes.ts";
import { SILENT_CODE } from "../src/audio/fingerprint/fingerprint.ts";
import { alignFingerprints } from "../src/audio/fingerprint/fingerprint-match.ts";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import { measureFile } from "../src/modules/library/analysis/measure.ts";
import { likenessOf } from "../src/modules/library/recordings/match.ts";
import type { NewRecording } from "../src/modules/library/recordings/service.ts";
import { findSoundfonts, renderMidi } from "./eval-audio/render.ts";
import { MIXES } from "./eval-recordings/mixes.ts";
import { remixMidi } from "./eval-recordings/remix-midi.ts";

const SECONDS = 60;
const COPIES: Readonly<Record<string, { ending: string; options: string[] }>> = {
  "mp3 128": { ending: "mp3", options: ["-b:a", "128k"] },
  "mp3 320": { ending: "mp3", options: ["-b:a", "320k"] },
  "aac 128": { ending: "m4a", options: ["-c:a", "aac", "-b:a", "128k"] },
  ogg: { ending: "ogg", options: ["-c:a", "libvorbis"] },
  opus: { ending: "opus", options: ["-c:a", "libopus", "-b:a", "96k"] },
  "+6 dB": { ending: "flac", options: ["-af", "volume=6dB"] },
  "-6 dB": { ending: "flac", options: ["-af", "volume=-6dB"] },
  "1 s trimmed": { ending: "flac", options: ["-ss", "1"] },
  "48 kHz": { ending: "flac", options: ["-ar", "48000"] },
  "44.1 kHz": { ending: "flac", options: ["-ar", "44100"] },
  "mp3 128 of the trimmed, -6 dB": {
    ending: "mp3",
    options: ["-ss", "1", "-af", "volume=-6dB", "-b:a", "128k"],
  },
};

const { values, positionals } = parseArgs({
  options: {
    clips: { type: "string", default: "24" },
    songs: { type: "string", default: "8" },
    midi: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const ffmpegPath = findFfmpeg(undefined)?.path;
if (ffmpegPath === undefined) throw new Error("ffmpeg is needed");
const folder = temporaryFolder("eval-recordings");

const clips = evenly(
  positionals.flatMap((path) => filesIn(path, "*.{ogg,mp3,flac,wav,m4a}")),
  Number(values.clips),
);
const songs = evenly(
  values.midi.flatMap((path) => filesIn(path, "*.mid")),
  Number(values.songs),
);
const originals: { name: string; recording: NewRecording }[] = [];
await evaluateCopies();
await evaluateMixes();
evaluateOthers();

async function evaluateCopies(): Promise<void> {
  const results = new Map<string, Compared[]>();
  for (const [index, clip] of clips.entries()) {
    const original = join(folder, "original.flac");
    encode(clip, original, ["-t", String(SECONDS)]);
    const recording = await hear(original);
    if (recording.fingerprint.codes.every((code) => code === SILENT_CODE)) {
      console.log(`left out: ${clip} is silent`);
      continue;
    }
    originals.push({ name: clip, recording });
    for (const [name, { ending, options }] of Object.entries(COPIES)) {
      const copy = join(folder, `copy.${ending}`);
      encode(original, copy, options);
      const compared = compare(recording, await hear(copy));
      if (!compared.isSame) console.log(`missed: ${name} of ${clip}`, compared);
      results.set(name, [...(results.get(name) ?? []), compared]);
    }
    console.error(`${index + 1} of ${clips.length} clips`);
  }
  for (const [name, all] of results) print(name, all);
  print("copies in all", [...results.values()].flat());
}

async function evaluateMixes(): Promise<void> {
  const [soundfont] = findSoundfonts();
  if (songs.length === 0 || soundfont === undefined)
    return console.log("No songs to mix (--midi, a soundfont).");
  const results = new Map<string, Compared[]>();
  for (const song of songs) {
    const bytes = await Bun.file(song).bytes();
    const play = async (midi: Uint8Array) => {
      await Bun.write(join(folder, "song.mid"), midi);
      await renderMidi(join(folder, "song.mid"), join(folder, "song.flac"), { soundfont, seconds: SECONDS });
      return await hear(join(folder, "song.flac"));
    };
    const recording = await play(bytes);
    originals.push({ name: song, recording });
    for (const [name, changed] of mixesOf(bytes)) {
      const compared = compare(recording, await play(changed));
      if (compared.isSame) console.log(`wrongly recognised: ${name} of ${song}`, compared);
      results.set(name, [...(results.get(name) ?? []), compared]);
    }
    console.error(`${song} mixed`);
  }
  for (const [name, all] of results) print(`mix: ${name}`, all);
  print("mixes in all", [...results.values()].flat());
}

/** Returns the mixes of a song; without drums it has no mix with other drums. */
function mixesOf(song: Uint8Array): [name: string, midi: Uint8Array][] {
  return Object.entries(MIXES)
    .map(([name, mix]): [string, Uint8Array] => [name, remixMidi(song, mix)])
    .filter(([, midi]) => Buffer.compare(midi, song) !== 0);
}

function evaluateOthers(): void {
  const all: Compared[] = [];
  for (const [index, one] of originals.entries())
    for (const other of originals.slice(index + 1)) {
      const compared = compare(one.recording, other.recording);
      if (compared.isSame) console.log(`wrongly recognised: ${one.name} and ${other.name}`, compared);
      all.push(compared);
    }
  print("different recordings", all);
}

type Compared = { isSame: boolean; bitErrorRate: number; deviationDb: number };

function compare(one: NewRecording, other: NewRecording): Compared {
  const { bitErrorRate = 0.5, deviationDb = Number.POSITIVE_INFINITY } =
    alignFingerprints(one.fingerprint, other.fingerprint) ?? {};
  return {
    isSame: likenessOf(one.fingerprint, other.fingerprint)?.isSameMix === true,
    bitErrorRate,
    deviationDb,
  };
}

function print(name: string, all: readonly Compared[]): void {
  const rates = all.map(({ bitErrorRate }) => bitErrorRate);
  const deviations = all.map(({ deviationDb }) => deviationDb);
  const same = all.filter(({ isSame }) => isSame).length;
  const range = (numbers: readonly number[], digits: number) =>
    `${Math.min(...numbers).toFixed(digits)}..${Math.max(...numbers).toFixed(digits)}`;
  console.log(
    `${name.padEnd(32)} ${`${same} of ${all.length}`.padEnd(12)} same   bit errors ${range(rates, 3)}   ` +
      `deviation ${range(deviations, 2)} dB`,
  );
}

async function hear(path: string): Promise<NewRecording> {
  const task = { path, ffmpegPath, selfCommand: DUBPLATE };
  const outcome = await measureFile(task, new AbortController().signal);
  if ("failure" in outcome) throw new Error(`${path}: ${outcome.failure.reason}`);
  return outcome.measurement.recording;
}

function encode(from: string, to: string, options: readonly string[]): void {
  const command = [ffmpegPath ?? "", "-y", "-nostdin", "-v", "error", "-i", from, ...options, to];
  if (Bun.spawnSync(command).exitCode !== 0) throw new Error(`ffmpeg could not write ${to}`);
}

function filesIn(path: string, pattern: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return [...new Glob(`**/${pattern}`).scanSync({ cwd: path, absolute: true })].sort();
}

function evenly(files: readonly string[], count: number): string[] {
  return files.filter(
    (_, i) => Math.floor((i * count) / files.length) !== Math.floor(((i - 1) * count) / files.length),
  );
}
