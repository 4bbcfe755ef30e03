import { join } from "node:path";
import type { MetreName, SectionKind } from "../../src/audio/structure/names.ts";
import { type Clip, readTruth } from "../eval-audio/clip.ts";

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

/** A clip of which not everything is known. */
export type KnownClip = Pick<RhythmClip, "file" | "group"> &
  Partial<Pick<RhythmClip, "metre" | "barSec" | "firstSec" | "swing" | "sections">> & {
    bpm: Clip["bpm"];
    levels?: Clip["levels"];
    key?: Clip["key"];
  };

const DANCES: Readonly<Record<string, readonly [metre: MetreName, beats: number]>> = {
  compound: ["6/8", 2],
  waltz: ["3/4", 3],
  duple: ["4/4", 4],
  cut: ["4/4", 4],
};

/** Returns the metre of a group of lab/render-dances.ts, and how many beats of its tempo a bar has. */
export const danceOf = (group: string) => DANCES[group.split(" ")[0] ?? ""];

/** Writes the truth of a folder of clips: `FOLDER/rhythm.json`. */
export async function writeRhythms(folder: string, clips: readonly RhythmClip[]): Promise<void> {
  await Bun.write(join(folder, "rhythm.json"), `${JSON.stringify(clips, undefined, 1)}\n`);
}

/** Returns the clips of a folder. Their `file` includes the folder. */
export async function readRhythms(folder: string): Promise<RhythmClip[]> {
  const clips = (await Bun.file(join(folder, "rhythm.json")).json()) as RhythmClip[];
  return clips.map((clip) => ({ ...clip, file: join(folder, clip.file) }));
}

/** Returns the clips of a folder of any of the scripts that render music. */
export async function readKnown(folder: string): Promise<KnownClip[]> {
  if (await Bun.file(join(folder, "rhythm.json")).exists()) return readRhythms(folder);
  return (await readTruth(folder)).map(({ part: _, ...clip }) => {
    const [metre] = danceOf(clip.group) ?? [];
    return { ...clip, ...(metre && { metre }) };
  });
}
