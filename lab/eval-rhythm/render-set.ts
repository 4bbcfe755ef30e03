import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { METRES, type MetreName } from "../../src/audio/structure/names.ts";
import { createProgress } from "../eval-audio/progress.ts";
import { createRandom, type Random } from "../eval-audio/random.ts";
import { findSoundfonts, renderScore } from "../eval-audio/render.ts";
import { type Groove, listGrooves, renderGroove } from "../fit/mma.ts";
import { partOf } from "../fit/sets.ts";
import { rhythmPiece } from "./band.ts";
import { type RhythmClip, writeRhythms } from "./clip.ts";

const SECONDS = 44;
const ROOMS = [
  "",
  "",
  "aecho=0.8:0.6:45|70:0.3|0.2",
  "acompressor=threshold=0.1:ratio=4:makeup=3",
  "lowpass=f=9000",
];

type Wanted = {
  seed: number;
  part: RhythmClip["part"];
  perMetre: number;
  songs: number;
  grooves: boolean;
  /** The banks that play loops and songs; none for those that the weights were learnt from. */
  soundfonts: readonly string[];
};

/**
 * Renders clips whose metre, bar lines, swing and sections are known into `folder`: loops in each metre, whole songs, and
 * grooves of Musical MIDI Accompaniment where it is installed. The libraries of grooves are divided between the parts.
 */
export async function renderRhythms(
  folder: string,
  { seed, part, perMetre, songs, grooves, soundfonts: given }: Wanted,
): Promise<RhythmClip[]> {
  await mkdir(folder, { recursive: true });
  const random = createRandom(seed);
  const soundfonts = given.length > 0 ? given : findSoundfonts();
  const clips: RhythmClip[] = [];
  const wanted = [
    ...METRES.flatMap((metre) => Array.from({ length: perMetre }, () => ({ metre, isWhole: false }))),
    ...Array.from({ length: songs }, (_, i) => ({
      metre: METRES[i % 3 === 2 ? 1 + (i % 4) : 0] ?? "4/4",
      isWhole: true,
    })),
  ];
  const progress = createProgress(wanted.length);
  for (const [i, { metre, isWhole }] of wanted.entries()) {
    const { score, seconds, truth } = rhythmPiece(random, metre, isWhole);
    const file = `${String(i).padStart(3, "0")}-${metre.replace("/", "")}.flac`;
    await renderScore(score, join(folder, file), {
      soundfont: random.pick(soundfonts),
      seconds: isWhole ? seconds : SECONDS,
      filter: random.pick(ROOMS),
    });
    clips.push({ ...truth, file, group: isWhole ? "songs" : "loops", part });
    progress.step();
  }
  if (grooves) clips.push(...(await renderGrooves(folder, random, part)));
  await writeRhythms(folder, clips);
  return clips;
}

const METRE_OF_BEATS: Readonly<Record<number, MetreName>> = {
  2: "4/4",
  3: "3/4",
  4: "4/4",
  5: "5/4",
  6: "6/8",
};

async function renderGrooves(
  folder: string,
  random: Random,
  part: RhythmClip["part"],
): Promise<RhythmClip[]> {
  const clips: RhythmClip[] = [];
  const soundfonts = findSoundfonts();
  const all = (await listGrooves()).filter(({ library }) => partOf(library) === part);
  for (const groove of all.filter((each, i) => each.barBeats !== 4 || i % 2 === 0)) {
    const metre = METRE_OF_BEATS[groove.barBeats];
    if (!metre) continue;
    const file = `mma-${groove.library}-${groove.name}.flac`.replaceAll(/[^\w.-]/g, "-");
    const truth = await renderGroove(groove, random, { path: join(folder, file), folder, soundfonts });
    if (truth?.bpm)
      clips.push({
        file,
        group: "grooves",
        part,
        metre,
        bpm: truth.bpm,
        barSec: barSecOf(groove, truth.bpm),
        firstSec: 0,
      });
  }
  return clips;
}

const barSecOf = ({ barBeats, beatsPerCount }: Groove, bpm: number) =>
  (60 * barBeats) / (bpm * beatsPerCount);
