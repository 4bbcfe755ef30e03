import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../src/kernel/time.ts";
import { tidyHourly } from "../../src/upkeep.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

const ORIGIN = "http://127.0.0.1:4747";
const TUS = { "tus-resumable": "1.0.0" };
const OCTETS = "application/offset+octet-stream";

type Bytes = Uint8Array<ArrayBuffer>;

let songs = 0;
/** A song with bytes of its own. */
const song = (): Bytes => {
  songs++;
  return wavBytes([sine(8000, 0.3, 200 + 7 * songs)], 8000, 16) as Bytes;
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** An account, and what its browser does. */
function sender() {
  const { accountId, token } = app.createAccount();
  const headers = { cookie: `dubplate_session=${token}`, origin: ORIGIN };
  const ask = (method: string, path: string, more: Record<string, string> = {}, body?: Bytes | string) =>
    app.request(path, { method, headers: { ...headers, ...TUS, ...more }, ...(body && { body }) });
  const begin = async (
    path: string,
    length: number,
    texts: Record<string, string> = {},
    body?: Bytes | string,
  ) => {
    const metadata = Object.entries({ filename: path, ...texts })
      .map(([name, text]) => `${name} ${Buffer.from(text).toString("base64")}`)
      .join(",");
    const about = { "upload-length": String(length), "upload-metadata": metadata };
    return ask("POST", "/app/uploads", { ...about, ...(body && { "content-type": OCTETS }) }, body);
  };
  const piece = (location: string, offset: number, body: Bytes | string) =>
    ask("PATCH", location, { "content-type": OCTETS, "upload-offset": String(offset) }, body);
  const offsetAt = async (location: string) => {
    const { status, headers: found } = await ask("HEAD", location);
    return status === 200 ? Number(found.get("upload-offset")) : status;
  };
  const json = async (path: string, body: object): Promise<Json> => {
    const response = await app.request(path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: Json = await response.json();
    return response.status === 200 ? answer.data : answer;
  };
  return {
    accountId,
    token,
    ask,
    begin,
    piece,
    offsetAt,
    /** Sends a whole file, and returns the id of its upload. */
    send: async (path: string, bytes: Bytes, texts: Record<string, string> = {}) => {
      const { headers: begun } = await begin(path, bytes.length, texts);
      const location = begun.get("location") ?? "";
      await piece(location, 0, bytes);
      return location.split("/").at(-1) ?? "";
    },
    finish: async (...uploads: { id: string; path: string; trackId?: string; activate?: boolean }[]) =>
      (await json("/app/uploads/finish", { uploads })).uploads as Json[],
    match: (...files: object[]) => json("/app/uploads/match", { files }),
    rows: async () =>
      (await app.signedIn(token)("GET", "/app/tracks")).body.data as { id: string; title: string }[],
  };
}

let mara: ReturnType<typeof sender>;
beforeEach(() => {
  mara = sender();
});

const fileOf = (id: string) => join(app.deps.settings.dataDir, "uploads", id);

describe("sending a file in pieces", () => {
  test("says what the server can do", async () => {
    const { status, headers } = await mara.ask("OPTIONS", "/app/uploads");

    expect([status, headers.get("tus-version"), headers.get("tus-max-size")]).toEqual([
      204,
      "1.0.0",
      String(2 ** 30),
    ]);
    expect(headers.get("tus-extension")).toBe("creation,creation-with-upload,expiration,termination");
  });

  test("goes on where it stopped, and becomes a track", async () => {
    const bytes = song();
    const begun = await mara.begin("Demos/Night Bus.wav", bytes.length);
    const location = begun.headers.get("location") ?? "";
    const first = await mara.piece(location, 0, bytes.slice(0, 1000));
    const wrong = await mara.piece(location, 400, bytes.slice(400));
    const standing = await mara.ask("HEAD", location);
    const last = await mara.piece(location, 1000, bytes.slice(1000));

    expect([begun.status, begun.headers.get("tus-resumable")]).toEqual([201, "1.0.0"]);
    expect(new Date(begun.headers.get("upload-expires") ?? "").getTime()).toBe(app.clock.now() + 7 * DAY_MS);
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "1000"]);
    expect([wrong.status, wrong.headers.get("upload-offset")]).toEqual([409, "1000"]);
    expect([standing.headers.get("upload-offset"), standing.headers.get("upload-length")]).toEqual([
      "1000",
      String(bytes.length),
    ]);
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, String(bytes.length)]);
    expect(await mara.rows()).toEqual([]);

    const id = location.split("/").at(-1) ?? "";
    const [finished] = await mara.finish({ id, path: "Demos/Night Bus.wav" });

    expect(finished).toMatchObject({ outcome: "track", title: "Night Bus", messageCode: null });
    expect((await mara.rows()).map(({ title }) => title)).toEqual(["Night Bus"]);
    const single = await app.as(app.createKey(mara.accountId))(
      "GET",
      `/tracks/single?id=${finished.trackId}`,
    );
    expect(single.body.data.track).toMatchObject({ name: "Night Bus.wav", visible: true });
    expect(existsSync(fileOf(id))).toBe(false);
  });

  test("takes a small file with its announcement", async () => {
    const bytes = song();

    const { status, headers } = await mara.begin("Tide.wav", bytes.length, {}, bytes);

    expect([status, headers.get("upload-offset")]).toEqual([201, String(bytes.length)]);
    const id = headers.get("location")?.split("/").at(-1) ?? "";
    expect((await mara.finish({ id, path: "Tide.wav" }))[0].outcome).toBe("track");
  });

  test("an announcement that is repeated with its key is the same upload", async () => {
    const bytes = song();
    const first = await mara.begin("Tide.wav", bytes.length, { key: "one" });
    const location = first.headers.get("location") ?? "";
    await mara.piece(location, 0, bytes.slice(0, 500));

    const again = await mara.begin("Tide.wav", bytes.length, { key: "one" }, bytes);
    const anotherOwner = await sender().begin("Tide.wav", bytes.length, { key: "one" });

    expect([again.headers.get("location"), again.headers.get("upload-offset")]).toEqual([location, "500"]);
    expect(anotherOwner.headers.get("location")).not.toBe(location);
  });

  test("can be ended by its sender", async () => {
    const { headers } = await mara.begin("Tide.wav", 5000);
    const location = headers.get("location") ?? "";
    await mara.piece(location, 0, song().slice(0, 1000));

    const ended = await mara.ask("DELETE", location);

    expect(ended.status).toBe(204);
    expect(await mara.offsetAt(location)).toBe(404);
    expect(existsSync(fileOf(location.split("/").at(-1) ?? ""))).toBe(false);
  });

  test("an upload is hidden from every other account", async () => {
    const bytes = song();
    const { headers } = await mara.begin("Tide.wav", bytes.length);
    const location = headers.get("location") ?? "";
    const id = location.split("/").at(-1) ?? "";
    const other = sender();

    const answers = [
      await other.ask("HEAD", location),
      await other.piece(location, 0, bytes),
      await other.ask("DELETE", location),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await other.finish({ id, path: "Tide.wav" }))[0]).toMatchObject({
      outcome: "refused",
      messageCode: "not_found",
    });
    expect(await mara.offsetAt(location)).toBe(0);
  });

  test.each([
    ["nobody", {}, 401],
    ["another site", { cookie: "yes", origin: "https://elsewhere.example" }, 403],
    ["a page that says nothing of itself", { cookie: "yes" }, 403],
  ])("is refused to %s", async (_, given: Record<string, string>, status) => {
    const { headers } = await mara.begin("Tide.wav", 5000);
    const location = headers.get("location") ?? "";
    const { cookie, ...rest } = given;
    const sent = { ...TUS, ...rest, ...(cookie && { cookie: `dubplate_session=${mara.token}` }) };

    for (const [method, path] of [
      ["POST", "/app/uploads"],
      ["PATCH", location],
      ["DELETE", location],
      ["POST", "/app/uploads/finish"],
      ["POST", "/app/uploads/match"],
    ] as const) {
      const response = await app.request(path, { method, headers: sent });
      expect([method, path, response.status]).toEqual([method, path, status]);
    }
    expect(await mara.offsetAt(location)).toBe(0);
  });

  test.each([
    ["an empty file", { "upload-length": "0" }, 400],
    ["a file of more than 1 GB", { "upload-length": String(2 ** 30 + 1) }, 413],
    ["a file without a length", {}, 400],
    ["another version of the protocol", { "upload-length": "10", "tus-resumable": "0.2.2" }, 412],
  ])("refuses %s", async (_, headers: Record<string, string>, status) => {
    expect((await mara.ask("POST", "/app/uploads", headers)).status).toBe(status);
  });

  test("refuses a file that is not music as soon as its first bytes arrive", async () => {
    const { headers } = await mara.begin("Letter.wav", 20);
    const location = headers.get("location") ?? "";

    const sent = await mara.piece(location, 0, "this is not music at");

    expect([sent.status, ((await sent.json()) as Json).message]).toEqual([
      400,
      "Letter.wav is not an audio file in a supported format",
    ]);
    expect(await mara.offsetAt(location)).toBe(404);
  });
});

test("a full disk is refused with 507, and the reserve of the disk stays free", async () => {
  const full = await createTestApp({ settings: { diskReserveBytes: Number.MAX_SAFE_INTEGER } });
  const { token } = full.createAccount();
  const headers = { cookie: `dubplate_session=${token}`, origin: ORIGIN, ...TUS, "upload-length": "1000" };

  const { status } = await full.request("/app/uploads", { method: "POST", headers });

  expect(status).toBe(507);
  expect(readdirSync(full.deps.settings.dataDir)).not.toContain("uploads");
  await full.close();
});

describe("finishing", () => {
  test("gives each file its own outcome, and the same one when asked again", async () => {
    const bytes = song();
    const [one, half] = [await mara.send("a/One.wav", bytes), await mara.begin("Half.wav", 9000)];
    const halfId = half.headers.get("location")?.split("/").at(-1) ?? "";
    const asked = [
      { id: one, path: "a/One.wav" },
      { id: halfId, path: "Half.wav" },
      { id: "A".repeat(22), path: "None.wav" },
    ];

    const first = await mara.finish(...asked);
    const second = await mara.finish(...asked);

    expect(first.map(({ outcome, messageCode }) => [outcome, messageCode])).toEqual([
      ["track", null],
      ["refused", "upload_incomplete"],
      ["refused", "not_found"],
    ]);
    expect(second).toEqual(first);
    expect((await mara.rows()).length).toBe(1);
  });

  test("twenty requests at once make one track", async () => {
    const id = await mara.send("One.wav", song());

    const all = await Promise.all(Array.from({ length: 20 }, () => mara.finish({ id, path: "One.wav" })));

    expect(new Set(all.map(([only]) => only.trackId)).size).toBe(1);
    expect((await mara.rows()).length).toBe(1);
  });

  test("makes a new version of a track, which plays from then on unless it should not", async () => {
    const [{ trackId }] = await mara.finish({ id: await mara.send("Tide.wav", song()), path: "Tide.wav" });
    const [second, third] = [await mara.send("Tide v2.wav", song()), await mara.send("Tide v3.wav", song())];

    const [active] = await mara.finish({ id: second, path: "Tide v2.wav", trackId });
    await mara.finish({ id: third, path: "Tide v3.wav", trackId, activate: false });

    const listed = (await app.signedIn(mara.token)("GET", `/app/tracks/${trackId}/versions`)).body.data;
    expect(active).toMatchObject({ outcome: "version", trackId, title: "Tide" });
    expect(listed.map(({ name, active: plays }: Json) => [name, plays])).toEqual([
      ["Tide v3.wav", false],
      ["Tide v2.wav", true],
      ["Tide.wav", false],
    ]);
  });

  test("a new version of a track that is gone is refused, and can still become a track", async () => {
    const id = await mara.send("Tide.wav", song());

    const [refused] = await mara.finish({ id, path: "Tide.wav", trackId: "trk_none" });
    const [made] = await mara.finish({ id, path: "Tide.wav" });

    expect(refused).toMatchObject({ outcome: "refused", messageCode: "track_not_found" });
    expect(made.outcome).toBe("track");
  });

  test("names the track that has the same bytes", async () => {
    const bytes = song();
    const [first] = await mara.finish({ id: await mara.send("Tide.wav", bytes), path: "Tide.wav" });

    const [twin] = await mara.finish({ id: await mara.send("copy.wav", bytes), path: "copy.wav" });
    const other = sender();
    const [theirs] = await other.finish({ id: await other.send("copy.wav", bytes), path: "copy.wav" });

    expect(twin).toMatchObject({ outcome: "twin", trackId: first.trackId, title: "Tide" });
    expect(theirs.outcome).toBe("track");
    expect((await mara.rows()).length).toBe(1);
  });

  test("a finished upload that is asked for again has all its bytes", async () => {
    const bytes = song();
    const id = await mara.send("Tide.wav", bytes, { key: "k" });
    await mara.finish({ id, path: "Tide.wav" });

    const again = await mara.begin("Tide.wav", bytes.length, { key: "k" });

    expect(again.headers.get("upload-offset")).toBe(String(bytes.length));
    expect(await mara.offsetAt(`/app/uploads/${id}`)).toBe(bytes.length);
  });
});

describe("after a week", () => {
  test("an upload that did not arrive whole is deleted after a week, and one that did becomes a track", async () => {
    const bytes = song();
    const half = (await mara.begin("Half.wav", bytes.length)).headers.get("location") ?? "";
    await mara.piece(half, 0, bytes.slice(0, 1000));
    const whole = await mara.send("Whole.wav", bytes);
    await tidyHourly(app.deps);
    expect(await mara.offsetAt(half)).toBe(1000);

    app.clock.advance(7 * DAY_MS);
    expect(await mara.offsetAt(half)).toBe(404);
    await tidyHourly(app.deps);

    expect((await mara.rows()).map(({ title }) => title)).toEqual(["Whole"]);
    expect([half.split("/").at(-1) ?? "", whole].map(fileOf).filter(existsSync)).toEqual([]);
  });

  test("the week of an upload is counted from its last byte", async () => {
    const bytes = song();
    const location = (await mara.begin("Slow.wav", bytes.length)).headers.get("location") ?? "";
    app.clock.advance(6 * DAY_MS);
    await mara.piece(location, 0, bytes.slice(0, 1000));
    app.clock.advance(6 * DAY_MS);
    await tidyHourly(app.deps);

    expect(await mara.offsetAt(location)).toBe(1000);
  });
});

describe("which track a file belongs to", () => {
  beforeEach(async () => {
    for (const name of ["Night Bus.wav", "Mara - Slow Train v2.wav", "Blue 2.wav", "Track 01.wav"])
      await mara.finish({ id: await mara.send(name, song()), path: name });
  });

  test.each([
    ["Night Bus v7.wav", "Night Bus"],
    ["night_bus_v2.wav", "Night Bus"],
    ["Exports/NIGHT BUS (final mix 3).aiff", "Night Bus"],
    ["Night Bus [master 24bit 48k].flac", "Night Bus"],
    ["2026-11-22 Night Bus bounce.wav", "Night Bus"],
    ["Night Bus_20261122.wav", "Night Bus"],
    ["01 - Night Bus.mp3", "Night Bus"],
    ["Night Bus (2).wav", "Night Bus"],
    ["Night Bus v7 new loud.wav", "Night Bus"],
    ["Mara - Slow Train final.wav", "Mara - Slow Train v2"],
    ["Blue 2 master.wav", "Blue 2"],
    ["Night Bus 2.wav", undefined],
    ["Night Bus new.wav", undefined],
    ["Night Bus remix.wav", undefined],
    ["Night Bus instrumental.wav", undefined],
    ["Night.wav", undefined],
    ["Bus.wav", undefined],
    ["Blue.wav", undefined],
    ["Track 02.wav", undefined],
    ["Final Mix.wav", undefined],
    ["v2.wav", undefined],
    ["Last Night Bus.wav", undefined],
    ["Else - Slow Train.wav", undefined],
    ['" OR name:*.wav', undefined],
  ])("a file name leads to its track, or to none: %s", async (path, title) => {
    const { matches } = await mara.match({ path, size: 7 });

    expect(matches.map((match: Json) => match.title)).toEqual(title === undefined ? [] : [title]);
  });

  test("a name that two tracks have points at neither", async () => {
    await mara.finish({ id: await mara.send("Night Bus demo.wav", song()), path: "Night Bus demo.wav" });

    expect((await mara.match({ path: "Night Bus v7.wav", size: 7 })).matches).toEqual([]);
  });

  test("a file belongs to a track of its own account alone", async () => {
    expect((await sender().match({ path: "Night Bus v7.wav", size: 7 })).matches).toEqual([]);
  });

  test("the same bytes are told by their hash, or once they have arrived", async () => {
    const bytes = song();
    const [{ trackId }] = await mara.finish({ id: await mara.send("Tide.wav", bytes), path: "Tide.wav" });
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const path = "other name.wav";

    const unknown = await mara.match({ path, size: bytes.length }, { path: "b.wav", size: 12_345 });
    const hashed = await mara.match({ path, size: bytes.length, sha256 });
    const arrived = await mara.match({ path, size: bytes.length, id: await mara.send(path, bytes) });

    expect([unknown.matches, unknown.sameSize]).toEqual([[], [path]]);
    const twin = { path, trackId, title: "Tide", isTwin: true };
    expect([hashed.matches, arrived.matches]).toEqual([[twin], [twin]]);
  });
});
