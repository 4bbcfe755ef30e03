import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { Midi } from "@tonejs/midi";
import { eq } from "drizzle-orm";
import { WaveFile } from "wavefile";
import { analyses, commentPlaces, comments, versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let accountId: string;
let trackId: string;
let first: string;
let second: string;
let api: ReturnType<TestApp["as"]>;
beforeEach(() => {
  ({ accountId } = app.createAccount());
  api = app.as(app.createKey(accountId));
  const track = addTrackRows(app.deps.db, accountId, {
    name: "Nächte/Drive.mp3",
    durationSec: 187,
    measured: { bpm: 90 },
  });
  trackId = track.id;
  first = track.versionId;
  app.deps.db.update(versions).set({ mediaType: "audio/mpeg" }).where(eq(versions.id, first)).run();
  second = addVersionRow(app.deps.db, trackId, { versionOrder: 1, label: "v2" });
});

type Row = Partial<typeof comments.$inferInsert>;
type Place = { versionId: string; atSec: number | null; how: "carried" | "about" | "gone" | "placed" };

let seconds = 0;
/** Adds a note of a visitor as the program does, with its places in other versions. */
function addNote(row: Row, ...places: Place[]): string {
  const id = newId("cmt");
  const { db } = app.deps;
  const note = { id, trackId, authorName: "Ana", text: "Kick", versionId: first, heardLabel: "Original" };
  seconds += 1;
  db.insert(comments)
    .values({ ...note, createdAt: app.clock.now() + seconds, ...row })
    .run();
  for (const place of places)
    db.insert(commentPlaces)
      .values({ commentId: id, ...place })
      .run();
  return id;
}

const pathOf = (versionId: string, query: string) =>
  `/api/v1/tracks/${trackId}/versions/${versionId}/notes?${query}`;
async function read(versionId: string, query: string): Promise<{ text: string; name: string | null }> {
  const key = app.createKey(accountId, ["read:comments"]);
  const response = await app.request(pathOf(versionId, query), { headers: { "x-api-key": key } });
  expect(response.status).toBe(200);
  return { text: await response.text(), name: response.headers.get("content-disposition") };
}

describe("GET /tracks/{trackId}/versions/{versionId}/notes", () => {
  test("lists the open notes at their times in the version that was asked for, about the same second until it is known", async () => {
    addNote({ positionSec: 42.5, endSec: 51 });
    addNote({ positionSec: 10, text: "Here,\nplease" }, { versionId: second, atSec: 8.5, how: "carried" });
    addNote({ positionSec: 20, text: "Cut" }, { versionId: second, atSec: null, how: "gone" });
    addNote({ positionSec: 9, text: "New", versionId: second, heardLabel: "v2" });
    addNote({ positionSec: 1, text: "Done", resolvedAt: 1 });
    addNote({ positionSec: 1, text: "Gone", deletedAt: 1 });
    addNote({ positionSec: null, text: "All of it" });
    const parentId = addNote({ positionSec: 2, text: "With reply" });
    addNote({ parentId, text: "A reply" });

    const inFirst = await read(first, "format=audacity");
    const inSecond = await read(second, "format=reaper");

    expect(inFirst.text.split("\n")).toEqual([
      "2.000000\t2.000000\tAna: With reply",
      "10.000000\t10.000000\tAna: Here, please",
      "20.000000\t20.000000\tAna: Cut",
      "42.500000\t51.000000\tAna: Kick",
      "",
    ]);
    expect(inFirst.name).toBe(
      `attachment; filename="Nachte_Drive - notes for Audacity.txt"; filename*=UTF-8''N%C3%A4chte_Drive%20-%20notes%20for%20Audacity.txt`,
    );
    expect(inSecond.text.split("\r\n")).toEqual([
      "#,Name,Start,End,Length,Color",
      "M1,Ana: With reply,0:02.000,,,",
      'M2,"Ana: Here, please",0:08.500,,,',
      "M3,Ana: New,0:09.000,,,",
      "R4,Ana: Kick,0:42.500,0:51.000,0:08.500,",
      "",
    ]);
  });

  test("answered notes come with state, and notes on the whole track only in the table", async () => {
    addNote({ positionSec: 1, text: "=Open" });
    addNote({ positionSec: 2, text: "Answered", resolvedAt: 1 });
    addNote({ positionSec: null, text: "Whole" });
    addNote({ positionSec: null, text: "Whole, later", versionId: second });
    addNote({ positionSec: 70 }, { versionId: second, atSec: 71.25, how: "about" });
    addNote(
      { positionSec: 3, text: "Later", versionId: second },
      { versionId: first, atSec: 3, how: "carried" },
    );

    const labels = async (state: string) =>
      (await read(first, `format=audacity&state=${state}`)).text.match(/(?<=: ).*/g);
    expect(await labels("open")).toEqual(["=Open", "Kick"]);
    expect(await labels("answered")).toEqual(["Answered"]);
    expect(await labels("open,answered")).toEqual(["=Open", "Answered", "Kick"]);
    expect((await read(first, "format=csv&state=open,answered")).text.split("\r\n")).toEqual([
      "version,start,end,author,state,text,replies",
      "Original,,,Ana,open,Whole,0",
      "Original,0:01.000,,Ana,open,'=Open,0",
      "Original,0:02.000,,Ana,answered,Answered,0",
      "Original,1:10.000,,Ana,open,Kick,0",
      "",
    ]);
    expect((await read(second, "format=csv")).text.split("\r\n").slice(1, -1)).toEqual([
      "Original,,,Ana,open,Whole,0",
      'v2,,,Ana,open,"Whole, later",0',
      "Original,about 0:01.000,,Ana,open,'=Open,0",
      "v2,0:03.000,,Ana,open,Later,0",
      "Original,about 1:11.250,,Ana,open,Kick,0",
    ]);
    expect((await read(second, "format=audition")).text).toContain(
      "Ana: Kick\t1:11.250\t0:00.000\tdecimal\tCue\tAna: Kick (about here)",
    );
  });

  test("the table begins with the mark by which Excel knows UTF-8", async () => {
    addNote({ positionSec: 1, text: "Früher" });

    const response = await app.request(pathOf(first, "format=csv"), {
      headers: { "x-api-key": app.createKey(accountId) },
    });

    expect(Buffer.from(await response.arrayBuffer()).toString()).toStartWith("\ufeffversion,start,");
  });

  test("names members as they are called now, and scripts get the ids", async () => {
    const member = addMember(app, accountId, { role: "artist" });
    const id = addNote({ positionSec: 3, authorId: member.personId, authorName: "Before" });

    expect((await read(first, "format=tsv")).text).toBe(`${id}\t3.000000\t\tThe artist: Kick\n`);
  });

  test("counts a MIDI file by the tempo of the version, or by another one", async () => {
    addNote({ positionSec: 4 });

    const tempo = async (versionId: string, query: string) => {
      const response = await app.request(pathOf(versionId, `format=midi${query}`), {
        headers: { "x-api-key": app.createKey(accountId) },
      });
      const { header } = new Midi(await response.arrayBuffer());
      return [header.tempos[0]?.bpm, ...header.meta.map(({ ticks }) => ticks)].map((each) =>
        Math.round(each ?? 0),
      );
    };
    expect(await tempo(first, "")).toEqual([90, 5760]);
    expect(await tempo(first, "&bpm=60")).toEqual([60, 3840]);
    expect(await tempo(second, "")).toEqual([120, 7680]);
  });

  test("has the sections that the analysis found, where they are asked for", async () => {
    addNote({ positionSec: 42.5 });
    const sections = [
      { kind: "intro", startSec: 0, endSec: 16, levelDb: -6 },
      { kind: "chorus-like", startSec: 16, endSec: 187, levelDb: 1 },
    ];
    app.deps.db.update(analyses).set({ structure: { sections } }).where(eq(analyses.versionId, first)).run();

    const asked = await read(first, "format=reaper&sections=true");

    expect(asked.text.split("\r\n")).toEqual([
      "#,Name,Start,End,Length,Color",
      "R1,Intro,0:00.000,0:16.000,0:16.000,",
      "R2,Chorus-like,0:16.000,3:07.000,2:51.000,",
      "M3,Ana: Kick,0:42.500,,,",
      "",
    ]);
    expect((await read(first, "format=audacity")).text).not.toContain("Intro");
  });

  test("of more than 2,000 notes the newest are left out, and the name says so", async () => {
    app.deps.db.$client.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
       INSERT INTO comments (id, track_id, author_name, text, position_sec, created_at, version_id)
       SELECT 'cmt_many' || i, ?, 'Ana', 'N' || i, 100 - i / 100.0, i, ? FROM n`,
      [trackId, first],
    );

    const { text, name } = await read(first, "format=audacity");

    expect(text.trimEnd().split("\n")).toHaveLength(2000);
    expect(text).not.toContain("N2001\n");
    expect(text.startsWith("80.000000\t80.000000\tAna: N2000\n")).toBe(true);
    expect(name).toContain('filename="Nachte_Drive - notes for Audacity-first-2000.txt"');
  });

  test.each([
    ["an unknown format", () => pathOf(first, "format=pdf"), "validation_failed"],
    ["no format", () => pathOf(first, ""), "validation_failed"],
    ["a tempo of nothing", () => pathOf(first, "format=midi&bpm=0"), "validation_failed"],
    ["another track's version", () => pathOf("ver_none", "format=csv"), "version_not_found"],
    ["an MP3 as WAV", () => pathOf(first, "format=wav"), "unsupported_format"],
  ])("refuses %s", async (_, path, code) => {
    const { body } = await api("GET", path().slice("/api/v1".length));

    expect(body).toMatchObject({ messageCode: code });
  });

  test("shows nothing of another library, and asks for the scope", async () => {
    const other = app.as(app.createKey(app.createAccount().accountId));
    const without = app.as(app.createKey(accountId, ["read:tracks"]));
    const path = `/tracks/${trackId}/versions/${first}/notes?format=csv`;

    expect((await other("GET", path)).body.messageCode).toBe("track_not_found");
    expect((await without("GET", path)).body).toMatchObject({ messageCode: "insufficient_scope" });
  });
});

describe("notes as a WAV with cue points", () => {
  const bytes = Buffer.from(wavBytes([noise(8000, 1)], 8000, 16));
  let wavTrack: string;
  let wavVersion: string;
  let path: string;
  beforeEach(async () => {
    const form = new FormData();
    form.append("files", new File([new Uint8Array(bytes)], "Night Bus v3.wav"));
    const { body } = await api("POST", "/tracks/upload", form);
    wavTrack = body.data.uploaded[0].id;
    wavVersion = (await api("GET", `/tracks/${wavTrack}/versions`)).body.data.activeVersionId;
    path = `/api/v1/tracks/${wavTrack}/versions/${wavVersion}/notes?format=wav`;
    addNote({ trackId: wavTrack, versionId: wavVersion, positionSec: 0.25, endSec: 0.5 });
  });
  const withKey = (scopes: string[]) => ({ headers: { "x-api-key": app.createKey(accountId, scopes) } });
  const both = () => withKey(["read:comments", "read:tracks"]);

  test("is the original with the notes, for a key that may have both", async () => {
    const response = await app.request(path, both());
    const copy = Buffer.from(await response.arrayBuffer());
    const head = await app.request(path, { method: "HEAD", ...both() });

    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-disposition": `attachment; filename="Night Bus v3 - notes.wav"; filename*=UTF-8''Night%20Bus%20v3%20-%20notes.wav`,
      "content-type": "audio/wav",
      "content-length": String(copy.length),
      "cache-control": "private, no-store",
    });
    expect(copy.subarray(8, bytes.length)).toEqual(bytes.subarray(8));
    expect(new WaveFile(copy).listCuePoints()).toMatchObject([
      { dwSampleOffset: 2000, dwSampleLength: 2000, label: "Ana: Kick" },
    ]);
    expect(head.headers.get("content-length")).toBe(String(copy.length));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  test("comes whole over a real connection, however late its bytes are taken", async () => {
    const large = Buffer.from(wavBytes([noise(48_000 * 40, 1)], 48_000, 16));
    const form = new FormData();
    form.append("files", new File([new Uint8Array(large)], "Long.wav"));
    const { id } = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0];
    const { activeVersionId } = (await api("GET", `/tracks/${id}/versions`)).body.data;
    const server = Bun.serve({ port: 0, fetch: (request) => app.app.front(request, "127.0.0.1") });

    const at = `http://localhost:${server.port}/api/v1/tracks/${id}/versions/${activeVersionId}/notes?format=wav`;
    const responses = await Promise.all([fetch(at, both()), fetch(at, both())]);
    const copies: Buffer[] = [];
    // The second one waits until the first is taken.
    for (const response of responses) copies.push(Buffer.from(await response.arrayBuffer()));
    await server.stop(true);

    for (const copy of copies) expect(copy.subarray(8, large.length).equals(large.subarray(8))).toBe(true);
  });

  test("needs the scope of originals besides, and the role that may have them", async () => {
    const page = `/app/tracks/${wavTrack}/versions/${wavVersion}/notes?format=wav`;
    const asMember = (token: string) => app.request(page, { headers: { authorization: `Bearer ${token}` } });
    const listener = addMember(app, accountId, { role: "listener" });
    const artist = addMember(app, accountId, { role: "artist" });
    const made = await api("POST", "/playlists", { name: "A room", trackIds: [wavTrack] });
    const room = made.body.data.playlist.id;
    const guest = addGuest(app, accountId, { [room]: { role: "listener" } });
    const mixer = addGuest(app, accountId, { [room]: { role: "artist" } });
    const stranger = addGuest(app, accountId, {});

    expect((await app.request(path, withKey(["read:comments"]))).status).toBe(403);
    expect((await asMember(listener.token)).status).toBe(403);
    expect((await asMember(artist.token)).status).toBe(200);
    expect((await asMember(guest.token)).status).toBe(403);
    expect((await asMember(mixer.token)).status).toBe(200);
    expect((await asMember(stranger.token)).status).toBe(404);
    const list = await app.request(page.replace("wav", "reaper"), {
      headers: { authorization: `Bearer ${listener.token}` },
    });
    expect(list.status).toBe(200);
  });

  test("of a file that is damaged or missing is refused with a sentence", async () => {
    const { settings } = app.deps;
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const kept = await Bun.file(blobPath(settings, sha256)).bytes();
    const refusal = async () => (await (await app.request(path, both())).json()) as Json;

    await Bun.write(blobPath(settings, sha256), kept.subarray(0, 30));
    const damaged = await refusal();
    rmSync(blobPath(settings, sha256));
    const missing = await refusal();
    await Bun.write(blobPath(settings, sha256), kept);

    expect(damaged).toMatchObject({ statusCode: 400, messageCode: "unsupported_format" });
    expect(damaged.message).toContain("choose another format");
    expect(missing).toMatchObject({ messageCode: "file_missing" });
  });
});
