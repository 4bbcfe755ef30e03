import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeTags } from "../../../src/modules/library/tags/service.ts";
import {
  createMirror,
  type Mirror,
  prepare,
  shardOf,
  slotOf,
} from "../../../src/modules/search/search/index/mirror.ts";
import { isWorn, type Shard } from "../../../src/modules/search/search/index/shard.ts";
import { tagNumber } from "../../../src/modules/search/search/index/tag-numbers.ts";
import { UNKNOWN_VOICE } from "../../../src/modules/search/search/index/voice.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addTracks, type LibraryTrack } from "../../support/library.ts";

let app: TestApp;
let ownerId: string;
let mirror: Mirror;
beforeEach(async () => {
  app = await createTestApp();
  ownerId = app.createAccount().accountId;
  mirror = createMirror(app.deps.db);
});
afterEach(() => app.close());

const add = (...tracks: LibraryTrack[]) => addTracks(app, ownerId, tracks);
const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.run(sql, values);
const seqOf = (id: string) =>
  app.deps.db.$client.query<{ seq: number }, [string]>("SELECT seq FROM tracks WHERE id = ?").get(id)?.seq ??
  0;
const slotIn = (shard: Shard, id: string) => slotOf(mirror, shard, seqOf(id));

async function shard(owner = ownerId): Promise<Shard> {
  await prepare(mirror, owner);
  return shardOf(mirror, owner);
}

/** Returns the tracks in the shard with a tag. */
function carriers({ tags, columns }: Shard, tagId: string): number[] {
  const postings = tags[tagNumber(tagId) ?? -1];
  return Array.from(postings?.slots.subarray(0, postings.length) ?? []).filter(
    (slot) => columns.isAlive[slot] === 1,
  );
}

describe("the mirror", () => {
  test("contains the account's analysed tracks with their stored data", async () => {
    const [id = ""] = add(
      { bpm: 122.5, durationSec: 61.25, key: "Gbm", energy: 0.5, language: "Spanish", vector: [3, 4] },
      { analysed: false },
    );
    addTracks(app, app.createAccount().accountId, [{}]);

    const own = await shard();

    const slot = slotIn(own, id);
    expect([own.alive, slot]).toEqual([1, 0]);
    expect([own.columns.bpm[slot], own.columns.durationSec[slot], own.columns.energy[slot]]).toEqual([
      122.5, 61.25, 0.5,
    ]);
    expect(own.columns.voice[slot]).toBe(UNKNOWN_VOICE);
    expect([...own.spaces.keys()]).toEqual(["1 2"]);
  });

  test.each<[string, LibraryTrack, (own: Shard, slot: number) => unknown, (id: string) => void, unknown]>([
    [
      "a tempo",
      { bpm: 100 },
      (own, slot) => own.columns.bpm[slot],
      (id) => run("UPDATE tracks SET bpm = 101 WHERE id = ?", id),
      101,
    ],
    [
      "a tag",
      {},
      (own) => carriers(own, "tag_genre_techno").length,
      (id) => writeTags(app.deps.db, ownerId, id, "genres", ["Techno"], "owner"),
      1,
    ],
    [
      "a removed tag",
      { tags: { genres: ["Techno"] } },
      (own) => carriers(own, "tag_genre_techno").length,
      (id) => writeTags(app.deps.db, ownerId, id, "genres", [], "owner"),
      0,
    ],
    [
      "a suggestion",
      {},
      (own) => carriers(own, "tag_genre_techno").length,
      (id) =>
        run("INSERT INTO tag_suggestions VALUES (?, 'genres', 'tag_genre_techno', 'Techno', 0.9, '1')", id),
      1,
    ],
    [
      "lyrics",
      {},
      (own, slot) => own.columns.voice[slot],
      (id) => run("UPDATE tracks SET lyrics = 'words' WHERE id = ?", id),
      1,
    ],
    [
      "a measured energy",
      { energy: 0.25 },
      (own, slot) => own.columns.energy[slot],
      (id) => run(`UPDATE analyses SET features = '{"energy":0.75}' WHERE track_id = ?`, id),
      0.75,
    ],
    [
      "a detected voice",
      {},
      (own, slot) => own.columns.voice[slot],
      (id) => run(`UPDATE analyses SET features = '{"voiceLikelihood":0.95}' WHERE track_id = ?`, id),
      1,
    ],
    [
      "a vector",
      { vector: [1, 0] },
      (own) => own.spaces.get("1 2")?.alive,
      (id) => run("DELETE FROM track_vectors WHERE track_id = ?", id),
      0,
    ],
    ["a deleted track", {}, (own) => own.alive, (id) => run("DELETE FROM tracks WHERE id = ?", id), 0],
    [
      "a first analysis",
      { analysed: false },
      (own) => own.alive,
      (id) => run("UPDATE tracks SET analysis_version_id = active_version_id WHERE id = ?", id),
      1,
    ],
  ])("has %s as soon as it is committed", async (_, track, look, change, expected) => {
    const [id = ""] = add(track);
    await shard();

    change(id);

    const own = await shard();
    expect(look(own, Math.max(0, slotIn(own, id)))).toBe(expected as never);
  });

  test("forgets a deleted track when another account's comes after it", async () => {
    const [gone = ""] = add({ bpm: 90 });
    const stranger = app.createAccount().accountId;
    await shard();
    run("DELETE FROM tracks WHERE id = ?", gone);
    addTracks(app, stranger, [{ bpm: 140 }]);

    const [own, other] = [await shard(), await shard(stranger)];

    expect([own.alive, other.alive]).toEqual([0, 1]);
  });

  test("does not find another account's track", async () => {
    const [mine = ""] = add({});
    const stranger = app.createAccount().accountId;
    const [theirs = ""] = addTracks(app, stranger, [{}]);

    const [own, other] = [await shard(), await shard(stranger)];

    expect([slotIn(own, mine), slotIn(own, theirs)]).toEqual([0, -1]);
    expect([slotIn(other, mine), slotIn(other, theirs)]).toEqual([-1, 0]);
  });

  test("follows many changes, and reads an account again when deleted rows outweigh", async () => {
    const ids = add(...Array.from({ length: 2100 }, (_, index) => ({ bpm: 60 + (index % 60) })));
    const before = await shard();
    run("UPDATE tracks SET bpm = bpm + 100 WHERE seq % 2 = 0");
    const follows = await shard();
    expect([follows === before, follows.alive, isWorn(follows)]).toEqual([true, 2100, false]);
    run("UPDATE tracks SET bpm = bpm + 100 WHERE seq % 2 = 1");
    expect(isWorn(await shard())).toBe(true);

    const after = await shard();

    expect([after.alive, after.length < 4200, isWorn(after)]).toEqual([2100, true, false]);
    for (const id of ids) expect(after.columns.bpm[slotIn(after, id)]).toBeGreaterThan(159);
  });

  test("keeps the most recently used accounts that fit", async () => {
    mirror = createMirror(app.deps.db, 5);
    const owners = [ownerId, app.createAccount().accountId, app.createAccount().accountId];
    for (const owner of owners) addTracks(app, owner, [{}, {}]);

    for (const owner of owners) await shard(owner);

    expect([...mirror.shards.keys()]).toEqual(owners.slice(1));
    expect((await shard()).alive).toBe(2);
  });

  test("is read once for requests at the same time", async () => {
    add({}, {});

    const shards = await Promise.all([shard(), shard(), shard()]);

    expect(new Set(shards).size).toBe(1);
    expect(shards[0]?.length).toBe(2);
  });
});
