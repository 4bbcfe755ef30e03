import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { lyricsFiles } from "../../src/modules/library/lyrics/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { sungMp3 } from "../support/lyric-frames.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let accountId: string;
let api: ReturnType<TestApp["as"]>;
let trackId: string;
let versionId: string;
beforeEach(() => {
  ({ accountId } = app.createAccount());
  api = app.as(app.createKey(accountId));
  const track = addTrackRows(app.deps.db, accountId, {
    name: "dawn.wav",
    title: "Dawn",
    artist: "Ines Lind",
  });
  ({ id: trackId, versionId } = track);
});

const path = () => `/tracks/${trackId}/lyrics`;
const put = async (body: object) => (await api("PUT", path(), body)).body.data;
const read = async (query = "") => (await api("GET", `${path()}${query}`)).body.data;
const wordsOfTrack = async () =>
  (await api("GET", `/tracks/single?id=${trackId}`)).body.data.track.audio_profile.lyrics;
const timesOf = ({ lines }: { lines: { atMs: number | null }[] }) => lines.map(({ atMs }) => atMs);

const LRC = "[ti:Dawn]\n[00:01.00]We left the harbour\n[00:03.50]at dawn\n\n[00:08.00]Nobody waved";

describe("the words of a track", () => {
  test("are empty before somebody writes them", async () => {
    expect(await read()).toEqual({
      trackId,
      versionId,
      lyrics: null,
      language: null,
      lines: [],
      origin: null,
      revision: expect.any(String),
    });
  });

  test("are written from an LRC file, which the track has as words", async () => {
    const written = await put({ lrc: LRC });

    expect(written).toMatchObject({ origin: "written", wordTimesDropped: 0 });
    expect(written.lines).toEqual([
      { text: "We left the harbour", atMs: 1000 },
      { text: "at dawn", atMs: 3500 },
      { text: "", atMs: null },
      { text: "Nobody waved", atMs: 8000 },
    ]);
    expect(await wordsOfTrack()).toBe("We left the harbour\nat dawn\n\nNobody waved");
    const indexed = app.deps.db.$client
      .query(
        "SELECT id FROM track_text JOIN tracks ON tracks.seq = track_text.rowid WHERE track_text MATCH ? AND owner_id = ?",
      )
      .all("waved", accountId);
    expect(indexed).toEqual([{ id: trackId }]);
  });

  test("keep the times of lines that stay and that are corrected, wherever they are changed", async () => {
    await put({ lrc: LRC });

    await api("PATCH", `/tracks/details?id=${trackId}`, {
      lyrics: "Intro\nWe left the Harbour,\nat dusk\n\nNobody waved\nNobody",
    });

    expect(timesOf(await read())).toEqual([null, 1000, 3500, null, 8000, null]);
  });

  test("lose their times with their lines, and have them again when the words are taken back", async () => {
    await put({ lrc: LRC });
    await put({ lyrics: "Another song\nof as many\n\nlines" });
    expect(await read()).toMatchObject({ origin: null, lyrics: "Another song\nof as many\n\nlines" });

    await put({ lyrics: "We left the harbour\nat dawn\n\nNobody waved" });

    expect(timesOf(await read())).toEqual([1000, 3500, null, 8000]);
  });

  test("are written line by line, and cleared", async () => {
    await put({
      lines: [
        { text: "One\u0000\n", atMs: 10 },
        { text: "Two", atMs: null },
      ],
    });
    expect(await wordsOfTrack()).toBe("One\nTwo");

    await put({
      lines: [
        { text: "One", atMs: null },
        { text: "Two", atMs: null },
      ],
    });
    expect(await read()).toMatchObject({ lyrics: "One\nTwo", origin: null });
    await put({ lyrics: null });
    expect(await read()).toMatchObject({ lyrics: null, lines: [] });
  });

  test("of an LRC file with times of words say how many were left out", async () => {
    expect((await put({ lrc: "[00:01.00]<00:01.00>We <00:01.20>left" })).wordTimesDropped).toBe(2);
    expect((await put({ lrc: "[ar:Ines]\nOnly words" })).lyrics).toBe("Only words");
  });

  test.each<[what: string, body: object, field: string]>([
    ["nothing", {}, "lyrics"],
    ["two forms", { lyrics: "One", lrc: "One" }, "lyrics"],
    [
      "times that go back",
      {
        lines: [
          { text: "One", atMs: 5 },
          { text: "Two", atMs: 4 },
        ],
      },
      "lines.1.atMs",
    ],
    ["more lines than a song has", { lrc: "[00:01.00]La\n".repeat(3001) }, "lrc"],
    ["a time after a day", { lrc: "[1441:00.00]La" }, "lrc"],
    ["a part of a millisecond", { lines: [{ text: "One", atMs: 1.5 }] }, "lines.0.atMs"],
  ])("are not written from %s, and stay", async (_, body, field) => {
    await put({ lrc: LRC });
    const before = await read();

    const refused = await api("PUT", path(), body);

    expect(refused.status).toBe(400);
    expect(refused.body.data.errors[0].path).toBe(field);
    expect(await read()).toEqual(before);
  });

  test("are not overwritten by an editor who began with others", async () => {
    const { revision } = await put({ lrc: LRC });
    await put({ lyrics: "Newer", base: revision });

    const refused = await api("PUT", path(), { lyrics: "Mine", base: revision });

    expect(refused.body.messageCode).toBe("changed_since");
    expect(refused.body.data.lyrics).toMatchObject({ lyrics: "Newer" });
    expect((await read()).lyrics).toBe("Newer");
  });

  test("of a file beside the music do not replace those of a person, and give a version that has none its times", async () => {
    await put({ lyrics: "We left the harbour\nat dusk" });
    await put({ lrc: LRC, unlessWritten: true });
    expect(await read()).toMatchObject({ lyrics: "We left the harbour\nat dusk", origin: "written" });
    expect(timesOf(await read())).toEqual([1000, null]);

    await put({ lrc: "[00:07.00]We left the harbour", unlessWritten: true });

    expect(timesOf(await read())).toEqual([1000, null]);
  });

  test("have their own times in each version", async () => {
    const second = addVersionRow(app.deps.db, trackId, { versionOrder: 1, label: "v2" });
    await put({ lrc: LRC });
    await put({ lrc: LRC.replaceAll("[00:0", "[00:1"), versionId: second });

    expect(timesOf(await read())).toEqual([1000, 3500, null, 8000]);
    expect(timesOf(await read(`?versionId=${second}`))).toEqual([11_000, 13_500, null, 18_000]);
    const elsewhere = addTrackRows(app.deps.db, accountId, {}).versionId;
    expect((await api("GET", `${path()}?versionId=${elsewhere}`)).status).toBe(404);
    expect((await api("PUT", path(), { lyrics: "x", versionId: elsewhere })).status).toBe(404);
  });

  test("are announced, and only when they change", async () => {
    await put({ lrc: LRC });
    await put({ lrc: LRC });

    const events = app.deps.db.$client
      .query<{ data: string }, [string]>(
        "SELECT data FROM events WHERE owner_id = ? AND type = 'track.updated'",
      )
      .all(accountId);
    expect(events.map(({ data }) => JSON.parse(data).changed)).toEqual([["lyrics"]]);
  });

  test("are nobody else's, and not for those who only listen to change", async () => {
    await put({ lrc: LRC });
    const other = app.as(app.createKey(app.createAccount().accountId));
    const listener = app.signedIn(addMember(app, accountId, { role: "listener" }).token);

    for (const [method, where] of [
      ["GET", path()],
      ["PUT", path()],
      ["GET", `${path()}/file`],
    ] as const) {
      const refused = await other(method, where, method === "PUT" ? { lyrics: "x" } : undefined);
      expect(refused.status).toBe(404);
    }
    expect((await listener("GET", `/app/library${path()}`)).status).toBe(200);
    expect((await listener("PUT", `/app/library${path()}`, { lyrics: "x" })).status).toBe(403);
    expect((await read()).lyrics).toStartWith("We left");
  });

  test("are exported with times, and without", async () => {
    const key = app.createKey(accountId);
    const file = async (format: string) => {
      const response = await app.request(`/api/v1${path()}/file?format=${format}`, {
        headers: { "x-api-key": key },
      });
      return [response.headers.get("content-disposition"), await response.text()];
    };
    expect((await file("lrc"))[1]).toBe("");
    await put({ lrc: LRC });

    const [name, text] = await file("lrc");
    expect(name).toContain("Dawn.lrc");
    expect(text).toBe(
      "[ti:Dawn]\n[ar:Ines Lind]\n[00:01.00]We left the harbour\n[00:03.50]at dawn\n\n[00:08.00]Nobody waved\n",
    );
    expect((await file("txt"))[1]).toBe("We left the harbour\nat dawn\n\nNobody waved\n");
    expect(lyricsFiles(app.deps.db, [{ trackId, versionId }])[0]?.timedLines).toEqual([
      { atSec: 1, text: "We left the harbour" },
      { atSec: 3.5, text: "at dawn" },
      { atSec: 8, text: "Nobody waved" },
    ]);
  });
});

describe("the words in an uploaded file", () => {
  const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("files", new File([bytes], "sung.mp3"));
    ({ id: trackId } = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0]);
  };
  const file = sungMp3("One\n\nTwo", [
    [100, "One"],
    [600, "Two"],
  ]);

  test("are the track's, with their times, until somebody writes others", async () => {
    await upload(file);
    expect((await read()).lyrics).toBe("One\n\nTwo");
    await app.drainJobs();
    expect(await read()).toMatchObject({ origin: "file", lyrics: "One\n\nTwo" });
    expect(timesOf(await read())).toEqual([100, null, 600]);

    await put({
      lines: [
        { text: "One", atMs: 120 },
        { text: "Deux", atMs: null },
      ],
    });
    await api("POST", "/tracks/auto-tag", { trackId });
    await app.drainJobs();

    expect(await read()).toMatchObject({ origin: "written", lyrics: "One\nDeux" });
    expect(timesOf(await read())).toEqual([120, null]);
  });
});
