import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
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
});

const invite = (token: string, body: object) => app.signedIn(token)("POST", "/app/team/invitations", body);
const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.query(sql).run(...values);
const statusOf = async (token: string) =>
  (await join(app, { token, name: "B", password: "long enough" })).status;
const fresh = () => `${crypto.randomUUID()}@example.com`;

describe("POST /app/team/invitations", () => {
  test("makes a link for an address, which only the answer has", async () => {
    const { status, body } = await invite(owner.token, { email: "  Ben@Example.com ", role: "producer" });
    const list = await app.signedIn(owner.token)("GET", "/app/team/invitations");

    expect(status).toBe(200);
    const { url, ...rest } = body.data;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4747\/join\?token=[\w-]{43}$/);
    expect(rest).toEqual({
      id: expect.stringMatching(/^inv_/),
      email: "ben@example.com",
      role: "producer",
      seesSplits: false,
      seesListening: true,
      until: null,
      by: { id: owner.accountId, name: "Someone" },
      createdAt: new Date(app.clock.now()).toISOString(),
      expiresAt: new Date(app.clock.now() + 7 * DAY_MS).toISOString(),
    });
    expect(list.body.data).toEqual([rest]);
    const token = new URL(url).searchParams.get("token") ?? "";
    const kept = app.deps.db.$client
      .query<{ token_hash: Uint8Array }, [string]>("SELECT token_hash FROM invitations WHERE id = ?")
      .get(rest.id);
    const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
    expect(Buffer.from(kept?.token_hash ?? []).toString("hex")).toBe(hash);
  });

  test("keeps what was chosen: switches, and the day of the end", async () => {
    const wanted = {
      email: fresh(),
      role: "listener",
      seesSplits: true,
      seesListening: true,
      until: "2026-03-01",
    };

    const { body } = await invite(owner.token, wanted);

    expect(body.data).toMatchObject({
      seesSplits: true,
      seesListening: true,
      until: "2026-03-01T23:59:59.999Z",
    });
  });

  test.each([
    ["an owner", { role: "owner" }],
    ["no role", { role: undefined }],
    ["an address that is not one", { email: "ben" }],
    ["an end in the past", { until: "2025-12-31" }],
    ["an end that is no time", { until: "soon" }],
  ])("refuses %s", async (_, change) => {
    const { status, body } = await invite(owner.token, { email: fresh(), role: "artist", ...change });

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
  });

  test("refuses a manager by a manager, and everybody by those below", async () => {
    const [manager, producer] = [
      addMember(app, owner.accountId, { role: "manager" }),
      addMember(app, owner.accountId, { role: "producer" }),
    ];

    const byManager = await invite(manager.token, { email: fresh(), role: "manager" });
    const byProducer = await invite(producer.token, { email: fresh(), role: "listener" });
    const byOwner = await invite(owner.token, { email: fresh(), role: "manager" });

    expect([byManager.status, byManager.body.messageCode]).toEqual([400, "validation_failed"]);
    expect([byProducer.status, byProducer.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(byOwner.status).toBe(200);
  });

  test("refuses the address of a member with 409 duplicate_email, until the membership has ended", async () => {
    const member = addMember(app, owner.accountId, { role: "artist" });
    const email = `${member.personId}@example.com`;

    const before = await invite(owner.token, { email: email.toUpperCase(), role: "artist" });
    run("UPDATE members SET ends_at = ? WHERE id = ?", app.clock.now(), member.memberId);
    const after = await invite(owner.token, { email, role: "artist" });

    expect([before.status, before.body.messageCode, after.status]).toEqual([409, "duplicate_email", 200]);
  });

  test("takes the place of an earlier invitation of the same address", async () => {
    const email = fresh();
    const first = await invited(app, owner.token, { email, role: "listener" });
    const second = await invited(app, owner.token, { email, role: "producer" });

    const list = await app.signedIn(owner.token)("GET", "/app/team/invitations");

    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([403, 200]);
  });

  test("refuses the 51st open invitation, and the 101st member, with team_full", async () => {
    const links = [];
    for (let count = 0; count < 50; count++) links.push(await invited(app, owner.token, { email: fresh() }));
    const tooMany = await invite(owner.token, { email: fresh(), role: "artist" });
    await app.signedIn(owner.token)("DELETE", `/app/team/invitations/${links[0].id}`);
    const again = await invite(owner.token, { email: fresh(), role: "artist" });
    for (let count = 0; count < 99; count++) addMember(app, owner.accountId, { role: "listener" });
    const full = await invite(owner.token, { email: links[1].email, role: "artist" });
    const joined = await join(app, { token: links[2].token, name: "Late", password: "long enough" });

    expect([tooMany.status, tooMany.body.messageCode, again.status]).toEqual([409, "team_full", 200]);
    expect([full.status, full.body.messageCode]).toEqual([409, "team_full"]);
    expect([joined.status, joined.body.messageCode]).toEqual([409, "team_full"]);
    expect(app.deps.db.$client.query("SELECT 1 FROM people WHERE email = ?").get(links[2].email)).toBeNull();
  });
});

describe("an invitation works no more", () => {
  test("after seven days, and again with a new link, which ends the old one", async () => {
    const link = await invited(app, owner.token, { email: fresh() });
    app.clock.advance(7 * DAY_MS);
    const late = await statusOf(link.token);
    const renewed = await app.signedIn(owner.token)("POST", `/app/team/invitations/${link.id}/renew`);

    expect([late, renewed.status, await statusOf(link.token)]).toEqual([403, 200, 403]);
    expect(renewed.body.data).toMatchObject({ id: link.id, email: link.email });
    expect(await statusOf(new URL(renewed.body.data.url).searchParams.get("token") ?? "")).toBe(200);
  });

  test("when it is withdrawn", async () => {
    const link = await invited(app, owner.token, { email: fresh() });

    const withdrawn = await app.signedIn(owner.token)("DELETE", `/app/team/invitations/${link.id}`);
    const twice = await app.signedIn(owner.token)("DELETE", `/app/team/invitations/${link.id}`);

    expect([withdrawn.status, await statusOf(link.token)]).toEqual([200, 403]);
    expect([twice.status, twice.body.messageCode]).toEqual([404, "invitation_not_found"]);
  });

  test("when it was used, also by two at once", async () => {
    const { token } = await invited(app, owner.token, { email: fresh() });

    const both = await Promise.all([statusOf(token), statusOf(token)]);

    expect(both.sort()).toEqual([200, 403]);
  });

  test.each([
    ["has a smaller role now", "UPDATE members SET role = 'producer' WHERE id = ?"],
    ["is gone", "DELETE FROM members WHERE id = ?"],
    ["is blocked", "UPDATE people SET active = 0 WHERE id = (SELECT person_id FROM members WHERE id = ?)"],
    ["has reached the end of the membership", "UPDATE members SET ends_at = 1 WHERE id = ?"],
  ])("when whoever made it %s", async (_, sql) => {
    const manager = addMember(app, owner.accountId, { role: "manager" });
    const { token } = await invited(app, manager.token, { email: fresh(), role: "artist" });

    run(sql, manager.memberId);

    expect(await statusOf(token)).toBe(403);
  });

  test("for a manager, when the owner who made it is a manager now", async () => {
    const next = addMember(app, owner.accountId, { role: "manager" });
    const [manager, artist] = [
      await invited(app, owner.token, { email: fresh(), role: "manager" }),
      await invited(app, owner.token, { email: fresh(), role: "artist" }),
    ];
    const handed = await app.signedIn(owner.token)("POST", "/app/team/owner", { memberId: next.memberId });

    expect([handed.status, await statusOf(manager.token), await statusOf(artist.token)]).toEqual([
      200, 403, 200,
    ]);
    const byManager = await app.signedIn(owner.token)("POST", `/app/team/invitations/${manager.id}/renew`);
    expect([byManager.status, byManager.body.messageCode]).toEqual([403, "insufficient_scope"]);
    const byOwner = await app.signedIn(next.token)("POST", `/app/team/invitations/${manager.id}/renew`);
    expect(byOwner.status).toBe(200);
  });

  test("when the library is disabled", async () => {
    const { token } = await invited(app, owner.token, { email: fresh() });

    run("UPDATE accounts SET active = 0 WHERE id = ?", owner.accountId);

    expect(await statusOf(token)).toBe(403);
  });
});

test("an open seat has no link until it gets one", async () => {
  const email = fresh();
  run(
    `INSERT INTO invitations (id, account_id, email, role, created_at, expires_at) VALUES ('inv_seat', ?, ?, 'artist', 1, 1)`,
    owner.accountId,
    email,
  );

  const list = await app.signedIn(owner.token)("GET", "/app/team/invitations");
  const renewed = await app.signedIn(owner.token)("POST", "/app/team/invitations/inv_seat/renew");
  const joined = await statusOf(new URL(renewed.body.data.url).searchParams.get("token") ?? "");

  expect(list.body.data).toMatchObject([{ id: "inv_seat", email, by: null, expiresAt: null }]);
  expect([renewed.status, renewed.body.data.by.id, joined]).toEqual([200, owner.accountId, 200]);
});

test("another library's invitations are not there", async () => {
  const other = app.createAccount();
  const link = await invited(app, other.token, { email: fresh() });
  const call = app.signedIn(owner.token);

  const renewed = await call("POST", `/app/team/invitations/${link.id}/renew`);
  const withdrawn = await call("DELETE", `/app/team/invitations/${link.id}`);
  const list = await call("GET", "/app/team/invitations");

  expect([renewed.body.messageCode, withdrawn.body.messageCode]).toEqual([
    "invitation_not_found",
    "invitation_not_found",
  ]);
  expect(list.body.data).toEqual([]);
});
