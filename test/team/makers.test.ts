import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
let accountId: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  accountId = app.createAccount().accountId;
});

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.query(sql).run(...values);

/** A key with every scope that a member made in the console. */
async function keyOf(role: Role, switches: { splits?: boolean; listening?: boolean } = {}) {
  const member = addMember(app, accountId, { role, ...switches });
  // Only those who manage keys make them so far; the role is changed afterwards.
  run("UPDATE members SET role = 'manager' WHERE id = ?", member.memberId);
  const made = await app.signedIn(member.token)("POST", "/integration/api-keys", { name: "mine" });
  run("UPDATE members SET role = ? WHERE id = ?", role, member.memberId);
  const { key, id } = made.body.data;
  const statusOf = async (path: string, use = key) => (await app.as(use)("GET", path)).status;
  return { ...member, key, id, statusOf };
}

describe("a key may do what its maker may", () => {
  test("of a producer: no analytics without the switch, and no webhook", async () => {
    const { key, statusOf } = await keyOf("producer");
    const refused = await app.as(key)("GET", "/analytics/dashboard");

    expect(refused.status).toBe(403);
    expect(refused.body.data).toEqual({ required: "read:analytics" });
    expect([await statusOf("/tracks"), await statusOf("/shares"), await statusOf("/webhook")]).toEqual([
      200, 200, 403,
    ]);
  });

  test("of somebody who gets another role or switch: at the next request", async () => {
    const { memberId, statusOf } = await keyOf("producer");
    const before = [await statusOf("/shares"), await statusOf("/analytics/dashboard")];

    run("UPDATE members SET role = 'listener', sees_listening = 1 WHERE id = ?", memberId);

    expect([before, [await statusOf("/shares"), await statusOf("/analytics/dashboard")]]).toEqual([
      [200, 403],
      [403, 200],
    ]);
  });

  test.each([
    ["is removed", "DELETE FROM members WHERE id = ?"],
    ["is deleted", "DELETE FROM people WHERE id = (SELECT person_id FROM members WHERE id = ?)"],
    ["is blocked", "UPDATE people SET active = 0 WHERE id = (SELECT person_id FROM members WHERE id = ?)"],
    ["has come to the end of the membership", "UPDATE members SET ends_at = 1 WHERE id = ?"],
  ])("of somebody who %s: nothing at the next request, also with a new secret", async (_, sql) => {
    const { memberId, id, statusOf } = await keyOf("manager");
    const owner = addMember(app, accountId, { role: "manager" });
    const rotated = await app.signedIn(owner.token)("POST", `/integration/api-keys/${id}/rotate`);
    const before = await statusOf("/tracks", rotated.body.data.key);

    run(sql, memberId);
    const after = await app.as(rotated.body.data.key)("GET", "/tracks");

    expect([before, after.status, after.body.messageCode]).toEqual([200, 401, "invalid_key"]);
  });

  test("of the operator: what it says, whoever is in the library", async () => {
    const key = app.createKey(accountId);

    expect((await app.as(key)("GET", "/analytics/dashboard")).status).toBe(200);
  });
});
