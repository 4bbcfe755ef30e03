import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openReadOnly } from "../../db/client.ts";
import { auditLog } from "../../db/schema.ts";
import { jsonOf } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { call, createTenant, exchange, openStdio, type Tenant, tryDoors } from "../support/tenant.ts";

/** A receiver of webhooks that counts what it gets. */
const received: string[] = [];
let ring = () => {};
const hooks = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    received.push(request.headers.get("x-service-event") ?? "");
    ring();
    return new Response();
  },
});
const untilReceived = (count: number) =>
  new Promise<void>((resolve) => {
    ring = () => received.length >= count && resolve();
    ring();
  });

const program = createProgram({ RATE_LIMIT: "0", NETWORK_ALLOW: `127.0.0.1:${hooks.port}` });
let address: string;
beforeAll(async () => {
  ({ address } = await program.serve());
});
afterAll(async () => {
  await program.close();
  await hooks.stop(true);
});

const newTenant = (email: string) =>
  createTenant(program, address, { email, hookUrl: `http://127.0.0.1:${hooks.port}/` });
const accountOf = (email: string, ...args: string[]) => program.run(["account", ...args, "--email", email]);

/** Returns what the audit log says about a subject, oldest first. */
function auditOf(subject: string): string[] {
  const db = openReadOnly(join(program.dataDir, "dubplate.db"));
  const rows = db.select().from(auditLog).all();
  db.$client.close();
  return rows
    .filter((row) => row.subject === subject && row.actor === "operator")
    .map(({ action }) => action);
}

describe("account disable", () => {
  let tenant: Tenant;
  let stdio: Awaited<ReturnType<typeof openStdio>>;
  beforeAll(async () => {
    tenant = await newTenant("closed@example.com");
    stdio = await openStdio(program.dataDir, tenant.key);
  });
  afterAll(() => stdio.close());

  const OPEN = {
    "API key": 200,
    session: 200,
    "session cookie": 200,
    "app with a session": 200,
    "tools with a key": 200,
    "tools with a token": 200,
    "sign-in": 200,
    "track link": 200,
    "playlist link": 200,
    "link with a password": 200,
    "submission page": 200,
    "signed file": 200,
  };
  const SHUT = {
    "API key": 401,
    session: 401,
    "session cookie": 401,
    "app with a session": 401,
    "tools with a key": 401,
    "tools with a token": 401,
    "sign-in": 401,
    "track link": 410,
    "playlist link": 410,
    "link with a password": 410,
    "submission page": 410,
    "signed file": 403,
  };
  const refresh = () =>
    exchange(address, {
      grant_type: "refresh_token",
      client_id: tenant.clientId,
      refresh_token: tenant.refreshToken,
    });
  const rename = (title: string) =>
    call(address, "PATCH", `/api/v1/tracks/details?id=${tenant.trackId}`, { title }, tenant.byKey);

  test("closes every door on the next request, and account enable opens them again", async () => {
    const before = await tryDoors(address, tenant);
    const calledBefore = await stdio.countTracks();
    const disabled = await accountOf(tenant.email, "disable");
    const during = await tryDoors(address, tenant);
    const calledDuring = await stdio.countTracks();
    const refreshed = await refresh();
    const listed = (await program.run(["account", "list"])).rows;
    const enabled = await accountOf(tenant.email, "enable");
    const after = await tryDoors(address, tenant);

    expect(before).toEqual(OPEN);
    expect(calledBefore).toContain("2");
    expect(disabled.rows).toEqual([{ email: tenant.email, active: false }]);
    expect(during).toEqual(SHUT);
    expect(calledDuring).toContain("invalid_key");
    expect([refreshed.status, refreshed.body.error]).toEqual([400, "invalid_grant"]);
    expect(listed).toContainEqual(expect.objectContaining({ email: tenant.email, active: false }));
    expect(enabled.rows).toEqual([{ email: tenant.email, active: true }]);
    expect(after).toEqual(OPEN);
    expect((await refresh()).status).toBe(200);
    expect(auditOf(tenant.accountId)).toEqual(["account.disable", "account.enable"]);
  });

  test("says kindly why a link opens nothing", async () => {
    await accountOf(tenant.email, "disable");

    const page = await (await fetch(tenant.openShareUrl)).text();
    const submit = await (await fetch(tenant.brief.publicUrl)).text();
    const file = await fetch(tenant.downloadUrl);
    await accountOf(tenant.email, "enable");

    expect(page).toContain("This link is not available");
    expect(submit).toContain("This page is not open");
    expect((await jsonOf(file)).messageCode).toBe("invalid_link");
  });

  test("stops webhooks, and account enable starts them with the next event", async () => {
    const other = await newTenant("open@example.com");
    await rename("First");
    await untilReceived(1);
    await accountOf(tenant.email, "disable");
    const closed = await fetch(`${address}/api/v1/tracks/details?id=${tenant.trackId}`, {
      method: "PATCH",
      headers: { ...tenant.byKey, "content-type": "application/json" },
      body: JSON.stringify({ title: "Second" }),
    });
    const count = received.length;
    await call(
      address,
      "PATCH",
      `/api/v1/tracks/details?id=${other.trackId}`,
      { title: "Mine" },
      other.byKey,
    );
    await untilReceived(count + 1);
    await accountOf(tenant.email, "enable");
    await rename("Third");
    await untilReceived(count + 2);

    expect(closed.status).toBe(401);
  });

  test("leaves nothing for another account's brief to receive", async () => {
    const other = await newTenant("sender@example.com");
    await accountOf(tenant.email, "disable");

    const sent = await fetch(`${address}/app/briefs/${tenant.brief.id}/submissions`, {
      method: "POST",
      headers: { ...other.session, "content-type": "application/json" },
      body: JSON.stringify({ trackId: other.trackId }),
    });
    await accountOf(tenant.email, "enable");

    expect((await jsonOf(sent)).messageCode).toBe("brief_not_open");
  });

  test("makes no session for the account", async () => {
    await accountOf(tenant.email, "disable");

    const refused = await program.run(["session", "create", "--email", tenant.email]);
    await accountOf(tenant.email, "enable");

    expect([refused.code, refused.stderr]).toEqual([
      1,
      `The account ${tenant.email} is disabled: run account enable first\n`,
    ]);
  });
});

describe("account password", () => {
  const email = "forgetful@example.com";
  const login = (password: string) =>
    fetch(`${address}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    });

  test("sets the password that is piped in, and ends every session", async () => {
    const [{ id } = {}] = (
      await program.run(["account", "create", "--email", email, "--name", "F", "--password", "the old one"])
    ).rows;
    const { data } = await jsonOf(await login("the old one"));
    const session = { authorization: `Bearer ${data.token}` };

    const changed = await program.run(["account", "password", "--email", email], { input: "a new long one" });

    expect(changed.rows).toEqual([{ email, sessionsEnded: 1 }]);
    expect((await fetch(`${address}/auth/session`, { headers: session })).status).toBe(401);
    expect((await login("the old one")).status).toBe(401);
    expect((await login("a new long one")).status).toBe(200);
    expect(auditOf(String(id))).toEqual(["account.password"]);
  });

  test("account password refuses a short password, and changes nothing", async () => {
    const refused = await program.run(["account", "password", "--email", email], { input: "short\n" });

    expect([refused.code, refused.stderr]).toEqual([1, "A password needs at least 8 characters\n"]);
    expect((await login("a new long one")).status).toBe(200);
  });
});

test("account reset-link prints a link that sets a new password on the running server, once", async () => {
  const email = "lost@example.com";
  const [{ id } = {}] = (
    await program.run(["account", "create", "--email", email, "--name", "L", "--password", "the old one"])
  ).rows;
  const made = await program.run(["account", "reset-link", "--email", email], {
    extra: { PUBLIC_URL: address },
  });
  const url = new URL(String(made.rows[0]?.url));
  const set = (password: string) =>
    fetch(`${address}/reset`, {
      method: "POST",
      headers: { origin: address, accept: "text/html" },
      body: new URLSearchParams({ token: url.searchParams.get("token") ?? "", password }),
    });

  const page = await fetch(url);
  const first = await set("a new long one");
  const second = await set("another long one");

  expect(made.rows).toEqual([{ email, url: url.href, expiresAt: expect.any(String) }]);
  expect([url.origin, url.pathname]).toEqual([address, "/reset"]);
  expect([page.status, first.status, second.status]).toEqual([200, 200, 410]);
  expect(auditOf(String(id))).toEqual(["account.reset_link"]);
  await accountOf(email, "disable");
  const refused = await accountOf(email, "reset-link");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `The account ${email} is disabled: run account enable first\n`,
  ]);
});

describe("keys and sessions", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant("keys@example.com");
  });

  test("key list shows the keys without secrets, and a revoked key is refused at once", async () => {
    const listed = await program.run(["key", "list", "--email", tenant.email]);
    const revoked = await program.run(["key", "revoke", tenant.keyId]);
    const after = await fetch(`${address}/api/v1/tracks/count`, { headers: tenant.byKey });
    const again = await program.run(["key", "list", "--email", tenant.email]);

    expect(listed.rows).toMatchObject([{ id: tenant.keyId, name: "all", webhookActive: true }]);
    expect(JSON.stringify(listed.rows)).not.toContain(tenant.key.split(".")[1] ?? "");
    expect(revoked.rows).toEqual([{ ok: true }]);
    expect((await jsonOf(after)).messageCode).toBe("invalid_key");
    expect(again.rows).toEqual([]);
    expect(auditOf(tenant.keyId)).toEqual(["key.revoke"]);
  });

  test("session list shows them, session revoke ends one or all at once", async () => {
    const made = await program.run(["session", "create", "--email", tenant.email]);
    const bearer = { authorization: `Bearer ${made.rows[0]?.token}` };
    const listed = (await program.run(["session", "list", "--email", tenant.email])).rows;
    const [newest] = listed;

    const one = await program.run(["session", "revoke", "--email", tenant.email, String(newest?.id)]);
    const ended = await fetch(`${address}/auth/session`, { headers: bearer });
    const other = await fetch(`${address}/auth/session`, { headers: tenant.session });
    const unknown = await program.run(["session", "revoke", "--email", tenant.email, String(newest?.id)]);
    const all = await program.run(["session", "revoke", "--email", tenant.email]);
    const none = await fetch(`${address}/auth/session`, { headers: tenant.session });

    expect(listed.length).toBeGreaterThan(2);
    expect(newest).toEqual({
      id: expect.stringMatching(/^ses_/),
      userAgent: null,
      ip: "operator",
      method: "operator",
      device: expect.any(String),
      place: null,
      library: { id: tenant.accountId, name: "Ana" },
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(one.rows).toEqual([{ ok: true, revoked: 1 }]);
    expect([ended.status, other.status, none.status]).toEqual([401, 200, 401]);
    expect([unknown.code, unknown.stderr]).toEqual([1, "There is no such session\n"]);
    expect(all.rows).toEqual([{ ok: true, revoked: listed.length - 1 }]);
    expect(auditOf(tenant.accountId)).toEqual(["session.create", "session.revoke", "session.revoke"]);
  });

  test.each([
    [["account", "password"], 2, "usage: dubplate account password --email E"],
    [["account", "disable", "x"], 2, "usage: dubplate account disable --email E"],
    [
      ["account", "enable", "--email", "nobody@example.com"],
      1,
      "There is no account with the e-mail address",
    ],
    [["key", "revoke"], 2, "usage: dubplate key revoke ID"],
    [["key", "revoke", "key_x"], 1, "There is no such key"],
    [["session", "revoke", "--email", "a@b", "x", "y"], 2, "usage: dubplate session revoke --email E [ID]"],
    [["session", "nonsense"], 2, "dubplate session list --email E"],
  ])("the command %p ends with %p and says why", async (args, code, words) => {
    const result = await program.run(args);

    expect([result.code, result.rows]).toEqual([code, []]);
    expect(result.stderr).toContain(words);
  });
});

describe("account operator", () => {
  test("account operator makes another account the operator, and no account takes the place of a disabled one", async () => {
    const tenant = await newTenant("second@example.com");
    const askForServer = async () =>
      (await fetch(`${address}/app/server`, { headers: tenant.session })).status;
    const [first] = (await program.run(["account", "list"])).rows;

    await accountOf(String(first?.email), "disable");
    const before = await askForServer();
    const named = await accountOf(tenant.email, "operator");

    expect([first?.operator, before]).toEqual([true, 403]);
    expect(named.rows).toEqual([{ email: tenant.email, operator: true }]);
    expect(await askForServer()).toBe(200);
  });
});
