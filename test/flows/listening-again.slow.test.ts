import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { blobPath } from "../../src/blobs/store.ts";
import { EARS_VERSION } from "../../src/ears/tags.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { startWorkers } from "../../src/workers.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { chordProgression, drumLoop, wavBytes } from "../support/signals.ts";

const RATE_HZ = 11_025;
/** Long enough for the ears, which leave out stings. */
const SECONDS = 13;

/** A beat and chords in a key of their own, so that no two are the same recording. */
function song(tonic: number, seconds = SECONDS): Blob {
  const drums = drumLoop(RATE_HZ, seconds, 110 + tonic);
  const chords = chordProgression(RATE_HZ, seconds, { tonic, minor: tonic % 2 === 1 });
  const samples = drums.map((sample, i) => 0.4 * sample + (chords[i] ?? 0));
  return new Blob([wavBytes([samples], RATE_HZ, 16)]);
}

function formOf(songs: readonly (readonly [name: string, Blob])[]): FormData {
  const form = new FormData();
  for (const [name, bytes] of songs) form.append("files", bytes, name);
  return form;
}

describe("a library that was analysed before the ears", () => {
  let app: TestApp;
  let api: ReturnType<TestApp["as"]>;
  let token: string;
  let ids: string[];
  /** The tracks in the order in which they were heard since the library was made old. */
  const heard = () =>
    app.deps.db.$client
      .query<{ id: string }, []>("SELECT id FROM heard_order ORDER BY rowid")
      .all()
      .map(({ id }) => id);
  const run = (sql: string) => app.deps.db.$client.run(sql);
  const makeOld = () => {
    run(
      "DELETE FROM track_vectors WHERE provider = 'ears' AND track_id IN (SELECT id FROM tracks WHERE seq % 2)",
    );
    run(
      "UPDATE track_vectors SET version = 'older', embedding = x'', dimensions = 0 WHERE provider = 'ears'",
    );
    run("DELETE FROM heard_order");
    app.clock.advance(DAY_MS);
  };
  const upload = async (...songs: (readonly [string, Blob])[]): Promise<string[]> => {
    const { body } = await api("POST", "/tracks/upload", formOf(songs));
    return body.data.uploaded.map(({ id }: Json) => id);
  };
  /** Does what a server does at its start, and all work that there is. */
  const start = async () => {
    const workers = startWorkers(app.deps, { loops: false });
    await workers.drain();
    await workers.stop();
  };
  const notifications = async () =>
    (await app.signedIn(token)("GET", "/app/notifications")).body.data.filter(({ kind }: Json) =>
      kind.startsWith("library.listening"),
    );
  /** What clients read, and the rows that nobody reads as they are. */
  const everything = async () => {
    const answers = [];
    for (const id of ids)
      for (const path of [
        `/tracks/single?id=${id}`,
        `/tracks/suggested-tags?id=${id}`,
        `/tracks/${id}/measurements`,
      ])
        answers.push((await api("GET", path)).body);
    const tables = [
      "tracks",
      "versions",
      "analyses",
      "track_tags",
      "tag_feedback",
      "tag_decisions",
      "undos",
      "events",
    ];
    const rows = [...tables, "track_vectors", "tag_suggestions"].map((table) =>
      app.deps.db.$client.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    );
    return { answers, rows };
  };

  beforeAll(async () => {
    app = await createTestApp();
    const account = app.createAccount();
    token = account.token;
    api = app.as(app.createKey(account.accountId));
    run("CREATE TEMP TABLE heard_order (id TEXT)");
    for (const change of ["INSERT", "UPDATE"])
      run(`CREATE TEMP TRIGGER heard_${change} AFTER ${change} ON main.track_vectors WHEN new.provider = 'ears'
           AND new.version = '${EARS_VERSION}' BEGIN INSERT INTO heard_order VALUES (new.track_id); END`);
    ids = await upload(["a.wav", song(0)], ["b.wav", song(3)], ["sting.wav", song(5, 3)]);
    await start();
    const [first = "", second = ""] = ids;
    await api("PATCH", `/tracks/details?id=${first}`, { bpm: 77, key: "F# minor" });
    await api("PATCH", `/tracks/tags?id=${first}`, { genres: ["Techno"], moods: ["Calm"] });
    await api("POST", "/tracks/apply-suggested-tags", { trackId: second });
    await start();
    // What was taught reaches the whole library after a pause.
    app.clock.advance(DAY_MS);
    await start();
    for (const row of await notifications()) throw new Error(`Nobody listens again: ${row.title}`);
  });
  afterAll(() => app.close());

  test("is listened to again, the newest first, and nothing else of it changes", async () => {
    const before = await everything();
    makeOld();

    await start();

    expect(heard()).toEqual(ids.toReversed());
    expect(await everything()).toEqual(before);
    const [ended, started, ...more] = await notifications();
    expect([started.title, ended.title, more]).toEqual([
      "Listening again to the tracks of this library (3), for better search and suggestions",
      "The library has been listened to again",
      [],
    ]);
  });

  test("is not listened to again at the next start", async () => {
    run("DELETE FROM heard_order");

    await start();

    expect(heard()).toEqual([]);
  });

  test("waits for a fresh upload", async () => {
    makeOld();
    const [fresh = ""] = await upload(["fresh.wav", song(7)]);

    await start();

    expect(heard()).toEqual([fresh, ...ids.toReversed()]);
    ids.push(fresh);
  });

  test("a library that lacks one of its files hears the others, and that one when it is back", async () => {
    const [, lost = ""] = ids;
    const row = app.deps.db.$client
      .query<{ sha256: string }, [string]>("SELECT sha256 FROM versions WHERE track_id = ?")
      .get(lost);
    const path = blobPath(app.deps.settings, row?.sha256 ?? "");
    const bytes = await Bun.file(path).bytes();
    rmSync(path);
    makeOld();

    await start();
    expect(heard()).toEqual(ids.toReversed().filter((id) => id !== lost));
    await Bun.write(path, bytes);
    await start();

    expect(heard().at(-1)).toBe(lost);
    expect(await notifications()).toHaveLength(2);
  });
});

describe("a server that is killed while it listens again", () => {
  const program = createProgram({ RATE_LIMIT: "0" });
  const inLibrary = <Result>(look: (db: Database) => Result): Result => {
    const db = new Database(join(program.dataDir, "dubplate.db"));
    db.run("PRAGMA busy_timeout = 5000");
    try {
      return look(db);
    } finally {
      db.close();
    }
  };
  const countHeard = () =>
    inLibrary(
      (db) =>
        db
          .query<{ count: number }, [string]>(
            "SELECT count(*) AS count FROM track_vectors WHERE provider = 'ears' AND version = ?",
          )
          .get(EARS_VERSION)?.count ?? 0,
    );
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await Bun.sleep(20);
  };
  const earsOfDoctor = async () =>
    (await program.run(["doctor"])).rows.find(({ check }) => check === "ears")?.found;
  afterAll(() => program.close());

  test("goes on at the next start, and doctor shows how far it is", async () => {
    const owner = ["--email", "owner@example.com"];
    await program.run(["account", "create", ...owner, "--name", "O", "--password", "correct horse battery"]);
    const { rows } = await program.run(["key", "create", ...owner, "--name", "k"]);
    const first = await program.serve();
    const body = formOf([0, 2].map((tonic) => [`${tonic}.wav`, song(tonic)] as const));
    const headers = { "x-api-key": String(rows[0]?.key) };
    await fetch(`${first.address}/api/v1/tracks/upload`, { method: "POST", headers, body });
    await until(() => countHeard() === 2);
    expect(await earsOfDoctor()).toBe("2 of 2 tracks listened to");
    first.child.kill("SIGTERM");
    await first.child.exited;
    inLibrary((db) => db.run("DELETE FROM track_vectors WHERE provider = 'ears'"));
    expect(await earsOfDoctor()).toStartWith("0 of 2 tracks listened to; the server listens to 2 more");

    const second = await program.serve();
    await until(() => countHeard() > 0);
    second.child.kill("SIGKILL");
    await second.child.exited;
    const atKill = countHeard();
    expect(await earsOfDoctor()).toStartWith(`${atKill} of 2 tracks listened to`);
    const third = await program.serve();
    const told = () =>
      inLibrary((db) =>
        db.query<{ kind: string }, []>("SELECT kind FROM notifications ORDER BY created_at").all(),
      );
    await until(() => told().length === 2);
    third.child.kill("SIGTERM");
    await third.child.exited;

    expect(countHeard()).toBe(2);
    expect(told().map(({ kind }) => kind)).toEqual(["library.listening_started", "library.listening_ended"]);
  });
});
