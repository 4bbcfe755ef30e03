import { afterAll, beforeAll, expect, test } from "bun:test";
import { beginSession } from "../../src/modules/people/people/service.ts";
import { createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember, joinToo } from "../support/team.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const listed = async (token: string): Promise<Json[]> =>
  (await app.signedIn(token)("GET", "/auth/sessions")).body.data;

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Chrome on Windows",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
    "Safari on Mac",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"],
  ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/140.0 Safari/537.36", "Chrome on ChromeOS"],
  ["curl/8.5.0", "curl"],
  ["", "Unknown program"],
  [null, "Unknown program"],
])("a session of %p is shown as %p", async (userAgent, device) => {
  const { accountId, email } = app.createAccount();
  const person = { id: accountId, email, name: "Ana" } as never;
  const { token } = beginSession(app.deps, person, { ip: "203.0.113.7", userAgent });

  expect((await listed(token)).map(({ device: shown }) => shown)).toContain(device);
});

test.each([
  ["203.0.113.7", "This network"],
  ["93.184.216.34", "93.184.216.34"],
  ["2606:2800:220:1::1", "2606:2800:220:1::1"],
  ["192.168.1.20", "This network"],
  ["127.0.0.1", "This network"],
  ["fd00::1", "This network"],
  ["operator", null],
])("a session from %p is at %p", async (ip, place) => {
  const { accountId, email } = app.createAccount();
  const person = { id: accountId, email, name: "Ana" } as never;
  const { token } = beginSession(app.deps, person, { ip, userAgent: null });

  const current = (await listed(token)).find(({ current: isCurrent }) => isCurrent);

  expect(current.place).toBe(place);
});

test("sessions say in which library they are, as long as the person is in it", async () => {
  const [ana, ben] = [app.createAccount(), app.createAccount()];
  const memberId = joinToo(app, ana.accountId, ben.accountId, { role: "artist" });
  const person = { id: ben.accountId, email: ben.email, name: "Ben" } as never;
  beginSession(app.deps, person, { ip: "test", userAgent: "there" }, { accountId: ana.accountId });
  const of = async () =>
    Object.fromEntries((await listed(ben.token)).map(({ device, library }) => [device, library?.id ?? null]));

  expect(await of()).toEqual({ there: ana.accountId, "Unknown program": ben.accountId });
  app.deps.db.$client.run("DELETE FROM members WHERE id = ?", [memberId]);
  expect((await of()).there).toBeNull();
});

test("ending all others ends them in every library of the person, and nobody else's", async () => {
  const [ana, ben] = [app.createAccount(), app.createAccount()];
  joinToo(app, ana.accountId, ben.accountId, { role: "artist" });
  const person = { id: ben.accountId, email: ben.email, name: "Ben" } as never;
  const client = { ip: "test", userAgent: null };
  const lost = beginSession(app.deps, person, client, { accountId: ana.accountId });

  const ended = await app.signedIn(ben.token)("DELETE", "/auth/sessions");

  expect(ended.body.data).toEqual({ ok: true, revoked: 1 });
  expect((await app.signedIn(lost.token)("GET", "/auth/session")).status).toBe(401);
  expect((await app.signedIn(ana.token)("GET", "/auth/session")).status).toBe(200);
});

test("the sign-out page signs out everywhere, this browser included", async () => {
  const { accountId, token } = app.createAccount();
  const { token: other } = addMember(app, accountId, { role: "artist" });
  const visitor = createVisitor(app);
  visitor.setCookie("dubplate_session", token);
  const [page, own] = [await visitor.open("/signout"), await visitor.open("/signout?everywhere=on")];

  const signedOut = await visitor.post("/signout?everywhere=on", {});

  expect(page.text).toContain('href="/signout?everywhere=on"');
  expect(own.text).toContain('action="/signout?everywhere=on"');
  expect(signedOut.location).toBe("/signin");
  const left = app.deps.db.$client.query("SELECT 1 FROM sessions WHERE person_id = ?").all(accountId);
  expect(left).toEqual([]);
  expect((await app.signedIn(other)("GET", "/auth/session")).status).toBe(200);
});
