import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clip } from "../eval-audio/clip.ts";
import type { Note } from "../eval-audio/midi-file.ts";
import type { Random } from "../eval-audio/random.ts";
import { renderScore } from "../eval-audio/render.ts";
import { SCALES, semitonesAt } from "../eval-audio/scales.ts";
import { readMidi } from "./read-midi.ts";

/** Where Debian's package of Musical MIDI Accompaniment keeps its grooves. */
export const MMA_GROOVES = "/usr/share/mma/lib/stdlib";

/** A style of accompaniment: its name, and how many MMA beats make one counted beat. */
export type Groove = { name: string; library: string; beatsPerCount: number; barBeats: number };

const NOT_A_MAIN_PART = /intro|end|fill|none|metronome|sus|plus|tag|break|solo|\b1[0-9]/i;
const GROOVES_PER_LIBRARY = 3;

/** Returns the first main grooves of each library; an empty list if MMA is not installed. */
export async function listGrooves(folder = MMA_GROOVES): Promise<Groove[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(".mma")).sort();
  const found: Groove[] = [];
  for (const file of files) {
    const text = await Bun.file(join(folder, file)).text();
    const time = Number(/^Time\s+(\d+)/m.exec(text)?.[1] ?? 4);
    const names = [...text.matchAll(/^DefGroove\s+(\S+)/gm)].map((match) => match[1] ?? "");
    const library = basename(file, ".mma");
    if (/metronome|none/.test(library)) continue;
    for (const name of names.filter((each) => !NOT_A_MAIN_PART.test(each)).slice(0, GROOVES_PER_LIBRARY))
      found.push({ name, library, beatsPerCount: time === 6 ? 3 : 1, barBeats: time });
  }
  return found;
}

/** Usual tempi of styles, by words in a library's name; the first match counts. */
const TEMPI: readonly [words: RegExp, low: number, high: number][] = [
  [/ballad68|slow.*(blues|country)|lullaby|spiritual|hymn|rb-ballad/, 58, 84],
  [/ballad|slow|nitejazz/, 60, 92],
  [/viene|fastwaltz|fastjazzwaltz/, 150, 190],
  [/waltz/, 88, 160],
  [/fast|bebop|quickstep|dixie|charleston|gypsy/, 150, 220],
  [/swing|jazz|bigband|foxtrot|evans|boggie|jive|twist/, 105, 185],
  [/polka|march|zydeco|ragtime|ska|hillcountry|bluegrass/, 100, 135],
  [/samba|mambo|salsa|merengue|son|calypso/, 95, 130],
  [/trance/, 125, 148],
  [/128|68/, 54, 84],
  [/rock|strut/, 96, 150],
  [/bossa|beguine|rhumba|bolero|tango|chacha|latin|cuban/, 92, 140],
];
const OTHER_TEMPO = [76, 132] as const;

/** Progressions as degrees of the scale, one chord per bar; each dwells on its tonic. */
const MAJOR = [
  "I VI- II- V",
  "I IV I V",
  "I V VI- IV",
  "I IV V I",
  "I I IV V",
  "II- V I I",
  "I III- IV V",
  "VI- IV I V",
];
const MINOR = [
  "I- IV- V7 I-",
  "I- VI bVII I-",
  "I- VI III VII",
  "I- IV- I- V7",
  "I- bVII VI V7",
  "I- I- IV- V7",
];
const MAJOR_STEPS: Readonly<Record<string, number>> = { I: 0, II: 2, III: 4, IV: 5, V: 7, VI: 9, VII: 11 };
const MINOR_STEPS: Readonly<Record<string, number>> = { I: 0, II: 2, III: 3, IV: 5, V: 7, VI: 8, VII: 10 };
const NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
const MELODIES = [0, 11, 22, 25, 40, 56, 65, 66, 71, 73, 80, 81];
const SECONDS = 48;

/** Renders a groove to `path` with MMA, in a key and at a tempo drawn from `random`, often with a tune on top. */
export async function renderGroove(
  groove: Groove,
  random: Random,
  { path, folder, soundfonts }: { path: string; folder: string; soundfonts: readonly string[] },
): Promise<Pick<Clip, "bpm" | "key"> | undefined> {
  const [, low, high] = TEMPI.find(([words]) => words.test(groove.library)) ?? [/./, ...OTHER_TEMPO];
  const bpm = Math.round(random.between(low, high));
  const tonic = Math.floor(random.unit() * 12);
  const isMinor = random.chance(0.45);
  const bars = Math.ceil((SECONDS * bpm * groove.beatsPerCount) / 60 / groove.barBeats) + 2;
  const chords = chordBars(random, { tonic, isMinor, bars });
  const source = join(folder, "groove.mma");
  const midi = join(folder, "groove.mid");
  const lines = chords.map((chord, bar) => `${bar + 1} ${chord}`);
  await Bun.write(
    source,
    `Tempo ${bpm * groove.beatsPerCount}\nGroove ${groove.name}\n${lines.join("\n")}\n`,
  );
  const mma = Bun.spawn(["mma", "-f", midi, source], { stdout: "ignore", stderr: "ignore" });
  if ((await mma.exited) !== 0) return undefined;
  const piece = readMidi(await Bun.file(midi).bytes());
  const tune = random.chance(0.6) ? melody(random, { tonic, isMinor, bars, groove }) : [];
  const programs = new Map([...piece.programs, [15, random.pick(MELODIES)] as const]);
  const cents = random.chance(0.3) ? Math.round(random.between(-45, 45)) : 0;
  const score = { ...piece, programs, cents, notes: [...piece.notes, ...tune] };
  await renderScore(score, path, { soundfont: random.pick(soundfonts), seconds: SECONDS });
  return { bpm, key: `${NAMES[tonic]} ${isMinor ? "minor" : "major"}` };
}

type Place = { tonic: number; isMinor: boolean; bars: number };

function chordBars(random: Random, { tonic, isMinor, bars }: Place): string[] {
  const two = [random.pick(isMinor ? MINOR : MAJOR), random.pick(isMinor ? MINOR : MAJOR)];
  return Array.from({ length: bars }, (_, bar) => {
    const degree = two[Math.floor(bar / 8) % 2]?.split(" ")[bar % 4] ?? "I";
    const [, flat = "", roman = "I", rest = ""] = /^(b?)([IV]+)(.*)$/.exec(degree) ?? [];
    const step = (isMinor ? MINOR_STEPS : MAJOR_STEPS)[roman] ?? 0;
    const lowered = flat === "b" && !isMinor ? step - 1 : step;
    const quality = rest === "-" ? "m" : rest;
    return `${NAMES[(tonic + lowered + 12) % 12]}${quality}`;
  });
}

/** Returns a tune that walks the scale in eighths and quarters, with occasional rests. */
function melody(random: Random, { tonic, isMinor, bars, groove }: Place & { groove: Groove }): Note[] {
  const scale = SCALES[isMinor ? "minor" : "major"];
  const notes: Note[] = [];
  let degree = random.pick([0, 2, 4]);
  const end = bars * groove.barBeats;
  for (let beat = 2 * groove.barBeats; beat < end; ) {
    const beats = random.pick(groove.beatsPerCount === 3 ? [1, 1, 2, 3] : [0.5, 0.5, 1, 1, 1.5, 2]);
    degree = Math.max(-4, Math.min(10, degree + random.pick([-2, -1, -1, 1, 1, 2, 0])));
    const pitch = 60 + ((tonic + 5) % 12) - 5 + semitonesAt(scale, degree);
    if (random.chance(0.85))
      notes.push({
        atBeat: beat + random.normal(0.01),
        beats: beats * 0.9,
        channel: 15,
        pitch,
        velocity: 92,
      });
    beat += beats;
  }
  return notes;
}
