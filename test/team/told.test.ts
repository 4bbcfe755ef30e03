import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { findOperatorSeat } from "../../src/modules/people/accounts/service.ts";
import { notify, tellBackupFailed } from "../../src/modules/people/notifications/service.ts";
import type { EntityKey } from "../../src/modules/people/notifications/shapes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const ENTITIES: readonly EntityKey[] = ["track", "playlist", "composer", "brief", "key", "library"];

/** A library in which something has happened to one thing of each kind. */
function createLabel() {
  const { accountId, token } = app.createAccount();
  const tell = (entityKey: EntityKey) =>
    notify(
      app.deps.db,
      { accountId, kind: `${entityKey}.something`, title: "Told", entityKey, entityId: "some" },
      app.clock.now(),
    );
  const join = (role: Role, switches = {}) => addMember(app, accountId, { role, ...switches });
  return { accountId, token, join, tellAll: () => ENTITIES.forEach(tell) };
}

async function told(token: string) {
  const { data, unreadCount } = (await app.signedIn(token)("GET", "/app/notifications")).body;
  return { of: data.map(({ entityKey }: Json) => entityKey).sort(), unreadCount };
}

describe("notifications", () => {
  test.each<[Role, object, EntityKey[]]>([
    ["manager", {}, ["brief", "composer", "key", "library", "playlist", "track"]],
    ["producer", {}, ["brief", "library", "playlist", "track"]],
    ["artist", {}, ["library", "playlist", "track"]],
    ["listener", {}, ["library", "playlist", "track"]],
    ["listener", { splits: true }, ["composer", "library", "playlist", "track"]],
  ])("a %s with %p is told of what the role can open, and counts only that", async (role, switches, of) => {
    const label = createLabel();
    const { token } = label.join(role, switches);

    label.tellAll();

    expect(await told(token)).toEqual({ of, unreadCount: of.length });
    const { body } = await app.signedIn(token)("POST", "/app/notifications/read");
    expect(body.data.read).toBe(of.length);
    expect((await told(label.token)).unreadCount).toBe(6);
  });

  test("somebody new is told of what came after joining, and the founder of everything", async () => {
    const label = createLabel();
    label.tellAll();
    app.clock.advance(1000);
    const { token } = label.join("manager");
    const before = await told(token);
    app.clock.advance(1000);
    label.tellAll();

    expect([before.unreadCount, (await told(token)).unreadCount]).toEqual([0, 6]);
    expect((await told(label.token)).unreadCount).toBe(12);
  });

  test("one that the role cannot open is not there for marking it as read", async () => {
    const label = createLabel();
    const { token } = label.join("artist");
    label.tellAll();
    const { id } = app.deps.db.$client
      .query<{ id: string }, [string]>(
        "SELECT id FROM notifications WHERE account_id = ? AND entity_key = 'brief'",
      )
      .get(label.accountId) ?? { id: "" };

    const refused = await app.signedIn(token)("POST", `/app/notifications/${id}/read`);

    expect([refused.status, refused.body.messageCode]).toEqual([404, "notification_not_found"]);
  });

  test("a failed backup is told to the operator alone, also in a library that somebody else owns", async () => {
    const inner = await createTestApp();
    const ana = inner.createAccount();
    const carl = addMember(inner, ana.accountId, { role: "manager" });
    const listFor = async (token: string) =>
      (await inner.signedIn(token)("GET", "/app/notifications")).body.data.length;
    const fail = () => {
      const operator = findOperatorSeat(inner.deps);
      if (operator) tellBackupFailed(inner.deps, operator, "the disk is full");
    };

    fail();
    const whileOwner = [await listFor(ana.token), await listFor(carl.token)];
    inner.deps.db.$client.run("UPDATE people SET operator = 0");
    inner.deps.db.$client.run("UPDATE people SET operator = 1 WHERE id = ?", [carl.personId]);
    inner.clock.advance(86_400_000);
    fail();

    expect(whileOwner).toEqual([1, 0]);
    expect([await listFor(ana.token), await listFor(carl.token)]).toEqual([1, 1]);
    await inner.close();
  });
});
