import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, ne } from "drizzle-orm";
import { accountChanges, sessions } from "../../db/schema.ts";
import { MODULES } from "../../src/modules/index.ts";
import {
  type AccountRow,
  beginSession,
  getAccountByEmail,
} from "../../src/modules/people/accounts/service.ts";
import { transferAccount } from "../../src/modules/whole/ownership/service.ts";
import { newAudio } from "../contract/files.ts";
import { createLibrary } from "../contract/library.ts";
import { legacyRequest } from "../mcp/support.ts";
import { createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createListener } from "./listener.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ liveTiming: { lookMs: 5, heartbeatMs: 60_000 } });
});
afterAll(() => app.close());

function owner() {
  const { accountId, email, token } = app.createAccount();
  const key = app.createKey(accountId);
  const web = app.signedIn(token);
  const listen = (query = "", headers: Record<string, string> = {}) =>
    createListener(
      app.request(`/app/events${query}`, { headers: { authorization: `Bearer ${token}`, ...headers } }),
    );
  const changes = async (query = "") => (await web("GET", `/app/changes${query}`)).body.data;
  return {
    accountId,
    email,
    token,
    key,
    web,
    listen,
    changes,
    library: createLibrary(app, { accountId, token, key }),
  };
}
type Owner = ReturnType<typeof owner>;

const rename = ({ key }: Owner, id: string, title: string) =>
  app.as(key)("PATCH", `/tracks/details?id=${id}`, { title });

describe("GET /app/events", () => {
  test("says where it begins, and then what changes", async () => {
    const me = owner();
    const { id } = addTrackRows(app.deps.db, me.accountId, {});
    const live = me.listen();
    const ready = await live.next();

    await rename(me, id, "Other");

    expect([live.status(), live.contentType()]).toEqual([200, "text/event-stream"]);
    expect(ready).toEqual({
      event: "ready",
      id: (await me.changes()).seq === ready.id ? ready.id : expect.any(String),
      data: {},
    });
    expect(await live.next()).toEqual({
      event: "message",
      id: expect.any(String),
      data: { topic: "tracks", ids: [id] },
    });
    live.close();
  });

  test("says many changes at once, each thing once, and no more than a hundred of a topic", async () => {
    const me = owner();
    const ids = Array.from({ length: 101 }, () => addTrackRows(app.deps.db, me.accountId, {}).id);
    const { seq: before } = await me.changes();

    for (const album of ["A", "B"])
      await me.web("POST", "/app/tracks/bulk", {
        where: { ids: ids.slice(0, 2) },
        do: { details: { album } },
      });
    const few = await me.changes(`?after=${before}`);
    await me.web("POST", "/app/tracks/bulk", { where: { ids }, do: { details: { album: "C" } } });

    expect(few).toMatchObject({ changes: [{ topic: "tracks" }], lost: false });
    expect(few.changes[0].ids.toSorted()).toEqual(ids.slice(0, 2).toSorted());
    expect(await me.changes(`?after=${few.seq}`)).toMatchObject({
      changes: [{ topic: "tracks", ids: null }],
      lost: false,
    });
  });

  test("tells an account nothing of another's", async () => {
    const [me, other] = [owner(), owner()];
    const { id } = addTrackRows(app.deps.db, me.accountId, {});
    const live = me.listen();
    await live.next();

    addTrackRows(app.deps.db, other.accountId, {});
    await rename(me, id, "Mine");

    const heard = await live.until(({ data }) => data.topic === "tracks");
    expect(heard.data.ids).toEqual([id]);
    live.close();
  });

  test("tells both accounts of what goes from one to the other", async () => {
    const [from, to] = [owner(), owner()];
    const { id } = addTrackRows(app.deps.db, from.accountId, {});
    const { seq } = await from.changes();

    const accounts = [from, to].map(({ email }) => getAccountByEmail(app.deps, email)) as [
      AccountRow,
      AccountRow,
    ];
    await transferAccount(app.deps, ...accounts, MODULES);

    for (const side of [from, to]) {
      const { changes } = await side.changes(`?after=${seq}`);
      expect(changes).toContainEqual({ topic: "tracks", ids: [id] });
    }
  });

  test.each([
    ["`after`", (id: string) => [`?after=${id}`, {}] as const],
    ["`Last-Event-ID`, which is newer", (id: string) => ["?after=0", { "last-event-id": id }] as const],
  ])("goes on from %s", async (_, from) => {
    const me = owner();
    const { id } = addTrackRows(app.deps.db, me.accountId, {});
    const first = me.listen();
    const { id: heard } = await first.next();
    first.close();
    await rename(me, id, "While nobody listened");

    const [query, headers] = from(heard);
    const second = me.listen(query, headers);

    expect((await second.next()).event).toBe("ready");
    expect((await second.next()).data).toEqual({ topic: "tracks", ids: [id] });
    second.close();
  });

  test("loses nothing when the connection breaks between two messages", async () => {
    const me = owner();
    const live = me.listen();
    const ready = await live.next();
    await me.library.track(); // several topics at once
    const first = await live.next();
    live.close();

    const again = me.listen(`?after=${first.id}`);
    const topics = new Set([first.data.topic]);
    while (!topics.has("activity")) topics.add((await again.next()).data.topic);

    expect(Number(first.id)).toBeGreaterThanOrEqual(Number(ready.id));
    expect([...topics]).toContain("versions");
    again.close();
  });

  test("says `lost` when what changed since then is not kept any more", async () => {
    const me = owner();
    const { seq } = await me.changes();
    const { id } = addTrackRows(app.deps.db, me.accountId, {});
    app.deps.db.delete(accountChanges).where(ne(accountChanges.accountId, me.accountId)).run();
    app.deps.db
      .update(accountChanges)
      .set({ at: Date.now() - 3_600_001 })
      .run();
    await rename(me, id, "An hour later");

    const live = me.listen(`?after=${seq}`);
    await live.next();
    const lost = await live.next();
    const listed = await me.changes(`?after=${seq}`);
    const fromFuture = await me.changes("?after=999999999");

    expect(lost).toEqual({ event: "lost", id: listed.seq, data: {} });
    expect([listed.lost, listed.changes, fromFuture.lost]).toEqual([true, [], true]);
    expect((await me.changes(`?after=${lost.id}`)).lost).toBe(false);
    live.close();
  });

  test("is refused past 50 of one person, and not to others", async () => {
    const [me, other] = [owner(), owner()];
    const open = Array.from({ length: 50 }, () => me.listen());
    for (const live of open) await live.next();

    const refused = await app.request("/app/events", { headers: { authorization: `Bearer ${me.token}` } });
    const theirs = other.listen();

    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect((await jsonOf(refused)).message).toBe(
      "You listen to 50 streams of events already: close one first",
    );
    expect((await theirs.next()).event).toBe("ready");
    open[0]?.close();
    const again = me.listen();
    expect((await again.next()).event).toBe("ready");
    for (const live of [...open.slice(1), theirs, again]) live.close();
  });

  test("ends when its session does, and no other", async () => {
    const me = owner();
    const other = app.signedIn(me.token);
    const live = me.listen();
    await live.next();
    const { accountId } = me;
    const second = { ...app.createAccount() };
    const stays = createListener(
      app.request("/app/events", { headers: { authorization: `Bearer ${second.token}` } }),
    );
    await stays.next();

    await other("POST", "/auth/logout");
    await live.ended();
    addTrackRows(app.deps.db, second.accountId, {});

    expect((await stays.next()).data.topic).toBeDefined();
    expect(app.deps.db.select().from(sessions).where(eq(sessions.accountId, accountId)).all()).toEqual([]);
    stays.close();
  });

  test("ends when another session ends all the others", async () => {
    const me = owner();
    const live = me.listen();
    await live.next();
    const account = getAccountByEmail(app.deps, me.email);
    const { token } = beginSession(app.deps, account, { ip: "test", userAgent: null });
    const web = app.signedIn(token);

    await web("DELETE", "/auth/sessions");

    await live.ended();
  });

  test("ends when the account is disabled", async () => {
    const me = owner();
    const live = me.listen();
    await live.next();

    app.deps.db.$client.query("UPDATE accounts SET active = 0 WHERE id = ?").run(me.accountId);

    await live.ended();
  });

  test("sends signs of life, and ends when its session was unused for a month", async () => {
    const quick = await createTestApp({ liveTiming: { lookMs: 1, heartbeatMs: 1 } });
    const { token } = quick.createAccount();
    const response = await quick.request("/app/events", { headers: { authorization: `Bearer ${token}` } });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes(": alive\n\n")) text += new TextDecoder().decode((await reader?.read())?.value);

    quick.clock.advance(31 * 86_400_000);

    while (!(await reader?.read())?.done);
    await quick.close();
  });

  test("answers HEAD without a stream, and costs one request of the console's budget", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 100 } });
    const headers = { cookie: `dubplate_session=${limited.createAccount().token}` };

    const head = await limited.request("/app/events", { method: "HEAD", headers });
    const response = await limited.request("/app/events", { headers });

    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "text/event-stream",
      "",
    ]);
    expect(response.headers.get("ratelimit")).toContain("r=1198;");
    expect(response.headers.get("cache-control")).toBe("no-store");
    await response.body?.cancel();
    await limited.close();
  });

  test("needs a session, and a number to go on from", async () => {
    const { token } = app.createAccount();
    const refused = await Promise.all([
      app.request("/app/events"),
      app.request("/app/changes"),
      app.request("/app/events?after=x", { headers: { authorization: `Bearer ${token}` } }),
      app.request("/app/changes?after=-1", { headers: { authorization: `Bearer ${token}` } }),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([401, 401, 400, 400]);
  });
});

describe("every topic is told of", () => {
  /** What happens in an account, and the topics that it concerns. */
  const BY_REST: [what: string, topics: string[], act: (me: Owner) => Promise<unknown>][] = [
    ["a track is uploaded", ["tracks", "versions", "analysis", "tags", "activity"], ({ library }) => library.track()],
    [
      "details are written",
      ["tracks"],
      async (me) => rename(me, addTrackRows(app.deps.db, me.accountId, {}).id, "Other"),
    ],
    [
      "tags are written",
      ["tags"],
      async ({ key, accountId }) =>
        app.as(key)("PATCH", `/tracks/tags?id=${addTrackRows(app.deps.db, accountId, {}).id}`, { genres: ["House"] }),
    ],
    ["a version is added", ["versions"], async ({ library }) => library.version(await library.track())],
    ["a playlist is made", ["playlists", "shares"], async ({ library }) => library.playlist([await library.track()])],
    [
      "a link is made",
      ["shares", "activity"],
      async ({ library }) => library.web("POST", "/app/shares", { trackId: await library.track() }),
    ],
    [
      "a comment is made",
      ["comments", "activity"],
      async ({ library }) => library.web("POST", `/app/tracks/${await library.track()}/comments`, { text: "Oh" }),
    ],
    [
      "a file is announced",
      ["uploads"],
      ({ token }) =>
        app.request("/app/uploads", {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "tus-resumable": "1.0.0",
            "upload-length": "1000",
            "upload-metadata": `filename ${btoa("Night Bus.wav")}`,
          },
        }),
    ],
    ["a composer is made", ["composers"], ({ library }) => library.composer()],
    [
      "a visitor comments",
      ["comments", "activity", "notifications"],
      async ({ library }) => {
        const track = await library.track();
        const { url } = await library.web("POST", "/app/shares", { trackId: track, allowComments: true });
        const visitor = createVisitor(app);
        const { text } = await visitor.open(new URL(url).pathname);
        const [e = "", s = ""] = ["e", "s"].map((name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]);
        await visitor.post(`${new URL(url).pathname}/comments`, { e, s, name: "Ines", text: "Louder", track });
      },
    ],
    [
      "a suggestion is turned down",
      ["tags"],
      async ({ web, accountId }) => {
        const { id } = addTrackRows(app.deps.db, accountId, { tags: { genres: ["House"] } });
        await web("PATCH", `/app/library/tracks/tags?id=${id}`, { genres: [] });
      },
    ],
    [
      "a track is sent to a brief",
      ["submissions"],
      async ({ library }) => library.submit(await library.brief(), await library.track()),
    ],
    [
      "a track is deleted",
      ["tracks", "playlists"],
      async ({ library }) => {
        const id = await library.track();
        await library.playlist([id]);
        await library.web("DELETE", `/app/tracks/${id}`);
      },
    ],
  ]; // biome-ignore format: a table

  test.each(BY_REST)("a change over REST is announced: %s", async (_, topics, act) => {
    const me = owner();
    const { seq } = await me.changes();

    await act(me);

    const { changes } = await me.changes(`?after=${seq}`);
    const told = changes.map(({ topic }: Json) => topic);
    for (const topic of topics) expect(told).toContain(topic);
    for (const { ids } of changes) expect(ids.length).toBeGreaterThan(0);
  });

  test("a change by a tool is announced", async () => {
    const me = owner();
    const { id } = addTrackRows(app.deps.db, me.accountId, {});
    const { seq } = await me.changes();

    const call = { name: "update_track_tags", arguments: { trackId: id, genres: ["House"] } };
    await app.request("/mcp", legacyRequest("tools/call", call, { "x-api-key": me.key }));

    expect((await me.changes(`?after=${seq}`)).changes).toEqual([{ topic: "tags", ids: [id] }]);
  });

  test("a change by a worker is announced", async () => {
    const me = owner();
    const id = await me.library.track();
    const { seq } = await me.changes();

    await app.drainJobs();

    const { changes } = await me.changes(`?after=${seq}`);
    expect(changes).toContainEqual({ topic: "analysis", ids: [id] });
    expect(changes).toContainEqual({ topic: "tracks", ids: [id] });
  });

  test("a change by the command line is announced while a server listens, and the streams end before the server", async () => {
    const program = createProgram();
    try {
      const email = "a@example.com";
      await program.run(["account", "create", "--email", email, "--name", "Ana"], {
        input: "correct horse battery\n",
      });
      const { address, child } = await program.serve();
      const post = (path: string, body: object) =>
        fetch(address + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const signedIn = await post("/auth/login", { email, password: "correct horse battery" });
      const { token } = ((await signedIn.json()) as Json).data;
      const live = createListener(
        fetch(`${address}/app/events`, { headers: { authorization: `Bearer ${token}` } }),
      );
      await live.next();

      writeFileSync(join(program.dataDir, "Night Bus.wav"), newAudio());
      const { rows } = await program.run([
        "import",
        join(program.dataDir, "Night Bus.wav"),
        "--email",
        email,
      ]);
      const told = await live.until(({ data }) => data.topic === "tracks");
      child.kill("SIGTERM");
      await live.ended();

      expect(told.data.ids).toEqual([rows[0]?.trackId]);
      expect(await child.exited).toBe(0);
    } finally {
      await program.close();
    }
  });
});
