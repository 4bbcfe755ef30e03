import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Clip, writeTruth } from "../eval-audio/clip.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { findSoundfonts, renderMidi, renderScore } from "../eval-audio/render.ts";
import { keyOf, tempoOf } from "./judge-piece.ts";
import { listGrooves, renderGroove } from "./mma.ts";
import { isModule, openModulePlayer, renderModule } from "./modules.ts";
import { readMidi } from "./read-midi.ts";

const SECONDS = 75;
const MIN_NOTES = 60;
const SEED = 4711;
const MIN_TUNE_NOTES = 24;
/** Piano, flute, fiddle, accordion, guitar, harp, banjo, fiddle of the folk bank. */
const TUNE_PROGRAMS = [40, 73, 21, 24, 46, 0, 105, 110];

/** Each source belongs to one side as a whole, so no source is in both the fit and the hold-out. */
export const partOf = (source: string): Clip["part"] => (Bun.hash.crc32(source) % 2 === 0 ? "fit" : "hold");

const safe = (name: string) => name.toLowerCase().replace(/[^a-z0-9.-]/g, "_");

/** Returns the files in `music` (one folder per package) whose path `isWanted` accepts, each name once. */
async function listMusic(music: string, isWanted: (path: string) => boolean): Promise<string[]> {
  const all = (await Array.fromAsync(new Bun.Glob("**/*").scan(music))).filter(isWanted).sort();
  return [...new Map(all.map((path) => [basename(path).toLowerCase(), path])).values()];
}

/** Renders every tracker module with a constant speed. Needs libopenmpt; the tempo level is not judged. */
export async function renderModules(music: string, folder: string): Promise<Clip[]> {
  const player = openModulePlayer();
  if (!player) return [];
  await mkdir(folder, { recursive: true });
  const clips: Clip[] = [];
  for (const path of await listMusic(music, isModule)) {
    const source = path.split("/")[0] ?? "";
    const file = `${safe(`${source}-${basename(path)}`)}.flac`;
    const truth = await renderModule(player, join(music, path), join(folder, file));
    if (truth) clips.push({ ...truth, file, group: "modules", key: undefined, part: partOf(source) });
  }
  await writeTruth(folder, clips);
  return clips;
}

/** Renders every MIDI file whose tempo is steady or whose key is beyond doubt. */
export async function renderMidiFiles(music: string, folder: string): Promise<Clip[]> {
  await mkdir(folder, { recursive: true });
  const clips: Clip[] = [];
  const soundfonts = findSoundfonts();
  for (const path of await listMusic(music, (name) => /\.midi?$/i.test(name))) {
    const bytes = await Bun.file(join(music, path)).bytes();
    const piece = await Promise.try(() => readMidi(bytes)).catch(() => undefined);
    if (!piece || piece.notes.length < MIN_NOTES) continue;
    const bpm = tempoOf(piece, SECONDS);
    const key = keyOf(piece);
    const soundfont = soundfonts[clips.length % soundfonts.length];
    if ((bpm === undefined && key === undefined) || soundfont === undefined) continue;
    const source = path.split("/")[0] ?? "";
    const file = `${safe(`${source}-${basename(path)}`)}.flac`;
    await renderMidi(join(music, path), join(folder, file), { soundfont, seconds: SECONDS });
    const levels = bpm !== undefined && bpm >= 75 && bpm <= 150 ? [1] : [1, 2, 0.5];
    clips.push({ file, group: "midi", bpm, levels, key, part: partOf(source) });
  }
  await writeTruth(folder, clips);
  return clips;
}

/** Renders each of MMA's grooves. Needs MMA. */
export async function renderGrooves(folder: string): Promise<Clip[]> {
  await mkdir(folder, { recursive: true });
  const random = createRandom(SEED);
  const soundfonts = findSoundfonts();
  const clips: Clip[] = [];
  for (const groove of await listGrooves()) {
    const file = `${safe(`${groove.library}-${groove.name}`)}.flac`;
    const truth = await renderGroove(groove, random, { path: join(folder, file), folder, soundfonts });
    if (truth) clips.push({ ...truth, file, group: "mma", levels: [1], part: partOf(groove.library) });
  }
  await writeTruth(folder, clips);
  return clips;
}

/** Renders LMMS projects, with the tempo from their header. Held out. Needs lmms. */
export async function renderProjects(music: string, folder: string): Promise<Clip[]> {
  if (Bun.which("lmms") === null) return [];
  await mkdir(folder, { recursive: true });
  const clips: Clip[] = [];
  for (const path of await listMusic(music, (name) => /\.mmpz?$/.test(name))) {
    const bpm = projectTempo(await Bun.file(join(music, path)).bytes());
    const file = `${safe(basename(path)).replace(/\.mmpz?$/, "")}.wav`;
    const lmms = Bun.spawn(
      ["lmms", "--allowroot", "render", join(music, path), "-f", "wav", "-o", join(folder, file)],
      { env: { ...process.env, QT_QPA_PLATFORM: "offscreen" }, stdout: "ignore", stderr: "ignore" },
    );
    await lmms.exited;
    if (existsSync(join(folder, file)) && bpm !== undefined)
      clips.push({ file, group: "lmms", bpm, levels: [1], key: undefined, part: "hold" });
  }
  await writeTruth(folder, clips);
  return clips;
}

/** A compressed project is four bytes of length, then a zlib stream. */
function projectTempo(bytes: Uint8Array<ArrayBuffer>): number | undefined {
  const isPlain = bytes[0] === 0x3c;
  const xml = new TextDecoder().decode(isPlain ? bytes : Bun.inflateSync(bytes.slice(6)));
  const bpm = /<head[^>]*\bbpm="([\d.]+)"/.exec(xml)?.[1];
  return bpm === undefined ? undefined : Number(bpm);
}

/** Renders repeated ABC tunes with one instrument, at a tempo that we choose. Held out. Needs abc2midi. */
export async function renderTunes(music: string, folder: string): Promise<Clip[]> {
  if (Bun.which("abc2midi") === null) return [];
  await mkdir(folder, { recursive: true });
  const random = createRandom(SEED);
  const clips: Clip[] = [];
  for (const path of await listMusic(music, (name) => name.endsWith(".abc"))) {
    const text = await Bun.file(join(music, path)).text();
    const tunes = text.split(/^(?=X:)/m).filter((tune) => tune.startsWith("X:"));
    for (const [index, tune] of tunes.entries()) {
      const file = `${safe(basename(path, ".abc"))}-${index}.flac`;
      const truth = await renderTune(random, tune, { folder, file });
      if (truth) clips.push({ ...truth, file, group: "abc", levels: [1], part: "hold" });
    }
  }
  await writeTruth(folder, clips);
  return clips;
}

async function renderTune(
  random: Random,
  tune: string,
  { folder, file }: { folder: string; file: string },
): Promise<Pick<Clip, "bpm" | "key"> | undefined> {
  const isCompound = /^M:\s*(6|9|12)\/8/m.test(tune);
  const bpm = Math.round(isCompound ? random.between(70, 120) : random.between(80, 140));
  const piece = await playAbc(tune, { bpm, isCompound, folder });
  if (!piece || piece.notes.length < MIN_TUNE_NOTES || piece.tempi.length > 2) return undefined;
  const program = random.pick(TUNE_PROGRAMS);
  const programs = new Map(Array.from({ length: 16 }, (_, channel) => [channel, program] as const));
  const notes = repeated(piece.notes, (50 * bpm * (isCompound ? 1.5 : 1)) / 60);
  const played = notes.map((note) => ({ ...note, atBeat: note.atBeat + random.normal(0.01) }));
  const soundfont = random.pick(findSoundfonts());
  await renderScore({ ...piece, programs, notes: played }, join(folder, file), { soundfont, seconds: 46 });
  return { bpm, key: abcKey(tune) };
}

async function playAbc(
  text: string,
  { bpm, isCompound, folder }: { bpm: number; isCompound: boolean; folder: string },
) {
  const [source, midi] = [join(folder, "tune.txt"), join(folder, "tune.mid")];
  const body = text.replaceAll(/^Q:.*\n/gm, "").replace(/^K:/m, `Q:${isCompound ? "3/8" : "1/4"}=${bpm}\nK:`);
  await Bun.write(source, body);
  const player = Bun.spawn(["abc2midi", source, "-o", midi], { stdout: "ignore", stderr: "ignore" });
  await player.exited;
  const bytes = await Bun.file(midi)
    .bytes()
    .catch(() => new Uint8Array(14));
  return await Promise.try(() => readMidi(bytes)).catch(() => undefined);
}

function repeated<N extends { atBeat: number; beats: number }>(notes: readonly N[], beats: number): N[] {
  const length = 2 * Math.ceil(Math.max(...notes.map((note) => note.atBeat + note.beats)) / 2);
  const times = Math.max(1, Math.ceil(beats / length));
  return Array.from({ length: times }, (_, i) =>
    notes.map((note) => ({ ...note, atBeat: note.atBeat + i * length })),
  ).flat();
}

const SPELLINGS: Readonly<Record<string, string>> = {
  Db: "C#",
  "D#": "Eb",
  Gb: "F#",
  "G#": "Ab",
  "A#": "Bb",
};

/** Returns the key of a major or minor tune that stays in it; the analysis has no names for other modes. */
export function abcKey(text: string): string | undefined {
  const keys = [...text.matchAll(/^K:[ \t]*([A-G][#b]?)[ \t]*(\w*)/gm)];
  const [, tonic = "", mode = ""] = keys[0] ?? [];
  if (keys.length !== 1 || !/^(m|min\w*|maj\w*|ion|aeo|)$/i.test(mode)) return undefined;
  const isMinor = /^(m|min|aeo)/i.test(mode) && !/^maj/i.test(mode);
  return `${SPELLINGS[tonic] ?? tonic} ${isMinor ? "minor" : "major"}`;
}
