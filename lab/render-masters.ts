/**
 * Renders 60 masters that lack nothing: fifteen kinds of music, each played, balanced and finished in four ways, from a loud one at
 * 16 bits and 44.1 kHz to a quiet one at 24 bits and 96 kHz. Among them are what checks take for faults: rests of digital silence, hard
 * panning, nearly mono, fades, a hidden piece after a pause, gates, an interlude of five seconds.
 *
 * usage: bun lab/render-masters.ts FOLDER [--only NUMBER]
 * then:  bun scripts/readiness-eval.ts --masters FOLDER/*.wav
 *
 * Needs fluidsynth with FluidR3_GM.sf2 and ffmpeg. Files that are there already are kept.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BLOCK_FRAMES } from "../src/audio/dsp/planar.ts";
import { createLoudnessMeter } from "../src/audio/loudness/loudness.ts";
import { midiBytes, type Score } from "./eval-audio/midi-file.ts";
import { composePiece, PLAYERS, STYLES } from "./render-masters/pieces.ts";

const SOUNDFONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2";
type Stereo = [Float32Array, Float32Array];
type Shape = { rateHz: number; bits: 16 | 24; seconds: number; lufs: number };

/** How each piece of a kind of music is finished; streaming, loud, for film, quiet and fine. */
const SHAPES: readonly Shape[] = [
  { rateHz: 44_100, bits: 16, seconds: 40, lufs: -14 },
  { rateHz: 44_100, bits: 24, seconds: 45, lufs: -9 },
  { rateHz: 48_000, bits: 24, seconds: 50, lufs: -18 },
  { rateHz: 96_000, bits: 24, seconds: 30, lufs: -23 },
];
const EDGE_SEC = 0.05;
const MOST_SIDE = 0.5;

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  options: { only: { type: "string" } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: bun lab/render-masters.ts FOLDER [--only NUMBER]");
mkdirSync(folder, { recursive: true });

type Finish = {
  name: string;
  change?: (sound: Stereo, rateHz: number) => Stereo;
  seconds?: number;
  isDry?: boolean;
  isPanned?: boolean;
};
/** What is done to some of the sixty, by number. */
const FINISHES: Readonly<Record<number, Finish>> = {
  2: { name: "fade-out", change: (sound, hz) => shaped(sound, (i, n) => Math.min(1, (n - i) / (12 * hz))) },
  6: { name: "hard-panned", isPanned: true },
  9: { name: "trance gate", change: (sound, hz) => gated(sound, hz, 0.125, 0) },
  13: { name: "stutter", change: (sound, hz) => stutter(sound, hz, 0.003) },
  16: { name: "bass-heavy", change: bassHeavy },
  21: { name: "hard-cut drop", change: (sound, hz) => stutter(sound, hz, 0.0005) },
  26: { name: "hard-panned", isPanned: true },
  28: { name: "dry, with rests", isDry: true, change: rested },
  29: { name: "nearly mono", change: (sound) => widened(sound, 0.02) },
  31: { name: "dry, with rests", isDry: true, change: rested },
  33: { name: "dry", isDry: true },
  37: { name: "long fade-in", change: (sound, hz) => shaped(sound, (i) => Math.min(1, i / (10 * hz)) ** 2) },
  40: { name: "interlude", seconds: 5 },
  42: { name: "wide", change: (sound) => widened(sound, 1.6) },
  44: { name: "three minutes", seconds: 180 },
  46: {
    name: "three minutes",
    seconds: 180,
    change: (sound, hz) => shaped(sound, (i, n) => Math.min(1, i / (20 * hz), (n - i) / (20 * hz))),
  },
  49: { name: "square waves", isDry: true },
  52: { name: "interlude", seconds: 5, isDry: true },
  54: { name: "hidden piece", change: hidden },
  57: { name: "hidden piece", change: hidden },
};

/** Plays a score. `isDry`: without room, so that rests are silent. */
async function play(score: Score, rateHz: number, isDry = false): Promise<Stereo> {
  const midi = join(folder as string, `playing-${process.pid}.mid`);
  await Bun.write(midi, midiBytes(score));
  const room = isDry ? ["-R", "0", "-C", "0"] : [];
  const bytes = await run([
    "fluidsynth",
    "-ni",
    "-q",
    "-g",
    "0.4",
    ...room,
    "-r",
    String(rateHz),
    "-T",
    "raw",
    "-O",
    "float",
    "-F",
    "-",
    SOUNDFONT,
    midi,
  ]);
  await Bun.file(midi).delete();
  const both = new Float32Array(bytes.buffer, 0, bytes.length >> 2);
  const sound: Stereo = [new Float32Array(both.length >> 1), new Float32Array(both.length >> 1)];
  for (let i = 0; i < sound[0].length; i++) {
    sound[0][i] = both[2 * i] as number;
    sound[1][i] = both[2 * i + 1] as number;
  }
  return sound;
}

/** Drums and bass on the left, everything else on the right, as early stereo had it, at equal loudness. */
async function panned(score: Score, rateHz: number): Promise<Stereo> {
  const isLeft = (channel: number) => channel === PLAYERS.drums || channel === PLAYERS.bass;
  const side = async (left: boolean) => {
    const [one, other] = await play(
      { ...score, notes: score.notes.filter(({ channel }) => isLeft(channel) === left) },
      rateHz,
    );
    return one.map((value, i) => (value + (other[i] as number)) / 2);
  };
  const [left, right] = [await side(true), await side(false)];
  const length = Math.min(left.length, right.length);
  const gain = Math.sqrt(powerOf(left) / Math.max(powerOf(right), 1e-12));
  return [left.slice(0, length), right.slice(0, length).map((value) => value * gain)];
}

const powerOf = (samples: Float32Array) =>
  samples.reduce((sum, value) => sum + value * value, 0) / samples.length;

/** From the first sound to where the last has died away, with edges that do not click. */
function edged([left, right]: Stereo, rateHz: number): Stereo {
  const isSound = (i: number) => Math.abs(left[i] as number) > 1e-4 || Math.abs(right[i] as number) > 1e-4;
  let [from, to] = [0, left.length - 1];
  while (from < to && !isSound(from)) from++;
  while (to > from && !isSound(to)) to--;
  const start = Math.max(0, from - Math.round(EDGE_SEC * rateHz));
  const end = Math.min(left.length, to + Math.round(rateHz / 2));
  const edge = EDGE_SEC * rateHz;
  return shaped([left.slice(start, end), right.slice(start, end)], (i, n) =>
    Math.min(1, i / edge, (n - 1 - i) / edge),
  );
}

const shaped = (sound: Stereo, gain: (i: number, length: number) => number): Stereo =>
  sound.map((samples) => samples.map((value, i) => value * Math.max(0, gain(i, samples.length)))) as Stereo;

/** The same on and off all through the piece. */
const gated = (sound: Stereo, rateHz: number, sec: number, rampSec: number): Stereo =>
  shaped(sound, (i) => openness((i / rateHz) % (2 * sec), sec, rampSec));

/** Three short breaks in the middle of the piece. `rampSec`: how fast the sound goes and comes back. */
const stutter = (sound: Stereo, rateHz: number, rampSec: number): Stereo =>
  shaped(sound, (i, n) => {
    const at = (i - n / 2) / rateHz;
    return at < 0 || at > 0.9 ? 1 : openness(at % 0.3, 0.15, rampSec);
  });

/** 1 until `sec`, then 0, with straight ramps before. */
function openness(at: number, sec: number, rampSec: number): number {
  if (rampSec === 0) return at < sec ? 1 : 0;
  if (at < sec) return Math.min(1, (sec - at) / rampSec, at / rampSec);
  return 0;
}

function bassHeavy(sound: Stereo, rateHz: number): Stereo {
  const share = 1 - Math.exp((-2 * Math.PI * 90) / rateHz);
  return sound.map((samples) => {
    let low = 0;
    return samples.map((value) => {
      low += share * (value - low);
      return value + 5 * low;
    });
  }) as Stereo;
}

/** Bars of nothing at all, as between the phrases of a quartet: every eighth second, the sound dies away within 0.2 s. */
function rested(sound: Stereo, rateHz: number): Stereo {
  return shaped(sound, (i) => {
    const at = (i / rateHz) % 8;
    if (at < 7) return Math.min(1, at / 0.004);
    return at < 7.2 ? 10 ** ((-70 * (at - 7)) / 0.2 / 20) : 0;
  });
}

const widened = ([left, right]: Stereo, width: number): Stereo => {
  const mid = left.map((value, i) => (value + (right[i] as number)) / 2);
  const side = left.map((value, i) => (width * (value - (right[i] as number))) / 2);
  return [
    mid.map((value, i) => value + (side[i] as number)),
    mid.map((value, i) => value - (side[i] as number)),
  ];
};

/** A piece, twelve seconds of nothing, and some of it again. */
function hidden(sound: Stereo, rateHz: number): Stereo {
  const again = shaped(sound.map((samples) => samples.slice(0, 12 * rateHz)) as Stereo, (i, n) =>
    Math.min(1, (n - 1 - i) / rateHz),
  );
  return sound.map((samples, channel) => {
    const whole = new Float32Array(samples.length + 24 * rateHz);
    whole.set(samples);
    whole.set(again[channel] as Float32Array, samples.length + 12 * rateHz);
    return whole;
  }) as Stereo;
}

/** As an engineer would before anything else: no offset, and more in the middle than at the sides. Some pads of the soundfont are out of phase. */
function balanced([left, right]: Stereo): Stereo {
  const centred = ([left, right] as const).map((samples) => {
    const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
    return samples.map((value) => value - mean);
  }) as Stereo;
  const [one, other] = centred;
  const mid = powerOf(one.map((value, i) => value + (other[i] as number)));
  const side = powerOf(one.map((value, i) => value - (other[i] as number)));
  return side > MOST_SIDE * mid ? widened(centred, Math.sqrt((MOST_SIDE * mid) / side)) : centred;
}

/** Brings a piece to its loudness, as far as its peaks allow below -2.5 dBTP, and writes it with dither. */
async function finishTo(path: string, sound: Stereo, { rateHz, bits, lufs }: Shape): Promise<void> {
  const gainDb = lufs - loudnessOf(sound, rateHz);
  const both = new Float32Array(2 * sound[0].length);
  for (let i = 0; i < sound[0].length; i++) {
    both[2 * i] = sound[0][i] as number;
    both[2 * i + 1] = sound[1][i] as number;
  }
  const limiter = `volume=${gainDb.toFixed(2)}dB,aresample=192000,alimiter=limit=0.72:attack=5:release=80:level=false,aresample=${rateHz}:osf=s${bits === 16 ? 16 : 32}:dither_method=${bits === 16 ? "triangular" : "none"}`;
  const raw = ["-f", "f32le", "-ar", String(rateHz), "-ac", "2", "-i", "-"];
  await run(
    ["ffmpeg", "-nostdin", "-v", "error", "-y", ...raw, "-af", limiter, "-c:a", `pcm_s${bits}le`, path],
    new Uint8Array(both.buffer),
  );
}

function loudnessOf(sound: Stereo, rateHz: number): number {
  const meter = createLoudnessMeter({ sampleRateHz: rateHz, channels: 2 });
  for (let from = 0; from < sound[0].length; from += BLOCK_FRAMES) {
    const planes = sound.map((samples) => samples.subarray(from, from + BLOCK_FRAMES));
    meter.push(planes, planes[0]?.length ?? 0);
  }
  return meter.finish().integratedLufs ?? -20;
}

async function run(
  command: readonly string[],
  input?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const child = Bun.spawn(["nice", ...command], {
    stdin: input ? new Blob([input]) : "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const bytes = new Uint8Array(await new Response(child.stdout).arrayBuffer());
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`);
  return bytes;
}

for (let number = 0; number < 4 * STYLES.length; number++) {
  if (values.only !== undefined && Number(values.only) !== number) continue;
  const style = STYLES[Math.floor(number / 4)];
  const shape = SHAPES[number % 4];
  if (!style || !shape) continue;
  const finish = FINISHES[number];
  const name = `${String(number).padStart(2, "0")} ${[style.name, finish?.name].filter(Boolean).join(", ")}.wav`;
  const path = join(folder, name);
  if (existsSync(path)) continue;
  const score = composePiece(style, 100 + number, finish?.seconds ?? shape.seconds);
  const played = finish?.isPanned
    ? await panned(score, shape.rateHz)
    : await play(score, shape.rateHz, finish?.isDry);
  const trimmed = edged(finish?.isPanned ? played : balanced(played), shape.rateHz);
  await finishTo(path, finish?.change?.(trimmed, shape.rateHz) ?? trimmed, shape);
  console.log(name);
}
