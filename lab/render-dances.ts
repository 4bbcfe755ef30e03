/**
 * Renders tunes in ABC notation as dances without drums, each by one or two instruments that play like people, and writes
 * their truth: the beat that dancers count, and the key. Some tunes do not end on the tonic of the key that they are printed
 * with, which then may be a signature only; the groups of these are called "open".
 *
 * usage: bun lab/render-dances.ts --abc FOLDER --into FOLDER --soundfont FILE... [--count 32] [--seed 1] [--part hold]
 *
 * Needs abc2midi (ABC2MIDI names it where it is not on PATH), fluidsynth and ffmpeg. The Python package music21 9.1.0
 * carries collections: O'Neill's, Ryan's and Aird's.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Clip, writeTruth } from "./eval-audio/clip.ts";
import type { Note } from "./eval-audio/midi-file.ts";
import { KEY_TONICS } from "./eval-audio/music.ts";
import { createRandom, type Random } from "./eval-audio/random.ts";
import { renderScore } from "./eval-audio/render.ts";
import { readMidi } from "./fit/read-midi.ts";
import { abcKey } from "./fit/sets.ts";

const SECONDS = 44;
const LEAST_NOTES = 32;
/** Piano, harp, dulcimer, accordion, concertina, guitars, fiddle, clarinet, flute, pan pipes, banjo, fiddle of the folk bank. */
const INSTRUMENTS = [0, 46, 15, 21, 23, 24, 25, 40, 71, 73, 75, 105, 110];
const ROOMS = ["", "", "aecho=0.8:0.6:45|70:0.3|0.2", "highpass=f=120,lowpass=f=7000"];

/** A metre: what its beat is called in ABC and how many quarters it has, and how fast it is danced. */
type Metre = { name: string; is: RegExp; beat: string; quarters: number; slow: number; fast: number };
const METRES: readonly Metre[] = [
  { name: "compound", is: /^(6|9|12)\/8$/, beat: "3/8", quarters: 1.5, slow: 70, fast: 126 },
  { name: "waltz", is: /^3\/4$/, beat: "1/4", quarters: 1, slow: 90, fast: 170 },
  { name: "duple", is: /^(2\/4|4\/4|C)$/, beat: "1/4", quarters: 1, slow: 78, fast: 132 },
  { name: "cut", is: /^(2\/2|C\|)$/, beat: "1/2", quarters: 2, slow: 78, fast: 132 },
];

const { values } = parseArgs({
  options: {
    abc: { type: "string", default: "" },
    into: { type: "string", default: "" },
    soundfont: { type: "string", multiple: true, default: [] },
    count: { type: "string", default: "32" },
    seed: { type: "string", default: "1" },
    part: { type: "string", default: "hold" },
  },
});
const folder = values.into;
await mkdir(folder, { recursive: true });
const random = createRandom(Number(values.seed) * 7919);
const clips: Clip[] = [];
for (const tune of shuffled(await tunesIn(values.abc))) {
  if (clips.length >= Number(values.count)) break;
  const clip = await render(tune, `${String(clips.length).padStart(3, "0")}.flac`);
  if (clip) clips.push(clip);
}
await writeTruth(folder, clips);
console.log(`${clips.length} dances in ${folder}`);

async function tunesIn(abc: string): Promise<string[]> {
  const paths = (await Array.fromAsync(new Bun.Glob("*.abc").scan({ cwd: abc, absolute: true }))).sort();
  const texts = await Promise.all(paths.map((path) => Bun.file(path).text()));
  return texts.flatMap((text) => text.split(/^(?=X:)/m)).filter((tune) => tune.startsWith("X:"));
}

function shuffled(tunes: readonly string[]): string[] {
  return tunes
    .map((tune) => ({ tune, at: random.unit() }))
    .sort((a, b) => a.at - b.at)
    .map(({ tune }) => tune);
}

async function render(tune: string, file: string): Promise<Clip | undefined> {
  const metres = [...tune.matchAll(/^M:\s*(\S+)/gm)];
  const metre = METRES.find(({ is }) => is.test(metres[0]?.[1] ?? ""));
  if (!metre || metres.length > 1) return undefined;
  const bpm = Math.round(random.between(metre.slow, metre.fast));
  const notes = await notesOf(tune, `${metre.beat}=${bpm}`);
  if (!notes || notes.length < LEAST_NOTES) return undefined;
  const { quarters } = metre;
  const played = performed(random, repeated(notes, quarters, (SECONDS * bpm * quarters) / 60), {
    quarters,
    bpm,
  });
  const isDuo = random.chance(0.3);
  const second = played.map((note) => ({
    ...note,
    channel: 1,
    atBeat: Math.max(0, note.atBeat + random.normal(0.01)),
    velocity: note.velocity - 12,
  }));
  const score = {
    tempi: [{ atBeat: 0, bpm: bpm * quarters }],
    cents: random.between(-20, 20),
    programs: new Map([0, 1].map((channel) => [channel, random.pick(INSTRUMENTS)] as const)),
    notes: [...played, ...(isDuo ? second : [])].sort((a, b) => a.atBeat - b.atBeat),
  };
  const key = abcKey(tune);
  const soundfont = random.pick(values.soundfont);
  await renderScore(score, join(folder, file), { soundfont, seconds: SECONDS, filter: random.pick(ROOMS) });
  return {
    file,
    group: key === undefined || endsOn(notes, key) ? metre.name : `${metre.name} open`,
    bpm,
    levels: [1],
    key,
    part: values.part === "fit" ? "fit" : "hold",
  };
}

/** Returns the notes of a tune without drums and changes of tempo. */
async function notesOf(tune: string, tempo: string): Promise<readonly Note[] | undefined> {
  const [source, midi] = [join(folder, "tune.txt"), join(folder, "tune.mid")];
  await Bun.write(source, tune.replaceAll(/^[QR]:.*\n/gm, "").replace(/^K:/m, `Q:${tempo}\nK:`));
  await Bun.write(midi, "");
  await Bun.$`${Bun.env.ABC2MIDI ?? "abc2midi"} ${source} -o ${midi}`.quiet().nothrow();
  const bytes = await Bun.file(midi).bytes();
  const piece = await Promise.try(() => readMidi(bytes)).catch(() => undefined);
  const isPlain = piece && piece.tempi.length <= 2 && piece.notes.every(({ channel }) => channel !== 9);
  return isPlain ? piece.notes : undefined;
}

/** Returns whether the highest of the last notes is the tonic of a key. */
function endsOn(notes: readonly Note[], key: string): boolean {
  const end = Math.max(...notes.map(({ atBeat, beats }) => atBeat + beats));
  const last = notes.filter(({ atBeat, beats }) => end - atBeat - beats < 0.05).map(({ pitch }) => pitch);
  return KEY_TONICS[Math.max(...last) % 12] === key.split(" ")[0];
}

function repeated(notes: readonly Note[], quarters: number, wanted: number): Note[] {
  const end = Math.max(...notes.map(({ atBeat, beats }) => atBeat + beats));
  const length = quarters * Math.max(1, Math.round(end / quarters));
  const times = Math.max(1, Math.ceil(wanted / length));
  return Array.from({ length: times }, (_, i) =>
    notes.map((note) => ({ ...note, atBeat: note.atBeat + i * length })),
  ).flat();
}

/** Nobody plays exactly in time, and the beats are a little louder. */
function performed(
  from: Random,
  notes: readonly Note[],
  { quarters, bpm }: { quarters: number; bpm: number },
): Note[] {
  const [looseSec, accent] = [from.pick([0.006, 0.012, 0.02]), from.between(0, 18)];
  return notes.map((note) => {
    const isOnBeat = Math.abs(note.atBeat / quarters - Math.round(note.atBeat / quarters)) < 0.02;
    const velocity = Math.round(84 + from.normal(7) + (isOnBeat ? accent : 0));
    return {
      ...note,
      channel: 0,
      atBeat: Math.max(0, note.atBeat + from.normal((looseSec * bpm * quarters) / 60)),
      beats: note.beats * from.between(0.8, 1),
      velocity: Math.max(30, Math.min(120, velocity)),
    };
  });
}
