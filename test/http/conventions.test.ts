import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { version } from "../../package.json" with { type: "json" };
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { corsOrigins: ["https://studio.example.com"] } });
  key = app.createKey(app.createAccount().accountId);
});
afterAll(() => app.close());

const json = { "content-type": "application/json" };
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { "x-api-key": key, ...headers } });

describe("an address", () => {
  test.each([
    ["GET", "/nowhere", 404, "not_found"],
    ["GET", "/api/v1/tracks/", 404, "not_found"],
    ["GET", "/api/v2/tracks", 404, "not_found"],
    ["POST", "/api/v1/tracks/count", 405, "method_not_allowed"],
    ["PUT", "/auth/login", 405, "method_not_allowed"],
  ])("%s %s answers %p before it checks for a key", async (method, path, status, messageCode) => {
    const response = await app.request(path, { method });

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      statusCode: status,
      messageCode,
      message: expect.any(String),
      error: status === 404 ? "Not Found" : "Method Not Allowed",
    });
    if (status === 405) expect(response.headers.get("allow")).toMatch(/GET|POST/);
  });

  test("answers HEAD wherever it answers GET", async () => {
    const response = await app.request("/api/v1/tracks/count", {
      method: "HEAD",
      headers: { "x-api-key": key },
    });

    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).toStartWith('W/"');
    expect(await response.text()).toBe("");
  });
});

describe("every answer names the API version", () => {
  test.each([
    ["success", "/api/v1/version", {}],
    ["not found", "/nowhere", {}],
    ["no key", "/api/v1/tracks/count", {}],
    ["no session", "/integration/api-keys", {}],
    ["a foreign origin", "/api/v1/version", { origin: "https://evil.example" }],
  ])("an answer names the API version: %s", async (_, path, headers) => {
    expect((await app.request(path, { headers })).headers.get("x-service-api-version")).toBe("1");
  });
});

describe("a body", () => {
  const post = (path: string, body: string | ReadableStream, headers: Record<string, string> = json) =>
    app.request(path, { method: "POST", headers, body });

  test.each([
    ["malformed JSON", "{", json],
    ["another content type", '{"email":"a"}', { "content-type": "text/plain" }],
    ["an empty body", "", json],
    ["an array", "[]", json],
    ["a number", "5", json],
    ["a text", '"abc"', { ...json, "dubplate-lenient": "1" }],
  ])("a body of %s is refused", async (_, body, headers) => {
    const response = await post("/auth/login", body, headers);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      messageCode: "validation_failed",
      message: "Invalid request",
    });
  });

  test("is named by path and rule, and never echoed", async () => {
    const response = await post("/auth/login", JSON.stringify({ email: 12345678, password: ["hunter2"] }));

    const text = await response.text();
    expect(JSON.parse(text).data.errors).toEqual([
      { path: "email", code: "string", detail: "must be a string, at most 254 characters" },
      { path: "password", code: "string", detail: "must be a string, at most 200 characters" },
    ]);
    expect(text).not.toMatch(/12345678|hunter2/);
  });

  test("a body of more than 10 MB is refused, declared or not", async () => {
    const large = "x".repeat(11 * 1024 * 1024);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });

    const declared = await post("/auth/login", large);
    const streamed = await post("/auth/login", stream);

    for (const response of [declared, streamed])
      expect(await response.json()).toMatchObject({ statusCode: 413, messageCode: "payload_too_large" });
  });

  test("is read only after the key: without one the answer is always 401", async () => {
    const refused = [
      await post("/api/v1/tracks/search", "{"),
      await post("/api/v1/tracks/search", "x".repeat(11 * 1024 * 1024)),
      await post("/integration/api-keys", "{}"),
      await post("/api/v1/tracks/upload", "nonsense"),
    ];

    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test("with an unknown field is refused, unless its sender is lenient", async () => {
    const body = JSON.stringify({ email: "a@example.com", passwort: "b", password: "b" });

    const refused = await post("/auth/login", body);

    expect(await refused.json()).toMatchObject({
      messageCode: "validation_failed",
      data: {
        errors: [{ path: "passwort", code: "unknown_field", detail: "is unknown: did you mean password?" }],
      },
    });
    expect((await post("/auth/login", body, { ...json, "dubplate-lenient": "1" })).status).toBe(401);
  });
});

describe("a query", () => {
  test.each([
    ["limit=0", "limit", "an integer, from 1 to 200"],
    ["limit=201", "limit", "an integer, from 1 to 200"],
    ["limit=ten", "limit", "an integer, from 1 to 200"],
    ["limit=1.5", "limit", "an integer, from 1 to 200"],
    ["sort=secret-value", "sort", "must be"],
  ])("%s is refused by name", async (query, path, detail) => {
    const text = await (await get(`/api/v1/tracks?${query}`)).text();

    const { errors } = JSON.parse(text).data;
    expect(errors).toHaveLength(1);
    expect(errors[0].path).toBe(path);
    expect(errors[0].detail).toContain(detail);
    expect(text).not.toContain("secret-value");
  });

  test.each([
    ["tracks?query=Tide", "query", "is unknown: did you mean q?"],
    ["tracks?colour=red&sort=name", "colour", "is unknown: the known ones are limit, cursor, sort"],
    ["tracks/count?unknown=1", "unknown", "is unknown: this operation takes none"],
    ["tracks?__proto__=1", "__proto__", "is unknown"],
  ])("%s has an unknown parameter, which is refused by name", async (query, path, detail) => {
    const response = await get(`/api/v1/${query}`);

    const { errors } = (await jsonOf(response)).data;
    expect(response.status).toBe(400);
    expect(errors).toEqual([{ path, code: "unknown_parameter", detail: expect.stringContaining(detail) }]);
    expect((await get(`/api/v1/${query}`, { "dubplate-lenient": "1" })).status).toBe(200);
  });

  test("names a field that belongs in the body as such", async () => {
    const response = await app.request("/api/v1/shares?recipient=Ines", {
      method: "POST",
      headers: { ...json, "x-api-key": key },
      body: "{}",
    });

    const { errors } = (await jsonOf(response)).data;
    expect(errors).toEqual([
      { path: "recipient", code: "unknown_parameter", detail: "is unknown: it belongs in the body" },
    ]);
  });
});

describe("a JSON GET", () => {
  test("carries a weak ETag and becomes a 304 without a body", async () => {
    const first = await get("/api/v1/tracks/count");
    const etag = first.headers.get("etag") ?? "";

    const same = await get("/api/v1/tracks/count", { "if-none-match": `"other", ${etag}` });
    const strong = await get("/api/v1/tracks/count", { "if-none-match": etag.slice(2) });
    const other = await get("/api/v1/tracks/count", { "if-none-match": '"other"' });

    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    expect([same.status, await same.text(), strong.status, other.status]).toEqual([304, "", 304, 200]);
  });
});

describe("a browser's origin", () => {
  test("an allowed origin is echoed, without credentials", async () => {
    const response = await get("/api/v1/tracks/count", { origin: "https://studio.example.com" });

    expect(response.headers.get("access-control-allow-origin")).toBe("https://studio.example.com");
    expect(response.headers.get("vary")).toBe("Origin");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("an allowed origin can read refusals too", async () => {
    const response = await app.request("/api/v1/tracks/count", {
      headers: { origin: "https://studio.example.com" },
    });

    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://studio.example.com");
  });

  test("the server's own origin is allowed", async () => {
    expect((await get("/api/v1/tracks/count", { origin: "http://127.0.0.1:4747" })).status).toBe(200);
  });

  test.each(["https://evil.example", "null", "https://studio.example.com.evil.example"])(
    "the origin %s is refused",
    async (origin) => {
      const response = await get("/api/v1/tracks/count", { origin });
      const preflight = await app.request("/api/v1/tracks/count", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET" },
      });

      expect(await response.json()).toMatchObject({ statusCode: 403, messageCode: "origin_not_allowed" });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(preflight.status).toBe(403);
    },
  );

  test("gets its preflight answered with the methods of the path", async () => {
    const response = await app.request("/api/v1/tracks/search", {
      method: "OPTIONS",
      headers: { origin: "https://studio.example.com", "access-control-request-method": "POST" },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
    expect(response.headers.get("access-control-allow-headers")).toContain("X-API-Key");
  });
});

describe("the rate limit", () => {
  test("is 100 in any 60 seconds for an address, counts every answer, and says what is left", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 100 } });
    const hit = (path: string, peer = "192.0.2.1") => limited.request(path, { peer });
    const first = await hit("/api/v1/version");
    for (let i = 0; i < 98; i++) await hit(i % 2 === 0 ? "/nowhere" : "/api/v1/tracks/count");
    const hundredth = await hit("/api/v1/version");

    const refused = await hit("/api/v1/version");
    const health = await hit("/health");
    const elsewhere = await hit("/api/v1/version", "192.0.2.2");
    limited.clock.advance(59_999);
    const stillRefused = await hit("/api/v1/version");
    limited.clock.advance(1);
    const again = await hit("/api/v1/version");

    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=100;w=60');
    expect(first.headers.get("ratelimit")).toBe('"default";r=99;t=60');
    expect(hundredth.headers.get("ratelimit")).toBe('"default";r=0;t=60');
    expect(await refused.json()).toMatchObject({ statusCode: 429, messageCode: "rate_limit_exceeded" });
    expect(refused.headers.get("retry-after")).toBe("60");
    expect([health.status, elsewhere.status, stillRefused.status, again.status]).toEqual([
      200, 200, 429, 200,
    ]);
    await limited.close();
  });

  test("counts IPv6 by its /64 and knows a proxy only when told", async () => {
    const behind = await createTestApp({ settings: { rateLimit: 1, trustedProxies: 1 } });
    const direct = await createTestApp({ settings: { rateLimit: 1 } });
    const hit = async (on: TestApp, peer: string, forwarded?: string) => {
      const headers: Record<string, string> = forwarded ? { "x-forwarded-for": forwarded } : {};
      return (await on.request("/api/v1/version", { peer, headers })).status;
    };

    expect(await hit(direct, "2001:db8::1")).toBe(200);
    expect(await hit(direct, "2001:db8::2")).toBe(429);
    expect(await hit(direct, "2001:db8:0:1::1")).toBe(200);
    expect(await hit(direct, "10.0.0.1", "198.51.100.1")).toBe(200);
    expect(await hit(direct, "10.0.0.1", "198.51.100.2")).toBe(429);
    expect(await hit(behind, "10.0.0.1", "1.1.1.1, 198.51.100.1")).toBe(200);
    expect(await hit(behind, "10.0.0.1", "2.2.2.2, 198.51.100.1")).toBe(429);
    expect(await hit(behind, "10.0.0.1", "198.51.100.2")).toBe(200);
    await Promise.all([behind.close(), direct.close()]);
  });
});

describe("an Idempotency-Key", () => {
  const create = (token: string, name: string, idempotencyKey: string) =>
    app.signedIn(token)("POST", "/integration/api-keys", { name }, { "idempotency-key": idempotencyKey });

  test("makes a repeated POST return the first answer and do nothing", async () => {
    const { token } = app.createAccount();

    const first = await create(token, "once", "abc");
    const second = await create(token, "once", "abc");

    expect(second.body).toEqual(first.body);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect((await app.signedIn(token)("GET", "/integration/api-keys/all")).body.data).toHaveLength(1);
  });

  test("a used key with another payload is refused; in another account it is independent", async () => {
    const { token } = app.createAccount();
    await create(token, "one", "same");

    const reused = await create(token, "two", "same");
    const other = await create(app.createAccount().token, "two", "same");

    expect(reused).toMatchObject({ status: 422, body: { messageCode: "idempotency_key_reused" } });
    expect(other.status).toBe(200);
  });

  test("is forgotten after a day", async () => {
    const { token } = app.createAccount();
    await create(token, "one", "daily");
    app.clock.advance(24 * 3600 * 1000 + 1);

    expect((await create(token, "two", "daily")).status).toBe(200);
  });

  test("replays a refusal caused by the request itself", async () => {
    const { token } = app.createAccount();
    const create = () =>
      app.signedIn(token)(
        "POST",
        "/integration/api-keys",
        { name: "x", scopes: ["no"] },
        { "idempotency-key": "bad" },
      );

    await create();
    const replayed = await create();

    expect(replayed).toMatchObject({ status: 400, body: { messageCode: "invalid_scope" } });
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
  });

  test("the key of a request that still runs is refused", async () => {
    const { accountId, token } = app.createAccount();
    const id = app.createKey(accountId).split(".")[0];
    // The first request waits for the network to resolve the host.
    const set = () =>
      app.signedIn(token)(
        "POST",
        `/integration/api-keys/${id}/webhook`,
        { url: "https://host.invalid/", active: true },
        { "idempotency-key": "slow" },
      );

    const [first, second] = await Promise.all([set(), set()]);

    expect(first).toMatchObject({ status: 400, body: { messageCode: "invalid_webhook_url" } });
    expect(second).toMatchObject({ status: 409, body: { messageCode: "idempotency_in_progress" } });
  });
});

test("health has no envelope, and needs no credential", async () => {
  expect(await (await app.request("/health")).json()).toEqual({
    status: "ok",
    version: "1.6.0",
    apiVersion: "1",
    program: { name: "dubplate", version },
  });
});

test("health names first what an operator asks for: whether it is well, and which version it is", async () => {
  const text = await (await app.request("/health")).text();

  expect(text).toStartWith(`{"status":"ok","program":{"name":"dubplate","version":"${version}"},`);
});

test("the version endpoint says what is served", async () => {
  const { data } = await jsonOf(await app.request("/api/v1/version"));

  expect(data).toEqual({
    version: "1",
    prefix: "/api/v1",
    latest: "1",
    status: "current",
    sunset: null,
    build: null,
    deprecatedRoutes: [],
  });
});
