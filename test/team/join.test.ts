import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { invited, join } from "./inviting.ts";

let app: TestApp;
let owner: { accountId: string; token: string; email: string };
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  owner = app.createAccount();
  run("UPDATE people SET name = 'Ana' WHERE id = ?", owner.accountId);
  run("UPDATE accounts SET name = 'Night Label' WHERE id = ?", owner.accountId);
});

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.query(sql).run(...values);
const fresh = () => `${crypto.randomUUID()}@example.com`;
const newcomer = { name: "Ben", password: "long enough" };
const PASSWORD = "correct horse battery"; // of every account of `createAccount`
const session = async (token: string) => (await app.signedIn(token)("GET", "/auth/session")).body.data;
const answerOf = ({ status, body }: { status: number; body: Json }) => [status, body.messageCode];

describe("POST /auth/join", () => {
  test("makes somebody new a member with a sign-in of their own, and tells whoever invited", async () => {
    const manager = addMember(app, owner.accountId, { role: "manager" });
    const email = fresh();
    const { token } = await invited(app, manager.token, { email, role: "producer", until: "2026-06-01" });

    const joined = await join(app, { token, ...newcomer });

    expect(joined.status).toBe(200);
    expect(joined.body.data.user).toEqual({ id: expect.stringMatching(/^usr_/), email, name: "Ben" });
    const me = (await app.signedIn(joined.body.data.token)("GET", "/app/team")).body.data.me;
    expect(me).toMatchObject({ role: "producer", seesListening: true, until: "2026-06-01T23:59:59.999Z" });
    const sessions = await app.signedIn(joined.body.data.token)("GET", "/auth/sessions");
    expect(sessions.body.data).toMatchObject([{ method: "invitation" }]);
    const login = { email, password: newcomer.password };
    const again = await app.request("/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(login),
    });
    expect(again.status).toBe(200);
    const told = async (who: string) =>
      (await app.signedIn(who)("GET", "/app/notifications")).body.data.map(({ title }: Json) => title);
    expect([await told(manager.token), await told(owner.token)]).toEqual([["Ben joined as producer"], []]);
  });

  test("takes somebody who has a sign-in in with their session, which is in the library then", async () => {
    const ben = app.createAccount();
    const { token } = await invited(app, owner.token, { email: ben.email, role: "artist" });

    const joined = await join(app, { token }, ben.token);

    expect([joined.status, joined.body.data]).toEqual([200, { ok: true }]);
    const now = await session(ben.token);
    expect(now.library).toMatchObject({ id: owner.accountId, name: "Night Label", role: "artist" });
    expect(now.libraries.length).toBe(2);
  });

  test("opens nothing for an address with a sign-in, without that sign-in", async () => {
    const ben = app.createAccount();
    const { token } = await invited(app, owner.token, { email: ben.email });

    const without = await join(app, { token, name: "Not Ben" });
    const wrong = await join(app, { token, ...newcomer });
    const right = await join(app, { token, password: PASSWORD });

    expect([answerOf(without), answerOf(wrong), right.status]).toEqual([
      [401, "invalid_credentials"],
      [401, "invalid_credentials"],
      200,
    ]);
    expect(right.body.data.user.email).toBe(ben.email);
    expect((await session(right.body.data.token)).library.id).toBe(owner.accountId);
  });

  test("is refused for somebody else, for a member, and for somebody blocked", async () => {
    const [ben, eva] = [app.createAccount(), app.createAccount()];
    const link = await invited(app, owner.token, { email: ben.email });
    const second = await invited(app, app.createAccount().token, { email: eva.email });

    const foreign = await join(app, { token: link.token }, eva.token);
    run("UPDATE people SET active = 0 WHERE id = ?", eva.accountId);
    const blocked = await join(app, { token: second.token, password: PASSWORD });
    const used = [
      await join(app, { token: link.token }, ben.token),
      await join(app, { token: link.token }, ben.token),
    ];

    expect([answerOf(foreign), answerOf(blocked)]).toEqual([
      [409, "invalid_transition"],
      [401, "invalid_credentials"],
    ]);
    expect(foreign.body.message).toBe(
      `You are signed in as ${eva.email}. This invitation is for ${ben.email}`,
    );
    expect(used.map(({ status }) => status)).toEqual([200, 403]);
    expect(used[1]?.body.message).toBe("This invitation no longer works. Ask Night Label for a new one");
  });

  test.each([
    ["no name", { password: "long enough" }],
    ["a blank name", { name: "  ", password: "long enough" }],
    ["a short password", { name: "Ben", password: "short" }],
    ["no password", { name: "Ben" }],
  ])("refuses somebody new with %s, and the link goes on working", async (_, body) => {
    const { token } = await invited(app, owner.token, { email: fresh() });

    const refused = await join(app, { token, ...body });

    expect(answerOf(refused)).toEqual([400, "validation_failed"]);
    expect((await join(app, { token, ...newcomer })).status).toBe(200);
  });

  test("gives a new member id after a membership that has ended, and nothing of before works again", async () => {
    const email = fresh();
    const first = await invited(app, owner.token, { email, role: "manager" });
    const ben = (await join(app, { token: first.token, ...newcomer })).body.data;
    const key = (await app.signedIn(ben.token)("POST", "/integration/api-keys", { name: "NAS" })).body.data
      .key;
    const memberOf = async (token: string) => (await app.signedIn(token)("GET", "/app/team")).body.data.me.id;
    const before = [await memberOf(ben.token), (await app.as(key)("GET", "/tracks")).status];
    run("UPDATE members SET ends_at = ? WHERE id = ?", app.clock.now(), before[0]);

    const second = await invited(app, owner.token, { email, role: "manager" });
    const again = await join(app, { token: second.token, password: newcomer.password });

    expect(before[1]).toBe(200);
    expect(again.status).toBe(200);
    expect(await memberOf(again.body.data.token)).not.toBe(before[0]);
    expect((await app.as(key)("GET", "/tracks")).status).toBe(401);
    expect((await app.signedIn(ben.token)("GET", "/auth/session")).status).toBe(401);
    const log = await app.signedIn(owner.token)("GET", "/app/team/log");
    expect(log.body.data.map(({ sentence }: Json) => sentence)).toContain("The membership of Ben ended");
  });

  test("is refused in the 21st library, as is founding one", async () => {
    const ben = app.createAccount();
    for (let count = 0; count < 19; count++) {
      const other = app.createAccount();
      const { token } = await invited(app, other.token, { email: ben.email });
      await join(app, { token }, ben.token);
    }
    const { token } = await invited(app, owner.token, { email: ben.email });

    run("UPDATE people SET operator = 0");
    run("UPDATE people SET operator = 1 WHERE id = ?", ben.accountId); // who may found libraries
    const founded = await app.signedIn(ben.token)("POST", "/app/libraries", { name: "One more" });

    expect(answerOf(await join(app, { token }, ben.token))).toEqual([409, "team_full"]);
    expect(answerOf(founded)).toEqual([409, "team_full"]);
  });
});

test("wrong links of invitations and of passwords are counted together: ten in a quarter of an hour", async () => {
  const peer = "203.0.113.7";
  const guess = (path: string) => app.request(path, { peer });
  const statuses = [];
  for (let count = 0; count < 5; count++)
    statuses.push((await guess("/join?token=wrong")).status, (await guess("/reset?token=wrong")).status);
  const { token } = await invited(app, owner.token, { email: fresh() });

  const over = await guess(`/join?token=${token}`);
  const api = await app.request("/auth/join", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, ...newcomer }),
    peer,
  });

  expect(new Set(statuses)).toEqual(new Set([403, 410]));
  expect([over.status, api.status, (await jsonOf(api)).messageCode]).toEqual([
    429,
    429,
    "rate_limit_exceeded",
  ]);
  app.clock.advance(16 * MINUTE_MS);
  expect((await guess(`/join?token=${token}`)).status).toBe(200);
});

describe("/join", () => {
  const ORIGIN = { origin: "http://127.0.0.1:4747" };
  const page = async (token: string, cookie?: string) => {
    const response = await app.request(`/join?token=${token}`, {
      headers: cookie === undefined ? {} : { cookie: `dubplate_session=${cookie}` },
    });
    const text = (await response.text()).replaceAll("<!-- -->", "");
    return { status: response.status, text, h1: /<h1>(.*?)<\/h1>/.exec(text)?.[1] };
  };
  const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    app.request("/join", {
      method: "POST",
      headers: { ...ORIGIN, ...headers },
      body: new URLSearchParams(fields),
    });

  test("shows somebody new who invites them to what, and takes them in", async () => {
    const email = fresh();
    const { token } = await invited(app, owner.token, { email, role: "producer", until: "2026-06-01" });

    const { status, text, h1 } = await page(token);
    const short = await submit({ token, email, name: "Ben & Co", password: "short" });
    const joined = await submit({ token, email, name: "Ben & Co", password: "long enough" });

    expect([status, h1]).toEqual([200, "Ana invites you to Night Label"]);
    expect(text).toContain(
      "You will be a producer: you add and change music, playlists and links, and work with briefs.",
    );
    expect(text).toContain("Until 1 June 2026.");
    expect(text).toMatch(new RegExp(`<input[^>]*type="email"[^>]*value="${email}"[^>]*readonly`, "i"));
    expect(short.status).toBe(400);
    const again = await short.text();
    expect(again).toContain("The password must have at least 8 characters.");
    expect(again).toContain('value="Ben &amp; Co"');
    expect([joined.status, joined.headers.get("location")]).toEqual([303, `/library?in=${owner.accountId}`]);
    expect(joined.headers.get("set-cookie")).toMatch(
      /^dubplate_session=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
  });

  test("asks somebody who has a sign-in to sign in, and comes back", async () => {
    const ben = app.createAccount();
    const { token } = await invited(app, owner.token, { email: ben.email });

    const { text } = await page(token);
    const signedIn = await page(token, ben.token);
    const joined = await submit({ token }, { cookie: `dubplate_session=${ben.token}` });
    const after = await page(token, ben.token);

    expect(text).toContain("You already have a sign-in on this server. Sign in to join.");
    expect(text).toContain(`href="/signin?next=${encodeURIComponent(`/join?token=${token}`)}"`);
    expect(text).not.toContain('name="password"');
    expect(signedIn.text).toContain(`You are signed in as ${ben.email}.`);
    expect(signedIn.text).toMatch(/<button[^>]*>Join<\/button>/);
    expect([joined.status, joined.headers.get("set-cookie")]).toEqual([303, null]);
    expect([after.status, after.h1]).toEqual([200, "You are in Night Label already"]);
  });

  test("lets somebody sign in on it who is in no library", async () => {
    const email = fresh();
    const first = await invited(app, owner.token, { email, role: "artist" });
    const ben = (await join(app, { token: first.token, ...newcomer })).body.data;
    await app.signedIn(ben.token)("POST", "/app/team/leave");
    const { token } = await invited(app, owner.token, { email, role: "artist" });

    const { text } = await page(token);
    const wrong = await submit({ token, email, password: "not it at all" });
    const joined = await submit({ token, email, password: newcomer.password });

    expect(text).toContain("Sign in to join.");
    expect(text).toMatch(/name="password"[^>]*autocomplete="current-password"/);
    expect([wrong.status, joined.status]).toEqual([401, 303]);
  });

  test("says to somebody else for whom it is, and signs them out", async () => {
    const eva = app.createAccount();
    const email = fresh();
    const { token } = await invited(app, owner.token, { email });

    const { status, text } = await page(token, eva.token);
    const action = /<form method="post" action="(\/signout[^"]*)"/.exec(text)?.[1] ?? "";
    const out = await app.request(action, {
      method: "POST",
      headers: { ...ORIGIN, cookie: `dubplate_session=${eva.token}` },
    });

    expect(status).toBe(200);
    expect(text).toContain(`You are signed in as ${eva.email}. This invitation is for ${email}.`);
    expect([out.status, out.headers.get("location")]).toEqual([303, `/join?token=${token}`]);
    expect((await page(token)).text).toContain('name="name"');
  });

  test("says of a link that was used, has ended, was withdrawn or never was that it no longer works", async () => {
    const links = [];
    for (let count = 0; count < 3; count++) links.push(await invited(app, owner.token, { email: fresh() }));
    const [used, withdrawn, late] = links;
    await join(app, { token: used.token, ...newcomer });
    await app.signedIn(owner.token)("DELETE", `/app/team/invitations/${withdrawn.id}`);
    app.clock.advance(8 * DAY_MS);

    for (const { token } of [used, withdrawn, late]) {
      const { status, text, h1 } = await page(token);
      expect([status, h1]).toEqual([403, "This invitation no longer works"]);
      expect(text).toContain("Ask Night Label for a new one.");
    }
    const { status, text, h1 } = await page("never");
    expect([status, h1]).toEqual([403, "This invitation no longer works"]);
    expect(text).not.toContain("Night Label");
  });

  test("does not take another site's form", async () => {
    const { token } = await invited(app, owner.token, { email: fresh() });

    const response = await app.request("/join", {
      method: "POST",
      headers: { origin: "https://elsewhere.example" },
      body: new URLSearchParams({ token, ...newcomer }),
    });

    expect(response.status).toBe(403);
    expect((await page(token)).status).toBe(200);
  });

  test("has the library's brand", async () => {
    const { token } = await invited(app, owner.token, { email: fresh() });
    await app.signedIn(owner.token)("PATCH", "/app/account", { brand: { name: "Moon Records" } });

    expect((await page(token)).text).toContain("Moon Records");
  });
});

test("a server without passwords takes nobody new in by one", async () => {
  const house = await createTestApp({ settings: { passwords: false } });
  const { token: ownersToken } = house.createAccount();
  const { token } = await invited(house, ownersToken, { email: fresh() });

  const refused = await join(house, { token, ...newcomer });
  const page = await (await house.request(`/join?token=${token}`)).text();
  await house.close();

  expect(answerOf(refused)).toEqual([403, "password_sign_in_off"]);
  expect(page).not.toContain('name="password"');
});
