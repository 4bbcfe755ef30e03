import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import keyScopes from "../../db/migrations/0031-key-scopes.sql" with { type: "text" };
import { apiKeys, auditLog } from "../../db/schema.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { notify } from "../../src/modules/people/notifications/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createReceiver } from "../webhooks/support.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ settings: { networkAllow: ["127.0.0.1"] } });
});
afterAll(() => app.close());

/** The scopes of the first version, which every key without a list had. */
const FIRST_SCOPES = ASSIGNABLE_SCOPES.slice(0, 13);

/** Makes an account with a track, and keys for it. */
function library() {
  const { accountId, token } = app.createAccount();
  const { id: trackId } = addTrackRows(app.deps.db, accountId, { name: "Night Bus.wav" });
  const key = (...scopes: string[]) => app.as(app.createKey(accountId, scopes));
  return { accountId, trackId, key, signedIn: app.signedIn(token) };
}

test("a key shares a track, changes the link and revokes it, with one scope for each", async () => {
  const { trackId, key, signedIn } = library();
  const [reads, creates, updates] = [key("read:shares"), key("create:shares"), key("update:shares")];

  const made = (await creates("POST", "/shares", { trackId, recipient: "Jonas", maxUses: 3 })).body.data;
  const changed = await updates("PATCH", `/shares/${made.id}`, { maxUses: null, allowDownload: true });
  const listed = (await reads("GET", `/shares?trackId=${trackId}`)).body;
  const got = (await reads("GET", `/shares/${made.id}`)).body.data;
  const activity = (await reads("GET", `/shares/${made.id}/activity`)).body.data;
  const revoked = await updates("DELETE", `/shares/${made.id}`);

  expect(made).toMatchObject({ entity: "track", entityId: trackId, recipient: "Jonas", maxUses: 3 });
  expect(changed.body.data).toMatchObject({ maxUses: null, allowDownload: true });
  expect(listed).toMatchObject({ data: [{ id: made.id }], paging: { limit: 50, next_cursor: null } });
  expect(got).toMatchObject({ id: made.id, active: true });
  expect(activity).toMatchObject([{ metric: "shares" }]);
  expect(revoked.body.data).toEqual({ ok: true, id: made.id });
  expect((await signedIn("GET", `/app/shares/${made.id}`)).body.data.active).toBe(false);
});

test("a key comments on a track in its owner's name, and deletes the comment", async () => {
  const { accountId, trackId, key } = library();
  const path = `/tracks/${trackId}/comments`;

  const made = (await key("create:comments")("POST", path, { text: "Louder", positionSec: 2 })).body.data;
  const listed = (await key("read:comments")("GET", path)).body.data;
  const gone = await key("delete:comments")("DELETE", `/comments/${made.id}`);

  expect(made).toMatchObject({ text: "Louder", positionSec: 2, author: { id: accountId } });
  expect(listed).toEqual([made]);
  expect(gone.body.data).toEqual({ ok: true, id: made.id });
});

test("a key reads the notifications of its owner and marks them read", async () => {
  const { accountId, key } = library();
  const [reads, marks] = [key("read:notifications"), key("update:notifications")];
  for (const title of ["One", "Two", "Three"])
    notify(
      app.deps.db,
      { accountId, kind: "brief.submission", title, entityKey: "brief", entityId: "brf_1" },
      1,
    );

  const { body } = await reads("GET", "/notifications?limit=1");
  const one = await marks("POST", `/notifications/${body.data[0].id}/read`);
  const rest = await marks("POST", "/notifications/read");

  expect(body).toMatchObject({ unreadCount: 3, paging: { next_cursor: expect.any(String) } });
  expect(one.body.data.readAt).toBe("2026-01-15T12:00:00.000Z");
  expect(rest.body.data).toEqual({ ok: true, read: 2 });
});

describe("the webhook of a key", () => {
  test("is set, tested, looked at and given a new secret by the key itself", async () => {
    const { key } = library();
    const hook = createReceiver(app.clock.now);
    const api = key("read:webhooks", "update:webhooks", "read:tracks");

    const before = (await api("GET", "/webhook")).body.data;
    const set = await api("POST", "/webhook", { url: hook.url, active: true });
    const tested = (await api("POST", "/webhook/test")).body.data;
    const rotated = (await api("POST", "/webhook/rotate-secret")).body.data;
    const { body } = await api("GET", "/webhook/deliveries");
    const log = (await api("GET", `/webhook/deliveries/${tested.id}`)).body.data;
    const again = (await api("POST", `/webhook/deliveries/${tested.id}/redeliver`)).body.data;

    expect(before).toMatchObject({ webhookUrl: null, webhookActive: false, webhookSecret: null });
    expect(set.body.data).toMatchObject({ ok: true, webhookUrl: hook.url, webhookActive: true });
    expect(set.headers.get("cache-control")).toBe("no-store");
    expect(rotated.webhookSecret).toStartWith("whsec_");
    expect(rotated.webhookSecret).not.toBe(set.body.data.webhookSecret);
    expect(body.data).toMatchObject([{ id: tested.id, event: "webhook.test", status: "pending" }]);
    expect(JSON.parse(log.body).data).toEqual({ keyId: set.body.data.id });
    expect(again).toMatchObject({ id: tested.id, eventId: tested.eventId });
    const audited = app.deps.db
      .select({ action: auditLog.action, actor: auditLog.actor })
      .from(auditLog)
      .where(eq(auditLog.subject, set.body.data.id))
      .all();
    expect(audited).toEqual(
      expect.arrayContaining([
        { action: "key.webhook", actor: set.body.data.id },
        { action: "key.webhook_secret", actor: set.body.data.id },
      ]),
    );
  });

  test("a key reaches its own webhook alone, and cannot point it at a private address", async () => {
    const { accountId, key } = library();
    const hook = createReceiver(app.clock.now);
    const [one, other] = [key("update:webhooks", "read:webhooks"), key("update:webhooks", "read:webhooks")];
    await one("POST", "/webhook", { url: hook.url, active: true });
    const { id } = (await one("POST", "/webhook/test")).body.data;
    const asUser = app.as(app.createKey(app.createAccount().accountId, ["all", "act-as-user"]));

    const refused = await other("POST", "/webhook", { url: "http://10.0.0.1/hook", active: true });

    expect(refused.body.messageCode).toBe("invalid_webhook_url");
    expect((await other("GET", "/webhook")).body.data.webhookUrl).toBeNull();
    expect((await other("GET", `/webhook/deliveries/${id}`)).body.messageCode).toBe("delivery_not_found");
    const acting = await asUser("GET", "/webhook", undefined, { "x-act-as-user": accountId });
    expect(acting.body.messageCode).toBe("key_not_found");
  });
});

/** Every route that keys were given later, and its scope. */
const ROUTES = [
  ["GET", "/shares", "read:shares"],
  ["POST", "/shares", "create:shares"],
  ["GET", "/shares/lnk_1", "read:shares"],
  ["PATCH", "/shares/lnk_1", "update:shares"],
  ["DELETE", "/shares/lnk_1", "update:shares"],
  ["GET", "/shares/lnk_1/activity", "read:shares"],
  ["GET", "/shares/lnk_1/listening", "read:shares"],
  ["GET", "/listeners", "read:shares"],
  ["GET", "/recipients", "read:shares"],
  ["GET", "/tracks/trk_1/comments", "read:comments"],
  ["POST", "/tracks/trk_1/comments", "create:comments"],
  ["DELETE", "/comments/cmt_1", "delete:comments"],
  ["GET", "/notifications", "read:notifications"],
  ["POST", "/notifications/read", "update:notifications"],
  ["POST", "/notifications/ntf_1/read", "update:notifications"],
  ["GET", "/webhook", "read:webhooks"],
  ["POST", "/webhook", "update:webhooks"],
  ["POST", "/webhook/rotate-secret", "update:webhooks"],
  ["POST", "/webhook/test", "update:webhooks"],
  ["GET", "/webhook/deliveries", "read:webhooks"],
  ["GET", "/webhook/deliveries/dlv_1", "read:webhooks"],
  ["POST", "/webhook/deliveries/dlv_1/redeliver", "update:webhooks"],
] as const;

test("each of these routes needs its own scope, and finds nothing of another account", async () => {
  const mine = library();
  const theirs = library();
  const { id } = (await mine.key("create:shares")("POST", "/shares", { trackId: mine.trackId })).body.data;
  for (const [method, path, scope] of ROUTES) {
    const lacking = mine.key(...ASSIGNABLE_SCOPES.filter((each) => each !== scope));
    const place = `${method} ${path}`;
    expect([place, (await lacking(method, path, {})).body.messageCode]).toEqual([
      place,
      "insufficient_scope",
    ]);
    const bare = await app.request(`/api/v1${path}`, { method });
    expect([place, bare.status]).toEqual([place, 401]);
    await mine
      .signedIn("GET", "/integration/api-keys")
      .then(({ body }) => mine.signedIn("POST", `/integration/api-keys/${body.data.id}/revoke`));
  }
  const all = theirs.key("all");
  for (const path of [`/shares/${id}`, `/shares/${id}/listening`, `/shares/${id}/activity`])
    expect((await all("GET", path)).body.messageCode).toBe("share_not_found");
  expect((await all("GET", `/tracks/${mine.trackId}/comments`)).body.messageCode).toBe("track_not_found");
  expect((await all("GET", "/listeners")).body.data).toEqual([]);
  expect((await all("GET", `/listeners?trackId=${mine.trackId}`)).body.data).toEqual([]);
});

describe("a key without a list of scopes", () => {
  test("a key from before these scopes keeps what it had", async () => {
    const { accountId, signedIn } = library();
    const key = app.createKey(accountId);
    const [id = ""] = key.split(".");
    const rowOf = () => app.deps.db.select().from(apiKeys).where(eq(apiKeys.id, id)).get();

    const had = rowOf()?.scopes;
    app.deps.db.$client.run(keyScopes);

    expect(had).toBeNull();
    expect(rowOf()?.scopes).toEqual([...FIRST_SCOPES]);
    expect((await signedIn("GET", "/integration/api-keys")).body.data.scopes).toEqual([...FIRST_SCOPES]);
    expect((await app.as(key)("GET", "/tracks/count")).status).toBe(200);
    expect((await app.as(key)("GET", "/shares")).body.messageCode).toBe("insufficient_scope");
    await signedIn("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["read:shares"] });
    expect((await app.as(key)("GET", "/shares")).status).toBe(200);
  });

  test("made now has them all; the owner can give each by itself", async () => {
    const { signedIn } = library();
    const made = await signedIn("POST", "/integration/api-keys", { name: "all of it" });
    const catalogue = (await signedIn("GET", "/integration/api-keys/scopes")).body.data.scopes;

    expect(catalogue).toEqual([...ASSIGNABLE_SCOPES]);
    expect((await app.as(made.body.data.key)("GET", "/notifications")).status).toBe(200);
    for (const scope of catalogue.slice(13))
      expect((await signedIn("POST", "/integration/api-keys", { name: scope, scopes: [scope] })).status).toBe(
        200,
      );
  });
});
