import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { bandPiece, styleNamed, type Twist } from "./band.ts";
import { BAND_STYLES } from "./band-styles.ts";
import { beatlessSounds } from "./beatless.ts";
import { type Clip, writeTruth } from "./clip.ts";
import { folkPiece, type Piece } from "./folk.ts";
import { machineLoop } from "./machine-drums.ts";
import { createProgress } from "./progress.ts";
import { createRandom, type Random } from "./random.ts";
import { encodeRaw, findSoundfonts, renderScore } from "./render.ts";

const SECONDS = 44;
const PLAIN: Twist = { introSeconds: 0, driftSpan: 0, hasDrums: true, hasPitches: true };
const FADE = "afade=t=out:st=20:d=24";

type Recipe = { group: string; make: (random: Random) => Piece; filter?: string };

/** Returns how many pieces of each kind are in the set. */
function recipes(folkClips: number): Recipe[] {
  const folk = Array.from({ length: folkClips }, (): Recipe => ({ group: "folk", make: folkPiece }));
  const bands = BAND_STYLES.flatMap((style): Recipe[] => [
    { group: "band", make: (random) => bandPiece(random, style, PLAIN) },
    { group: "band", make: (random) => bandPiece(random, style, PLAIN) },
  ]);
  const twisted = (group: string, names: readonly string[], twist: Partial<Twist>, filter = ""): Recipe[] =>
    names.map((name) => ({
      group,
      make: (random) => bandPiece(random, styleNamed(name), { ...PLAIN, ...twist }),
      filter,
    }));
  return [
    ...folk,
    ...bands,
    ...twisted("drift", ["pop", "soul", "hard-rock", "shuffle", "acoustic", "six-eight"], {
      driftSpan: 0.03,
    }),
    ...twisted("intro", ["pop", "club", "hip-hop", "half-time", "waltz", "breakbeat"], { introSeconds: 20 }),
    ...twisted("fade", ["pop", "soul", "club", "swing", "chorale", "afrobeat"], {}, FADE),
    ...twisted("drums", ["pop", "half-time", "club", "jungle", "afrobeat", "shuffle"], { hasPitches: false }),
  ];
}

/**
 * Renders clips whose tempo and key are known into `folder`, and their truth beside them: folk tunes, bands, tempo
 * that drifts, late beats, fades, drums alone, and sounds without a beat. Another seed gives other clips.
 *
 * @param every Renders only each recipe whose number is a multiple of this.
 * @throws Error when fluidsynth, ffmpeg or every soundfont is missing.
 */
export async function renderDevelopmentSet(
  folder: string,
  {
    seed,
    part,
    folkClips = 30,
    every = 1,
  }: { seed: number; part: Clip["part"]; folkClips?: number; every?: number },
): Promise<Clip[]> {
  await mkdir(folder, { recursive: true });
  const random = createRandom(seed);
  const soundfonts = findSoundfonts();
  if (soundfonts.length === 0)
    throw new Error("No soundfont: install fluid-soundfont-gm or timgm6mb-soundfont");
  const clips: Clip[] = [];
  const wanted = recipes(folkClips).filter((_, index) => index % every === 0);
  const progress = createProgress(wanted.length);
  for (const [index, { group, make, filter = "" }] of wanted.entries()) {
    const { score, truth } = make(random);
    const file = `${String(index).padStart(3, "0")}-${truth.group}.mp3`;
    await renderScore(score, join(folder, file), {
      soundfont: random.pick(soundfonts),
      seconds: SECONDS,
      filter,
    });
    clips.push({ ...truth, file, group, part });
    progress.step();
  }
  for (const { name, samples, truth } of beatlessSounds(random)) {
    const file = `${name.replaceAll(" ", "-")}.mp3`;
    await encodeRaw(stereoBytes(samples), join(folder, file), { seconds: SECONDS });
    clips.push({ ...truth, file, group: "beatless", levels: [1], part });
  }
  await writeTruth(folder, clips);
  return clips;
}

const LOOPS_A_STYLE = 6;
/** A drum machine plays any pattern at any speed, so only the pattern tells the beat. */
const SLOWEST_LOOP = 66;
const FASTEST_LOOP = 180;

/** Renders loops of 6 to 16 seconds into `folder`, half of them drums only, like {@link renderDevelopmentSet}. */
export async function renderLoops(
  folder: string,
  { seed, part }: { seed: number; part: Clip["part"] },
): Promise<Clip[]> {
  await mkdir(folder, { recursive: true });
  const random = createRandom(seed);
  const soundfonts = findSoundfonts();
  const clips: Clip[] = [];
  for (const style of BAND_STYLES.filter(({ drums }) => Object.keys(drums).length > 1))
    for (let index = 0; index < LOOPS_A_STYLE; index++) {
      const { score, truth } = bandPiece(random, style, { ...PLAIN, hasPitches: index % 2 === 1 });
      const file = `${style.name}-${index}.mp3`;
      const seconds = Math.round(random.between(6, 16));
      await renderScore(score, join(folder, file), { soundfont: random.pick(soundfonts), seconds });
      clips.push({ ...truth, key: undefined, file, group: "loops", part });
    }
  await writeTruth(folder, clips);
  return clips;
}

/** Renders loops of drum machines, 6 to 20 seconds, into `folder`, with their truth. */
export async function renderMachineLoops(
  folder: string,
  { seed, part, loopsAStyle }: { seed: number; part: Clip["part"]; loopsAStyle: number },
): Promise<Clip[]> {
  await mkdir(folder, { recursive: true });
  const random = createRandom(seed);
  const clips: Clip[] = [];
  for (const style of BAND_STYLES.filter(({ drums }) => Object.keys(drums).length > 1))
    for (let index = 0; index < loopsAStyle; index++) {
      const bpm = Math.round(
        random.between(
          Math.max(SLOWEST_LOOP, 0.6 * style.lowBpm),
          Math.min(FASTEST_LOOP, 1.25 * style.highBpm),
        ),
      );
      const seconds = Math.round(random.between(6, 20));
      const file = `${style.name}-${index}.flac`;
      const samples = machineLoop(random, style, { bpm, seconds });
      await encodeRaw(stereoBytes(samples), join(folder, file), { seconds });
      clips.push({ file, group: "machine", bpm, levels: [1], key: null, part });
    }
  await writeTruth(folder, clips);
  return clips;
}

function stereoBytes(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const out = new Int16Array(2 * samples.length);
  for (const [i, value] of samples.entries()) {
    const level = Math.round(Math.max(-1, Math.min(1, value)) * 32_767);
    out[2 * i] = level;
    out[2 * i + 1] = level;
  }
  return new Uint8Array(out.buffer);
}
