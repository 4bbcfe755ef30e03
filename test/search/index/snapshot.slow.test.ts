import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Random, randomFrom } from "../../../src/demo/dsp/random.ts";
import { contentVersion } from "../../../src/modules/search/search/index/content-version.ts";
import { keep } from "../../../src/modules/search/search/index/keeper.ts";
import { createMirror, prepare, shardOf } from "../../../src/modules/search/search/index/mirror.ts";
import { piecesOf } from "../../../src/modules/search/search/index/snapshot.ts";
import {
  acceptSnapshot,
  listUnkept,
  snapshotFolder,
  sweepSnapshots,
} from "../../../src/modules/search/search/index/snapshots.ts";
import {
  add,
  ask,
  askDatabase,
  changeSomething,
  createFileLibrary,
  type FileLibrary,
  keepIndex,
  OWNERS,
  randomTrack,
} from "./file-library.ts";

const READ = "Read a search index from its file";
const USELESS = "The file of a search index cannot be used; the database is read instead";
const [OWNER, OTHER] = OWNERS;
/** For more, run `ROUNDS=50 bun test test/search/index/snapshot.slow.test.ts`. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);

let library: FileLibrary;
beforeEach(() => {
  library = createFileLibrary();
});
afterEach(() => library.close());

const addRandom = (seed: string, count: number, ownerId: string = OWNER) => {
  const random = randomFrom(seed);
  return add(
    library,
    ownerId,
    Array.from({ length: count }, () => randomTrack(random)),
  );
};
const changeThings = (count: number, random: Random) => {
  for (let change = 0; change < count; change++) changeSomething(library, random);
};
const file = () => library.files()[0] ?? "";

describe("an account with an index read from a file", () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => `round ${round}`))(
    "answers as if read from the database, whatever changed since (%s)",
    async (seed) => {
      const random = randomFrom(seed);
      for (const owner of OWNERS) addRandom(`${seed} ${owner}`, 60, owner);
      for (const owner of OWNERS) await keepIndex(library, owner);

      for (let restart = 0; restart < 4; restart++) {
        changeThings(Math.floor(random() * 60), random);
        for (const owner of OWNERS) {
          const { answers, logged } = await ask(library, owner);

          expect(logged).toEqual([READ]);
          expect(answers).toEqual(await askDatabase(library, owner));
        }
        // Some files are old, others are recent.
        if (random() < 0.5) await keepIndex(library, OWNER);
      }
    },
  );

  test("has the current vectors of its tracks", async () => {
    addRandom("vectors", 20);
    await keepIndex(library, OWNER);
    library.db.$client.run("UPDATE track_vectors SET version = '2'");

    const { answers, logged } = await ask(library, OWNER);

    expect(logged).toEqual([READ]);
    expect(answers).toEqual(await askDatabase(library, OWNER));
  });

  test("has the changes made during and after the writing of the file", async () => {
    for (const owner of OWNERS) addRandom(`before ${owner}`, 300, owner);
    const mirror = createMirror(library.db);
    await prepare(mirror, OWNER);
    const shard = shardOf(mirror, OWNER);

    const writing = keep(shard, snapshotFolder(library.db) ?? "");
    const random = randomFrom("meanwhile");
    for (let change = 0; change < 200; change++) {
      changeSomething({ db: library.db }, random);
      shardOf(mirror, OWNER);
      await setImmediate();
    }
    acceptSnapshot(library.db, await writing);

    const { answers, logged } = await ask(library, OWNER);
    expect(logged).toEqual([READ]);
    expect(answers).toEqual(await askDatabase(library, OWNER));
  });
});

describe("a file of a search index", () => {
  test("can be read only by its owner", async () => {
    addRandom("private", 3);
    await keepIndex(library, OWNER);

    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(snapshotFolder(library.db) ?? "").mode & 0o777).toBe(0o700);
  });

  test("replaces the previous one", async () => {
    addRandom("twice", 3);
    await keepIndex(library, OWNER);
    const former = file();

    await keepIndex(library, OWNER);

    expect(library.files().length).toBe(1);
    expect(file()).not.toBe(former);
  });

  test("a file with any flipped bit is not used, and answers stay the same", async () => {
    addRandom("bits", 80);
    await keepIndex(library, OWNER);
    const whole = readFileSync(file());
    const expected = await askDatabase(library, OWNER);
    const random = randomFrom("bits");

    for (let round = 0; round < ROUNDS * 30; round++) {
      const damaged = Buffer.from(whole);
      // The header is small: every other flip is in its beginning.
      const at = Math.floor(random() * (round % 2 === 0 ? 64 : whole.length));
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
      writeFileSync(file(), damaged);
      const mirror = createMirror(library.db, 10 ** 6, (level, message) => logged.push([level, message]));
      const logged: string[][] = [];

      await prepare(mirror, OWNER);

      expect(logged).toEqual([["warn", USELESS]]);
      expect(shardOf(mirror, OWNER).alive).toBe(80);
    }
    expect((await ask(library, OWNER)).answers).toEqual(expected);
  });

  test.each<[string, () => void]>([
    ["is missing", () => rmSync(file())],
    ["is empty", () => truncateSync(file(), 0)],
    ["is cut off in its header", () => truncateSync(file(), 40)],
    ["is cut off in its arrays", () => truncateSync(file(), statSync(file()).size - 100)],
    ["has data after its end", () => writeFileSync(file(), "more", { flag: "a" })],
    ["has other content", () => writeFileSync(file(), "something else that is longer than a prefix")],
    ["is a folder", () => mkdirSync(rm(file()))],
    ["belongs to another account", () => copyFileSync(library.files().find(isOthers) ?? "", mine())],
  ])("that %s is not used, and answers stay the same", async (_, damage) => {
    addRandom("one", 30);
    addRandom("other", 30, OTHER);
    await keepIndex(library, OWNER);
    const expected = await askDatabase(library, OWNER);
    if (_.includes("another account")) await keepIndex(library, OTHER);

    damage();

    const { answers, logged } = await ask(library, OWNER);
    expect(logged).toEqual([USELESS]);
    expect(answers).toEqual(expected);
  });

  const rm = (path: string) => {
    rmSync(path);
    return path;
  };
  const nameOf = (ownerId: string) =>
    library.db.$client
      .query<{ name: string }, [string]>("SELECT name FROM search_snapshots WHERE owner_id = ?")
      .get(ownerId)?.name ?? "";
  const isOthers = (path: string) => path.endsWith(nameOf(OTHER));
  const mine = () => join(snapshotFolder(library.db) ?? "", nameOf(OWNER));

  test.each(["0-1-1-older", "99-9-9-newer"])(
    "written by another version of the program (%s) is not used",
    async (content) => {
      addRandom("version", 30);
      await keepIndex(library, OWNER);

      library.db.$client.run("UPDATE search_snapshots SET content = ?", [content]);

      const { answers, logged } = await ask(library, OWNER);
      expect(logged).toEqual([]);
      expect(answers).toEqual(await askDatabase(library, OWNER));
    },
  );

  test("has a format number for its content", async () => {
    add(library, OWNER, [
      { bpm: 120.5, durationSec: 90, key: "Gbm", energy: 0.25, createdAt: 1000, vector: [1, 2, 3, 4, 5] },
      {
        lyrics: "words",
        voiceLikelihood: 0.95,
        createdAt: 2000,
        tags: { genres: ["Techno"], moods: ["Dark"] },
      },
      {
        language: "French",
        voiceLikelihood: 0.05,
        durationSec: 200,
        createdAt: 3000,
        vector: [0, 0, 0, 0, 1],
      },
    ]);
    library.db.$client.run(
      "INSERT INTO tag_suggestions SELECT id, 'genres', 'tag_genre_techno', 'Techno', 0.9, '1' FROM tracks WHERE language IS NOT NULL",
    );
    const mirror = createMirror(library.db);
    await prepare(mirror, OWNER);

    const bytes = Buffer.concat([...piecesOf(shardOf(mirror, OWNER))].map((piece) => Buffer.from(piece)));

    // If this fails, the program no longer writes the same content as older versions. Raise FORMAT in snapshot.ts,
    // unless only the taxonomy has changed, and put both new values here.
    const [format] = contentVersion().split("-");
    expect([format, Bun.hash.xxHash64(bytes).toString(16)]).toEqual(["9", "16f9cbb1e6e4a01a"]);
  });
});

describe("a database restored from a backup", () => {
  test.each([
    ["from before the file was written", async () => {}],
    ["from when there was an older file", async () => keepIndex(library, OWNER)],
  ])("a database beside a newer file (%s) does not use it", async (_, before) => {
    const random = randomFrom("restored");
    for (const owner of OWNERS) addRandom(`restored ${owner}`, 60, owner);
    await before();
    library.reopen(() => copyFileSync(library.path, join(library.folder, "backup")));
    changeThings(100, random);
    await keepIndex(library, OWNER);

    library.reopen(() => copyFileSync(join(library.folder, "backup"), library.path));
    sweepSnapshots(library.db);
    // As many changes as the first time, but different ones: their numbers are the same.
    const others = randomFrom("other changes");
    changeThings(150, others);

    const { answers, logged } = await ask(library, OWNER);
    expect(logged).not.toContain(READ);
    expect(answers).toEqual(await askDatabase(library, OWNER));
  });

  test("a database from after the file was written uses it", async () => {
    const random = randomFrom("backup with file");
    for (const owner of OWNERS) addRandom(`backup ${owner}`, 60, owner);
    await keepIndex(library, OWNER);
    changeThings(20, random);
    library.reopen(() => copyFileSync(library.path, join(library.folder, "backup")));
    changeThings(100, random);

    library.reopen(() => copyFileSync(join(library.folder, "backup"), library.path));
    changeThings(50, random);

    const { answers, logged } = await ask(library, OWNER);
    expect(logged).toEqual([READ]);
    expect(answers).toEqual(await askDatabase(library, OWNER));
  });
});

describe("a program killed while it wrote a file", () => {
  test.each([1, 8])("leaves no wrong data behind (file %d)", async (files) => {
    for (const owner of OWNERS) addRandom(`killed ${owner}`, 200, owner);
    const child = Bun.spawn(
      [
        process.execPath,
        Bun.fileURLToPath(new URL("./write-and-die.ts", import.meta.url)),
        library.path,
        `killed ${files}`,
      ],
      { stdout: "pipe", stderr: "inherit" },
    );

    let written = 0;
    for await (const bytes of child.stdout) {
      written += new TextDecoder().decode(bytes).split("\n").length - 1;
      if (written >= files) break;
    }
    child.kill("SIGKILL");
    await child.exited;

    library.reopen();
    sweepSnapshots(library.db);
    const { answers, logged } = await ask(library, OWNER);
    expect(logged).not.toContain(USELESS);
    expect(answers).toEqual(await askDatabase(library, OWNER));
    expect(library.files().length).toBeLessThan(2);
  });
});

describe("files without an account", () => {
  test("files of a deleted account and of a crash are deleted at the next start", async () => {
    for (const owner of OWNERS) {
      addRandom(owner, 3, owner);
      await keepIndex(library, owner);
    }
    const [stray, kept] = [join(snapshotFolder(library.db) ?? "", "stray"), library.files()];
    writeFileSync(stray, "half of a file");
    library.db.$client.run("DELETE FROM accounts WHERE id = ?", [OTHER]);

    sweepSnapshots(library.db);

    expect([library.files().length, kept.length]).toEqual([1, 2]);
    expect((await ask(library, OWNER)).logged).toEqual([READ]);
  });

  test("a file is not kept for an account deleted while it was being written", async () => {
    addRandom("going", 3);
    const mirror = createMirror(library.db);
    await prepare(mirror, OWNER);
    const row = await keep(shardOf(mirror, OWNER), snapshotFolder(library.db) ?? "");
    library.db.$client.run("DELETE FROM accounts WHERE id = ?", [OWNER]);

    expect(() => acceptSnapshot(library.db, row)).toThrow();
    expect(library.files()).toEqual([]);
  });
});

test("only large accounts without a recent file are read at a start", async () => {
  addRandom("large", 2100);
  addRandom("small", 10, OTHER);
  expect(listUnkept(library.db)).toEqual([OWNER]);

  await keepIndex(library, OWNER);
  library.db.$client.run("UPDATE tracks SET bpm = 99 WHERE seq <= 900");
  expect(listUnkept(library.db)).toEqual([]);

  library.db.$client.run("UPDATE tracks SET bpm = 99 WHERE seq > 900");
  expect(listUnkept(library.db)).toEqual([OWNER]);
});
