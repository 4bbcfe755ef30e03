/**
 * Fits the weights of the voice likelihood and prints how far it can be trusted.
 *
 * usage: bun lab/fit-voice.ts INSTRUMENTALS_FOLDER WORK_FOLDER [--write]
 * INSTRUMENTALS_FOLDER holds music without voices; 30 seconds of each file are used. Voices are made with espeak-ng:
 * spoken, and "sung" (words stretched to twice their length, each at its own pitch, with vibrato and echo). They are
 * mixed into half of the music at -6 to 6 dB. The fit uses two thirds, split by track and by voice; the printed
 * results are from the last third.
 * With --write the weights go to src/audio/voice/voice-weights.ts. Needs espeak-ng and ffmpeg on PATH.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createMelBank } from "../src/audio/dsp/mel.ts";
import { createStft } from "../src/audio/dsp/stft.ts";
import { trackScore } from "../src/audio/voice/voice.ts";
import { createVoiceCues, VOICE_CUES } from "../src/audio/voice/voice-cues.ts";

const RATE_HZ = 22_050;
const SECONDS = 30;
const PENALTY = 0.02;
const STEPS = 600;

const [musicFolder, workFolder] = Bun.argv.slice(2);
if (!musicFolder || !workFolder)
  throw new Error("usage: bun lab/fit-voice.ts INSTRUMENTALS_FOLDER WORK_FOLDER [--write]");
mkdirSync(workFolder, { recursive: true });

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

const LANGUAGES = ["en-us", "en-gb", "de", "fr-fr", "it", "es", "sv", "pl", "pt-br"];
const VARIANTS = ["f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "klatt2"];
const WORDS =
  "love night river calling slow fire over the mountain I remember every morning when you were gone away no more again falling water dreams under stars only one heart burning";

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`);
}

async function decode(path: string): Promise<Float32Array> {
  const args = ["-nostdin", "-v", "error", "-i", path, "-t", String(SECONDS), "-f", "f32le", "-ac", "1"];
  const child = Bun.spawn(["ffmpeg", ...args, "-ar", String(RATE_HZ), "-"], { stdout: "pipe" });
  return new Float32Array(await new Response(child.stdout).arrayBuffer());
}

type Take = { samples: Float32Array; isSung: boolean };
const takes = new Map<number, Take>();

async function voiceTake(number: number): Promise<Take> {
  const take = takes.get(number) ?? (await performTake(number));
  takes.set(number, take);
  return take;
}

/** Speaks or sings for half a minute. Each number gives one voice. */
async function performTake(number: number): Promise<Take> {
  state = 1000 + number;
  const isSung = Math.floor(number / 3) % 2 === 0;
  const voice = `${LANGUAGES[number % LANGUAGES.length]}+${VARIANTS[number % VARIANTS.length]}`;
  const text = Array.from({ length: isSung ? 24 : 70 }, () => pick(WORDS.split(" ")));
  const lines = isSung ? text : [text.join(" ")];
  const parts: Float32Array[] = [];
  for (const [index, line] of lines.entries()) {
    const path = join(workFolder as string, `take-${number}-${index}.wav`);
    const speed = isSung ? 100 : 130 + Math.floor(60 * random());
    const pitch = Math.floor(15 + 70 * random());
    if (!existsSync(path)) {
      await run([
        "espeak-ng",
        "-v",
        voice,
        "-s",
        String(speed),
        "-p",
        String(pitch),
        "-w",
        `${path}.raw.wav`,
        line,
      ]);
      const filter = isSung
        ? "silenceremove=stop_periods=-1:stop_threshold=-40dB:stop_duration=0.05,atempo=0.5,vibrato=f=5.5:d=0.2,aecho=0.8:0.6:60|110:0.3|0.2"
        : "aecho=0.8:0.5:40:0.2";
      await run(["ffmpeg", "-nostdin", "-y", "-i", `${path}.raw.wav`, "-af", filter, path]);
    }
    parts.push(await decode(path), new Float32Array(Math.floor(RATE_HZ * (0.05 + 0.4 * random()))));
  }
  const samples = new Float32Array(RATE_HZ * SECONDS);
  let at = 0;
  for (const part of parts) {
    samples.set(part.subarray(0, Math.max(0, samples.length - at)), Math.min(at, samples.length));
    at += part.length;
  }
  return { samples, isSung };
}

const powerOf = (samples: Float32Array) =>
  samples.reduce((sum, value) => sum + value * value, 1e-9) / samples.length;

function cuesOf(samples: Float32Array): Float64Array[] {
  const mel = createMelBank(40, 30, 11_000, RATE_HZ / 1024);
  const melPower = new Float64Array(40);
  const blocks: Float64Array[] = [];
  const hear = createVoiceCues(mel.centresHz, (cues) => void blocks.push(cues.slice()));
  const stft = createStft(1024, 220, (power) => {
    mel.apply(power, melPower);
    hear(melPower);
  });
  stft.push(samples, samples.length);
  return blocks;
}

type Clip = { blocks: Float64Array[]; hasVoice: boolean; isSung: boolean; isHeldOut: boolean };
const clips: Clip[] = [];
for (const [index, file] of readdirSync(musicFolder).sort().entries()) {
  const music = await decode(join(musicFolder, file));
  if (music.length < RATE_HZ * 10) continue;
  const isHeldOut = index % 3 === 0;
  clips.push({ blocks: cuesOf(music), hasVoice: false, isSung: false, isHeldOut });
  // The held-out third has other voices than the fitted two thirds.
  const take = await voiceTake((index % 42) * 3 + (isHeldOut ? 0 : 1 + (index % 2)));
  state = index + 1;
  const gain = Math.sqrt(powerOf(music) / powerOf(take.samples)) * 10 ** ((12 * random() - 6) / 20);
  const mixed = music.map((sample, i) => sample + gain * (take.samples[i] ?? 0));
  clips.push({ blocks: cuesOf(mixed), hasVoice: true, isSung: take.isSung, isHeldOut });
}

const fitted = clips.filter(({ isHeldOut }) => !isHeldOut);
const all = fitted.flatMap(({ blocks }) => blocks);
const centres = VOICE_CUES.map((_, i) => all.reduce((sum, cues) => sum + (cues[i] ?? 0), 0) / all.length);
const scales = VOICE_CUES.map((_, i) =>
  Math.sqrt(all.reduce((sum, cues) => sum + ((cues[i] ?? 0) - (centres[i] ?? 0)) ** 2, 1e-9) / all.length),
);
const weights = new Float64Array(VOICE_CUES.length + 1);
const scaled = (cues: Float64Array) => [
  ...cues.map((value, i) => (value - (centres[i] ?? 0)) / (scales[i] ?? 1)),
  1,
];
const rows = fitted.flatMap(({ blocks, hasVoice }) =>
  blocks.map((cues) => ({ x: scaled(cues), y: hasVoice ? 1 : 0 })),
);
for (let step = 0; step < STEPS; step++) {
  const gradient = weights.map((weight, i) => (i < VOICE_CUES.length ? PENALTY * weight : 0));
  for (const { x, y } of rows) {
    const error = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0))) - y;
    for (const [i, value] of x.entries()) gradient[i] = (gradient[i] ?? 0) + (error * value) / rows.length;
  }
  for (const [i, slope] of gradient.entries()) weights[i] = (weights[i] ?? 0) - 0.5 * slope;
}
const scoreOf = ({ blocks }: Clip) =>
  trackScore(
    blocks.map((cues) => scaled(cues).reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0)),
  );

// The line from a track's score to log-odds, fitted on the same two thirds.
let [slope, shift] = [1, 0];
for (let step = 0; step < 2000; step++) {
  let [a, b] = [0, 0];
  for (const clip of fitted) {
    const score = scoreOf(clip);
    const error = 1 / (1 + Math.exp(-(slope * score + shift))) - (clip.hasVoice ? 1 : 0);
    a += error * score;
    b += error;
  }
  slope -= (0.2 * a) / fitted.length;
  shift -= (0.2 * b) / fitted.length;
}
const likelihood = (clip: Clip) => 1 / (1 + Math.exp(-(slope * scoreOf(clip) + shift)));

const held = clips.filter(({ isHeldOut }) => isHeldOut);
const share = (part: readonly Clip[], from: number) =>
  `${((100 * part.filter((clip) => likelihood(clip) >= from).length) / part.length).toFixed(1)} %`;
console.log(`${fitted.length} clips fitted on, ${held.length} held out: share at or above a likelihood`);
for (const from of [0.5, 0.7, 0.8, 0.9, 0.95])
  console.log(
    `  ${from}: music alone ${share(
      held.filter(({ hasVoice }) => !hasVoice),
      from,
    )}` +
      `, with speech ${share(
        held.filter(({ hasVoice, isSung }) => hasVoice && !isSung),
        from,
      )}` +
      `, with "singing" ${share(
        held.filter(({ isSung }) => isSung),
        from,
      )}`,
  );

if (Bun.argv.includes("--write")) {
  const lines = [...VOICE_CUES, "always"].map((name, i) => {
    const [centre, scale] = [centres[i] ?? 0, scales[i] ?? 1];
    return `  [${[centre, scale, weights[i] ?? 0].map((value) => Number(value.toPrecision(4))).join(", ")}], // ${name}`;
  });
  const text = `/**
 * Centre, scale and weight of each voice cue, in the order of VOICE_CUES, and of a constant; and the line from a
 * recording's score to log-odds. Written by lab/fit-voice.ts.
 */
export const VOICE_WEIGHTS: readonly (readonly [centre: number, scale: number, weight: number])[] = [
${lines.join("\n")}
];
export const VOICE_SLOPE = ${Number(slope.toPrecision(4))};
export const VOICE_SHIFT = ${Number(shift.toPrecision(4))};
`;
  await Bun.write(join(import.meta.dir, "../src/audio/voice/voice-weights.ts"), text);
}
