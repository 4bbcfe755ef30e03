import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "../../../src/modules/search/search/index/engine.ts";
import {
  engineOf,
  expectSearches,
  startSearching,
} from "../../../src/modules/search/search/index/placement.ts";
import { createSearchThread, type SearchThread } from "../../../src/modules/search/search/index/thread.ts";
import type { ThreadReport } from "../../../src/modules/search/search/index/worker.ts";
import { spawnSearchThread } from "../../../src/threads.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { openEmptyAt } from "../../support/empty-library.ts";
import { addTracks, type LibraryTrack } from "../../support/library.ts";

let folder: string;
let app: TestApp;
let ownerId: string;
let thread: SearchThread;
let spawned: Worker[];
let reported: ReturnType<typeof createReports>;

/** What the thread says for the log. */
function createReports() {
  let tell: (said: ThreadReport) => void = () => undefined;
  return {
    hear: (said: ThreadReport) => tell(said),
    /** Resolves with the next report of an error. */
    next: () =>
      new Promise<ThreadReport>((resolve) => {
        tell = (said) => {
          if (said.kind === "log" && said.level === "error") resolve(said);
        };
      }),
  };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dubplate-search-"));
  const db = openEmptyAt(join(folder, "dubplate.db"));
  app = await createTestApp();
  app.deps.db.$client.close();
  app = { ...app, deps: { ...app.deps, db } };
  ownerId = "usr_someone";
  db.$client.run("INSERT INTO accounts (id, name, created_at) VALUES (?, 'A', 1)", [ownerId]);
  spawned = [];
  reported = createReports();
  thread = createSearchThread(
    join(folder, "dubplate.db"),
    () => {
      const worker = spawnSearchThread();
      spawned.push(worker);
      return worker;
    },
    reported.hear,
  );
});
afterEach(() => {
  thread.close();
  app.deps.db.$client.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (...tracks: LibraryTrack[]) => addTracks(app, ownerId, tracks);
const taskFor = (query: string) => ({ ownerId, query, filter: {}, seedIds: [], excludedIds: [], limit: 20 });
const never = () => new AbortController().signal;
const search = (query: string, signal = never()) => thread.search(taskFor(query), signal);
const titlesOf = async (query: string) => (await search(query)).hits.map(({ title }) => title);

describe("a search thread", () => {
  test("answers like a search in the same thread", async () => {
    const [id = ""] = add(
      { title: "One", tags: { genres: ["Techno"], moods: ["Dark"] }, bpm: 130, vector: [1, 0.2, 0] },
      {
        title: "Two",
        tags: { genres: ["House"] },
        bpm: 124,
        vector: [0.9, 0.3, 0],
        lyrics: "words of the harbour",
      },
      { title: "Three", notes: "for the harbour film", vector: [0, 0, 1] },
    );
    const here = createEngine(app.deps.db);

    for (const query of ["dark techno at 130", "the harbour", "anything"])
      expect(await search(query)).toEqual(await here.search(taskFor(query), never()));
    const task = { ownerId, trackId: id, limit: 5 };
    expect(await thread.similar(task, never())).toEqual(await here.similar(task, never()));
    expect(await thread.similar({ ...task, trackId: "trk_none" }, never())).toBeUndefined();
    expect(spawned.length).toBe(1);
  });

  test("gets ready with the first request of an account that has tracks, once", async () => {
    const { db } = app.deps;
    const searching = startSearching({ db, log: () => undefined }, () => {
      const worker = spawnSearchThread();
      spawned.push(worker);
      return worker;
    });
    expectSearches(db, ownerId);
    expect(spawned.length).toBe(0);

    add({ title: "One", tags: { moods: ["Dark"] } });
    expectSearches(db, ownerId);
    expectSearches(db, ownerId);
    const { hits } = await (await engineOf(db)).search(taskFor("dark"), never());
    searching.stop();

    expect(spawned.length).toBe(1);
    expect(hits.map(({ title }) => title)).toEqual(["One"]);
  });

  test("finds everything committed before the request", async () => {
    add({ title: "Before", tags: { genres: ["Techno"] } });
    expect(await titlesOf("techno")).toEqual(["Before"]);

    for (let round = 0; round < 20; round++) {
      const [id = ""] = add({
        title: `New ${round}`,
        tags: { genres: ["Techno"] },
        createdAt: Date.UTC(2027, 0, 1 + round),
      });
      expect((await titlesOf("techno"))[0]).toBe(`New ${round}`);
      app.deps.db.$client.run("DELETE FROM tracks WHERE id = ?", [id]);
      expect(await titlesOf("techno")).toEqual(["Before"]);
    }
  });

  test("a search thread that died is replaced, and its current search runs again", async () => {
    add({ title: "One" });
    expect(await titlesOf("anything")).toEqual(["One"]);

    const answers = Promise.all([titlesOf("anything"), titlesOf("anything")]);
    spawned[0]?.terminate();

    expect(await answers).toEqual([["One"], ["One"]]);
    expect(spawned.length).toBe(2);
  });

  test("a search thread that dies between searches says so in the log, and the next search starts another", async () => {
    add({ title: "One" });
    await search("anything");
    const [said] = await Promise.all([reported.next(), spawned[0]?.terminate()]);

    expect(said).toMatchObject({ kind: "log", level: "error", fields: { searches: 0 } });
    expect(await titlesOf("anything")).toEqual(["One"]);
    expect(spawned.length).toBe(2);
  });

  test("a search thread that keeps dying makes the search fail with an error", async () => {
    const dying = createSearchThread(join(folder, "missing", "dubplate.db"), spawnSearchThread);

    expect(dying.search(taskFor("anything"), never())).rejects.toThrow();
    dying.close();
  });

  test("drops the search of a disconnected client, and serves the next one", async () => {
    add({ title: "One" });
    const gone = new AbortController();

    const answer = search("anything", gone.signal);
    gone.abort(new Error("gone"));

    expect(answer).rejects.toThrow("gone");
    expect(search("anything", gone.signal)).rejects.toThrow("gone");
    expect(await titlesOf("anything")).toEqual(["One"]);
    expect(spawned.length).toBe(1);
  });

  test("a search thread that was closed answers no more requests", async () => {
    add({ title: "One" });
    await search("anything");

    const waiting = search("anything");
    thread.close();

    expect(waiting).rejects.toThrow();
    expect(search("anything")).rejects.toThrow();
  });
});
