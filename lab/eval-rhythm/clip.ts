import { join } from "node:path";
import type { MetreName, SectionKind } from "../../src/audio/structure/names.ts";

/** A part of a piece. */
export type TrueSection = { kind: SectionKind; startSec: number };

/** A rendered clip and what is known about its rhythm; undefined where it is not known. */
export type RhythmClip = {
  /** Path of the sound, relative to the folder of its truth file. */
  file: string;
  /** The group that its figures count in. */
  group: string;
  /** Weights are fitted only on `fit`. */
  part: "fit" | "hold";
  metre: MetreName;
  /** Counted beats per minute. */
  bpm: number;
  /** Length of a bar. */
  barSec: number;
  /** Time of the first bar line; undefined when only the metre is known. */
  firstSec?: number;
  /** Place of the second of two notes within a beat: 0.5 even, 0.67 a triplet; undefined when unknown. */
  swing?: number;
  sections?: TrueSection[];
};

/** Writes the truth of a folder of clips: `FOLDER/rhythm.json`. */
export async function writeRhythms(folder: string, clips: readonly RhythmClip[]): Promise<void> {
  await Bun.write(join(folder, "rhythm.json"), `${JSON.stringify(clips, undefined, 1)}\n`);
}

/** Returns the clips of a folder. Their `file` includes the folder. */
export async function readRhythms(folder: string): Promise<RhythmClip[]> {
  const clips = (await Bun.file(join(folder, "rhythm.json")).json()) as RhythmClip[];
  return clips.map((clip) => ({ ...clip, file: join(folder, clip.file) }));
}
