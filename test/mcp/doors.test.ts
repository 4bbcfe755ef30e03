import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { createToolApp, legacyRequest, modernRequest, type ToolApp } from "./support.ts";

let app: ToolApp;
beforeAll(async () => {
  app = await createToolApp({ settings: { mcpBase: "https://tools.example.com" } });
});
afterAll(() => app.close());

const COUNT = { name: "get_track_count", arguments: {} };
const withKey = (headers: Record<string, string> = {}) => ({ "x-api-key": app.key, ...headers });
const METADATA = "https://tools.example.com/.well-known/oauth-protected-resource/mcp";

describe.each([
  ["2025", legacyRequest],
  ["2026", modernRequest],
] as const)("without a good credential, in the protocol of %s", (_, request) => {
  const refusals: [string, Record<string, string>, string][] = [
    ["no credential", {}, "missing_api_key"],
    ["an empty key", { "x-api-key": "" }, "missing_api_key"],
    ["a malformed key", { "x-api-key": "nonsense" }, "invalid_key"],
    ["an invented bearer token", { authorization: "Bearer abc" }, "invalid_token"],
  ];
  test.each(refusals)("%s is told how to sign in", async (_name, headers, messageCode) => {
    for (const method of ["tools/list", "ping", "initialize", "server/discover"]) {
      const response = await app.request("/mcp", request(method, {}, headers));

      expect([method, response.status]).toEqual([method, 401]);
      const challenge = response.headers.get("www-authenticate") ?? "";
      expect(challenge).toEndWith(`resource_metadata="${METADATA}", scope="read:tracks read:playlists"`);
      expect((await jsonOf(response)).error.data).toEqual({ statusCode: 401, messageCode });
    }
  });

  test("a revoked key and an expired one are refused by name", async () => {
    const revoked = app.createKey(app.accountId);
    const [id = ""] = revoked.split(".");
    await app.signedIn(app.token)("POST", `/integration/api-keys/${id}/revoke`);
    const made = await app.signedIn(app.token)("POST", "/integration/api-keys", { name: "short", days: 1 });

    const first = await app.request("/mcp", request("tools/call", COUNT, { "x-api-key": revoked }));
    app.deps.db.$client.run("UPDATE api_keys SET expires_at = 1 WHERE id = ?", [made.body.data.id]);
    const second = await app.request(
      "/mcp",
      request("tools/call", COUNT, { "x-api-key": made.body.data.key }),
    );

    expect([first.status, (await jsonOf(first)).error.data.messageCode]).toEqual([401, "invalid_key"]);
    expect([second.status, (await jsonOf(second)).error.data.messageCode]).toEqual([401, "expired_key"]);
  });

  test("a key takes precedence over a token, even if it is invalid", async () => {
    const good = await app.request(
      "/mcp",
      request("tools/call", COUNT, withKey({ authorization: "Bearer abc" })),
    );
    const bad = await app.request(
      "/mcp",
      request("tools/call", COUNT, { "x-api-key": "bad", authorization: "Bearer abc" }),
    );

    expect([good.status, bad.status]).toEqual([200, 401]);
    expect((await jsonOf(bad)).error.data.messageCode).toBe("invalid_key");
  });

  test("a key without the scope gets a result that says so, and nothing changes", async () => {
    const narrow = app.createKey(app.accountId, ["read:tracks"]);
    const before = app.deps.db.$client.query("SELECT count(*) AS n FROM composers").get();
    const params = { name: "create_composer", arguments: { fullName: "Ada", email: "ada@example.com" } };

    const response = await app.request("/mcp", request("tools/call", params, { "x-api-key": narrow }));
    const { result } = await jsonOf(response);

    expect([response.status, result.isError]).toEqual([200, true]);
    expect(result.content[0].text).toBe(
      "insufficient_scope: This needs create:composer; the API key is missing a required scope for this action.",
    );
    expect(app.deps.db.$client.query("SELECT count(*) AS n FROM composers").get()).toEqual(before);
  });

  test("a platform key may list tools but not call them", async () => {
    const { key } = createPlatformKey(app.deps, {
      name: "partner",
      scopes: ["platform:read:accounts"],
      days: 1,
    });

    const listed = await app.request("/mcp", request("tools/list", {}, { "x-api-key": key }));
    const called = await jsonOf(
      await app.request("/mcp", request("tools/call", COUNT, { "x-api-key": key })),
    );

    expect(listed.status).toBe(200);
    expect(called.result.content[0].text).toEndWith("missing a required scope for this action.");
  });
});

describe("from a browser", () => {
  test("a browser is answered only on the server's own origins", async () => {
    const own = await app.request(
      "/mcp",
      legacyRequest("ping", {}, withKey({ origin: "https://tools.example.com" })),
    );
    const foreign = await app.request(
      "/mcp",
      legacyRequest("ping", {}, withKey({ origin: "https://evil.example" })),
    );

    expect(own.status).toBe(200);
    expect(own.headers.get("access-control-allow-origin")).toBe("https://tools.example.com");
    expect([foreign.status, (await jsonOf(foreign)).messageCode]).toEqual([403, "origin_not_allowed"]);
  });

  test("a preflight from an own origin allows the headers that a client sends", async () => {
    const response = await app.request("/mcp", {
      method: "OPTIONS",
      headers: { origin: "https://tools.example.com", "access-control-request-method": "POST" },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-headers")).toMatch(
      /MCP-Protocol-Version.*Mcp-Method.*Mcp-Name/,
    );
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
  });

  test.each([
    ["tools.example.com", 200],
    ["TOOLS.example.com:443", 200],
    ["localhost:4747", 200],
    ["127.0.0.1", 200],
    ["192.168.1.20:4747", 200],
    ["[::1]:4747", 200],
    ["rebound.example", 403],
    ["localhost.rebound.example", 403],
    ["127.0.0.1.rebound.example:4747", 403],
  ])("a request with the Host %s gets %d", async (host, status) => {
    const response = await app.request("/mcp", legacyRequest("ping", {}, withKey({ host })));

    expect(response.status).toBe(status);
  });
});

describe("the transport", () => {
  const post = (init: RequestInit) =>
    app.request("/mcp", { ...init, headers: { ...init.headers, ...withKey() } });

  test.each([
    ["both kinds", "application/json, text/event-stream", "application/json"],
    ["only JSON", "application/json", "application/json"],
    ["anything", "*/*", "application/json"],
    ["something else", "text/html", "application/json"],
    ["only a stream", "text/event-stream", "text/event-stream"],
  ])("a client of 2025 that accepts %s gets an answer", async (_, accept, type) => {
    const response = await post(legacyRequest("tools/call", COUNT, { accept }));

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith(type);
    expect(await response.text()).toContain('"structuredContent":{"count":0}');
  });

  test("a client without an Accept header gets JSON, in both eras", async () => {
    for (const request of [legacyRequest, modernRequest]) {
      const init = request("tools/call", COUNT);
      const { accept: _, ...headers } = init.headers as Record<string, string>;

      const response = await post({ ...init, headers });

      expect((await jsonOf(response)).result.structuredContent).toEqual({ count: 0 });
    }
  });

  test.each(["GET", "DELETE", "PUT"])("%s is refused, because there are no sessions", async (method) => {
    const response = await app.request("/mcp", { method, headers: withKey({ accept: "text/event-stream" }) });

    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test.each<[string, RequestInit, number, number]>([
    [
      "is not JSON",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{" },
      400,
      -32_700,
    ],
    ["is empty", { method: "POST", headers: { "content-type": "application/json" } }, 400, -32_700],
    [
      "is not JSON-RPC",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
      400,
      -32_600,
    ],
    [
      "has another type",
      { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
      415,
      -32_000,
    ],
    [
      "names an unknown version",
      legacyRequest("ping", {}, { "mcp-protocol-version": "1999-01-01" }),
      400,
      -32_000,
    ],
    [
      "is 11 MB",
      { method: "POST", headers: { "content-type": "application/json" }, body: `"${"x".repeat(11 << 20)}"` },
      413,
      -32_000,
    ],
  ])("a body that %s is refused", async (_, init, status, code) => {
    const response = await post(init);

    expect([response.status, (await jsonOf(response)).error.code]).toEqual([status, code]);
  });

  test("notifications and stray answers are accepted without a reply", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    const answer = { jsonrpc: "2.0", id: 7, result: {} };

    for (const message of [notification, answer]) {
      const response = await post({ ...legacyRequest("x"), body: JSON.stringify(message) });
      expect([response.status, await response.text()]).toEqual([202, ""]);
    }
  });

  test("a batch, which clients of March 2025 may send, is answered completely", async () => {
    const batch = [
      { jsonrpc: "2.0", id: "a", method: "ping" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: "b", method: "tools/call", params: COUNT },
    ];

    const answers = await jsonOf(await post({ ...legacyRequest("x"), body: JSON.stringify(batch) }));

    expect(answers.map(({ id }: Json) => id)).toEqual(["a", "b"]);
    expect(answers[1].result.structuredContent).toEqual({ count: 0 });
  });

  test("an unknown tool, an unknown prompt and an unknown resource are errors of the protocol", async () => {
    for (const request of [legacyRequest, modernRequest]) {
      const codes = [
        ["tools/call", { name: "make_tea", arguments: {} }],
        ["prompts/get", { name: "make_tea" }],
        ["resources/read", { uri: "dubplate://tea" }],
        ["resources/read", { uri: "dubplate://track/trk_unknown" }],
        ["resources/read", { uri: "dubplate://playlist/%zz" }],
      ].map(
        async ([method, params]) => (await jsonOf(await post(request(method as string, params)))).error.code,
      );

      expect(await Promise.all(codes)).toEqual([-32_602, -32_602, -32_602, -32_602, -32_602]);
    }
  });
});

describe("limits", () => {
  test("the tool server has its own rate limit, and a call does not count toward that of the API", async () => {
    const limited = await createToolApp({ settings: { rateLimit: 3 } });
    const call = () =>
      limited.request("/mcp", legacyRequest("tools/call", COUNT, { "x-api-key": limited.key }));

    const statuses = [
      (await call()).status,
      (await call()).status,
      (await call()).status,
      (await call()).status,
    ];
    const rest = await limited.as(limited.key)("GET", "/tracks/count");
    await limited.close();

    expect(statuses).toEqual([200, 200, 200, 429]);
    expect([rest.status, rest.headers.get("ratelimit")]).toEqual([200, expect.stringContaining("r=2")]);
  });

  test("a call is recorded once, under the route that it used", async () => {
    const fresh = await createToolApp();
    const init = legacyRequest("tools/call", {
      name: "list_track_versions",
      arguments: { trackId: "trk_x" },
    });
    await fresh.request("/mcp", { ...init, headers: { ...init.headers, "x-api-key": fresh.key } });
    await fresh.request("/mcp", legacyRequest("tools/list", {}, { "x-api-key": fresh.key }));
    fresh.app.usage.flush();

    const usage = await fresh.signedIn(fresh.token)("GET", "/integration/usage");
    await fresh.close();

    expect(usage.body.data.items).toMatchObject([
      {
        route: "/tracks/{trackId}/versions",
        method: "GET",
        status: 404,
        ip: "127.0.0.1",
        keyId: fresh.key.split(".")[0],
      },
    ]);
  });

  test("X-Act-As-User acts as that account, for a key that allows it", async () => {
    const other = app.createAccount();
    const composer = { name: "create_composer", arguments: { fullName: "Bo", email: "bo@example.com" } };
    const acting = app.createKey(app.accountId, ["act-as-user", "create:composer", "read:composers"]);
    const as = (headers: Record<string, string>) =>
      app.request("/mcp", legacyRequest("tools/call", composer, headers));

    const done = await jsonOf(await as({ "x-api-key": acting, "x-act-as-user": other.accountId }));
    const refused = await as(withKey({ "x-act-as-user": other.accountId }));

    expect(done.result.isError).toBeUndefined();
    const count = await app.as(app.createKey(other.accountId))("GET", "/composers/count");
    expect(count.body.data).toEqual({ count: 1 });
    expect([refused.status, (await jsonOf(refused)).error.data.messageCode]).toEqual([
      403,
      "insufficient_scope",
    ]);
  });
});
