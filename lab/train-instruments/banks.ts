import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { midiBytes, type Note } from "../eval-audio/midi-file.ts";
import { createRandom } from "../eval-audio/random.ts";
import { isSection as isSectionOf } from "./orchestra.ts";
import { grooveOf, PHRASE_SECONDS, phraseOf, type Tone } from "./phrases.ts";
import { DRUMS, PLAYERS } from "./players.ts";
import { readSamples } from "./sampled.ts";
import { playSamples } from "./sampler.ts";
import type { Bank } from "./sources.ts";

/** The rate of the ears, Hz. */
export const STEM_HZ = 16_000;
/** Phrases of each player in a bank. */
const PHRASES = 20;
/** The length of a phrase with the silence after it. */
const SLOT_SECONDS = PHRASE_SECONDS + 0.3;
export const PHRASE_SAMPLES = Math.round(PHRASE_SECONDS * STEM_HZ);
const SLOT_SAMPLES = Math.round(SLOT_SECONDS * STEM_HZ);
const DRUM_CHANNEL = 9;

/** PHRASE_SAMPLES samples, and the factor that gives them a mean power of 0.01. */
export type Phrase = { samples: Int16Array; gain: number };
/** Phrases of one player. */
export type Stem = { bank: Bank; program: number; phrases: Phrase[] };

const countOf = ({ phrases = PHRASES }: Bank) => phrases;

/** Returns the phrases of a player in a bank; a kit's too. */
function phrasesOf(bank: Bank, program: number): Tone[][] {
  const random = createRandom(Number(Bun.hash(`${bank.name} ${program}`) & 0x7fffffffn));
  const player = PLAYERS.find((each) => each.program === program);
  return Array.from({ length: countOf(bank) }, () => (player ? phraseOf(random, player) : grooveOf(random)));
}

/** Renders what is not yet in the folder, one raw file of int16 at STEM_HZ for each player, and returns it all. */
export async function renderBank(folder: string, bank: Bank): Promise<Stem[]> {
  const into = join(folder, "stems", bank.name);
  if (!existsSync(join(into, "done"))) {
    await mkdir(into, { recursive: true });
    if (/\.sf[23]$/i.test(bank.path)) await renderSoundfont(into, bank);
    else await renderSamples(into, bank);
    await Bun.write(join(into, "done"), "");
  }
  const stems: Stem[] = [];
  for (const program of [...PLAYERS.map((each) => each.program), DRUMS]) {
    const path = join(into, `${program}.raw`);
    if (!existsSync(path)) continue;
    const samples = new Int16Array(await Bun.file(path).arrayBuffer());
    const phrases = Array.from({ length: countOf(bank) }, (_, i) => evened(samples, i * SLOT_SAMPLES)).filter(
      (phrase) => phrase !== undefined,
    );
    if (phrases.length > countOf(bank) / 2) stems.push({ bank, program, phrases });
  }
  return stems;
}

/** Returns a phrase; undefined for one that is all but silent. */
function evened(all: Int16Array, from: number): Phrase | undefined {
  const samples = all.subarray(from, from + PHRASE_SAMPLES);
  let power = 0;
  for (let i = 0; i < samples.length; i++) power += (samples[i] as number) ** 2 / PHRASE_SAMPLES;
  if (samples.length < PHRASE_SAMPLES || power < 100) return undefined;
  return { samples, gain: 0.1 / Math.sqrt(power) };
}

async function renderSoundfont(into: string, bank: Bank): Promise<void> {
  const all = bank.isKit ? [DRUMS] : [...PLAYERS.map(({ program }) => program), DRUMS];
  for (const program of all.filter((each) => !bank.without?.includes(each))) {
    const raw = join(into, `${program}.raw`);
    if (existsSync(raw)) continue;
    await Bun.write(join(into, "score.mid"), scoreOf(bank, program));
    const score = join(into, "score.mid");
    const stereo = join(into, "stereo.raw");
    await Bun.$`fluidsynth -ni -q -o synth.dynamic-sample-loading=1 -g 0.4 -r 32000 -T raw -O s16 -F ${stereo} ${bank.path} ${score}`.quiet();
    const seconds = String(countOf(bank) * SLOT_SECONDS);
    await Bun.$`ffmpeg -nostdin -v error -y -f s16le -ar 32000 -ac 2 -i ${stereo} -t ${seconds} -ac 1 -ar ${STEM_HZ} -f s16le ${raw}.part`.quiet();
    await Bun.$`mv ${raw}.part ${raw}`;
  }
  for (const name of ["score.mid", "stereo.raw"]) await rm(join(into, name), { force: true });
}

/** Returns a score whose phrases begin every SLOT_SECONDS; at 60 beats a minute, a beat is a second. */
function scoreOf(bank: Bank, program: number): Uint8Array<ArrayBuffer> {
  const channel = program === DRUMS && !bank.isKit ? DRUM_CHANNEL : 0;
  const notes = phrasesOf(bank, program).flatMap((tones, slot): Note[] =>
    tones.map(({ at, seconds, pitch, velocity }) => ({
      channel,
      atBeat: slot * SLOT_SECONDS + at,
      beats: Math.min(seconds, PHRASE_SECONDS - at),
      pitch,
      velocity,
    })),
  );
  return midiBytes({
    tempi: [{ atBeat: 0, bpm: 60 }],
    programs: new Map([[channel, program % DRUMS]]),
    cents: 0,
    notes,
  });
}

async function renderSamples(into: string, bank: Bank): Promise<void> {
  for (const program of [...PLAYERS.map((player) => player.program), DRUMS]) {
    const raw = join(into, `${program}.raw`);
    if (existsSync(raw)) continue;
    const samples = await readSamples(bank, program);
    if (samples.length === 0) continue;
    const out = new Int16Array(countOf(bank) * SLOT_SAMPLES);
    const random = createRandom(program);
    const isSection = bank.format === "orchestra" && isSectionOf(program);
    for (const [slot, tones] of phrasesOf(bank, program).entries()) {
      const phrase = playSamples(samples, tones, {
        program,
        length: PHRASE_SAMPLES,
        hz: STEM_HZ,
        random,
        isSection,
      });
      const from = slot * SLOT_SAMPLES;
      const peak = Math.max(
        4,
        phrase.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
      );
      for (const [i, value] of phrase.entries()) out[from + i] = (value / peak) * 32_000;
    }
    await Bun.write(raw, out);
  }
}
