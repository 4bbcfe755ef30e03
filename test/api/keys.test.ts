import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auditLog } from "../../db/schema.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A signed-in owner. */
function owner() {
  const account = app.createAccount();
  return { ...account, call: app.signedIn(account.token) };
}

describe("POST /integration/api-keys", () => {
  test("returns a key that opens the library, with every assignable scope by default", async () => {
    const { call } = owner();

    const created = await call("POST", "/integration/api-keys", { name: " Studio " });
    const used = await app.as(created.body.data.key)("GET", "/tracks/count");
    const current = await call("GET", "/integration/api-keys");

    expect(created.body.data.key).toBe(`${created.body.data.id}.${created.body.data.key.split(".")[1]}`);
    expect(used).toMatchObject({ status: 200, body: { data: { count: 0 } } });
    expect(current.body.data).toMatchObject({
      name: "Studio",
      scopes: [...ASSIGNABLE_SCOPES],
      key: created.body.data.key,
    });
    expect(current.headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    ["no name", {}, "validation_failed"],
    ["a blank name", { name: "  " }, "validation_failed"],
    ["an unknown scope", { name: "x", scopes: ["read:everything"] }, "invalid_scope"],
    ["a platform scope", { name: "x", scopes: ["platform:read:accounts"] }, "invalid_scope"],
    ["act-as-user", { name: "x", scopes: ["act-as-user"] }, "invalid_scope"],
    ["the legacy wildcard", { name: "x", scopes: ["all"] }, "invalid_scope"],
    ["an empty list of scopes", { name: "x", scopes: [] }, "validation_failed"],
    ["no days", { name: "x", days: 0 }, "validation_failed"],
    ["half a day", { name: "x", days: 0.5 }, "validation_failed"],
    ["days as text", { name: "x", days: "3" }, "validation_failed"],
  ])("refuses %s", async (_, body, messageCode) => {
    const { call } = owner();

    const refused = await call("POST", "/integration/api-keys", body);

    expect(refused).toMatchObject({ status: 400, body: { messageCode } });
    expect((await call("GET", "/integration/api-keys")).body.data).toBeNull();
  });

  test("refuses the 51st live key, and accepts a new one after another is revoked", async () => {
    const { accountId, call } = owner();
    const keys = Array.from({ length: 50 }, () => app.createKey(accountId));

    const refused = await call("POST", "/integration/api-keys", { name: "one more" });
    await call("POST", `/integration/api-keys/${keys[0]?.split(".")[0]}/revoke`);
    const taken = await call("POST", "/integration/api-keys", { name: "one more" });

    expect(refused).toMatchObject({ status: 409, body: { messageCode: "key_limit_reached" } });
    expect(taken.status).toBe(200);
  });
});

describe("a key at the door", () => {
  test.each([
    ["no header", undefined, 401, "missing_api_key"],
    ["an empty header", "", 401, "missing_api_key"],
    ["no dot", "key_abc", 401, "invalid_key"],
    ["two dots", "key_abc.def.ghi", 401, "invalid_key"],
    ["an unknown id", `key_${"0".repeat(32)}.${"A".repeat(43)}`, 401, "invalid_key"],
  ])("a key request with %s is refused", async (_, key, status, messageCode) => {
    const headers: Record<string, string> = key === undefined ? {} : { "x-api-key": key };

    const response = await app.request("/api/v1/tracks/count", { headers });

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ messageCode });
  });

  test("a key with another key's secret is refused", async () => {
    const { accountId } = owner();
    const [a, b] = [app.createKey(accountId), app.createKey(accountId)];

    const mixed = await app.as(`${a.split(".")[0]}.${b.split(".")[1]}`)("GET", "/tracks/count");

    expect(mixed).toMatchObject({ status: 401, body: { messageCode: "invalid_key" } });
  });

  test("a key without the scope gets 403, which names the scope", async () => {
    const key = app.createKey(owner().accountId, ["read:composers"]);

    const refused = await app.as(key)("GET", "/tracks/count");

    expect(refused).toMatchObject({
      status: 403,
      body: { messageCode: "insufficient_scope", data: { required: "read:tracks" } },
    });
  });

  test("an expired key gets expired_key; if it is also revoked, invalid_key", async () => {
    const { call } = owner();
    const { body } = await call("POST", "/integration/api-keys", { name: "short", days: 1 });
    const use = () => app.as(body.data.key)("GET", "/tracks/count");

    const before = await use();
    app.clock.advance(DAY_MS);
    const expired = await use();
    const rotated = await call("POST", `/integration/api-keys/${body.data.id}/rotate`);
    await call("POST", `/integration/api-keys/${body.data.id}/revoke`);
    const revoked = await use();

    expect(before.status).toBe(200);
    expect(expired.body.messageCode).toBe("expired_key");
    expect(rotated).toMatchObject({ status: 409, body: { messageCode: "key_not_active" } });
    expect(revoked.body.messageCode).toBe("invalid_key");
  });

  test("a key in the Authorization header is ignored", async () => {
    const key = app.createKey(owner().accountId);

    const response = await app.request("/api/v1/tracks/count", {
      headers: { authorization: `Bearer ${key}` },
    });

    expect(await response.json()).toMatchObject({ statusCode: 401, messageCode: "missing_api_key" });
  });

  test("a key of a closed account is refused", async () => {
    const { accountId } = owner();
    const key = app.createKey(accountId);
    app.deps.db.$client.run("UPDATE accounts SET active = 0 WHERE id = ?", [accountId]);

    expect((await app.as(key)("GET", "/tracks/count")).body.messageCode).toBe("invalid_key");
  });
});

describe("rotating", () => {
  test("moves everything to a new id and secret; the old ones stop working and leave every list", async () => {
    const { call } = owner();
    const { body } = await call("POST", "/integration/api-keys", {
      name: "Rotor",
      scopes: ["read:tracks"],
      days: 30,
    });
    const old = body.data;
    const before = (await call("GET", "/integration/api-keys")).body.data;

    const rotated = (await call("POST", `/integration/api-keys/${old.id}/rotate`)).body.data;
    const after = (await call("GET", "/integration/api-keys")).body.data;

    expect(after).toEqual({ ...before, id: rotated.id, key: rotated.key, createdAt: rotated.createdAt });
    expect((await app.as(old.key)("GET", "/tracks/count")).body.messageCode).toBe("invalid_key");
    expect((await app.as(rotated.key)("GET", "/tracks/count")).status).toBe(200);
    expect((await call("GET", "/integration/api-keys/all")).body.data).toHaveLength(1);
    expect((await call("POST", `/integration/api-keys/${old.id}/revoke`)).body.messageCode).toBe(
      "key_not_found",
    );
  });
});

describe("replacing scopes", () => {
  test("takes effect on the next request", async () => {
    const { call } = owner();
    const { body } = await call("POST", "/integration/api-keys", { name: "x" });

    const replaced = await call("POST", `/integration/api-keys/${body.data.id}/scopes`, {
      scopes: ["read:briefs", "read:briefs"],
    });

    expect(replaced.body.data).toEqual({ ok: true, id: body.data.id, scopes: ["read:briefs"] });
    expect((await app.as(body.data.key)("GET", "/tracks/count")).status).toBe(403);
  });

  test.each([[["act-as-user", "read:tracks"]]])(
    "a key with the scopes %p cannot be given other scopes",
    async (scopes) => {
      const { accountId, call } = owner();
      const id = app.createKey(accountId, scopes).split(".")[0];

      const refused = await call("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["read:tracks"] });

      expect(refused).toMatchObject({ status: 409, body: { messageCode: "key_not_editable" } });
    },
  );

  test("an unknown scope is refused", async () => {
    const { accountId, call } = owner();
    const id = app.createKey(accountId).split(".")[0];

    const refused = await call("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["nonsense"] });

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "invalid_scope" } });
  });
});

test.each(["scopes", "webhook", "rotate", "revoke"])(
  "another account's key does not exist: %s",
  async (verb) => {
    const id = app.createKey(owner().accountId).split(".")[0];
    const bodies: Record<string, object> = {
      scopes: { scopes: ["read:tracks"] },
      webhook: { url: "https://example.com/hook", active: true },
    };

    const refused = await owner().call("POST", `/integration/api-keys/${id}/${verb}`, bodies[verb]);

    expect(refused).toMatchObject({ status: 404, body: { messageCode: "key_not_found" } });
  },
);

describe("a key's webhook", () => {
  test.each([
    ["plain http", "http://example.com/hook"],
    ["another scheme", "ftp://example.com"],
    ["no scheme", "example.com/hook"],
    ["a user name", "https://me@1.1.1.1/"],
    ["a private address", "https://10.0.0.1/"],
    ["loopback", "https://127.0.0.1/"],
    ["IPv6 loopback", "https://[::1]/"],
    ["IPv4 inside IPv6", "https://[::ffff:10.0.0.1]/"],
    ["a cloud metadata address", "https://169.254.169.254/"],
    ["a decimal address", "https://2130706433/"],
    ["an unknown host name", "https://no-such-host.invalid/"],
  ])("a webhook address with %s is refused", async (_, url) => {
    const { accountId, call } = owner();
    const id = app.createKey(accountId).split(".")[0];

    const refused = await call("POST", `/integration/api-keys/${id}/webhook`, { url, active: true });

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "invalid_webhook_url" } });
  });

  test("is stored with a secret that rotation keeps", async () => {
    const { accountId, call } = owner();
    const id = app.createKey(accountId).split(".")[0];

    const set = await call("POST", `/integration/api-keys/${id}/webhook`, {
      url: "https://1.1.1.1/hook",
      active: true,
    });
    const rotated = await call("POST", `/integration/api-keys/${id}/rotate`);
    const kept = await call("GET", `/integration/api-keys/${rotated.body.data.id}/webhook`);

    expect(set.body.data.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(kept.body.data).toEqual({ ...set.body.data, id: rotated.body.data.id });
  });

  test("may be a private host if the operator allows it", async () => {
    const allowing = await createTestApp({ settings: { networkAllow: ["127.0.0.1:9999"] } });
    const { accountId, token } = allowing.createAccount();
    const id = allowing.createKey(accountId).split(".")[0];
    const set = (url: string) =>
      allowing.signedIn(token)("POST", `/integration/api-keys/${id}/webhook`, { url, active: false });

    expect((await set("http://127.0.0.1:9999/hook")).status).toBe(200);
    expect((await set("http://127.0.0.1:9998/hook")).status).toBe(400);
    await allowing.close();
  });
});

describe("secrets", () => {
  test("do not appear in the database's bytes", async () => {
    const { call } = owner();
    const { body } = await call(
      "POST",
      "/integration/api-keys",
      { name: "secret" },
      { "idempotency-key": "once" },
    );
    const webhook = await call("POST", `/integration/api-keys/${body.data.id}/webhook`, {
      url: "https://1.1.1.1/",
      active: true,
    });

    const dump = Buffer.from(app.deps.db.$client.serialize());

    const secret = body.data.key.split(".")[1];
    expect(secret).toHaveLength(43);
    expect(dump.includes(secret)).toBe(false);
    expect(dump.includes(webhook.body.data.webhookSecret)).toBe(false);
    expect(dump.includes(body.data.id)).toBe(true);
  });

  test("stay hidden when the operator turns off revealing", async () => {
    const hiding = await createTestApp({ settings: { revealKeys: false } });
    const { accountId, token } = hiding.createAccount();
    hiding.createKey(accountId);

    const { body } = await hiding.signedIn(token)("GET", "/integration/api-keys");

    expect(body.data.key).toBeNull();
    await hiding.close();
  });

  test("sealed with a lost master secret are not shown, but the key still works", async () => {
    const { accountId, call } = owner();
    const key = app.createKey(accountId);
    app.deps.db.$client.run("UPDATE api_keys SET secret_copy = zeroblob(71) WHERE account_id = ?", [
      accountId,
    ]);

    expect((await call("GET", "/integration/api-keys")).body.data).toMatchObject({
      id: key.split(".")[0],
      key: null,
    });
    expect((await app.as(key)("GET", "/tracks/count")).status).toBe(200);
  });

  test("are recorded in the audit log when they are shown", async () => {
    const { accountId, call } = owner();
    app.createKey(accountId);

    await call("GET", "/integration/api-keys");

    const actions = app.deps.db
      .select()
      .from(auditLog)
      .all()
      .filter(({ actor }) => actor === accountId);
    expect(actions.map(({ action }) => action)).toEqual(["key.reveal"]);
  });
});

describe("act-as-user", () => {
  test("runs the request as another account, and every such request is audited", async () => {
    const key = app.createKey(owner().accountId, ["act-as-user", "read:tracks"]);
    const target = owner();

    const acting = await app.as(key)("GET", "/tracks/count", undefined, {
      "x-act-as-user": target.accountId,
    });
    const unknown = await app.as(key)("GET", "/tracks/count", undefined, { "x-act-as-user": "usr_nobody" });

    expect(acting.status).toBe(200);
    expect(unknown).toMatchObject({ status: 403, body: { messageCode: "insufficient_scope" } });
    const audited = app.deps.db
      .select()
      .from(auditLog)
      .all()
      .filter(({ action }) => action === "key.act_as_user");
    expect(audited).toMatchObject([{ actor: key.split(".")[0], subject: target.accountId }]);
  });

  test.each([[undefined], [["all"]], [["read:tracks"]]])(
    "is not allowed to a key with scopes %p",
    async (scopes) => {
      const key = app.createKey(owner().accountId, scopes);

      const refused = await app.as(key)("GET", "/tracks/count", undefined, {
        "x-act-as-user": owner().accountId,
      });

      expect(refused).toMatchObject({ status: 403, body: { messageCode: "insufficient_scope" } });
    },
  );
});

describe("a platform key", () => {
  test("cannot open a library", async () => {
    const { key } = createPlatformKey(app.deps, {
      name: "Partner",
      scopes: ["platform:read:accounts"],
      days: 30,
    });

    const refused = await app.as(key)("GET", "/tracks/count");

    expect(refused).toMatchObject({ status: 403, body: { messageCode: "insufficient_scope" } });
  });

  test.each([
    [["read:tracks"], 30],
    [[], 30],
    [["platform:read:accounts"], 0],
    [["platform:read:accounts"], 366],
  ])("is not made with %p for %p days", (scopes, days) => {
    expect(() => createPlatformKey(app.deps, { name: "x", scopes, days })).toThrow();
  });
});

describe("GET /integration/usage", () => {
  test("lists requests of the account's keys by template, newest first, page by page", async () => {
    const { accountId, call } = owner();
    const key = app.createKey(accountId);
    for (let request = 0; request < 5; request++) {
      app.clock.advance(1000);
      await app.as(key)("GET", "/tracks/count");
    }
    await app.as(key)("GET", "/tracks/single?id=trk_nothing");
    await app.as(app.createKey(owner().accountId))("GET", "/tracks/count");

    const first = (await call("GET", "/integration/usage?limit=4")).body.data;
    const second = (await call("GET", `/integration/usage?limit=4&cursor=${first.nextCursor}`)).body.data;

    expect(first.items[0]).toMatchObject({
      route: "/tracks/single",
      method: "GET",
      status: 200,
      keyId: key.split(".")[0],
      ip: "127.0.0.1",
    });
    expect([...first.items, ...second.items]).toHaveLength(6);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(6);
    expect(second.nextCursor).toBeNull();
  });

  test("shows refused requests only to their account, and includes both days of a range", async () => {
    const { accountId, call } = owner();
    const key = app.createKey(accountId);
    await app.as(key)("GET", "/tracks/count");
    const today = new Date(app.clock.now()).toISOString().slice(0, 10);

    const inside = (await call("GET", `/integration/usage?from=${today}&to=${today}`)).body.data.items;
    const outside = (await call("GET", "/integration/usage?to=2020-01-01")).body.data.items;

    expect(inside).toHaveLength(1);
    expect(outside).toEqual([]);
  });

  test.each(["limit=0", "limit=201", "limit=x", "cursor=zzz", "from=yesterday"])(
    "refuses %s",
    async (query) => {
      const refused = await owner().call("GET", `/integration/usage?${query}`);

      expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    },
  );

  test("marks the key as used within a second", async () => {
    const { accountId, call } = owner();
    const key = app.createKey(accountId);

    await app.as(key)("GET", "/tracks/count");
    app.app.usage.flush();

    expect((await call("GET", "/integration/api-keys")).body.data.lastUsedAt).toBe(
      new Date(app.clock.now()).toISOString(),
    );
  });
});
