/**
 * Prints how fast tags are learnt, without and with what the ears heard: F1 on uncorrected music, by the number of
 * corrections per tag.
 *
 * usage: bun lab/eval-tags.ts FOLDER... [--suffix] [--cache FILE]
 * Each folder is one tag, which applies to all sound files below it. With --suffix the tag is the part of the file
 * name after the last underscore instead ("syn003_waltz.mp3"), as in the clips of the tempo and key evaluation.
 * With --cache the measurements are kept in FILE and read from it the next time. Needs ffmpeg on PATH.
 *
 * "together": every tag gets the same number of corrections. "alone": one tag gets them and the others have three
 * each; the score of the others is shown after the slash. The reliability line shows how often suggestions of each
 * confidence were right, over all tags at ten corrections.
 */
import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { AudioAnalysis } from "../src/audio/analyzer.ts";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import { exampleOf, type Lesson, lessonOf } from "../src/modules/library/analysis/learning/examples.ts";
import { probabilityOf, type TagModel } from "../src/modules/library/analysis/learning/tag-classifier.ts";
import { trainTag } from "../src/modules/library/analysis/learning/train.ts";
import { type Verdicts, wordsOn } from "../src/modules/library/analysis/learning/words.ts";
import { analyseFile } from "./eval-audio/analyse-file.ts";

const SOUND = /\.(mp3|ogg|opus|flac|wav|m4a|aiff)$/i;
const CORRECTIONS = [1, 2, 5, 10];
const OTHERS = 3;
const SHUFFLES = 3;
const LEAST_CONFIDENCE = 0.5;
/** Tags with fewer clips leave no clips to hold out. */
const LEAST_CLIPS = 8;

type Measured = Pick<AudioAnalysis, "durationSec" | "loudness" | "tempo" | "key" | "features"> & {
  file: string;
  tag: string;
  descriptors: number[] | null;
  heard: number[] | null;
};
type Clip = { id: string; tag: string; lesson: Lesson };

const args = Bun.argv.slice(2);
const cachePath = args.includes("--cache") ? args[args.indexOf("--cache") + 1] : undefined;
const folders = args.filter((arg) => !arg.startsWith("--") && arg !== cachePath);
if (folders.length === 0) throw new Error("usage: bun lab/eval-tags.ts FOLDER... [--suffix] [--cache FILE]");

const measured = await measureAll();
let clips = measured.flatMap((each) => toClip(each, false));
const counts = Map.groupBy(clips, ({ tag }) => tag);
const tags = [...counts.keys()].filter((tag) => (counts.get(tag)?.length ?? 0) >= LEAST_CLIPS);
console.log(`${clips.length} clips, ${tags.length} tags: ${tags.join(", ")}`);
console.log("without ears");
await printTogether();
await printAlone();
clips = measured.flatMap((each) => toClip(each, true));
console.log("with ears");
await printTogether();
await printAlone();

async function measureAll(): Promise<Measured[]> {
  if (cachePath && (await Bun.file(cachePath).exists())) return Bun.file(cachePath).json();
  const all: Measured[] = [];
  for (const folder of folders)
    for (const name of (await readdir(folder, { recursive: true })).sort())
      if (SOUND.test(name)) all.push(await measure(join(folder, name), folder));
  if (cachePath) await Bun.write(cachePath, JSON.stringify(all));
  return all;
}

async function measure(file: string, folder: string): Promise<Measured> {
  const { measurement } = await analyseFile(file, findFfmpeg(undefined)?.path);
  const { durationSec, loudness, tempo, key, features, descriptors, heard } = measurement;
  const suffix = basename(file, extname(file)).split("_").at(-1) ?? "";
  const tag = args.includes("--suffix") ? suffix : basename(folder);
  const vectors = { descriptors: descriptors && [...descriptors], heard: heard && [...heard] };
  return { file, tag, durationSec, loudness, tempo, key, features, ...vectors };
}

function toClip(
  { file, tag, features, descriptors, heard, ...analysis }: Measured,
  hasEars: boolean,
): Clip[] {
  const basis = { features, analysis, embedded: {}, filename: "" };
  const lesson = lessonOf({
    ...basis,
    descriptors: descriptors && Float32Array.from(descriptors),
    heard: hasEars && heard ? Float32Array.from(heard) : null,
  });
  return lesson ? [{ id: file, tag, lesson }] : [];
}

type Score = { hits: number; wrong: number; missed: number };
type Bins = { count: number; right: number; said: number }[];

async function printTogether(): Promise<void> {
  const bins: Bins = Array.from({ length: 10 }, () => ({ count: 0, right: 0, said: 0 }));
  for (const number of CORRECTIONS) {
    const score = { hits: 0, wrong: 0, missed: 0 };
    for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
      const { taught, held } = split(shuffle, () => number);
      for (const tag of tags) await judge(tag, taught, held, score, number === 10 ? bins : undefined);
    }
    console.log(`together, ${number} corrections per tag: ${textOf(score)}`);
  }
  const lines = bins.filter(({ count }) => count > 0);
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`;
  console.log(
    `reliability: ${lines.map(({ count, right, said }) => `said ${percent(said, count)}, right ${percent(right, count)} (${count})`).join("; ")}`,
  );
}

async function printAlone(): Promise<void> {
  for (const number of [0, ...CORRECTIONS]) {
    const own = { hits: 0, wrong: 0, missed: 0 };
    const others = { ...own };
    for (let shuffle = 0; shuffle < SHUFFLES; shuffle++)
      for (const target of tags) await judgeAlone(target, number, shuffle, { own, others });
    console.log(`alone, ${number} corrections: ${textOf(own)} / others ${textOf(others)}`);
  }
}

async function judgeAlone(
  target: string,
  number: number,
  shuffle: number,
  { own, others }: { own: Score; others: Score },
): Promise<void> {
  const { taught, held } = split(shuffle, (tag) => (tag === target ? number : OTHERS));
  for (const tag of tags) await judge(tag, taught, held, tag === target ? own : others);
}

/** Divides the clips into those that may be corrected, of which `numberOf` per tag are, and those held out. */
function split(shuffle: number, numberOf: (tag: string) => number): { taught: Verdicts; held: Clip[] } {
  const shuffled = shuffledBy(shuffle);
  const taught: [
    string,
    { trackId: string; tagId: string; name: string; isWanted: true; isApplied: false }[],
  ][] = [];
  const held: Clip[] = [];
  for (const tag of tags) {
    const own = shuffled.filter((clip) => clip.tag === tag);
    const pool = Math.min(Math.max(...CORRECTIONS), Math.floor(own.length * 0.6));
    for (const { id } of own.slice(0, Math.min(numberOf(tag), pool)))
      taught.push([id, [{ trackId: id, tagId: tag, name: tag, isWanted: true, isApplied: false }]]);
    held.push(...own.slice(pool));
  }
  return { taught: new Map(taught.sort(([a], [b]) => (a < b ? -1 : 1))), held };
}

async function judge(
  tag: string,
  taught: Verdicts,
  held: readonly Clip[],
  score: Score,
  bins: Bins = [],
): Promise<void> {
  const model = await modelOf(tag, taught);
  for (const clip of held) {
    const confidence = model ? probabilityOf(model, clip.lesson.sound, 0) : 0;
    const isRight = clip.tag === tag;
    count(score, confidence >= LEAST_CONFIDENCE, isRight);
    const bin = bins[Math.min(9, Math.floor(confidence * 10))];
    if (bin) {
      bin.count++;
      bin.said += confidence;
      bin.right += isRight ? 1 : 0;
    }
  }
}

async function modelOf(tag: string, taught: Verdicts): Promise<TagModel | undefined> {
  const byId = new Map(clips.map((clip) => [clip.id, clip]));
  const examples = wordsOn(taught, tag).flatMap((word) => {
    const lesson = byId.get(word.trackId)?.lesson;
    return lesson ? [exampleOf(lesson, { category: "tags", id: tag }, word)] : [];
  });
  return examples.length > 0 ? trainTag(examples, () => Promise.resolve()) : undefined;
}

function count(score: Score, isSuggested: boolean, isRight: boolean): void {
  if (isSuggested) score[isRight ? "hits" : "wrong"]++;
  else if (isRight) score.missed++;
}

/** Returns the clips in random order, the same for the same number. */
function shuffledBy(number: number): Clip[] {
  return clips.toSorted((a, b) => Number(Bun.hash(`${number} ${a.id}`) - Bun.hash(`${number} ${b.id}`)) || 0);
}

function textOf({ hits, wrong, missed }: Score): string {
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole).toFixed(2);
  return `F1 ${share(2 * hits, 2 * hits + wrong + missed)} (precision ${share(hits, hits + wrong)}, recall ${share(hits, hits + missed)})`;
}
