import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { decodeFiles, TONE_HZ, trimmed } from "./decode.ts";
import type { Sample } from "./sampler.ts";

/** Which of the players' folders a program is played by; several players are a section. */
const FOLDERS: Readonly<Record<number, readonly string[]>> = {
  24: ["guitar"],
  32: ["double bass"],
  40: ["violin"],
  41: ["viola"],
  42: ["cello"],
  43: ["double bass"],
  48: ["violin", "viola", "cello", "double bass"],
  49: ["violin", "viola", "cello"],
  56: ["trumpet"],
  57: ["trombone"],
  60: ["french horn"],
  61: ["trumpet", "trombone", "french horn"],
  65: ["saxophone"],
  66: ["saxophone"],
  68: ["oboe"],
  69: ["cor anglais"],
  70: ["bassoon", "contrabassoon"],
  71: ["clarinet", "bass clarinet"],
  73: ["flute"],
  105: ["banjo"],
  106: ["mandolin"],
};
const SECTIONS = [48, 49, 61];
/** The double bass of a band is plucked. */
const PLUCKED = [32];
const PITCH = /^([A-G])(s?)(\d)$/;
const SEMITONES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
/** How loud each marking is meant, as a velocity. */
const VELOCITIES: Readonly<Record<string, number>> = {
  pianissimo: 35,
  piano: 55,
  "mezzo-piano": 70,
  "mezzo-forte": 85,
  forte: 100,
  fortissimo: 115,
};
/** Ways to play that sound as the instrument usually does. */
const USUAL = /(^|-)(normal|vibrato|legato|tenuto|detache|staccato|nonlegato|sord|mute)$/;

/** True for a program that several play together. */
export const isSection = (program: number) => SECTIONS.includes(program);

/**
 * Returns single tones of an orchestra's players, by the names of the files: instrument, pitch, length, dynamics and
 * articulation (flute_A4_025_forte_normal.mp3).
 *
 * @param folders Each with a folder for each instrument.
 */
export async function readOrchestra(folders: readonly string[], program: number): Promise<Sample[]> {
  const files = (FOLDERS[program] ?? []).flatMap((name) =>
    folders.flatMap((folder) => filesIn(join(folder, name), PLUCKED.includes(program))),
  );
  const sounds = await decodeFiles(files.map(({ path }) => path));
  return files.flatMap(({ cents, velocity }, i) => {
    const samples = trimmed(sounds[i] ?? new Float32Array(0));
    const range = { lowest: 0, highest: 127, loopStart: 0, loopEnd: 0 };
    return samples.length < TONE_HZ / 10 ? [] : [{ samples, hz: TONE_HZ, cents, velocity, ...range }];
  });
}

function filesIn(folder: string, isPlucked: boolean) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, pitch = "", length, dynamics = "", manner = ""] = file.replace(".mp3", "").split("_");
      const [, letter = "", sharp, octave] = PITCH.exec(pitch) ?? [];
      const isWanted = isPlucked
        ? manner.startsWith("pizz")
        : USUAL.test(manner) && !manner.startsWith("pizz");
      if (letter === "" || !isWanted || length === "phrase") return [];
      const cents = 100 * (12 * (Number(octave) + 1) + (SEMITONES[letter] ?? 0) + (sharp ? 1 : 0));
      return [{ path: join(folder, file), cents, velocity: VELOCITIES[dynamics] ?? 80 }];
    });
}
