import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PersonId } from "../../db/schema.ts";
import { deletePerson } from "../../src/modules/people/membership/service.ts";
import { hashPassword } from "../../src/modules/people/people/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember, joinToo } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let home: ReturnType<TestApp["createAccount"]>;
let operator: ReturnType<TestApp["signedIn"]>;
beforeAll(async () => {
  app = await createTestApp();
  home = app.createAccount("op@example.com");
  operator = app.signedIn(home.token);
});
afterAll(() => app.close());

/** A library with a producer who has a key and a comment in it. */
async function createLabel() {
  app.clock.advance(1000);
  const label = app.createAccount();
  const ben = addMember(app, label.accountId, { role: "manager" });
  const web = app.signedIn(ben.token);
  const key: string = (await web("POST", "/integration/api-keys", { name: "Ben's" })).body.data.key;
  const { id: trackId } = addTrackRows(app.deps.db, label.accountId);
  await web("POST", `/app/tracks/${trackId}/comments`, { text: "Louder" });
  const email = `${ben.personId}@example.com`;
  const owner = app.signedIn(label.token);
  return { ...label, ...ben, ownerToken: label.token, owner, web, key, trackId, email };
}

const people = async () => (await operator("GET", "/app/people")).body.data;
const row = async (id: string) => (await people()).find((person: Json) => person.id === id);

describe("the operator's routes about people", () => {
  test.each([
    ["GET", "/app/people"],
    ["PATCH", "/app/people/x", { active: false }],
    ["POST", "/app/accounts/x/owner", { email: "eve@example.com" }],
  ] as [string, string, object?][])("%s %s is refused to an owner", async (...[method, path, body]) => {
    const { owner } = await createLabel();

    const { status, body: answer } = await owner(method, path, body);

    expect([status, answer.messageCode]).toEqual([403, "insufficient_scope"]);
  });

  test("list everybody with their libraries and roles", async () => {
    const { personId, accountId } = await createLabel();

    expect(await row(personId)).toMatchObject({
      name: "The manager",
      email: `${personId}@example.com`,
      active: true,
      isOperator: false,
      libraries: [{ id: accountId, name: "Someone", role: "manager", active: true }],
    });
    expect(await row(home.accountId)).toMatchObject({ isOperator: true, lastSeenAt: expect.any(String) });
  });

  test("say of each library who owns it, and how many people are in it", async () => {
    const { accountId, email } = app.createAccount();
    addMember(app, accountId, { role: "artist" });
    const { data } = (await operator("GET", "/app/accounts")).body;

    expect(data.find(({ id }: Json) => id === accountId)).toMatchObject({
      owner: { id: accountId, name: "Someone", email },
      members: 2,
    });
  });
});

describe("a person whom the operator blocks", () => {
  const block = (id: string, active = false) => operator("PATCH", `/app/people/${id}`, { active });

  test("has no session and no key any more, and the library goes on", async () => {
    const { personId, web, key, owner, trackId } = await createLabel();

    const { body } = await block(personId);

    expect(body.data).toMatchObject({ id: personId, active: false });
    expect((await web("GET", "/auth/session")).status).toBe(401);
    expect((await app.as(key)("GET", "/tracks")).status).toBe(401);
    expect((await owner("GET", `/app/library/tracks/single?id=${trackId}`)).status).toBe(200);
  });

  test("gets the keys back when they are let in again, but no session", async () => {
    const { personId, web, key } = await createLabel();
    await block(personId);

    await block(personId, true);

    expect((await app.as(key)("GET", "/tracks")).status).toBe(200);
    expect((await web("GET", "/auth/session")).status).toBe(401);
  });

  test("is not the operator", async () => {
    const { status, body } = await block(home.accountId);

    expect([status, body.messageCode]).toEqual([409, "invalid_transition"]);
    expect((await row(home.accountId)).active).toBe(true);
  });

  test("is somebody who exists", async () => {
    expect((await block("usr_nobody")).status).toBe(404);
  });
});

describe("the operator", () => {
  test("is a person: another owner of their library changes nothing, and their members are none", async () => {
    const other = await createTestApp();
    const first = other.createAccount();
    const manager = addMember(other, first.accountId, { role: "manager" });
    const { $client } = other.deps.db;
    $client.run("UPDATE members SET role = 'producer' WHERE person_id = ?", [first.accountId]);
    $client.run("UPDATE members SET role = 'owner' WHERE person_id = ?", [manager.personId]);

    const statusOf = async (token: string) => (await other.signedIn(token)("GET", "/app/accounts")).status;

    expect([await statusOf(first.token), await statusOf(manager.token)]).toEqual([200, 403]);
    await other.close();
  });
});

describe("somebody who deletes their sign-in", () => {
  const remove = (web: ReturnType<TestApp["signedIn"]>, currentPassword?: string) =>
    web("DELETE", "/app/account", { ...(currentPassword !== undefined && { currentPassword }) });

  async function withPassword(personId: string): Promise<void> {
    const { $client } = app.deps.db;
    $client.run("UPDATE people SET password_hash = ? WHERE id = ?", [
      await hashPassword("my password"),
      personId,
    ]);
  }

  test("is gone with their sessions and keys, and what they wrote stays", async () => {
    const { personId, web, key, owner, trackId } = await createLabel();
    await withPassword(personId);

    const wrong = await remove(web, "not my password");
    const removed = await remove(web, "my password");

    expect([wrong.status, removed.status, removed.body.data]).toEqual([400, 200, { ok: true }]);
    expect(await row(personId)).toBeUndefined();
    expect((await web("GET", "/auth/session")).status).toBe(401);
    expect((await app.as(key)("GET", "/tracks")).status).toBe(401);
    const { body } = await owner("GET", `/app/tracks/${trackId}/comments`);
    expect(JSON.stringify(body.data)).toContain("Louder");
  });

  test("proves first that it is them", async () => {
    const { personId, web } = await createLabel();
    await withPassword(personId);
    app.clock.advance(3_600_000);

    const { status, body } = await remove(web);

    expect([status, body.messageCode]).toEqual([403, "proof_needed"]);
    expect(await row(personId)).toBeDefined();
  });

  test("does not while they own a library, nor as the operator", async () => {
    const { accountId, owner } = await createLabel();
    await withPassword(accountId);
    await withPassword(home.accountId);
    const answers = [await remove(owner, "my password"), await remove(operator, "my password")];

    expect(answers.map(({ status, body }) => [status, body.messageCode])).toEqual([
      [409, "invalid_transition"],
      [409, "invalid_transition"],
    ]);
    expect(await row(accountId)).toBeDefined();
  });
});

describe("a deleted library", () => {
  test("takes along who is then in no library, and neither the operator nor who is in another", async () => {
    const label = await createLabel();
    const other = app.createAccount();
    const both = addMember(app, label.accountId, { role: "artist" });
    joinToo(app, other.accountId, both.personId, { role: "listener" });
    joinToo(app, label.accountId, home.accountId, { role: "producer" });

    const { status } = await operator("DELETE", `/app/accounts/${label.accountId}`, {
      email: (await operator("GET", "/app/accounts")).body.data.find(({ id }: Json) => id === label.accountId)
        .email,
    });

    expect(status).toBe(200);
    const ids = (await people()).map(({ id }: Json) => id);
    expect(
      [label.accountId, label.personId, both.personId, home.accountId].map((id) => ids.includes(id)),
    ).toEqual([false, false, true, true]);
  });

  test("does not take the operator along who is in no other", async () => {
    const alone = await createTestApp();
    const first = alone.createAccount();
    const label = alone.createAccount();
    const another = alone.createAccount();
    const { $client } = alone.deps.db;
    $client.run("DELETE FROM accounts WHERE id = ?", [first.accountId]);
    joinToo(alone, label.accountId, first.accountId, { role: "listener" });
    const { deleteAccountRow } = await import("../../src/modules/people/accounts/service.ts");

    deleteAccountRow(alone.deps.db, label.accountId);

    const people = () =>
      $client.query<{ id: string }, []>("SELECT id FROM people ORDER BY operator DESC").all();
    expect(people().map(({ id }) => id)).toEqual([first.accountId, another.accountId]);
    expect(() => deletePerson(alone.deps, first.accountId as PersonId)).toThrow(
      "The operator cannot be deleted",
    );

    deleteAccountRow(alone.deps.db, another.accountId);
    // Somebody sets the server up anew, and is its operator.
    expect(people()).toEqual([]);
    await alone.close();
  });
});
