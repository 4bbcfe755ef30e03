import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("GET /app/team: a library with one member shows its owner", async () => {
  const owner = app.createAccount("ana@example.com");

  const { status, body } = await app.signedIn(owner.token)("GET", "/app/team");

  const me = {
    id: expect.stringMatching(/^mem_/),
    person: { id: owner.accountId, name: "Someone", email: "ana@example.com" },
    role: "owner",
    reach: "library",
    seesSplits: true,
    seesListening: true,
    joinedAt: "2026-01-15T12:00:00.000Z",
    until: null,
    lastSeenAt: "2026-01-15T12:00:00.000Z",
    isYou: true,
  };
  expect(status).toBe(200);
  expect(body.data).toEqual({ library: { id: owner.accountId, name: "Someone" }, me, members: [me] });
});

test("GET /app/team: everybody sees names and roles, those who manage the team addresses too, and nobody the past", async () => {
  const { accountId } = app.createAccount();
  const other = app.createAccount();
  addMember(app, other.accountId, { role: "producer" });
  const [manager, listener, gone] = [
    addMember(app, accountId, { role: "manager" }),
    addMember(app, accountId, { role: "listener", listening: true }),
    addMember(app, accountId, { role: "artist" }),
  ];
  app.deps.db.$client.run("UPDATE members SET ends_at = ? WHERE id = ?", [app.clock.now(), gone.memberId]);
  const teamFor = async ({ token }: { token: string }) =>
    (await app.signedIn(token)("GET", "/app/team")).body.data;

  const [managed, listened] = [await teamFor(manager), await teamFor(listener)];

  const rolesOf = (team: { members: { role: string }[] }) => team.members.map(({ role }) => role);
  expect([rolesOf(managed), rolesOf(listened)]).toEqual([
    ["owner", "manager", "listener"],
    ["owner", "manager", "listener"],
  ]);
  expect(managed.members[2].person.email).toBe(`${listener.personId}@example.com`);
  expect(managed.members[2].lastSeenAt).toBe(new Date(app.clock.now()).toISOString());
  expect(listened.members.map(({ person }: { person: { email: null } }) => person.email)).toEqual([
    null,
    null,
    null,
  ]);
  expect(listened.me).toMatchObject({
    id: listener.memberId,
    isYou: true,
    seesSplits: false,
    seesListening: true,
  });
});

test("GET /auth/session: says which library it opens, and what the role allows there", async () => {
  const owner = app.createAccount("bea@example.com");
  const listener = addMember(app, owner.accountId, { role: "listener", splits: true });
  const libraryOf = async ({ token }: { token: string }) =>
    (await app.signedIn(token)("GET", "/auth/session")).body.data.library;

  const [owned, listened] = [await libraryOf(owner), await libraryOf(listener)];

  expect(owned).toMatchObject({ id: owner.accountId, name: "Someone", role: "owner" });
  expect(owned.powers).toContain("own:library");
  expect(listened.scopes).not.toContain("update:tracks");
  expect(listened).toEqual({
    id: owner.accountId,
    name: "Someone",
    role: "listener",
    scopes: expect.arrayContaining(["read:tracks", "read:composers", "create:comments"]),
    powers: [],
    reach: "library",
    rooms: [],
  });
});

test("GET /auth/session: names no library where the person is not in the one that is meant", async () => {
  const [mine, other] = [app.createAccount(), app.createAccount()];

  const { status, body } = await app.signedIn(mine.token)("GET", "/auth/session", undefined, {
    "x-library": other.accountId,
  });

  expect([status, body.data.library]).toEqual([200, null]);
});
