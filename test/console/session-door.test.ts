import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { usageRecords as usageRows } from "../../db/schema.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

const ORIGIN = "http://127.0.0.1:4747";

let app: TestApp;
let cookie: string;
let asKey: ReturnType<TestApp["as"]>;
let accountId: string;
beforeAll(async () => {
  app = await createTestApp();
  const account = app.createAccount();
  accountId = account.accountId;
  cookie = `dubplate_session=${account.token}`;
  asKey = app.as(app.createKey(accountId));
});
afterAll(() => app.close());

/** Asks as the console does: by the cookie, from a page of this server. */
async function asBrowser(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const isForm = body instanceof FormData;
  const response = await app.request(path, {
    method,
    headers: {
      cookie,
      origin: ORIGIN,
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? "" : JSON.parse(text) };
}

/** Every REST route, with ids that nobody has. */
const restRoutes = () =>
  app.app.routes
    .filter(({ path, method }) => path.startsWith("/api/v1/") && method !== "ALL")
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, "none").replace("/api/v1", "") }));

describe("/app/library", () => {
  test("answers every REST route as REST answers a key that may do everything", async () => {
    // A session has no key, and so no webhook of its own.
    const routes = restRoutes().filter(({ path }) => !path.startsWith("/webhook"));
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) {
      const body = method === "GET" || method === "DELETE" ? undefined : {};

      const [rest, door] = [
        await asKey(method, path, body),
        await asBrowser(method, `/app/library${path}`, body),
      ];

      const words = JSON.stringify(rest.body).replaceAll("This API key", "This session");
      expect([method, path, door.status, JSON.stringify(door.body)]).toEqual([
        method,
        path,
        rest.status,
        words,
      ]);
      expect(door.headers.get("etag")).toBe(rest.headers.get("etag"));
    }
  });

  test("the routes of the console are closed to strangers, and REST is closed to the cookie", async () => {
    for (const { method, path } of restRoutes()) {
      const nobody = await app.request(`/app/library${path}`, { method });
      const byCookie = await app.request(`/api/v1${path}`, { method, headers: { cookie, origin: ORIGIN } });

      expect([method, path, nobody.status]).toEqual([method, path, 401]);
      expect([method, path, byCookie.status, (await jsonOf(byCookie)).messageCode]).toEqual(
        path === "/version" ? [method, path, 200, 200] : [method, path, 401, "missing_api_key"],
      );
    }
  });

  test("says session where REST says API key", async () => {
    const { status, body } = await asBrowser("GET", "/app/library/platform/file-requests");

    expect([status, body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(body.message).toStartWith("This session lacks the scope");
  });

  test("takes an upload, lists it, and answers 304 while the list stays the same", async () => {
    const form = new FormData();
    form.append("files", new File([wavBytes([sine(8000, 0.2, 440)], 8000, 16)], "Night Ferry.wav"));

    const uploaded = await asBrowser("POST", "/app/library/tracks/upload", form);
    const list = await asBrowser("GET", "/app/library/tracks?fields=name");
    const again = await asBrowser("GET", "/app/library/tracks?fields=name", undefined, {
      "if-none-match": list.headers.get("etag") ?? "",
    });

    expect(uploaded.status).toBe(200);
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(["Night Ferry.wav"]);
    expect(again.status).toBe(304);
  });

  test("names the methods of an address, and knows no other addresses", async () => {
    const wrong = await asBrowser("DELETE", "/app/library/tracks");
    const unknown = await asBrowser("GET", "/app/library/nothing");

    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(unknown.status).toBe(404);
  });

  test("leaves no trace in the usage of any key", async () => {
    const before = usageRecords();

    await asBrowser("GET", "/app/library/tracks/count");

    expect(usageRecords()).toBe(before);
  });

  test("repeats the answer of an Idempotency-Key for the account, in whichever session", async () => {
    const list = await asBrowser("GET", "/app/library/tracks");
    const trackIds = list.body.data.map(({ id }: { id: string }) => id);
    const headers = { "idempotency-key": "one-playlist" };
    const made = await asBrowser("POST", "/app/library/playlists", { name: "Drafts", trackIds }, headers);
    const before = cookie;
    cookie = `dubplate_session=${await signInAgain()}`;

    const again = await asBrowser("POST", "/app/library/playlists", { name: "Drafts", trackIds }, headers);

    cookie = before;
    expect(made.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(made.body);
  });
});

function usageRecords(): number {
  app.app.usage.flush();
  return app.deps.db.select().from(usageRows).all().length;
}

/** Returns the token of a further session. */
async function signInAgain(): Promise<string> {
  const { email } = (await asBrowser("GET", "/auth/session")).body.data.user;
  const response = await app.request("/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse battery" }),
  });
  return (await jsonOf(response)).data.token;
}

describe("a change with the cookie", () => {
  test.each([
    ["a page of this server", { origin: ORIGIN, "sec-fetch-site": "same-origin" }, 200],
    ["a page of this server in a browser that says no more", { origin: ORIGIN }, 200],
    ["nowhere", {}, 403],
    ["another site", { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }, 403],
    ["another site that claims our Origin", { origin: ORIGIN, "sec-fetch-site": "cross-site" }, 403],
    ["another port of the same host", { origin: ORIGIN, "sec-fetch-site": "same-site" }, 403],
    ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }, 403],
  ])(
    "a change with the cookie from %s is made only for a page of this server",
    async (_, fields: Record<string, string>, status) => {
      for (const path of ["/app/library/playlists", "/app/shares"]) {
        const response = await app.request(path, {
          method: "POST",
          headers: { cookie, "content-type": "application/json", ...fields },
          body: JSON.stringify({ name: "Made by whom?", trackIds: [] }),
        });

        if (status === 403) expect([path, response.status]).toEqual([path, 403]);
        else expect([path, response.status === 403]).toEqual([path, false]);
      }
    },
  );

  test("a change with a bearer token needs no page", async () => {
    const { status, body } = await app.signedIn(await signInAgain())("POST", "/app/library/playlists", {});

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
  });
});

describe("the console's requests", () => {
  test("requests of the console have a limit of their own: 1,200 a minute for each session cookie", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 100 } });
    const { token } = limited.createAccount();
    const ask = (headers: Record<string, string>) => limited.request("/app/notifications", { headers });

    const [withCookie, without, madeUp] = [
      await ask({ cookie: `dubplate_session=${token}` }),
      await ask({ authorization: `Bearer ${token}` }),
      await ask({ cookie: "dubplate_session=made-up" }),
    ];

    expect(withCookie.headers.get("ratelimit-policy")).toBe('"default";q=1200;w=60');
    expect(without.headers.get("ratelimit-policy")).toBe('"default";q=100;w=60');
    expect([madeUp.status, madeUp.headers.get("ratelimit-policy")]).toEqual([401, '"default";q=1200;w=60']);
    await limited.close();
  });

  test("people at one address do not use up each other's, and all of them together have 6,000 a minute", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 100 } });
    const ask = async (cookie: string, peer = "203.0.113.7") => {
      const headers = { cookie: `theme=dark; dubplate_session=${cookie}` };
      const { status, headers: sent } = await limited.request("/app/notifications", { headers, peer });
      return [status, sent.get("ratelimit-policy"), Number(/r=(\d+)/.exec(sent.get("ratelimit") ?? "")?.[1])];
    };
    const one = '"default";q=1200;w=60';

    for (let request = 0; request < 1199; request++) await ask("first");
    const last = await ask("first");
    const over = await ask("first");
    const colleague = await ask("second");
    for (let request = 0; request < 4799; request++) await ask(`other-${request % 9}`);
    const all = await ask("third");
    const elsewhere = await ask("third", "203.0.113.8");

    expect([last, over, colleague]).toEqual([
      [401, one, 0],
      [429, one, 0],
      [401, one, 1199],
    ]);
    expect([all, elsewhere]).toEqual([
      [429, '"default";q=6000;w=60', 0],
      [401, one, 1198],
    ]);
    await limited.close();
  });
});
