import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { analyses, jobs, renditions, versions } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS, toIso } from "../../src/kernel/time.ts";
import { pruneDevices } from "../../src/modules/pocket/devices/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { upload } from "../support/door.ts";

import { addMember } from "../support/team.ts";
import { addMeasuredRow } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A signed-in owner with a device and two tracks in a playlist. */
async function owner() {
  const account = app.createAccount();
  const call = app.signedIn(account.token);
  const byKey = app.as(app.createKey(account.accountId));
  const made = [await upload(app, byKey, "Dawn", 1), await upload(app, byKey, "Dusk", 2)];
  const [dawn = "", dusk = ""] = made.map(({ id }) => id);
  const list = (await call("POST", "/app/playlists", { name: "Car", trackIds: [dusk, dawn] })).body.data.id;
  const device = (await call("POST", "/app/pocket", { name: " Pixel 9 " })).body.data;
  const sync = async (wants: object[], has: object[] = []) =>
    call("POST", `/app/pocket/${device.id}/sync?accept=audio/mp4`, { wants, has, bytes: has.length });
  const send = async (...items: object[]) =>
    (await call("POST", `/app/pocket/${device.id}/outbox`, { items })).body.data?.results;
  return { ...account, call, dawn, dusk, list, device, sync, send };
}

const stateOf = ({ id, token }: Json) =>
  app.request("/pocket/state", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id, token }),
  });
const stateIn = async (device: Json) => ((await (await stateOf(device)).json()) as Json).data?.state;
const idsOf = ({ body }: Json) => body.data.tracks.map(({ trackId }: Json) => trackId);
const SEEN = "2026-01-15T12:00:00.000Z";
const uuid = () => crypto.randomUUID();

describe("a device", () => {
  test("keeps a playlist in its order and a track, for thirty days, with files that are there", async () => {
    const { dawn, dusk, list, sync } = await owner();

    const synced = await sync([
      { entity: "playlist", id: list },
      { entity: "track", id: dawn },
    ]);

    expect(synced.body.data).toMatchObject({
      leaseUntil: toIso(app.deps.now() + 30 * DAY_MS),
      lists: [{ id: list, name: "Car", trackIds: [dusk, dawn] }],
      gone: [],
    });
    expect(idsOf(synced)).toEqual([dusk, dawn]);
    const [{ audio }] = synced.body.data.tracks;
    const { pathname, search } = new URL(audio.url);
    const file = await app.request(`${pathname}${search}`);
    expect([file.status, file.headers.get("etag"), (await file.arrayBuffer()).byteLength]).toEqual([
      200,
      audio.etag,
      audio.sizeBytes,
    ]);
  });

  test("keeps originals that play as they are, which counts as no download and asks for no analysis", async () => {
    const { dawn, sync } = await owner();
    const { db } = app.deps;
    const counts = () =>
      ["activity", "jobs"].map((name) => db.$client.query(`SELECT count(*) AS n FROM ${name}`).get());
    const before = counts();
    const { audio } = (await sync([{ entity: "track", id: dawn }])).body.data.tracks[0];

    const { pathname, search } = new URL(audio.url);
    const file = await app.request(pathname + search);

    expect(pathname).toStartWith("/media/copies/");
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, audio.sizeBytes]);
    expect(counts()).toEqual(before);
    expect((await app.request(pathname.replace("/copies", "") + search)).status).toBe(403);
    app.clock.advance(HOUR_MS);
    expect((await app.request(pathname + search)).status).toBe(403);
  });

  test("keeps the small file that plays in its place, at the common loudness, and waits while there is none yet", async () => {
    const { dawn, sync } = await owner();
    const { db, settings } = app.deps;
    const wants = [{ entity: "track", id: dawn }];
    const track = async () => (await sync(wants)).body.data.tracks[0];
    const version = db.select().from(versions).where(eq(versions.trackId, dawn)).get();
    const { id: versionId = "", sha256 = "" } = version ?? {};
    const job = { id: "job_small", name: "transcode", payload: { sha256 }, uniqueKey: sha256 };
    db.insert(jobs)
      .values({ ...job, state: "waiting", runAt: 0, maxAttempts: 1, createdAt: 0 })
      .run();
    expect(await track()).toMatchObject({ audio: null, retryAfterSec: 30 });

    mkdirSync(join(settings.dataDir, "renditions"), { recursive: true });
    writeFileSync(join(settings.dataDir, "renditions", `${sha256}.m4a`), "small sound");
    db.insert(renditions).values({ sha256, encoding: "aac", sizeBytes: 11, createdAt: 1 }).run();
    db.delete(analyses).where(eq(analyses.trackId, dawn)).run();
    addMeasuredRow(db, dawn, versionId, { integratedLufs: -9, truePeakDbtp: -1, durationSec: 1 });
    const { audio, gainDb } = await track();

    expect(audio).toMatchObject({ mediaType: "audio/mp4", sizeBytes: 11 });
    expect(gainDb).toBeLessThan(0);
    const { pathname, search, searchParams } = new URL(audio.url);
    expect([pathname.startsWith("/media/renditions/"), searchParams.get("as")]).toEqual([true, "aac"]);
    expect(await (await app.request(pathname + search)).text()).toBe("small sound");
  });

  test("says where a file is only while it has another one", async () => {
    const { dusk, sync } = await owner();
    const { db, settings } = app.deps;
    const ask = async (has: object[]) => (await sync([{ entity: "track", id: dusk }], has)).body.data;
    const { sha256 = "" } = db.select().from(versions).where(eq(versions.trackId, dusk)).get() ?? {};
    const { audio, versionId } = (await ask([])).tracks[0];
    const { url, ...original } = audio;

    expect((await ask([{ versionId, etag: audio.etag }])).tracks[0].audio).toEqual(original);
    expect((await ask([{ versionId }])).tracks[0].audio).toMatchObject(original);
    expect((await ask([{ versionId }])).tracks[0].audio.url).toBeString();
    expect(url).toBeString();

    mkdirSync(join(settings.dataDir, "renditions"), { recursive: true });
    writeFileSync(join(settings.dataDir, "renditions", `${sha256}.m4a`), "smaller");
    db.insert(renditions).values({ sha256, encoding: "aac", sizeBytes: 7, createdAt: 1 }).run();
    const smaller = (await ask([{ versionId, etag: audio.etag }])).tracks[0].audio;
    expect(smaller).toMatchObject({ mediaType: "audio/mp4", sizeBytes: 7, url: expect.any(String) });

    rmSync(join(settings.dataDir, "renditions", `${sha256}.m4a`));
    const has = [{ versionId, etag: smaller.etag }];
    expect(await ask(has)).toMatchObject({ tracks: [{ audio: { etag: smaller.etag } }], gone: [] });
  });

  test("drops what left the playlist, was hidden, deleted or renewed", async () => {
    const { call, dawn, dusk, list, sync } = await owner();
    const wants = [{ entity: "playlist", id: list }];
    const before = (await sync(wants)).body.data.tracks;
    const has = before.map(({ versionId }: Json) => ({ versionId }));

    await call("DELETE", `/app/tracks/${dusk}`);
    expect((await sync(wants, has)).body.data).toMatchObject({
      lists: [{ trackIds: [dawn] }],
      gone: [before[0].versionId],
    });
    app.deps.db.$client.run("UPDATE versions SET visible = 0 WHERE track_id = ?", [dawn]);
    expect((await sync([...wants, { entity: "track", id: dawn }], has)).body.data).toMatchObject({
      tracks: [],
      hidden: [{ trackId: dawn, title: "Dawn" }],
    });
    await call("DELETE", `/app/playlists/${list}`);
    expect((await sync(wants, has)).body.data).toMatchObject({
      tracks: [],
      gone: has.map((each: Json) => each.versionId),
    });
  });

  test("is listed with what it has, and withdrawn for good", async () => {
    const { call, device, list, sync } = await owner();
    await sync([{ entity: "playlist", id: list }], [{ versionId: "ver_1" }]);
    expect((await call("GET", "/app/pocket")).body.data).toMatchObject([
      {
        id: device.id,
        name: "Pixel 9",
        tracks: 1,
        bytes: 1,
        withdrawnAt: null,
        syncedAt: expect.any(String),
      },
    ]);
    expect(await stateIn(device)).toBe("live");

    expect((await call("DELETE", `/app/pocket/${device.id}`)).status).toBe(200);

    expect(await stateIn(device)).toBe("withdrawn");
    expect(await sync([])).toMatchObject({ status: 404, body: { messageCode: "pocket_not_found" } });
    app.clock.advance(121 * DAY_MS);
    pruneDevices(app.deps);
    expect(await stateIn(device)).toBeUndefined();
    app.clock.advance(-121 * DAY_MS);
  });

  test("learns of its removal without a session, and of its person's", async () => {
    const { accountId, call } = await owner();
    const { memberId, token } = addMember(app, accountId, { role: "listener" });
    const bens = (await app.signedIn(token)("POST", "/app/pocket", { name: "Phone" })).body.data;
    expect(await stateIn(bens)).toBe("live");

    await call("DELETE", `/app/team/members/${memberId}`, {});

    expect(await stateIn(bens)).toBe("withdrawn");
  });

  test("is refused with a wrong token as one that there is none of, ten times each", async () => {
    const own = await createTestApp();
    const device = (await own.signedIn(own.createAccount().token)("POST", "/app/pocket", { name: "Phone" }))
      .body.data;
    const ask = (id: string, token: string) =>
      own.request("/pocket/state", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id, token }),
      });

    const [wrong, unknown] = [await ask(device.id, "x".repeat(43)), await ask("pkt_none", device.token)];
    expect([wrong.status, await wrong.json()]).toMatchObject([404, await unknown.json()]);
    for (let n = 0; n < 9; n++) await ask("pkt_none", "x");

    expect((await ask("pkt_none", "x")).status).toBe(429);
    expect((await ask(device.id, device.token)).status).toBe(200);
    for (let n = 0; n < 9; n++) await ask(device.id, "x");
    expect((await ask(device.id, device.token)).status).toBe(429);
    own.clock.advance(HOUR_MS);
    expect((await ask(device.id, device.token)).status).toBe(200);
    await own.close();
  });

  test("is somebody's own, and one of twenty", async () => {
    const { accountId, call, device } = await owner();
    const ben = app.signedIn(addMember(app, accountId, { role: "listener" }).token);

    expect((await ben("GET", "/app/pocket")).body.data).toEqual([]);
    for (const [method, path, body] of [
      ["POST", "/sync", { wants: [], has: [], bytes: 0 }],
      [
        "POST",
        "/outbox",
        { items: [{ id: uuid(), kind: "comment", trackId: "trk_1", text: "x", at: SEEN }] },
      ],
      ["DELETE", "", undefined],
    ] as const)
      expect((await ben(method, `/app/pocket/${device.id}${path}`, body)).status).toBe(404);
    for (let n = 1; n < 20; n++) await call("POST", "/app/pocket", { name: "Phone" });
    expect(await call("POST", "/app/pocket", { name: "Phone" })).toMatchObject({
      status: 409,
      body: { messageCode: "too_many_devices" },
    });
  });
});

describe("what waited for a connection", () => {
  test("is stored once, however often it is sent, with its time", async () => {
    const { accountId, call, dawn, send } = await owner();
    const at = toIso(app.deps.now());
    app.clock.advance(HOUR_MS);
    const listen = { id: uuid(), kind: "listen", trackId: dawn, versionId: "ver_1", at, heardSec: 12 };
    const comment = { id: uuid(), kind: "comment", trackId: dawn, text: "Louder", positionSec: 0.5, at };

    const results = [await send(listen, comment), await send(comment, listen)];

    const outcomes = results.map((each: Json[]) => each.map(({ outcome }) => outcome));
    expect(outcomes).toEqual([
      ["stored", "stored"],
      ["known", "known"],
    ]);
    expect((await call("GET", `/app/tracks/${dawn}/comments`)).body.data).toMatchObject([
      { text: "Louder", positionSec: 0.5, createdAt: at },
    ]);
    const rows = app.deps.db.$client
      .query(
        "SELECT track_id AS trackId, heard_sec AS heardSec, at, through FROM listens WHERE account_id = ?",
      )
      .all(accountId);
    expect(rows).toEqual([{ trackId: dawn, heardSec: 12, at: Date.parse(at), through: "pocket" }]);
  });

  test("names a version of the track: the one that was heard, else the one that plays now", async () => {
    const { accountId, dawn, dusk, list, sync, send } = await owner();
    const { tracks } = (await sync([{ entity: "playlist", id: list }])).body.data;
    const versionOf = (id: string) => tracks.find(({ trackId }: Json) => trackId === id).versionId;
    const listen = (versionId: string) => ({
      id: uuid(),
      kind: "listen",
      trackId: dawn,
      versionId,
      at: toIso(app.deps.now()),
      heardSec: 3,
    });

    await send(listen(versionOf(dawn)), listen(versionOf(dusk)), listen("ver_deleted"), listen(""));

    const rows = app.deps.db.$client
      .query("SELECT DISTINCT version_id AS versionId FROM listens WHERE account_id = ?")
      .all(accountId);
    expect(rows).toEqual([{ versionId: versionOf(dawn) }]);
  });

  test.each([
    ["a text", { text: "x".repeat(2001) }],
    ["a moment", { text: "x", positionSec: 1_000_001 }],
  ])("is no comment with %s that comments do not have", async (_, said) => {
    const { call, dawn, device } = await owner();
    const item = { id: uuid(), kind: "comment", trackId: dawn, at: toIso(app.deps.now()), ...said };

    const answer = await call("POST", `/app/pocket/${device.id}/outbox`, { items: [item] });

    expect(answer.status).toBe(400);
    expect((await call("GET", `/app/tracks/${dawn}/comments`)).body.data).toEqual([]);
  });

  test("is refused one by one, and never before the device's beginning or after now", async () => {
    const { accountId, dawn, send } = await owner();
    const beginning = app.deps.now();
    const stranger = await owner();
    const listen = (trackId: string, at: string) => ({
      id: uuid(),
      kind: "listen",
      trackId,
      versionId: "ver_1",
      at,
      heardSec: null,
    });

    app.clock.advance(HOUR_MS);
    const results = await send(
      listen(stranger.dawn, SEEN),
      listen(dawn, "2020-01-01T00:00:00.000Z"),
      listen(dawn, "2099-01-01T00:00:00.000Z"),
    );

    expect(results.map(({ outcome, code }: Json) => [outcome, code])).toEqual([
      ["refused", "track_not_found"],
      ["stored", null],
      ["stored", null],
    ]);
    const times = app.deps.db.$client
      .query("SELECT at FROM listens WHERE account_id = ? ORDER BY at")
      .all(accountId);
    expect(times).toEqual([{ at: beginning }, { at: app.deps.now() }]);
  });
});
