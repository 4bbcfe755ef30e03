import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import { deleteAccount } from "../../src/modules/whole/ownership/service.ts";
import { recoverFiles, tidyHourly } from "../../src/upkeep.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

const ORIGIN = "http://127.0.0.1:4747";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let songs = 0;
const song = () => wavBytes([sine(4000, 0.2, 200 + 7 * ++songs)], 8000, 16) as Uint8Array<ArrayBuffer>;

/** An account, and what its browsers do. */
function sender(account = app.createAccount()) {
  const ask = app.signedIn(account.token);
  const send = async (path: string, bytes = song(), more: Record<string, string> = {}) => {
    const response = await app.request("/app/uploads", {
      method: "POST",
      headers: {
        cookie: `dubplate_session=${account.token}`,
        origin: ORIGIN,
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-length": String(bytes.length),
        "upload-metadata": `filename ${Buffer.from(path).toString("base64")}`,
        ...more,
      },
      body: bytes,
    });
    return response.headers.get("location")?.split("/").at(-1) ?? "";
  };
  const finish = async (...uploads: { id: string; path: string; trackId?: string }[]): Promise<Json[]> =>
    (await ask("POST", "/app/uploads/finish", { uploads })).body.data.uploads;
  const wait = async (id: string): Promise<Json> =>
    (await ask("POST", `/app/uploads/${id}/wait`)).body.data.upload;
  return {
    ...account,
    ask,
    send,
    finish,
    wait,
    make: async (path: string, bytes = song()): Promise<string> =>
      (await finish({ id: await send(path, bytes), path }))[0].trackId,
    /** Sends a file that then waits. */
    leave: async (path: string, bytes = song()) => {
      const id = await send(path, bytes);
      await wait(id);
      return id;
    },
    waiting: async (query = ""): Promise<Json[]> =>
      (await ask("GET", `/app/uploads/waiting${query}`)).body.data,
    tracks: async (): Promise<[string, number][]> => {
      const { data } = (await ask("GET", "/app/tracks")).body;
      return data.map(({ title, versions }: Json) => [title, versions]).toSorted();
    },
  };
}

let mara: ReturnType<typeof sender>;
let trackId: string;
beforeEach(async () => {
  mara = sender();
  trackId = await mara.make("Night Bus.wav");
});

describe("a file that is named like a version of a track", () => {
  test("waits for every browser of its account, and no other, with the track that it looks like", async () => {
    const bytes = song();
    const id = await mara.send("Exports/Night Bus v2.wav", bytes);
    const before = await mara.waiting();
    const { seq } = (await mara.ask("GET", "/app/changes")).body.data;
    app.clock.advance(DAY_MS);
    const asked = await mara.wait(id);
    const other = sender();

    const { waitingSince, waitsUntil, ...rest } = asked;
    expect(before).toEqual([]);
    expect(rest).toEqual({
      id,
      path: "Exports/Night Bus v2.wav",
      sizeBytes: bytes.length,
      trackId,
      title: "Night Bus",
    });
    expect(Date.parse(waitingSince)).toBe(app.clock.now());
    expect(Date.parse(waitsUntil)).toBe(app.clock.now() + 30 * DAY_MS);
    expect(await mara.waiting()).toEqual([asked]);
    expect((await mara.ask("GET", `/app/changes?after=${seq}`)).body.data.changes).toContainEqual({
      topic: "uploads",
      ids: [id],
    });
    expect(await other.waiting()).toEqual([]);
    expect((await other.ask("POST", `/app/uploads/${id}/wait`)).status).toBe(404);
    expect((await other.finish({ id, path: "x.wav" }))[0].messageCode).toBe("not_found");
    expect((await app.request("/app/uploads/waiting")).status).toBe(401);
    expect(await mara.waiting()).toEqual([asked]);
  });

  test("is decided once: a second answer gets the first one's outcome", async () => {
    const path = "Night Bus v2.wav";
    const id = await mara.leave(path);

    const [first] = await mara.finish({ id, path, trackId });
    const [second] = await mara.finish({ id, path });

    expect(first).toMatchObject({ outcome: "version", trackId });
    expect(second).toEqual(first);
    expect(await mara.waiting()).toEqual([]);
    expect(await mara.wait(id)).toBe(null);
    expect(await mara.tracks()).toEqual([["Night Bus", 2]]);
  });

  test("two answers at once make one version or one track", async () => {
    const path = "Night Bus v2.wav";
    const id = await mara.leave(path);

    const [one, other] = await Promise.all([mara.finish({ id, path, trackId }), mara.finish({ id, path })]);

    expect(one).toEqual(other);
    expect((await mara.tracks()).flatMap(([, versions]) => versions).reduce((sum, each) => sum + each)).toBe(
      2,
    );
  });

  test("still waits after a restart, with its bytes", async () => {
    const path = "Night Bus v2.wav";
    const id = await mara.leave(path);
    app.clock.advance(8 * DAY_MS);
    recoverFiles(app.deps);
    const again = createApp(app.deps, { setupCode: () => undefined });
    await tidyHourly(app.deps);
    const ask = async (method: string, at: string, body?: object): Promise<Json> => {
      const headers = { authorization: `Bearer ${mara.token}`, "content-type": "application/json" };
      const request = new Request(`${ORIGIN}${at}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return ((await (await again.front(request, "127.0.0.1")).json()) as Json).data;
    };

    const listed = await ask("GET", "/app/uploads/waiting");
    const { uploads } = await ask("POST", "/app/uploads/finish", { uploads: [{ id, path, trackId }] });

    expect(listed.map((each: Json) => each.id)).toEqual([id]);
    expect(uploads[0]).toMatchObject({ outcome: "version", trackId });
    again.live.close();
  });

  test("becomes a separate track after 30 days, whatever its sender sends meanwhile", async () => {
    const bytes = song();
    const id = await mara.leave("Night Bus v2.wav", bytes);
    app.clock.advance(DAY_MS);
    const cookie = `dubplate_session=${mara.token}`;
    const last = { "content-type": "application/offset+octet-stream", "upload-offset": String(bytes.length) };
    await app.request(`/app/uploads/${id}`, {
      method: "PATCH",
      headers: { cookie, origin: ORIGIN, "tus-resumable": "1.0.0", ...last },
    });
    app.clock.advance(29 * DAY_MS - 1);
    await tidyHourly(app.deps);
    const waiting = await mara.waiting();
    app.clock.advance(1);
    await tidyHourly(app.deps);
    const later = sender({
      ...mara,
      token: beginSession(app.deps, getAccountByEmail(app.deps, mara.email), { ip: "test", userAgent: null })
        .token,
    });

    expect(waiting.map((each) => each.id)).toEqual([id]);
    expect(await later.waiting()).toEqual([]);
    expect(await later.tracks()).toEqual([
      ["Night Bus v2", 1],
      ["Night Bus", 1],
    ]);
  });

  test("can only become a track once the one that it looks like has left the library", async () => {
    const path = "Night Bus v2.wav";
    const id = await mara.leave(path);
    await mara.ask("DELETE", `/app/tracks/${trackId}`);

    const [listed] = await mara.waiting();
    const [refused] = await mara.finish({ id, path, trackId });
    const still = await mara.waiting();
    const [made] = await mara.finish({ id, path });

    expect(listed).toMatchObject({ id, trackId: null, title: null });
    expect(refused).toMatchObject({ outcome: "refused", messageCode: "track_not_found" });
    expect(still).toEqual([listed]);
    expect(made.outcome).toBe("track");
  });

  test("is deleted with its account, and when its owner ends it", async () => {
    const [kept, ended] = [await mara.leave("Night Bus v2.wav"), await mara.leave("Night Bus v3.wav")];
    const fileOf = (id: string) => Bun.file(join(app.deps.settings.dataDir, "uploads", id)).exists();
    const cookie = `dubplate_session=${mara.token}`;
    await app.request(`/app/uploads/${ended}`, {
      method: "DELETE",
      headers: { cookie, origin: ORIGIN, "tus-resumable": "1.0.0" },
    });
    const listed = (await mara.waiting()).map((each) => each.id);

    await deleteAccount(app.deps, { id: mara.accountId, email: mara.email } as never, { isErased: true });

    expect(listed).toEqual([kept]);
    expect([await fileOf(kept), await fileOf(ended)]).toEqual([false, false]);
  });

  test("is listed in pages, the newest first, without files that a backup did not bring along", async () => {
    const ids: string[] = [];
    for (const name of ["v2", "v3", "v4"]) ids.unshift(await mara.leave(`Night Bus ${name}.wav`));
    const expected = (await mara.waiting()).map((each) => each.id);
    const first = await mara.ask("GET", "/app/uploads/waiting?limit=2");
    const rest = await mara.waiting(`?limit=2&cursor=${first.body.paging.next_cursor}`);
    rmSync(join(app.deps.settings.dataDir, "uploads", ids[0] ?? ""));

    expect(expected.toSorted()).toEqual(ids.toSorted());
    expect([...first.body.data, ...rest].map((each: Json) => each.id)).toEqual(expected);
    expect((await mara.waiting()).map((each) => each.id)).toEqual(expected.filter((id) => id !== ids[0]));
    expect((await mara.ask("GET", "/app/uploads/waiting?cursor=none")).status).toBe(400);
  });
});

describe("a file does not wait", () => {
  test("a file does not wait when no name fits, when the library has its bytes, or when it has become something", async () => {
    const bytes = song();
    await mara.make("Slow Train.wav", bytes);
    const done = await mara.send("Night Bus v2.wav");
    await mara.finish({ id: done, path: "Night Bus v2.wav" });

    const answers = [
      await mara.wait(await mara.send("Something Else.wav")),
      await mara.wait(await mara.send("Night Bus v3.wav", bytes)),
      await mara.wait(done),
    ];

    expect(answers).toEqual([null, null, null]);
    expect(await mara.waiting()).toEqual([]);
  });

  test("a file does not wait before all of it has arrived", async () => {
    const half = await mara.send("Night Bus v2.wav", song(), { "upload-length": "90000" });

    const { status, body } = await mara.ask("POST", `/app/uploads/${half}/wait`);

    expect([status, body.messageCode]).toEqual([409, "upload_incomplete"]);
    expect(await mara.waiting()).toEqual([]);
  });
});
