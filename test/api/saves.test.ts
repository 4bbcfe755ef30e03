import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { playlists, saves } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
});

/** Creates a track or a playlist of the account. */
const make = {
  track: () => addTrackRows(app.deps.db, accountId).id,
  playlist: () => {
    const at = app.clock.now();
    const row = { id: newId("pl"), ownerId: accountId, name: "Demos", createdAt: at, updatedAt: at };
    app.deps.db.insert(playlists).values(row).run();
    return row.id;
  },
};
const savesOf = (account: string) =>
  app.deps.db.select().from(saves).where(eq(saves.accountId, account)).all();
const counted = async (entity: string, id: string) => {
  const key = app.createKey(accountId);
  const stats = await app.as(key)("GET", `/analytics/stats?entity=${entity}&ids=${id}`);
  return stats.body.data.items[0].stats.saved;
};

describe.each(["track", "playlist"] as const)("/app/saves/%s/{id}", (entity) => {
  test("saves and counts only once for repeated requests", async () => {
    const id = make[entity]();

    const first = await call("PUT", `/app/saves/${entity}/${id}`);
    const again = await call("PUT", `/app/saves/${entity}/${id}`);

    expect(first).toMatchObject({ status: 200 });
    expect(first.body.data).toEqual({ ok: true, entity, id, saved: true });
    expect(again.body).toEqual(first.body);
    expect(savesOf(accountId)).toMatchObject([
      { accountId, personId: accountId, entity, entityId: id, createdAt: app.clock.now() },
    ]);
    expect(await counted(entity, id)).toBe(1);
  });

  test("removes a save, also for repeated requests, and keeps the others", async () => {
    const [id, other] = [make[entity](), make[entity]()];
    for (const each of [id, other]) await call("PUT", `/app/saves/${entity}/${each}`);

    const first = await call("DELETE", `/app/saves/${entity}/${id}`);
    const again = await call("DELETE", `/app/saves/${entity}/${id}`);

    expect(first).toMatchObject({ status: 200 });
    expect(first.body.data).toEqual({ ok: true, entity, id, saved: false });
    expect(again.body).toEqual(first.body);
    expect(savesOf(accountId)).toMatchObject([{ entityId: other }]);
  });

  test("does not find another account's items or saves", async () => {
    const id = make[entity]();
    await call("PUT", `/app/saves/${entity}/${id}`);
    const stranger = app.createAccount();
    const asStranger = app.signedIn(stranger.token);

    const foreign = await asStranger("PUT", `/app/saves/${entity}/${id}`);
    const none = await asStranger("PUT", `/app/saves/${entity}/none`);
    const deleted = await asStranger("DELETE", `/app/saves/${entity}/${id}`);
    const deletedNone = await asStranger("DELETE", `/app/saves/${entity}/none`);

    expect(foreign).toMatchObject({ status: 404, body: { messageCode: `${entity}_not_found` } });
    expect(none.body).toEqual(foreign.body);
    expect(deleted.body.data).toEqual({ ...deletedNone.body.data, id });
    expect(savesOf(stranger.accountId)).toEqual([]);
    expect(savesOf(accountId)).toMatchObject([{ entityId: id }]);
    expect(await counted(entity, id)).toBe(1);
  });

  test("is not found under the address of the other kind", async () => {
    const id = make[entity]();
    const other = entity === "track" ? "playlist" : "track";

    expect((await call("PUT", `/app/saves/${other}/${id}`)).status).toBe(404);
    expect(savesOf(accountId)).toEqual([]);
  });

  test.each(["PUT", "DELETE"])("%s needs a session, not a key", async (method) => {
    const headers = { "x-api-key": app.createKey(accountId) };

    const bare = await app.request(`/app/saves/${entity}/x`, { method });
    const withKey = await app.request(`/app/saves/${entity}/x`, { method, headers });

    for (const response of [bare, withKey])
      expect(await response.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
  });
});
