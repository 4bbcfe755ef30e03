import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Db, transact } from "../../db/client.ts";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { PASSAGE_DIMENSIONS } from "../../src/audio/descriptors/passages.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { deleteTrack, transferTracks } from "../../src/modules/library/catalog/service.ts";
import {
  checkSounds,
  dropPassages,
  fillSome,
  packSounds,
  putPassages,
  rebuildSounds,
  requestSounds,
} from "../../src/modules/library/sounds/service.ts";
import { deleteAccount } from "../../src/modules/whole/ownership/delete.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { sine } from "../support/signals.ts";
import { readSource, sourceFiles } from "../support/source.ts";

const RATE_HZ = 22_050;
const random = randomFrom("passages");
const passage = () => Array.from({ length: PASSAGE_DIMENSIONS }, () => Math.round(random() * 254 - 127));
const SILENCE = Array<number>(PASSAGE_DIMENSIONS).fill(0);

function cosineOf(one: number[] = [], other: number[] = []): number {
  const dot = one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
  return dot / (Math.hypot(...one) * Math.hypot(...other));
}

function passagesOf(...parts: Float32Array[]): number[][] {
  const analyzer = createAnalyzer({ sampleRateHz: RATE_HZ, channels: 1 });
  for (const part of parts) analyzer.push(part);
  const { passages } = analyzer.finish();
  return Array.from({ length: passages.length / PASSAGE_DIMENSIONS }, (_, i) => [
    ...passages.subarray(i * PASSAGE_DIMENSIONS, (i + 1) * PASSAGE_DIMENSIONS),
  ]);
}

describe("an analysis", () => {
  test("measures every ten seconds, and a last passage from five seconds on", () => {
    const [low, high] = [sine(RATE_HZ, 10, 220), sine(RATE_HZ, 10, 3520)];
    const half = (sound: Float32Array, seconds: number) => sound.subarray(0, seconds * RATE_HZ);

    expect(passagesOf(low, high, half(low, 6))).toHaveLength(3);
    expect(passagesOf(low, high, half(low, 4))).toHaveLength(2);
    expect(passagesOf(half(low, 4))).toHaveLength(0);
    const [first, second, third] = passagesOf(low, high, half(low, 9));
    expect(cosineOf(first, third)).toBeGreaterThan(0.9);
    expect(cosineOf(first, second)).toBeLessThan(0.6);
  });

  test("says nothing of a passage without sound", () => {
    const [first, second] = passagesOf(sine(RATE_HZ, 10, 220), new Float32Array(10 * RATE_HZ));

    expect(first).not.toEqual(SILENCE);
    expect(second).toEqual(SILENCE);
  });
});

describe("the passages of a library", () => {
  let app: TestApp;
  let db: Db;
  let ownerId: string;
  beforeAll(async () => {
    app = await createTestApp();
    ({ db } = app.deps);
  });
  afterAll(() => app.close());

  const library = (count: number, each = 3) => {
    ownerId = app.createAccount().accountId;
    const ids = addTracks(
      app,
      ownerId,
      Array.from({ length: count }, (_, i) => ({
        title: `Song ${i}`,
        passages: Array.from({ length: each }, (_, n) => (n === 1 ? SILENCE : passage())),
      })),
    );
    transact(db, (tx) => requestSounds(tx, ownerId, 0));
    while (fillSome(db));
    return ids;
  };
  const rows = (of = ownerId) =>
    db.$client
      .query<{ id: number; ownerId: string; embedding: Uint8Array }, []>(
        "SELECT id, owner_id AS ownerId, embedding FROM passage_vectors",
      )
      .all()
      .filter((row) => row.ownerId === of)
      .sort((a, b) => a.id - b.id);
  const seqOf = (id = "") =>
    db.$client.query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE id = ?").get(id)?.seq ?? 0;
  const faults = () => {
    const found: object[] = [];
    checkSounds(db, (fault) => found.push(fault));
    return found;
  };

  test("have a row each, but for silence", () => {
    const [id] = library(1);

    expect(rows().map((row) => row.id)).toEqual([1024 * seqOf(id), 1024 * seqOf(id) + 2]);
    expect(faults()).toEqual([]);
  });

  test("are replaced by the next analysis, and go when there is nothing more to measure", () => {
    const [id = ""] = library(1);
    const again = [passage(), passage(), passage(), passage()];

    transact(db, (tx) => putPassages(tx, id, Int8Array.from(again.flat())));
    expect(rows().map(({ embedding }) => [...new Int8Array(embedding)])).toEqual(again);
    transact(db, (tx) => dropPassages(tx, id));
    expect(rows()).toEqual([]);
    expect(faults()).toEqual([]);
  });

  test("go with their tracks and with their account", async () => {
    const [first = ""] = library(3);

    transact(db, (tx) => void deleteTrack(tx, first));
    expect(rows()).toHaveLength(4);
    const email = db.$client
      .query<{ email: string }, [string]>("SELECT email FROM people WHERE id = ?")
      .get(ownerId)?.email;
    await deleteAccount(app.deps, { id: ownerId, email } as never);
    expect(rows()).toEqual([]);
    expect(faults()).toEqual([]);
  });

  test("go to another account with their tracks", () => {
    library(3);
    const before = rows().map(({ embedding }) => embedding);
    const [from, to] = [ownerId, app.createAccount().accountId];

    transact(db, (tx) => transferTracks(tx, from, to));

    expect(rows(from)).toEqual([]);
    expect(rows(to).map(({ embedding }) => embedding)).toEqual(before);
    expect(faults()).toEqual([]);
  });

  test("that are missing, damaged or of no track are faults, and made again", () => {
    const [a = "", b = ""] = library(3);
    const run = (sql: string, id: number) => db.$client.run(sql, [id]);
    run("DELETE FROM passage_vectors WHERE id = ?", 1024 * seqOf(a));
    for (const place of [1024 * 777777, 1024 * seqOf(b)]) {
      run("DELETE FROM passage_vectors WHERE id = ?", place);
      db.$client.run(
        "INSERT INTO passage_vectors (id, owner_id, embedding, space) VALUES (?, ?, vec_int8(?), 1)",
        [place, ownerId, new Uint8Array(Int8Array.from(passage()).buffer)],
      );
    }

    const found = faults();
    rebuildSounds(db);

    expect(found).toMatchObject([
      { kind: "dangling", id: "777777" },
      { kind: "missing", id: a },
      { kind: "damaged", id: b },
    ]);
    expect(rows()).toHaveLength(6);
    expect(faults()).toEqual([]);
  });

  test("are moved together once a week, where deleted ones left much space", async () => {
    const ids = library(120, 8);
    const places = () =>
      db.$client
        .query<{ n: number }, [string]>(
          "SELECT sum(size) AS n FROM passage_vectors_chunks WHERE partition00 = ?",
        )
        .get(ownerId)?.n ?? 0;
    const before = places();
    transact(db, (tx) => {
      for (const [i, id] of ids.entries()) if (i % 5 > 0) deleteTrack(tx, id);
    });
    const kept = rows();

    const later = { ...app.deps, now: () => app.clock.now() + 8 * DAY_MS };
    expect(await packSounds(later, { least: 100, share: 0.25 })).toBeGreaterThan(0);

    expect(places()).toBeLessThan(before);
    expect(rows()).toEqual(kept);
    expect(faults()).toEqual([]);
  });
});

test("only the sounds' own queries have SQL on the table, and search one account", async () => {
  const users: string[] = [];
  for (const file of sourceFiles.filter((each) => /^(src|db)\/.*\.ts$/.test(each)))
    if (/\b(FROM|JOIN|INTO|UPDATE)\s+passage_vectors\b/.test(await readSource(file))) users.push(file);

  expect(users).toEqual(["src/modules/library/sounds/passage-queries.ts"]);
  const source = await readSource(users[0] ?? "");
  for (const [, rest = ""] of source.matchAll(/\bMATCH\b([^;]*?)ORDER BY/g))
    expect(rest).toContain("owner_id = ?");
  // It would read every vector.
  expect(source).not.toMatch(/\bid IN \(/);
});
