import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Db, transact } from "../../db/client.ts";
import smallChunks from "../../db/migrations/0060-small-chunks.sql" with { type: "text" };
import { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_VERSION } from "../../src/audio/analyzer.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { HEARD_TAGS } from "../../src/ears/tags.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { deleteTrack, transferTracks } from "../../src/modules/library/catalog/service.ts";
import {
  checkSounds,
  distancesTo,
  fillSome,
  packSounds,
  rebuildSounds,
  recoverSounds,
  requestSounds,
  SOUND_VERSION,
  soundsOf,
} from "../../src/modules/library/sounds/service.ts";
import { SOUND_DIMENSIONS } from "../../src/modules/library/sounds/sound-vector.ts";
import { deleteAccount } from "../../src/modules/whole/ownership/delete.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";
import { readSource, sourceFiles } from "../support/source.ts";
import { watchStatements } from "../support/statements.ts";

const seen = watchStatements();
const random = randomFrom("sounds");

/** Tracks as an analysis measures them, and the ears hear them. */
const measured = (count: number): LibraryTrack[] =>
  Array.from({ length: count }, (_, i) => ({
    title: `Song ${i}`,
    bpm: 60 + random() * 120,
    vector: Array.from({ length: DESCRIPTOR_DIMENSIONS }, () => random() - 0.5),
    vectorVersion: DESCRIPTOR_VERSION,
    ...(i % 4 > 0 && { heard: Array.from(HEARD_TAGS, () => -8 * random()) }),
    tags: { genres: [["Techno", "House", "Ambient"][i % 3] ?? ""], ...(i % 2 && { moods: ["Dark"] }) },
  }));

/** Makes the vectors of what was added as rows. */
function fill({ deps }: Pick<TestApp, "deps">, ownerId: string): void {
  transact(deps.db, (tx) => requestSounds(tx, ownerId, deps.now()));
  while (fillSome(deps.db));
}

const faultsIn = (db: Db) => {
  const faults: object[] = [];
  checkSounds(db, (fault) => faults.push(fault));
  return faults;
};
const rowsOf = (db: Db, ownerId: string): number[] =>
  db.$client
    .query<{ seq: number; ownerId: string }, []>("SELECT seq, owner_id AS ownerId FROM sound_vectors")
    .all()
    .filter((row) => row.ownerId === ownerId)
    .map(({ seq }) => seq)
    .sort((a, b) => a - b);
const seqsOf = (db: Db, ownerId: string): number[] =>
  db.$client
    .query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE owner_id = ? ORDER BY seq")
    .all(ownerId)
    .map(({ seq }) => seq);

test("the table of vectors is as wide as a sound", () => {
  expect(SOUND_DIMENSIONS).toBe(196);
});

describe("an answer that compares sounds", () => {
  let app: TestApp;
  let ownerId: string;
  let key: string;
  let ids: string[];
  beforeAll(async () => {
    app = await createTestApp();
    ownerId = app.createAccount().accountId;
    key = app.createKey(ownerId);
    ids = addTracks(app, ownerId, measured(240));
    fill(app, ownerId);
  });
  afterAll(() => app.close());

  const similarTo = async (trackId = "") =>
    (await app.as(key)("GET", `/tracks/similar?id=${trackId}&limit=10`)).body.data.results;
  const seqOf = (id = "") =>
    app.deps.db.$client.query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE id = ?").get(id)
      ?.seq ?? 0;

  test("is measured by sqlite-vec in the table of vectors", async () => {
    seen.size;
    await similarTo(ids[0]);

    const measures = [...seen].filter((sql) => /vec_distance_cosine\(v\.embedding/.test(sql));
    expect(measures.length).toBeGreaterThan(0);
    for (const sql of measures) expect(sql).toContain("CROSS JOIN sound_vectors v ON v.seq = t.seq");
  });

  test("follows what the table holds, not what it was made of", async () => {
    const { $client } = app.deps.db;
    const [nearest] = await similarTo(ids[1]);
    const before = soundsOf(app.deps.db, ownerId, [seqOf(nearest.id)]).get(seqOf(nearest.id))?.unit;
    const away = new Float32Array(SOUND_DIMENSIONS).fill(-1 / Math.sqrt(SOUND_DIMENSIONS));
    const put = (unit: Float32Array | undefined) =>
      $client.run("UPDATE sound_vectors SET embedding = ? WHERE seq = ?", [
        new Uint8Array((unit ?? away).slice().buffer),
        seqOf(nearest.id),
      ]);

    put(away);
    const moved = await similarTo(ids[1]);
    put(before);

    expect(moved[0].id).not.toBe(nearest.id);
    expect(await similarTo(ids[1])).toEqual(await similarTo(ids[1]));
    expect((await similarTo(ids[1]))[0].id).toBe(nearest.id);
  });

  test("is the same, in the same order, as one computed here: 60 random searches", async () => {
    const tasks = Array.from({ length: 60 }, (_, i) => {
      const seeds = [ids[Math.floor(random() * ids.length)], ids[Math.floor(random() * ids.length)]];
      const query = ["techno", "slower", "dark ambient", "with vocals", "house, 100-130 bpm"][i % 5] ?? "";
      return { query, limit: 50, ...(i % 3 > 0 && { seedTrackIds: seeds.slice(i % 2) }) };
    });
    const ask = async () => {
      const answers = [];
      for (const task of tasks)
        answers.push((await app.as(key)("POST", "/tracks/search", task)).body.data.results);
      for (const id of ids.slice(0, 30)) answers.push(await similarTo(id));
      return answers as { id: string; score: number }[][];
    };

    const stored = await ask();
    app.deps.db.$client.run("DELETE FROM sound_vectors");
    const computed = await ask();
    fill(app, ownerId);

    for (const [index, hits] of computed.entries()) {
      expect(stored[index]?.map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
      // Rounded to four places.
      for (const [place, { score }] of hits.entries())
        expect(Math.abs((stored[index]?.[place]?.score ?? 9) - score)).toBeLessThan(1.001e-4);
    }
    expect(computed.flat().length).toBeGreaterThan(1000);
  });

  test("a search measures as many tracks as it wants, then only others that could still come before the last of them", async () => {
    const { $client } = app.deps.db;
    const query = $client.query.bind($client);
    const lists: number[][] = [];
    $client.query = ((sql: string) => {
      const statement = query(sql);
      if (!sql.includes("vec_distance_cosine")) return statement;
      return {
        all(list: string, ...rest: never[]) {
          lists.push(JSON.parse(list));
          return statement.all(list, ...rest);
        },
      };
    }) as typeof $client.query;
    await app.as(key)("POST", "/tracks/search", { query: "techno", limit: 1 });
    $client.query = query;

    // One result, another, and thirty in the place of further versions of their songs.
    expect(lists[0]).toHaveLength(32);
    expect(lists.flat()).toHaveLength(new Set(lists.flat()).size);
  });

  test("measures to within a millionth, and nothing of another account", () => {
    const { db } = app.deps;
    const seqs = seqsOf(db, ownerId);
    const targets = [...soundsOf(db, ownerId, seqs.slice(0, 20)).values()];
    const stranger = app.createAccount().accountId;

    const measures = distancesTo(db, ownerId, targets, seqs);
    app.deps.db.$client.run("DELETE FROM sound_vectors");
    const computed = distancesTo(db, ownerId, targets, seqs);
    fill(app, ownerId);

    for (const [index, distances] of computed.entries())
      for (const [seq, distance] of distances)
        expect(Math.abs((measures[index]?.get(seq) ?? 9) - distance)).toBeLessThan(1e-6);
    expect(measures.map(({ size }) => size)).toEqual(targets.map(() => seqs.length));
    expect(distancesTo(db, stranger, targets, seqs).map(({ size }) => size)).toEqual(targets.map(() => 0));
    expect(soundsOf(db, stranger, seqs).size).toBe(0);
  });

  test("is whole while the vectors are still being made, and while those of an older version are replaced", async () => {
    const { db } = app.deps;
    const whole = await similarTo(ids[2]);
    const stages: unknown[] = [];
    for (const begin of [
      "DELETE FROM sound_vectors",
      // What another version of the program made: nothing of it may be compared.
      `UPDATE sound_vectors SET embedding = vec_normalize(vec_f32('[${Array(196).fill(1)}]')) WHERE seq = ?`,
    ]) {
      if (begin.endsWith("?")) for (const seq of rowsOf(db, ownerId)) db.$client.run(begin, [seq]);
      else db.$client.run(begin);
      db.$client.run("UPDATE vector_spaces SET version = 'older-' || id");
      stages.push(await similarTo(ids[2]));
      expect(recoverSounds(app.deps)).toBe(true);
      stages.push(await similarTo(ids[2]));
      await app.drainJobs();
      stages.push(await similarTo(ids[2]));
      expect(rowsOf(db, ownerId)).toEqual(seqsOf(db, ownerId));
      expect(faultsIn(db)).toEqual([]);
      expect(recoverSounds(app.deps)).toBe(false);
    }

    for (const stage of stages) expect(stage).toEqual(whole);
  });
});

describe("the vectors of a library", () => {
  let app: TestApp;
  let ownerId: string;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  const library = (count: number) => {
    ownerId = app.createAccount().accountId;
    const ids = addTracks(app, ownerId, measured(count));
    fill(app, ownerId);
    return ids;
  };

  test("are made 100 at a time, from where a killed program stopped", () => {
    const { db } = app.deps;
    ownerId = app.createAccount().accountId;
    addTracks(app, ownerId, measured(220));
    transact(db, (tx) => requestSounds(tx, ownerId, 0));

    const counts = [
      fillSome(db),
      rowsOf(db, ownerId).length,
      fillSome(db),
      rowsOf(db, ownerId).length,
      fillSome(db),
    ];

    expect(counts).toEqual([true, 100, true, 200, false]);
    expect(rowsOf(db, ownerId)).toEqual(seqsOf(db, ownerId));
  });

  test("go with their tracks", async () => {
    const ids = library(5);
    const { db } = app.deps;

    transact(db, (tx) => void deleteTrack(tx, ids[0] ?? ""));
    expect(rowsOf(db, ownerId)).toEqual(seqsOf(db, ownerId));
    expect(rowsOf(db, ownerId)).toHaveLength(4);
    const email = db.$client
      .query<{ email: string }, [string]>("SELECT email FROM people WHERE id = ?")
      .get(ownerId)?.email;
    // A vector whose track is gone goes with the account.
    db.$client.run(
      "INSERT INTO sound_vectors (seq, owner_id, embedding, space) SELECT 999999, owner_id, embedding, space FROM sound_vectors WHERE seq = ?",
      rowsOf(db, ownerId).slice(0, 1),
    );
    await deleteAccount(app.deps, { id: ownerId, email } as never);
    expect(rowsOf(db, ownerId)).toEqual([]);
    expect(faultsIn(db)).toEqual([]);
  });

  test("come back when an erasing deletion is rolled back", () => {
    const ids = library(3);
    const { db } = app.deps;

    expect(() =>
      transact(db, (tx) => {
        deleteTrack(tx, ids[0] ?? "");
        throw new Error("no");
      }),
    ).toThrow("no");

    expect(rowsOf(db, ownerId)).toEqual(seqsOf(db, ownerId));
  });

  test("go to another account with their tracks", () => {
    library(6);
    const { db } = app.deps;
    const from = ownerId;
    const to = app.createAccount().accountId;
    const before = [...soundsOf(db, from, seqsOf(db, from)).values()].map(({ unit }) => unit);

    transact(db, (tx) => transferTracks(tx, from, to));

    expect(rowsOf(db, from)).toEqual([]);
    expect(rowsOf(db, to)).toEqual(seqsOf(db, to));
    expect([...soundsOf(db, to, seqsOf(db, to)).values()].map(({ unit }) => unit)).toEqual(before);
    expect(faultsIn(db)).toEqual([]);
  });

  test("are moved together once a week, where deleted ones left much space", async () => {
    const { db } = app.deps;
    const ids = library(1600);
    const chunks = () =>
      db.$client
        .query<{ n: number }, [string]>(
          "SELECT count(*) AS n FROM sound_vectors_chunks WHERE partition00 = ?",
        )
        .get(ownerId)?.n;
    transact(db, (tx) => {
      for (const [index, id] of ids.entries()) if (index % 10 > 3) deleteTrack(tx, id);
    });
    const seqs = seqsOf(db, ownerId);
    const sounds = soundsOf(db, ownerId, seqs);
    const deps = { ...app.deps, now: () => app.clock.now() + 8 * DAY_MS };
    expect(chunks()).toBe(50);

    expect(await packSounds(deps)).toBe(0); // less than ten thousand
    const later = { ...app.deps, now: () => app.clock.now() + 16 * DAY_MS };
    const moved = await packSounds(later, { least: 500, share: 0.25 });

    expect(moved).toBeGreaterThan(0);
    expect(chunks()).toBeLessThanOrEqual(22);
    expect(await packSounds(later, { least: 0, share: 0 })).toBe(0); // looked at this week
    expect(rowsOf(db, ownerId)).toEqual(seqs);
    expect(soundsOf(db, ownerId, seqs)).toEqual(sounds);
    expect(faultsIn(db)).toEqual([]);
  });

  test("vectors lie in chunks of 32, which an upgraded library makes anew while answers stay as they are", async () => {
    library(40);
    const { db } = app.deps;
    const seqs = seqsOf(db, ownerId);
    const before = soundsOf(db, ownerId, seqs);

    db.$client.run(smallChunks);
    const during = soundsOf(db, ownerId, seqs);
    expect(rowsOf(db, ownerId)).toEqual([]);
    expect(recoverSounds(app.deps)).toBe(true);
    await app.drainJobs();

    expect([during, soundsOf(db, ownerId, seqs)]).toEqual([before, before]);
    expect(rowsOf(db, ownerId)).toEqual(seqs);
    expect(db.$client.query("SELECT DISTINCT size FROM sound_vectors_chunks").all()).toEqual([{ size: 32 }]);
    expect(faultsIn(db)).toEqual([]);
  });

  test("vectors that are missing, damaged or of no track are faults, and made again", () => {
    library(4);
    const { db } = app.deps;
    const [a = 0, b = 0, c = 0] = seqsOf(db, ownerId);
    const idOf = (seq: number) =>
      db.$client.query<{ id: string }, [number]>("SELECT id FROM tracks WHERE seq = ?").get(seq)?.id;
    db.$client.run("DELETE FROM sound_vectors WHERE seq = ?", [a]);
    db.$client.run("UPDATE sound_vectors SET embedding = vec_f32(zeroblob(784)) WHERE seq = ?", [b]);
    db.$client.run("DELETE FROM sound_vectors WHERE seq = ?", [c]);
    db.$client.run(
      "INSERT INTO sound_vectors (seq, owner_id, embedding, space) SELECT ?, 'usr_other', embedding, space FROM sound_vectors WHERE seq = ?",
      [c, c + 1],
    );
    db.$client.run(
      "INSERT INTO sound_vectors (seq, owner_id, embedding, space) SELECT 888888, owner_id, embedding, space FROM sound_vectors WHERE seq = ?",
      [c + 1],
    );

    const faults = faultsIn(db);
    rebuildSounds(db);

    expect(faults).toMatchObject([
      { kind: "dangling", id: String(c) },
      { kind: "dangling", id: "888888" },
      { kind: "missing", id: idOf(a) },
      { kind: "damaged", id: idOf(b) },
      { kind: "damaged", id: idOf(c) },
    ]);
    expect(faultsIn(db)).toEqual([]);
    expect(rowsOf(db, ownerId)).toEqual(seqsOf(db, ownerId));
  });
});

test("only queries of the sounds have SQL on the tables, and none of it searches all accounts", async () => {
  const users: string[] = [];
  for (const file of sourceFiles.filter((each) => /^(src|db)\/.*\.ts$/.test(each)))
    if (/\b(FROM|JOIN|INTO|UPDATE)\s+sound_vectors/.test(await readSource(file))) users.push(file);

  expect(users).toEqual(["db/client.ts", "src/modules/library/sounds/queries.ts"]);
  for (const file of users) {
    const source = await readSource(file);
    expect(source).not.toMatch(/\bMATCH\b/);
    // It would read every vector.
    expect(source).not.toMatch(/\bseq IN \(/);
  }
  expect(SOUND_VERSION).toStartWith(DESCRIPTOR_VERSION);
});
