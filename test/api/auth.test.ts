import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sessions } from "../../db/schema.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

const SETUP_CODE = "K7QF2-M9XTB";
const json = { "content-type": "application/json" };

describe("the first account", () => {
  test("needs the set-up code, once; then registration is closed", async () => {
    const app = await createTestApp({ setupCode: SETUP_CODE });
    const register = async (body: object) => {
      const response = await app.request("/auth/register", {
        method: "POST",
        headers: json,
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    };
    const me = { email: " Me@Example.com ", password: "a long password", name: "Me" };

    const without = await register(me);
    const wrong = await register({ ...me, setupCode: "AAAAA-AAAAA" });
    const right = await register({ ...me, setupCode: "k7qf2 m9xtb" });
    const again = await register({ ...me, email: "other@example.com", setupCode: SETUP_CODE });

    expect(without).toMatchObject({ status: 403, body: { messageCode: "invalid_setup_code" } });
    expect(wrong).toMatchObject({ status: 403, body: { messageCode: "invalid_setup_code" } });
    expect(right).toMatchObject({
      status: 200,
      body: { data: { user: { email: "me@example.com", name: "Me" } } },
    });
    expect(again).toMatchObject({ status: 403, body: { messageCode: "registration_closed" } });
    await app.close();
  });

  test("one of two requests at once with the right code creates the account", async () => {
    const app = await createTestApp({ setupCode: SETUP_CODE });
    const register = (email: string) =>
      app.request("/auth/register", {
        method: "POST",
        headers: json,
        body: JSON.stringify({ email, password: "a long password", name: "X", setupCode: SETUP_CODE }),
      });

    const both = await Promise.all([register("a@example.com"), register("b@example.com")]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    await app.close();
  });

  test("open registration accepts later accounts, each address once", async () => {
    const app = await createTestApp({ settings: { registrationOpen: true }, setupCode: SETUP_CODE });
    app.createAccount("first@example.com");
    const register = async (email: string) => {
      const body = JSON.stringify({ email, password: "a long password", name: "X" });
      return (await app.request("/auth/register", { method: "POST", headers: json, body })).status;
    };

    expect(await register("second@example.com")).toBe(200);
    expect(await register("SECOND@example.com")).toBe(400);
    await app.close();
  });
});

describe("registering", () => {
  const post = (app: TestApp, body: object, peer: string) =>
    app.request("/auth/register", { method: "POST", headers: json, body: JSON.stringify(body), peer });
  const me = { email: "me@example.com", password: "a long password", name: "Me" };

  test("allows ten guesses at the set-up code, then blocks for a quarter of an hour", async () => {
    const app = await createTestApp({ setupCode: SETUP_CODE });
    const guess = () => post(app, { ...me, setupCode: "AAAAA-AAAAA" }, "10.0.2.1");
    for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(403);

    const refused = await post(app, { ...me, setupCode: SETUP_CODE }, "10.0.2.1");
    app.clock.advance(15 * MINUTE_MS);
    const later = await post(app, { ...me, setupCode: SETUP_CODE }, "10.0.2.1");

    expect([refused.status, later.status]).toEqual([429, 200]);
    await app.close();
  });

  test("counts no attempts on a server with closed registration", async () => {
    const app = await createTestApp();
    app.createAccount();

    for (let n = 0; n < 12; n++) expect((await post(app, me, "10.0.2.2")).status).toBe(403);
    await app.close();
  });
});

describe("signing in", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
    app.createAccount("me@example.com");
  });
  afterAll(() => app.close());

  const login = (email: string, password: string, ip = "10.0.0.1") =>
    app.request("/auth/login", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ email, password }),
      peer: ip,
    });

  test("gives a token that opens the session, and is not cached", async () => {
    const response = await login("Me@example.com", "correct horse battery");
    const { data } = await jsonOf(response);

    const session = await app.signedIn(data.token)("GET", "/auth/session");

    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(session.body.data).toMatchObject({ user: { email: "me@example.com" } });
    expect(
      app.deps.db
        .select()
        .from(sessions)
        .all()
        .some((row) => row.tokenHash.toString().includes(data.token)),
    ).toBe(false);
  });

  test("an unknown address and a wrong password get the same answer", async () => {
    const unknown = await (await login("nobody@example.com", "whatever it is")).json();
    const wrong = await (await login("me@example.com", "whatever it is")).json();

    expect(unknown).toEqual(wrong);
    expect(wrong).toMatchObject({ statusCode: 401, messageCode: "invalid_credentials" });
  });

  const right = (ip: string) => login("me@example.com", "correct horse battery", ip);
  const wrong = (ip: string) => login("me@example.com", "wrong", ip);
  const statusesOf = async (all: Promise<Response>[]) =>
    (await Promise.all(all)).map(({ status }) => status).sort();

  test("correct passwords do not count as attempts, one after another or at once", async () => {
    for (let n = 0; n < 12; n++) expect((await right("10.0.1.1")).status).toBe(200);

    expect(await statusesOf(Array.from({ length: 12 }, () => right("10.0.1.1")))).toEqual(
      Array(12).fill(200),
    );
  });

  test("a correct password after nine wrong ones signs in, and resets the count", async () => {
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) expect((await wrong("10.0.1.2")).status).toBe(401);
      expect((await right("10.0.1.2")).status).toBe(200);
    }
  });

  test("only ten of twenty wrong passwords at once are checked", async () => {
    const statuses = await statusesOf(Array.from({ length: 20 }, () => wrong("10.0.1.3")));

    expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  });

  test("addresses of one IPv6 network count as one client", async () => {
    for (let n = 0; n < 10; n++) await wrong(`2001:db8::${n + 1}`);

    const statuses = [(await right("2001:db8::99")).status, (await right("2001:db8:0:1::99")).status];

    expect(statuses).toEqual([429, 200]);
  });

  test("thirty-two of two hundred sign-ins at once wait their turn, and the others are told when to retry", async () => {
    const all = Array.from({ length: 200 }, (_, n) =>
      login(`${n}@example.com`, "whatever it is", "10.0.1.4"),
    );
    const busy = (await Promise.all(all)).filter(({ status }) => status === 429);

    expect(busy).toHaveLength(168);
    for (const refused of busy) {
      expect(refused.headers.get("retry-after")).toBe("2");
      expect(await jsonOf(refused)).toMatchObject({
        messageCode: "rate_limit_exceeded",
        message: "Too many passwords at once, try again in 2 seconds",
      });
    }
    expect((await login("199@example.com", "whatever it is", "10.0.1.4")).status).toBe(401);
    expect((await right("10.0.1.4")).status).toBe(200);
  });

  test("two hundred sign-ins at once do not hold up an upload", async () => {
    const upload = app.as(app.createKey(app.createAccount().accountId));
    const form = new FormData();
    form.append("files", new File([wavBytes([sine(8000, 0.1, 440)], 8000, 16)], "tone.wav"));
    const order: string[] = [];

    const signIns = Array.from({ length: 200 }, (_, n) => login(`${n}@example.org`, "whatever it is"));
    const uploaded = upload("POST", "/tracks/upload", form);
    void Promise.all(signIns).then(() => order.push("the last sign-in"));
    void uploaded.then(() => order.push("the upload"));
    await Promise.all([uploaded, ...signIns]);

    expect((await uploaded).status).toBe(200);
    expect(order).toEqual(["the upload", "the last sign-in"]);
  });

  test("ten wrong passwords in a quarter of an hour lead to 429 with the wait, even if RATE_LIMIT is 0", async () => {
    for (let attempt = 0; attempt < 10; attempt++) await login("me@example.com", "wrong", "10.0.0.9");

    const eleventh = await login("me@example.com", "correct horse battery", "10.0.0.9");
    const { message } = await jsonOf(eleventh);
    const elsewhere = await login("me@example.com", "correct horse battery", "10.0.0.10");
    app.clock.advance(15 * MINUTE_MS);
    const later = await login("me@example.com", "correct horse battery", "10.0.0.9");

    expect(eleventh.status).toBe(429);
    expect([eleventh.headers.get("retry-after"), message]).toEqual([
      "900",
      "Too many attempts, try again in 15 minutes",
    ]);
    expect([elsewhere.status, later.status]).toEqual([200, 200]);
  });
});

describe("a session", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  test("ends 30 days after its last use, and 90 days after sign-in at the latest", async () => {
    const { token } = app.createAccount();
    const status = async () => (await app.signedIn(token)("GET", "/auth/session")).status;

    const used = [];
    for (let month = 0; month < 3; month++) {
      app.clock.advance(29 * DAY_MS);
      used.push(await status());
      app.app.usage.flush();
    }
    app.clock.advance(4 * DAY_MS);
    const afterNinety = await app.signedIn(token)("GET", "/auth/session");

    expect(used).toEqual([200, 200, 200]);
    expect(afterNinety).toMatchObject({ status: 401, body: { messageCode: "expired_session_token" } });
  });

  test("can be listed and ended, alone or with all others", async () => {
    const { accountId, token, email } = app.createAccount();
    const other = app.createAccount();
    const me = app.signedIn(token);
    const login = async () => {
      const body = JSON.stringify({ email, password: "correct horse battery" });
      const response = await app.request("/auth/login", { method: "POST", headers: json, body });
      return (await jsonOf(response)).data.token as string;
    };
    const [second, third] = [await login(), await login()];

    const listed = await me("GET", "/auth/sessions");
    const theirs = await app.signedIn(other.token)("DELETE", `/auth/sessions?id=${listed.body.data[0].id}`);
    const others = await me("DELETE", "/auth/sessions");

    expect(accountId).toStartWith("usr_");
    expect(listed.body.data.map((row: { current: boolean }) => row.current)).toEqual([false, false, true]);
    expect(theirs).toMatchObject({ status: 404, body: { messageCode: "session_not_found" } });
    expect(others.body.data).toEqual({ ok: true, revoked: 2 });
    for (const ended of [second, third])
      expect(await app.signedIn(ended)("GET", "/auth/session")).toMatchObject({
        status: 401,
        body: { messageCode: "invalid_session_token" },
      });
    expect((await me("POST", "/auth/logout")).status).toBe(200);
    expect((await me("GET", "/auth/session")).status).toBe(401);
  });

  test.each([
    ["no header", {}, "missing_session_token"],
    ["another scheme", { authorization: "Basic abc" }, "missing_session_token"],
    ["an invented token", { authorization: "Bearer abc" }, "invalid_session_token"],
  ])("a session request with %s is refused", async (_, headers, messageCode) => {
    const response = await app.request("/auth/session", { headers });

    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ messageCode });
  });

  test("is not accepted as an API key, in either header", async () => {
    const { accountId } = app.createAccount();
    const key = app.createKey(accountId);

    const inKeyHeader = await app.request("/integration/api-keys", { headers: { "x-api-key": key } });
    const asBearer = await app.request("/integration/api-keys", {
      headers: { authorization: `Bearer ${key}` },
    });

    expect(await inKeyHeader.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
    expect(await asBearer.json()).toMatchObject({ statusCode: 401, messageCode: "invalid_session_token" });
  });

  describe("in the cookie of the sign-in page", () => {
    const call = async (method: string, headers: Record<string, string>) => {
      const { token } = app.createAccount();
      const cookie = `theme=dark; dubplate_session=${token}`;
      const response = await app.request(method === "GET" ? "/auth/session" : "/app/notifications/read", {
        method,
        headers: { cookie, ...headers },
      });
      return { status: response.status, messageCode: (await jsonOf(response)).messageCode };
    };

    test("may read, and may make changes from a page of this server", async () => {
      expect(await call("GET", {})).toMatchObject({ status: 200 });
      expect(await call("POST", { origin: "http://127.0.0.1:4747" })).toMatchObject({ status: 200 });
    });

    test.each([
      ["has no origin", {}],
      ["is another site's", { origin: "https://evil.example" }],
    ])("changes nothing when the request %s", async (_, headers) => {
      expect(await call("POST", headers)).toEqual({ status: 403, messageCode: "origin_not_allowed" });
    });

    test("changes nothing for another origin, even if CORS allows it", async () => {
      const allowing = await createTestApp({ settings: { corsOrigins: ["https://studio.example.com"] } });
      const { token } = allowing.createAccount();

      const response = await allowing.request("/app/notifications/read", {
        method: "POST",
        headers: { cookie: `dubplate_session=${token}`, origin: "https://studio.example.com" },
      });

      expect(response.status).toBe(403);
      await allowing.close();
    });

    test("is ignored when the request has an Authorization field", async () => {
      expect(await call("GET", { authorization: "Bearer nonsense" })).toMatchObject({
        status: 401,
        messageCode: "invalid_session_token",
      });
    });
  });
});
