import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { wavBytes } from "../../test/support/signals.ts";
import { fluidsynth } from "../eval-audio/fluidsynth.ts";
import { midiBytes } from "../eval-audio/midi-file.ts";
import { createRandom } from "../eval-audio/random.ts";
import { composeSong, type Frame, type Song, STEMS, type Stem } from "./song.ts";

/** A file of a set: what it is of its song. */
export type Member = {
  path: string;
  kind: "main" | "instrumental" | "acapella" | "clean" | "tv" | "stem";
  editSec: number | null;
  part: Stem | "vocals" | null;
};

const RATE_HZ = 44_100;

type Samples = Float32Array;

/** How a song is made. `voiceDb`: how much softer than the band the voice is. `isMastered`: limited, and MP3 at 128 kbit/s. */
export type Making = { seed: number; frame: Frame; voiceDb: number; isMastered: boolean; folder: string };

/** The words that are sung, in an order of each song's own. */
const LINES = [
  "we drive all night along the silver river",
  "and every light is calling out your name",
  "hold on to me until the morning finds us",
  "there is no road that leads us back again",
  "oh the city sleeps below the open window",
  "tell me now if you can hear the rain",
];

/**
 * Makes all files of a song, or only its instrumental. What was made before is there still. Needs fluidsynth, espeak-ng and ffmpeg.
 */
export async function makeSet(making: Making, { only }: { only?: "instrumental" } = {}): Promise<Member[]> {
  const list = Bun.file(join(making.folder, "members.json"));
  if (await list.exists()) return list.json();
  mkdirSync(making.folder, { recursive: true });
  const members = await (only ? makeInstrumental(making) : makeAll(making));
  await Bun.write(list, JSON.stringify(members));
  return members;
}

async function makeInstrumental(making: Making): Promise<Member[]> {
  const song = composeSong(making.seed, making.frame);
  const band = sumOf([...(await renderStems(song, making.folder)).values()], lengthOf(song));
  const file = { name: "instrumental", kind: "instrumental", editSec: null, part: null } as const;
  return [await write(making, { ...file, samples: band, gain: 0.6 / peakOf(band) })];
}

const lengthOf = (song: Song) => Math.round((song.bars * 4 * 60 * RATE_HZ) / song.bpm) + RATE_HZ;

type File = Omit<Member, "path"> & { name: string; samples: Samples; gain: number };

/** Writes a file: stems as they are, all else mastered where the song is. */
async function write(
  { isMastered, folder }: Making,
  { name, samples, gain, ...what }: File,
): Promise<Member> {
  const isMaster = isMastered && what.kind !== "stem";
  const path = join(folder, `${name}.${isMaster ? "mp3" : "wav"}`);
  const scaled = samples.slice();
  scale(scaled, gain);
  if (isMaster)
    await encode(scaled, path, ["-af", "volume=7dB,alimiter=limit=0.9:level=false", "-b:a", "128k"]);
  else await Bun.write(path, wavBytes([scaled], RATE_HZ, 16));
  return { ...what, path };
}

async function makeAll(making: Making): Promise<Member[]> {
  const song = composeSong(making.seed, making.frame);
  const played = await renderStems(song, making.folder);
  const length = lengthOf(song);
  // Stems end together, as workstations export them.
  const stems = new Map([...played].map(([name, samples]) => [name, sumOf([samples], length)]));
  const band = sumOf([...stems.values()], length);
  const level = powerOf(band);
  const voice = await sing(song, { seed: making.seed, length, everyBars: 2, voice: "en-us" });
  scale(voice, Math.sqrt(level / powerOf(voice)) * 10 ** (-making.voiceDb / 20));
  const backing = await sing(song, { seed: making.seed + 7, length, everyBars: 6, voice: "en-gb" });
  scale(backing, Math.sqrt(level / powerOf(backing)) * 10 ** (-(making.voiceDb + 9) / 20));
  const vocals = sumOf([voice, backing], length);
  const mix = sumOf([band, vocals], length);
  const gain = 0.7 / peakOf(mix);
  const clean = sumOf([band, muted(voice, making.seed), backing], length);
  const tv = sumOf([band, backing], length);
  const barSamples = (4 * 60 * RATE_HZ) / song.bpm;
  const all: [string, Omit<Member, "path">, Samples][] = [
    ["mix", { kind: "main", editSec: null, part: null }, mix],
    ["instrumental", { kind: "instrumental", editSec: null, part: null }, band],
    ["acapella", { kind: "acapella", editSec: null, part: null }, vocals],
    ["clean", { kind: "clean", editSec: null, part: null }, clean],
    ["tv", { kind: "tv", editSec: null, part: null }, tv],
    ...[60, 30, 15].map((editSec): [string, Omit<Member, "path">, Samples] => [
      `edit ${editSec}`,
      { kind: "main", editSec, part: null },
      cutTo(mix, editSec, barSamples, making.seed),
    ]),
    ...[...stems].map(([part, samples]): [string, Omit<Member, "path">, Samples] => [
      `stem ${part}`,
      { kind: "stem", editSec: null, part },
      samples,
    ]),
    ["stem vocals", { kind: "stem", editSec: null, part: "vocals" }, vocals],
  ];
  const members: Member[] = [];
  for (const [name, what, samples] of all)
    members.push(await write(making, { ...what, name, samples, gain }));
  return members;
}

async function renderStems(song: Song, folder: string): Promise<Map<Stem, Samples>> {
  const stems = new Map<Stem, Samples>();
  for (const [name, channel] of Object.entries(STEMS) as [Stem, number][]) {
    const midi = join(folder, `${name}.mid`);
    const notes = song.score.notes.filter((note) => note.channel === channel);
    await Bun.write(midi, midiBytes({ ...song.score, notes }));
    const command = fluidsynth({ gain: 0.4, hz: RATE_HZ });
    const bytes = await run([...command, "/usr/share/sounds/sf2/FluidR3_GM.sf2", midi]);
    const both = new Int16Array(bytes.buffer, 0, bytes.length >> 1);
    const mono = new Float32Array(both.length >> 1);
    for (let at = 0; at < mono.length; at++)
      mono[at] = ((both[2 * at] as number) + (both[2 * at + 1] as number)) / 65_536;
    stems.set(name, mono);
    await Bun.file(midi).delete();
  }
  return stems;
}

type Singing = { seed: number; length: number; everyBars: number; voice: string };

async function sing(song: Song, { seed, length, everyBars, voice }: Singing): Promise<Samples> {
  const random = createRandom(seed);
  const sung = new Float32Array(length);
  const barSamples = (4 * 60 * RATE_HZ) / song.bpm;
  for (let bar = 4; bar + 2 < song.bars; bar += everyBars) {
    if (Math.floor(bar / 8) % 3 === 2) continue;
    const pitch = String(Math.round(random.between(25, 75)));
    const line = doubled(
      await run(["espeak-ng", "-v", voice, "-p", pitch, "-s", "135", "--stdout", random.pick(LINES)]),
    );
    const start = Math.round(bar * barSamples);
    for (let at = 0; at < line.length && start + at < length; at++)
      sung[start + at] = (sung[start + at] as number) + (line[at] as number);
  }
  return sung;
}

/** Returns a voice with a few words muted. */
function muted(voice: Samples, seed: number): Samples {
  const random = createRandom(seed + 3);
  const copy = voice.slice();
  for (let word = 0; word < 4; word++) {
    const from = Math.floor(random.between(0.1, 0.9) * copy.length);
    copy.fill(0, from, from + Math.round(0.45 * RATE_HZ));
  }
  return copy;
}

/** Returns an edit that is cut at bars, of one to three pieces, with its end faded. */
function cutTo(mix: Samples, seconds: number, barSamples: number, seed: number): Samples {
  const random = createRandom(seed + seconds);
  const length = seconds * RATE_HZ;
  const bars = Math.ceil(length / barSamples);
  const pieces = seconds === 60 ? 3 : seconds === 30 ? 2 : 1;
  const perPiece = Math.ceil(bars / pieces);
  const out = new Float32Array(length);
  let bar = seconds === 15 ? 4 : 0;
  let filled = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.round(bar * barSamples);
    const count = Math.min(Math.round(perPiece * barSamples), length - filled);
    out.set(mix.subarray(from, from + count).subarray(0, count), filled);
    filled += count;
    bar += perPiece + 1 + Math.floor(random.between(0, 3));
  }
  const fade = Math.round(0.5 * RATE_HZ);
  for (let at = 0; at < fade; at++) out[length - 1 - at] = ((out[length - 1 - at] as number) * at) / fade;
  return out;
}

function sumOf(all: readonly Samples[], length: number): Samples {
  const sum = new Float32Array(length);
  for (const samples of all)
    for (let at = 0; at < Math.min(length, samples.length); at++)
      sum[at] = (sum[at] as number) + (samples[at] as number);
  return sum;
}

const powerOf = (samples: Samples) => {
  let [sum, count] = [0, 0];
  for (const sample of samples)
    if (Math.abs(sample) > 1e-4) {
      sum += sample * sample;
      count++;
    }
  return sum / Math.max(1, count);
};

const peakOf = (samples: Samples) => {
  let most = 0;
  for (const sample of samples) most = Math.max(most, Math.abs(sample));
  return most;
};

function scale(samples: Samples, factor: number): void {
  for (let at = 0; at < samples.length; at++) samples[at] = (samples[at] as number) * factor;
}

const RAW = ["-f", "f32le", "-ar", String(RATE_HZ), "-ac", "1"];

/** Writes samples to a file; its ending decides the format. */
async function encode(samples: Samples, path: string, options: readonly string[]): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  await run(
    ["ffmpeg", "-nostdin", "-v", "error", "-y", ...RAW, "-i", "-", ...options, "-ar", String(RATE_HZ), path],
    bytes,
  );
}

const WAV_HEADER = 44;

/** Returns what espeak-ng says, 16 bits at 22,050 Hz, at twice the rate. */
function doubled(wav: Uint8Array<ArrayBuffer>): Samples {
  const half = new Int16Array(wav.buffer, WAV_HEADER, (wav.length - WAV_HEADER) >> 1);
  const samples = new Float32Array(2 * half.length);
  for (let at = 0; at < half.length; at++) {
    const sample = (half[at] as number) / 32_768;
    samples[2 * at] = sample;
    samples[2 * at + 1] = (sample + (half[at + 1] ?? 0) / 32_768) / 2;
  }
  return samples;
}

async function run(command: readonly string[], input?: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const child = Bun.spawn([...command], {
    stdin: input ? new Blob([input as Uint8Array<ArrayBuffer>]) : "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const bytes = new Uint8Array(await new Response(child.stdout).arrayBuffer());
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`);
  return bytes;
}
