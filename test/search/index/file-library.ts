import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDb } from "../../../db/client.ts";
import { TAXONOMY } from "../../../db/taxonomy.ts";
import type { Random } from "../../../src/demo/dsp/random.ts";
import { writeTags } from "../../../src/modules/library/tags/service.ts";
import { createEngine } from "../../../src/modules/search/search/index/engine.ts";
import { keep } from "../../../src/modules/search/search/index/keeper.ts";
import {
  createMirror,
  MAX_TRACKS,
  prepare,
  shardOf,
} from "../../../src/modules/search/search/index/mirror.ts";
import { acceptSnapshot, snapshotFolder } from "../../../src/modules/search/search/index/snapshots.ts";
import type { TestApp } from "../../support/app.ts";
import { openEmptyAt } from "../../support/empty-library.ts";
import { addTracks, type LibraryTrack } from "../../support/library.ts";

export const OWNERS = ["usr_one", "usr_two"] as const;

const GENRES = TAXONOMY.genres.slice(0, 12).map(({ name }) => name);
const MOODS = TAXONOMY.moods.slice(0, 12).map(({ name }) => name);
const INSTRUMENTS = TAXONOMY.instruments.slice(0, 12).map(({ name }) => name);
const KEYS = ["A minor", "C major", "Gbm", "D dorian", "no key"];
const LYRICS = [
  "the night bus takes me home through rain and empty streets again my love and all the lights are red",
  "la nuit tombe sur la ville et je marche seul dans les rues vides sans savoir pourquoi je suis là",
  "  ",
];
const QUERIES = [
  `${GENRES[0]} and ${MOODS[0]}, about 120 bpm, no vocals`,
  `not ${GENRES[1]}, ${MOODS[1]} with ${INSTRUMENTS[0]}, in French`,
  "something with harbour in the words, energetic, A minor",
];
const FILTERS = [{}, { bpmRange: [100, 140] as const }, { language: "fr" }, { bpmRange: [1, 2] as const }];

/** Makes a library in a file with two accounts, with files of the search index beside it. */
export function createFileLibrary() {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-index-"));
  const path = join(folder, "dubplate.db");
  // A test needs no durability.
  const fast = (opened: Db) => {
    opened.$client.run("PRAGMA synchronous = OFF");
    return opened;
  };
  let db = fast(openEmptyAt(path));
  for (const id of OWNERS)
    db.$client.run("INSERT INTO accounts (id, name, created_at) VALUES (?, 'A', 1)", [id]);
  return {
    folder,
    path,
    get db() {
      return db;
    },
    /** Returns the names of the index files. */
    files() {
      const place = snapshotFolder(db) ?? "";
      return existsSync(place) ? readdirSync(place).map((name) => join(place, name)) : [];
    },
    /** Closes the database, runs `change`, and opens it again. */
    reopen(change: () => void = () => {}) {
      db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
      db.$client.close();
      change();
      db = fast(openDb(path));
    },
    close() {
      db.$client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type FileLibrary = ReturnType<typeof createFileLibrary>;

/** Adds tracks to an account as uploads and analyses would. */
export function add(
  { db }: Pick<FileLibrary, "db">,
  ownerId: string,
  tracks: readonly LibraryTrack[],
): string[] {
  // Only the database of the app is used.
  return addTracks({ deps: { db } } as TestApp, ownerId, tracks);
}

/** Writes an account's index to a file, as the search thread does after a search. */
export async function keepIndex({ db }: Pick<FileLibrary, "db">, ownerId: string): Promise<void> {
  const mirror = createMirror(db);
  await prepare(mirror, ownerId);
  acceptSnapshot(db, await keep(shardOf(mirror, ownerId), snapshotFolder(db) ?? ""));
}

/** Returns the answers of a new mirror to some searches, and its log. */
export async function ask({ db }: Pick<FileLibrary, "db">, ownerId: string) {
  const logged: { message: string; fields: Record<string, unknown> }[] = [];
  const mirror = createMirror(db, MAX_TRACKS, (_, message, fields = {}) => logged.push({ message, fields }));
  const engine = createEngine(db, mirror);
  const answers: unknown[] = [];
  for (const query of QUERIES)
    for (const filter of FILTERS) {
      const task = { ownerId, query, filter, seedIds: [], excludedIds: [], limit: 40 };
      const { hits, interpretation } = await engine.search(task, new AbortController().signal);
      answers.push({ hits, interpretation });
    }
  return {
    answers,
    logged: logged.map(({ message }) => message),
    reasons: logged.map(({ fields }) => fields.reason),
  };
}

/** Returns the answers to the same searches read only from the database. */
export async function askDatabase(library: Pick<FileLibrary, "db">, ownerId: string): Promise<unknown[]> {
  const { $client } = library.db;
  $client.run("CREATE TEMP TABLE put_by AS SELECT * FROM search_snapshots");
  $client.run("DELETE FROM search_snapshots");
  const { answers, logged } = await ask(library, ownerId);
  $client.run("INSERT INTO search_snapshots SELECT * FROM put_by");
  $client.run("DROP TABLE put_by");
  if (logged.length > 0) throw new Error(`The answers were not read only from the database: ${logged}`);
  return answers;
}

/** Changes a library in one of the ways that the product does. */
export function changeSomething({ db }: Pick<FileLibrary, "db">, random: Random): void {
  const ownerId = pick(OWNERS, random);
  const ids = db.$client
    .query<{ id: string }, [string]>("SELECT id FROM tracks WHERE owner_id = ? ORDER BY seq")
    .all(ownerId)
    .map(({ id }) => id);
  // The newest track more often than others, because the next track reuses its number.
  const id = random() < 0.2 ? (ids.at(-1) ?? "") : pick(ids, random);
  pick(CHANGES, random)({ db, ownerId, id, random });
}

type Change = (of: { db: Db; ownerId: string; id: string; random: Random }) => unknown;

const CHANGES: readonly Change[] = [
  ({ db, ownerId, random }) => add({ db }, ownerId, [randomTrack(random)]),
  ({ db, id }) => db.$client.run("DELETE FROM tracks WHERE id = ?", [id]),
  ({ db, id, random }) => db.$client.run("UPDATE tracks SET bpm = ? WHERE id = ?", [60 + random() * 120, id]),
  ({ db, id, random }) => db.$client.run("UPDATE tracks SET key = ? WHERE id = ?", [pick(KEYS, random), id]),
  ({ db, id, random }) =>
    db.$client.run("UPDATE tracks SET lyrics = ? WHERE id = ?", [pick(LYRICS, random), id]),
  ({ db, id, random }) =>
    db.$client.run("UPDATE tracks SET language = ? WHERE id = ?", [
      pick(["French", "English", ""], random),
      id,
    ]),
  ({ db, ownerId, id, random }) => writeTags(db, ownerId, id, "genres", [pick(GENRES, random)], "owner"),
  ({ db, ownerId, id, random }) => writeTags(db, ownerId, id, "moods", some(MOODS, random), "owner"),
  ({ db, ownerId, id }) => writeTags(db, ownerId, id, "instruments", [], "owner"),
  ({ db, ownerId, id }) => writeTags(db, ownerId, id, "tags", ["harbour"], "owner"),
  ({ db, id, random }) => {
    const { id: tagId, name } = TAXONOMY.genres[Math.floor(random() * 12)] ?? { id: "", name: "" };
    db.$client.run("INSERT OR REPLACE INTO tag_suggestions VALUES (?, 'genres', ?, ?, ?, '1')", [
      id,
      tagId,
      name,
      random(),
    ]);
  },
  ({ db, id }) => db.$client.run("DELETE FROM tag_suggestions WHERE track_id = ?", [id]),
  // A new analysis, by the same program or by one with other vectors.
  ({ db, id, random }) => setVector(db, id, "1", random),
  ({ db, id, random }) => setVector(db, id, "2", random),
  ({ db, id, random }) =>
    db.$client.run("UPDATE analyses SET features = ? WHERE track_id = ?", [
      JSON.stringify({ energy: random(), voiceLikelihood: random() }),
      id,
    ]),
  ({ db, id }) => db.$client.run("DELETE FROM analyses WHERE track_id = ?", [id]),
];

function setVector(db: Db, id: string, version: string, random: Random): void {
  db.$client.run(
    "INSERT OR REPLACE INTO track_vectors (track_id, provider, version, dimensions, embedding) VALUES (?, 'descriptors', ?, 5, ?)",
    [id, version, Buffer.from(Float32Array.from(randomVector(random)).buffer)],
  );
}

/** Returns an analysed track with values of every kind. */
export function randomTrack(random: Random): LibraryTrack {
  return {
    title: `Track ${Math.floor(random() * 1000)}`,
    bpm: 60 + random() * 120,
    durationSec: 60 + random() * 240,
    key: pick(KEYS, random),
    energy: random(),
    voiceLikelihood: random(),
    createdAt: Date.UTC(2026, 0, 1) + Math.floor(random() * 10 ** 10),
    notes: random() < 0.2 ? "for the harbour film" : "",
    ...(random() < 0.4 && { lyrics: pick(LYRICS, random) }),
    ...(random() < 0.9 && { vector: randomVector(random) }),
    tags: {
      genres: [pick(GENRES, random)],
      moods: some(MOODS, random),
      instruments: some(INSTRUMENTS, random),
    },
  };
}

const randomVector = (random: Random) => Array.from({ length: 5 }, () => random() - 0.4);

const some = (values: readonly string[], random: Random) => values.filter(() => random() < 0.2);

function pick<Value>(values: readonly Value[], random: Random): Value {
  return values[Math.floor(random() * values.length)] as Value;
}
