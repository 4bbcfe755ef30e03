/**
 * Prints how well tracks are kept with their song. Songs are composed, played by fluidsynth and sung by espeak-ng; of each, a mix, an
 * instrumental, an a cappella, clean, TV, edits and stems go into a library as their owner would upload them, half of the songs
 * limited and as MP3. One library has right names, one has none that say anything. Beside each song is another one of equal tempo,
 * key, length and drum samples, whose files are called like an instrumental of the first.
 *
 * usage: bun lab/eval-families.ts [--songs 8] [--seconds 100] [--pairs 10000] [--minutes 600] [--keep FOLDER] [--speed]
 *   --minutes  no further song is begun after as many
 *   --keep   what was made, measured and decoded is there for the next run
 *   --pairs  how many random pairs of different songs are judged by their sound, as far as there are as many
 *   --speed  only prints how long a pair of four minutes takes
 *
 * Needs fluidsynth with FluidR3_GM.sf2, espeak-ng and ffmpeg.
 */
import { deserialize, serialize } from "bun:jsc";
import { existsSync, mkdirSync } from "node:fs";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { DUBPLATE, temporaryFolder } from "../scripts/bench/processes.ts";
import type { Coarse } from "../src/audio/kinship/runs.ts";
import { findFfmpeg } from "../src/media/ffmpeg/find-ffmpeg.ts";
import type { AnalysisPool } from "../src/modules/library/analysis/analyze.ts";
import { workVersion } from "../src/modules/library/analysis/service.ts";
import { compareFiles, layAll } from "../src/modules/library/kinship/compare.ts";
import { hear, soundsLike } from "../src/modules/library/kinship/judge.ts";
import { createSounds, type Sounds } from "../src/modules/library/kinship/sounds.ts";
import { fingerprintOf } from "../src/modules/library/recordings/service.ts";
import { createAnalysisPool } from "../src/threads.ts";
import { createTestApp, type TestApp } from "../test/support/app.ts";
import { createRandom } from "./eval-audio/random.ts";
import { type Member, makeSet } from "./eval-families/set.ts";
import { frameOf } from "./eval-families/song.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    songs: { type: "string", default: "8" },
    seconds: { type: "string", default: "100" },
    pairs: { type: "string", default: "10000" },
    keep: { type: "string" },
    minutes: { type: "string", default: "600" },
    speed: { type: "boolean", default: false },
  },
});
const FOREIGN = 1000;
const VOICES_DB = [0, 3, 6];
const missing = ["fluidsynth", "espeak-ng", "ffmpeg"].filter((program) => Bun.which(program) === null);
if (missing.length > 0) {
  console.log(`Not measured: ${missing.join(", ")} not found.`);
  process.exit(0);
}
const ffmpegPath = findFfmpeg(undefined)?.path;
const folder = values.keep ?? temporaryFolder("families");
mkdirSync(folder, { recursive: true });

/** How long each stage took, seconds. */
const took = { making: 0, measuring: 0, relating: 0, foreign: 0 };

async function timed<Result>(stage: keyof typeof took, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    took[stage] += (performance.now() - startedAt) / 1000;
  }
}

type Song = { number: number; members: Member[]; foreign: Member[] };

const stages = () =>
  Object.entries(took)
    .map(([stage, sec]) => `${stage} ${Math.round(sec)}`)
    .join(", ");

/** Returns a song's files, made when they are not there yet. */
async function songOf(number: number, seconds: number): Promise<Song> {
  const frame = frameOf(number, seconds);
  const making = { frame, voiceDb: VOICES_DB[number % 3] ?? 0, isMastered: number % 2 === 1 };
  const at = (name: string) => join(folder, `${name}-${number}-${seconds}`);
  const members = await makeSet({ ...making, seed: number, folder: at("song") });
  const foreign = await makeSet(
    { ...making, seed: FOREIGN + number, folder: at("foreign") },
    { only: "instrumental" },
  );
  return { number, members, foreign };
}

/** What files are called in the library with right names. */
function nameOf(song: number, { kind, editSec, part }: Member): string {
  const title = `${TITLES[song % TITLES.length]} ${ROMAN[Math.floor(song / TITLES.length)] ?? ""}`.trim();
  if (editSec !== null) return `${title} ${editSec}s`;
  if (kind === "stem") return `${title} - ${part} stem`;
  const words = {
    main: "",
    instrumental: "(Instrumental)",
    acapella: "(A Cappella)",
    clean: "(Clean)",
    tv: "(TV Mix)",
  };
  return `${title} ${words[kind]}`.trim();
}
const TITLES = [
  "Harbour Lights",
  "Copper Moon",
  "Nine Bridges",
  "Slow Engine",
  "Paper Tiger",
  "Winter Garden",
  "Salt Road",
  "Glass Parade",
];
const ROMAN = ["", "Part Two", "Part Three", "Part Four", "Part Five"];

type Planted = { id: string; song: number; member: Member; isForeign: boolean };

type Library = { app: TestApp; hasNames: boolean; call: ReturnType<TestApp["as"]>; planted: Planted[] };

async function createLibrary(hasNames: boolean): Promise<Library> {
  // Without ffmpeg no renditions are made, which have nothing to do with it.
  const app = await createTestApp({ analysing: measuringOnce });
  return { app, hasNames, call: app.as(app.createKey(app.createAccount().accountId)), planted: [] };
}

async function plant(
  { app, hasNames, call, planted }: Library,
  { number, members, foreign }: Song,
): Promise<void> {
  const send = async (member: Member, isForeign: boolean) => {
    const name = hasNames
      ? nameOf(number, isForeign ? { ...member, kind: "instrumental" } : member)
      : `Bounce ${Bun.hash(member.path).toString(36).slice(0, 6)}`;
    const called = isForeign && hasNames ? name.replace("(Instrumental)", "(Inst)") : name;
    const form = new FormData();
    form.append("files", new File([await Bun.file(member.path).bytes()], called + extname(member.path)));
    const { body } = await call("POST", "/tracks/upload", form);
    planted.push({ id: body.data.uploaded[0].id, song: number, member, isForeign });
    app.clock.advance(1000);
  };
  for (const member of members) await send(member, false);
  for (const member of foreign) await send(member, true);
  // What is heard of whole tracks later has nothing to do with it, and takes three times as long.
  app.deps.db.$client.run("DELETE FROM jobs WHERE name = 'hear_whole'");
  const measured = took.measuring;
  await timed("relating", () => app.drainJobs());
  took.relating -= took.measuring - measured;
}

type Row = { trackId: string; mainId: string; kind: string; editSec: number | null; how: "joined" | "asked" };

function foundIn(app: TestApp): Row[] {
  return app.deps.db.$client
    .query<Row, []>(
      `SELECT m.track_id AS trackId, f.main_track_id AS mainId, m.kind, m.edit_sec AS editSec, 'joined' AS how
       FROM family_members m JOIN families f ON f.id = m.family_id WHERE m.track_id <> f.main_track_id
       UNION ALL SELECT asked_id, iif(asked_id = track_id, other_id, track_id),
         coalesce(name_kind, iif(sound_kind = 'instrumental', 'instrumental', 'main')), coalesce(name_edit_sec, sound_edit_sec), 'asked'
       FROM family_signs WHERE state = 'open'`,
    )
    .all();
}

function print(title: string, planted: readonly Planted[], rows: readonly Row[]): void {
  const byId = new Map(planted.map((each) => [each.id, each]));
  const own = planted.filter(
    ({ isForeign, member }) => !isForeign && !(member.kind === "main" && member.editSec === null),
  );
  console.log(`\n${title}: ${planted.length} files`);
  const groups = Map.groupBy(own, ({ member: { kind, editSec } }) =>
    editSec === null ? kind : `edit ${editSec}`,
  );
  let [joined, right, all] = [0, 0, 0];
  for (const [group, files] of groups) {
    const found = files.map(({ id, song }) =>
      rows.filter(({ trackId, mainId }) => trackId === id && byId.get(mainId)?.song === song),
    );
    const count = (is: (row: Row) => boolean) => found.filter((each) => each.some(is)).length;
    const isRight = (row: Row) => {
      const { kind, editSec } = byId.get(row.trackId)?.member ?? {};
      return row.kind === kind && row.editSec === editSec;
    };
    const [inSet, asked, kinds] = [count(({ how }) => how === "joined"), count(() => true), count(isRight)];
    joined += inSet;
    right += kinds;
    all += files.length;
    console.log(
      `  ${group.padEnd(14)} joined ${inSet}, joined or asked ${asked}, kind right ${kinds}, of ${files.length}`,
    );
  }
  console.log(
    `  in all         joined ${joined} (${(joined / all).toFixed(3)}), kind right ${right}, of ${all}`,
  );
  const foreign = rows.filter(({ trackId, mainId }) => {
    const [one, other] = [byId.get(trackId), byId.get(mainId)];
    return one && other && (one.song !== other.song || one.isForeign !== other.isForeign);
  });
  const wrong = (how: Row["how"], isCalledSo: boolean) =>
    foreign.filter((row) => row.how === how && byId.get(row.trackId)?.isForeign === isCalledSo).length;
  console.log(
    `  other songs called like it: joined ${wrong("joined", true)}, asked ${wrong("asked", true)}, of ${planted.filter(({ isForeign }) => isForeign).length}`,
  );
  console.log(
    `  other songs called otherwise: joined ${wrong("joined", false)}, asked ${wrong("asked", false)}`,
  );
}

/** Judges pairs of different songs by their fingerprints, and decodes those that fingerprints do not rule out. */
async function printForeign(app: TestApp, planted: readonly Planted[]): Promise<void> {
  const { db } = app.deps;
  const recordings = new Map(
    db.$client
      .query<{ id: string; recordingId: number }, []>(
        "SELECT t.id, r.recording_id AS recordingId FROM tracks t JOIN version_recordings r ON r.version_id = t.active_version_id",
      )
      .all()
      .map(({ id, recordingId }) => [id, recordingId]),
  );
  const prints = planted.map((each) => ({ ...each, print: fingerprintOf(db, recordings.get(each.id) ?? 0) }));
  const all = prints.flatMap((one, index) => prints.slice(index + 1).map((other) => [one, other] as const));
  const foreign = all.filter(([one, other]) => one.song !== other.song || one.isForeign !== other.isForeign);
  const tried = anyOf(foreign, Number(values.pairs));
  const counts = { alike: 0, heard: 0, asked: 0 };
  for (const pair of tried) {
    const [one, other] = pair.toSorted((a, b) => (a.print?.codes.length ?? 0) - (b.print?.codes.length ?? 0));
    if (!one?.print || !other?.print) continue;
    const [coarse] = layAll({ kind: "lay", pairs: [{ short: one.print, long: other.print }] });
    if (!coarse || !isAlike(coarse)) continue;
    counts.alike++;
    const says = hear(await compare(one.member.path, other.member.path, coarse.runs, onDisk), true);
    if (says) counts.heard++;
    if (!says || !soundsLike(says)) continue;
    counts.asked++;
    console.log(`  asked: ${one.member.path} and ${other.member.path}`, says);
  }
  const { alike, heard, asked } = counts;
  console.log(
    `\n${tried.length} of ${foreign.length} pairs of different songs laid by their fingerprints, at random: alike and so decoded and compared ${alike}, the sound says something of ${heard}, asked ${asked}`,
  );
}

function anyOf<Item>(items: readonly Item[], count: number): Item[] {
  const random = createRandom(1);
  return items
    .map((item) => ({ item, key: random.unit() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ item }) => item);
}

/** As the program chooses what it decodes. */
const isAlike = ({ share, runs }: Coarse) =>
  share >= 0.6 || runs.reduce((sum, { fromSec, toSec }) => sum + toSec - fromSec, 0) >= 20;

const fileOf = (path: string) => ({
  ...{ sha256: path, path, ffmpegPath },
  selfCommand: DUBPLATE,
});

const compare = (
  short: string,
  long: string,
  runs: { fromSec: number; toSec: number; offsetSec: number }[],
  sounds: Sounds,
) => {
  return compareFiles(
    { kind: "compare", short: fileOf(short), long: fileOf(long), runs },
    sounds,
    new AbortController().signal,
  );
};

/** Decodes each file once: what it decoded is beside it. */
const onDisk: Sounds = {
  async of(file, maxSec, signal) {
    const decoded = Bun.file(`${file.path}.${Math.round(maxSec)}.f32`);
    if (await decoded.exists()) return new Float32Array(await decoded.arrayBuffer());
    const samples = await createSounds().of(file, maxSec, signal);
    await Bun.write(decoded, samples);
    return samples;
  },
};

/** Measures each file once, although two libraries have it: what this analysis measured is in the folder. */
const measuring = createAnalysisPool();
const version = await workVersion();
const measuringOnce: AnalysisPool = {
  close: () => {},
  async run(task, signal) {
    const sound = Bun.hash(await Bun.file(task.path).bytes());
    const measured = Bun.file(join(folder, `${sound}-${Bun.hash(version)}.measured`));
    if (await measured.exists()) return deserialize(await measured.arrayBuffer());
    const outcome = await timed("measuring", () => measuring.run(task, signal));
    await Bun.write(measured, serialize(outcome));
    return outcome;
  },
};

async function printSpeed(): Promise<void> {
  const { members } = await songOf(0, 240);
  const [mix, instrumental] = members;
  if (!mix || !instrumental) return;
  const runs = [{ fromSec: 0, toSec: 240, offsetSec: 0 }];
  await compare(mix.path, instrumental.path, runs, createSounds());
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    await compare(mix.path, instrumental.path, runs, createSounds());
    times.push((performance.now() - startedAt) / 1000);
  }
  const sec = times.toSorted((a, b) => a - b)[2] ?? 0;
  console.log(
    `a pair of four minutes (WAV) takes ${sec.toFixed(1)} s: ${(480 / sec).toFixed(0)} times real time`,
  );
}

/** Prints what sums of untouched stems leave of their mixes, beside what is left of the samples themselves. */
async function printSums({ app, planted }: Library): Promise<void> {
  const reported = app.deps.db.$client.prepare<{ db: number }, [string]>(
    "SELECT residual_db AS db FROM family_signs WHERE asked_id = ? AND sound_kind = 'stem'",
  );
  const differences: number[] = [];
  const limited: number[] = [];
  for (const [song, files] of Map.groupBy(planted, (each) => each.song)) {
    const stems = files.filter(({ member }) => member.kind === "stem");
    const db = reported.get(stems[0]?.id ?? "")?.db;
    const mix = files[0]?.member.path;
    if (db === undefined || mix === undefined) console.log(`  stems of song ${song + 1} do not add up`);
    else if (extname(mix) === ".mp3") limited.push(db);
    else
      differences.push(
        db -
          (await leftOf(
            mix,
            stems.map(({ member }) => member.path),
          )),
      );
  }
  const most = (all: readonly number[]) => Math.max(...all).toFixed(2);
  console.log(
    `  sums of stems: of ${differences.length} untouched mixes what is left is reported within ${most(differences.map(Math.abs))} dB; ` +
      `of ${limited.length} limited ones ${most(limited)} dB are left at most`,
  );
}

/** Returns how much of a mix is left without its stems, dB. */
async function leftOf(mix: string, stems: readonly string[]): Promise<number> {
  const samples = (path: string) => onDisk.of(fileOf(path), 300, new AbortController().signal);
  const whole = await samples(mix);
  const rest = whole.slice();
  for (const stem of stems)
    for (const [at, sample] of (await samples(stem)).entries()) rest[at] = (rest[at] ?? 0) - sample;
  const energy = (all: Float32Array) => all.reduce((sum, sample) => sum + sample * sample, 0);
  return 10 * Math.log10(energy(rest) / energy(whole));
}

if (values.speed) await printSpeed();
else {
  const libraries = [await createLibrary(true), await createLibrary(false)];
  for (
    let number = 0;
    number < Number(values.songs) && performance.now() < Number(values.minutes) * 60_000;
    number++
  ) {
    const song = await timed("making", () => songOf(number, Number(values.seconds)));
    for (const library of libraries) await plant(library, song);
    console.error(`song ${number + 1}; so far ${stages()}`);
  }
  for (const library of libraries) {
    print(library.hasNames ? "By name and sound" : "By sound alone", library.planted, foundIn(library.app));
    if (library.hasNames) await printSums(library);
    else await timed("foreign", () => printForeign(library.app, library.planted));
    await library.app.close();
  }
  measuring.close();
  console.log(`\nIt took, in seconds: ${stages()}`);
}
if (values.keep === undefined && existsSync(folder)) console.error(folder);
