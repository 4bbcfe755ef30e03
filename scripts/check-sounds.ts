/**
 * Checks the vectors that sounds are compared by, in a library that it makes.
 *
 * usage: bun scripts/check-sounds.ts [--searches 3000] [--kills 200] [--tracks 2000]
 * searches: random searches are answered by sqlite-vec, and then again by what is computed without its table: the same
 * tracks in the same order, distances within a millionth.
 * kills: another process fills, deletes and packs vectors and is killed at random; the table must be right each time.
 * Exit 1 when anything differs.
 */
import "./support/help.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Db, openDb, transact } from "../db/client.ts";
import { type Random, randomFrom } from "../src/demo/dsp/random.ts";
import { EARS_VERSION, HEARD_NUMBERS } from "../src/ears/tags.ts";
import { DAY_MS } from "../src/kernel/time.ts";
import { deleteTrack } from "../src/modules/library/catalog/service.ts";
import {
  checkSounds,
  distancesTo,
  fillSome,
  packSounds,
  requestSounds,
  soundsOf,
} from "../src/modules/library/sounds/service.ts";
import { createEngine, type SearchEngine } from "../src/modules/search/search/index/engine.ts";
import { QUERIES } from "./bench/search.ts";
import { addSearchLibrary } from "./bench/search-library.ts";
import { bytesOf } from "./search-rows.ts";

const OWNER = "usr_sounds";
const MAX_DIFFERENCE = 1e-6;
/** Scores are rounded to four places, and may be rounded apart. */
const SCORE_STEP = 1.001e-4;
/** Tracks from which the distances of all are measured. */
const TARGETS = 100;

const { values } = parseArgs({
  options: {
    searches: { type: "string", default: "3000" },
    kills: { type: "string", default: "200" },
    tracks: { type: "string", default: "2000" },
    worker: { type: "string" },
  },
});
if (values.worker !== undefined) await work(openDb(values.worker));
else process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-sounds-"));
  const path = join(folder, "dubplate.db");
  try {
    const db = openDb(path);
    makeLibrary(db, Number(values.tracks));
    const isSame = await compareSearches(db, Number(values.searches));
    db.$client.close();
    return (await killAtRandom(path, Number(values.kills))) && isSame;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeLibrary(db: Db, tracks: number): void {
  const random = randomFrom("check sounds");
  db.$client.run("INSERT INTO accounts (id, name, created_at) VALUES (?, 'Me', 0)", [OWNER]);
  addSearchLibrary({ db, now: Date.now }, OWNER, tracks);
  const put = db.$client.query(
    "INSERT INTO track_vectors (track_id, provider, version, dimensions, embedding) VALUES (?, 'ears', ?, ?, ?)",
  );
  transact(db, (tx) => {
    // Not every track was long enough to listen to.
    for (const id of idsOf(tx).filter((_, index) => index % 5 > 0))
      put.run(id, EARS_VERSION, HEARD_NUMBERS, bytesOf(logOdds(random)));
    requestSounds(tx, OWNER, 0);
  });
  while (fillSome(db));
}

function logOdds(random: Random): Float32Array {
  return Float32Array.from({ length: HEARD_NUMBERS }, () => -9 + 10 * random());
}

function idsOf({ $client }: Db): string[] {
  return $client
    .query<{ id: string }, []>("SELECT id FROM tracks ORDER BY seq")
    .all()
    .map(({ id }) => id);
}

type Answer = readonly { id: string; score: number }[];

async function compareSearches(db: Db, count: number): Promise<boolean> {
  const [stored, near] = [await answersOf(db, count), distancesOf(db)];
  db.$client.run("DELETE FROM sound_vectors");
  const [computed, far] = [await answersOf(db, count), distancesOf(db)];
  const apart = near.reduce((most, each, i) => Math.max(most, Math.abs(each - (far[i] ?? Number.NaN))), 0);
  let [worst, other] = [0, 0];
  for (const [index, answer] of computed.entries()) {
    const hits = stored[index] ?? [];
    if (answer.map(({ id }) => id).join() !== hits.map(({ id }) => id).join()) other++;
    for (const [place, { score }] of answer.entries())
      worst = Math.max(worst, Math.abs(score - (hits[place]?.score ?? Number.NaN)));
  }
  console.log(
    `${count} searches, ${computed.flat().length} results: ${other} in another order, scores differ by ${worst} at most, ${near.length} distances by ${apart}`,
  );
  return other === 0 && worst <= SCORE_STEP && apart <= MAX_DIFFERENCE;
}

/** The distances of every track from some, in the order of the tracks. */
function distancesOf(db: Db): number[] {
  const seqs = db.$client
    .query<{ seq: number }, []>("SELECT seq FROM tracks ORDER BY seq")
    .all()
    .map(({ seq }) => seq);
  const targets = [...soundsOf(db, OWNER, seqs.slice(0, TARGETS))].sort(([a], [b]) => a - b);
  const distances = distancesTo(
    db,
    OWNER,
    targets.map(([, sound]) => sound),
    seqs,
  );
  return distances.flatMap((each) => seqs.map((seq) => each.get(seq) ?? Number.NaN));
}

async function answersOf(db: Db, count: number): Promise<Answer[]> {
  const engine = createEngine(db);
  const random = randomFrom("random searches");
  const ids = idsOf(db);
  const answers: Answer[] = [];
  for (let index = 0; index < count; index++) answers.push(await answer(engine, ids, random));
  return answers;
}

async function answer(engine: SearchEngine, ids: readonly string[], random: Random): Promise<Answer> {
  const { signal } = new AbortController();
  const any = () => ids[Math.floor(random() * ids.length)] ?? "";
  if (random() < 0.3)
    return (await engine.similar({ ownerId: OWNER, trackId: any(), limit: 20 }, signal)) ?? [];
  const { query = "" } = (QUERIES[Math.floor(random() * QUERIES.length)] ?? {}) as { query?: string };
  const seedIds = Array.from({ length: Math.floor(random() * 4) }, any);
  const task = { ownerId: OWNER, query, filter: {}, seedIds, excludedIds: [], limit: 50 };
  return (await engine.search(task, signal)).hits;
}

async function killAtRandom(path: string, kills: number): Promise<boolean> {
  const random = randomFrom("kills");
  let wrong = 0;
  for (let kill = 0; kill < kills; kill++) {
    const child = Bun.spawn([process.execPath, import.meta.path, "--worker", path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await child.stdout.getReader().read();
    await Bun.sleep(random() * 150);
    child.kill("SIGKILL");
    await child.exited;
    const db = openDb(path);
    checkSounds(db, (fault) => {
      wrong++;
      console.log(JSON.stringify(fault));
    });
    db.$client.close();
  }
  console.log(`${kills} kills: ${wrong} faults`);
  return wrong === 0;
}

/** Fills, deletes and packs without an end, until it is killed. */
async function work(db: Db): Promise<void> {
  console.log("begun");
  for (let round = 1; ; round++) {
    transact(db, (tx) => {
      tx.$client.run("DELETE FROM sound_vectors WHERE seq % 3 = 0");
      requestSounds(tx, OWNER, 0);
    });
    while (fillSome(db));
    const gone = idsOf(db).slice(0, 3);
    transact(db, (tx) => {
      for (const id of gone) deleteTrack(tx, id);
    });
    await packSounds({ db, now: () => Date.now() + round * 8 * DAY_MS }, { least: 1, share: 0 });
  }
}
