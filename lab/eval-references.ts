/**
 * Prints how well a search by a reference finds the song and the part that it is of. Songs of four sections with players of their own
 * are played by fluidsynth and go into a library as their owner would upload them. A reference is 15 s of one section, played by another
 * soundfont 3 % slower, 6 dB softer, as MP3 at 128 kbit/s.
 *
 * usage: bun lab/eval-references.ts [--songs 100] [--section 30] [--seed 1] [--skip 0] [--minutes 600] [--keep FOLDER] [--whole]
 *   --skip     no references of so many of the songs
 *   --minutes  no further reference is begun after as many
 *   --whole    instead, whole files: how like the seed are the first ten others, by who plays and how fast, where the seed is a track of
 *              the library (which has no tags), the same file as a reference, and another rendering of it as a reference
 *   --keep     what was played and measured is there for the next run
 *
 * Needs fluidsynth with two of FluidR3_GM.sf2, MuseScore_General_Full.sf2 and TimGM6mb.sf2, and ffmpeg.
 */
import { deserialize, serialize } from "bun:jsc";
import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../scripts/bench/processes.ts";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import type { AnalysisPool } from "../src/modules/library/analysis/analyze.ts";
import { storeOutcome } from "../src/modules/library/analysis/outcome.ts";
import { findSubject } from "../src/modules/library/analysis/queries.ts";
import { createAnalysisPool } from "../src/threads.ts";
import { addFile } from "../test/flows/analysis-library.ts";
import { createTestApp, type Json } from "../test/support/app.ts";
import { createRandom } from "./eval-audio/random.ts";
import { renderScore } from "./eval-audio/render.ts";
import { composeSong, likenessOf, SECTIONS, type Song } from "./eval-references/song.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    songs: { type: "string", default: "100" },
    section: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    skip: { type: "string", default: "0" },
    minutes: { type: "string", default: "600" },
    keep: { type: "string" },
    whole: { type: "boolean", default: false },
  },
});
const FONTS = ["FluidR3_GM", "MuseScore_General_Full", "TimGM6mb"].map(
  (name) => `/usr/share/sounds/sf2/${name}.sf2`,
);
const [first, other] = FONTS.filter((path) => existsSync(path));
if (!(first && other && Bun.which("fluidsynth") && Bun.which("ffmpeg"))) {
  console.log("Not measured: fluidsynth, ffmpeg or two soundfonts not found.");
  process.exit(0);
}
const REFERENCE_SEC = 15;
const BEST = 10;
const SLOWER = 0.97;
const folder = values.keep ?? temporaryFolder("references");
mkdirSync(folder, { recursive: true });
const until = performance.now() + Number(values.minutes) * 60_000;

/** Measures each sound once. */
function keptPool(): AnalysisPool {
  const pool = createAnalysisPool();
  return {
    async run(task, signal) {
      const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(task.path).bytes()).digest("hex");
      const kept = Bun.file(join(folder, `${sha256}.measured`));
      if (await kept.exists()) return deserialize(await kept.arrayBuffer());
      const outcome = await pool.run(task, signal);
      await Bun.write(kept, serialize(outcome));
      return outcome;
    },
    close: pool.close,
  };
}

const slowed = ({ score, bpm }: Song) => ({ ...score, tempi: [{ atBeat: 0, bpm: bpm * SLOWER }] });

async function playSong(seed: number): Promise<{ song: Song; path: string }> {
  const song = composeSong(seed, Number(values.section));
  const path = join(folder, `song-${seed}-${values.section}.flac`);
  const seconds = SECTIONS * song.sectionSec;
  if (!existsSync(path)) await renderScore(song.score, path, { soundfont: first ?? "", seconds });
  return { song, path };
}

/** Plays the reference of a song. Returns where in the song it is from. */
async function playReference(seed: number, song: Song): Promise<{ path: string; section: number }> {
  const random = createRandom(seed * 31 + 7);
  const section = Math.floor(random.between(0, SECTIONS));
  const path = join(folder, `reference-${seed}-${values.section}.mp3`);
  const from = (section * song.sectionSec + random.between(0, song.sectionSec - REFERENCE_SEC)) / SLOWER;
  if (!existsSync(path))
    await renderScore(slowed(song), path, {
      soundfont: other ?? "",
      seconds: REFERENCE_SEC,
      bitrate: "128k",
      filter: `atrim=start=${from},asetpts=PTS-STARTPTS,volume=-6dB`,
    });
  return { path, section };
}

const ffmpegPath = findFfmpeg(undefined)?.path;
const app = await createTestApp(ffmpegPath ? { ffmpegPath } : {});
const pool = keptPool();
const ownerId = app.createAccount().accountId;
const key = app.createKey(ownerId);
const seeds = Array.from({ length: Number(values.songs) }, (_, i) => Number(values.seed) * 10_000 + i);
const songs = new Map<string, { song: Song; seed: number }>();
for (const seed of seeds) {
  const { song, path } = await playSong(seed);
  const id = await addFile(app.deps, ownerId, await Bun.file(path).bytes(), { title: `Song ${seed}` });
  const { selfCommand } = app.deps;
  // Of the jobs of an upload only this one: search needs nothing else.
  const outcome = await pool.run({ path, ffmpegPath, selfCommand }, AbortSignal.timeout(600_000));
  const subject = findSubject(app.deps.db, id);
  if (subject) storeOutcome(app.deps, subject, outcome);
  songs.set(id, { song, seed });
}

async function ask(path: string, toSec: number, attempts = 5): Promise<Json> {
  const form = new FormData();
  form.set("file", Bun.file(path), basename(path));
  form.set("fromSec", "0");
  form.set("toSec", String(toSec));
  form.set("limit", "50");
  const headers = { "x-api-key": key };
  const response = await app.request("/api/v1/tracks/search/reference", {
    method: "POST",
    body: form,
    headers,
  });
  // A busy machine may need more than the minute that a person would wait.
  if (response.status === 503 && attempts > 1) return ask(path, toSec, attempts - 1);
  if (!response.ok) throw new Error(`A reference was answered with ${response.status}`);
  return response.json();
}

if (values.whole) {
  await compareWhole();
  await app.close();
  process.exit(0);
}
const found = { asked: 0, first: 0, inFive: 0, right: 0, rightOfAll: 0, seconds: 0 };
for (const [id, { song, seed }] of [...songs].slice(Number(values.skip))) {
  if (performance.now() > until) break;
  const { path, section } = await playReference(seed, song);
  const startedAt = performance.now();
  const { data } = await ask(path, REFERENCE_SEC);
  found.seconds += (performance.now() - startedAt) / 1000;
  const place = data.results.findIndex((hit: Json) => hit.id === id);
  const passage = data.results[place]?.passage;
  const middle = passage ? (passage.fromSec + passage.toSec) / 2 : Number.NaN;
  const [from, to] = [section * song.sectionSec, (section + 1) * song.sectionSec];
  // Within 10 s, as long as a passage is: its middle lies in the section or at most 5 s beside it.
  const isRight = middle >= from - 5 && middle <= to + 5;
  found.asked++;
  if (place === 0) found.first++;
  if (place >= 0 && place < 5) found.inFive++;
  if (place >= 0 && place < 5 && isRight) found.right++;
  if (isRight) found.rightOfAll++;
}
const share = (part: number, whole: number) => `${part}/${whole} ${(part / Math.max(1, whole)).toFixed(2)}`;
console.log(`${songs.size} songs of ${SECTIONS} sections, ${basename(first)} against ${basename(other)}`);
console.log(`song first:              ${share(found.first, found.asked)}`);
console.log(`song among the first 5:  ${share(found.inFive, found.asked)}  (aim 0.80, chance 0.05 of 100)`);
console.log(`right section of those:  ${share(found.right, found.inFive)}  (aim 0.70, chance 0.25)`);
console.log(`right section of all:    ${share(found.rightOfAll, found.asked)}`);
console.log(`seconds per answer:      ${(found.seconds / Math.max(1, found.asked)).toFixed(2)}`);
await app.close();
process.exit(0);

/** Prints how good the ten tracks are that are found by whole songs, in three ways. */
async function compareWhole(): Promise<void> {
  const gains = { "track of the library": 0, "its own file": 0, "another rendering": 0 };
  let asked = 0;
  for (const [id, { song, seed }] of [...songs].slice(Number(values.skip))) {
    if (performance.now() > until) break;
    const { path } = await playSong(seed);
    const other = await playWhole(seed, song);
    const seconds = SECTIONS * song.sectionSec;
    gains["track of the library"] += gainOf(await askByTrack(id), id);
    gains["its own file"] += gainOf(await ask(path, seconds), id);
    gains["another rendering"] += gainOf(await ask(other, seconds / SLOWER), id);
    asked++;
  }
  console.log(`nDCG@${BEST} of ${asked} whole songs among ${songs.size}`);
  for (const [way, sum] of Object.entries(gains)) console.log(`${way.padEnd(22)}${(sum / asked).toFixed(3)}`);
  console.log(`chance                ${chance().toFixed(3)}`);
}

async function playWhole(seed: number, song: Song): Promise<string> {
  const path = join(folder, `whole-${seed}-${values.section}.mp3`);
  const seconds = (SECTIONS * song.sectionSec) / SLOWER;
  if (!existsSync(path))
    await renderScore(slowed(song), path, {
      soundfont: other ?? "",
      seconds,
      bitrate: "128k",
      filter: "volume=-6dB",
    });
  return path;
}

async function askByTrack(id: string): Promise<Json> {
  const response = await app.request("/api/v1/tracks/search", {
    method: "POST",
    body: JSON.stringify({ query: "-", seedTrackIds: [id], limit: 50 }),
    headers: { "x-api-key": key, "content-type": "application/json" },
  });
  if (!response.ok) throw new Error(`A search was answered with ${response.status}`);
  return response.json();
}

function gainOf({ data }: Json, seedId: string): number {
  const seed = songs.get(seedId)?.song;
  const ids: string[] = data.results.map((hit: Json) => hit.id).filter((id: string) => id !== seedId);
  const likeness = (id: string) => {
    const song = songs.get(id)?.song;
    return seed && song ? likenessOf(seed, song) : 0;
  };
  const best = [...songs.keys()].filter((id) => id !== seedId).map(likeness).sort((a, b) => b - a); // biome-ignore format: one line
  return discounted(ids.map(likeness)) / discounted(best);
}

/** What a ranking by chance reaches: each place has the mean likeness. */
function chance(): number {
  const all = [...songs.values()].map(({ song }) => song);
  const of = all.map((seed) => {
    const likenesses = all.filter((song) => song !== seed).map((song) => likenessOf(seed, song));
    const mean = likenesses.reduce((sum, each) => sum + each, 0) / likenesses.length;
    return discounted(likenesses.map(() => mean)) / discounted(likenesses.sort((a, b) => b - a));
  });
  return of.reduce((sum, each) => sum + each, 0) / of.length;
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, BEST).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
}
