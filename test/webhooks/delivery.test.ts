import { afterEach, describe, expect, test } from "bun:test";
import { notifications } from "../../db/schema.ts";
import { EVENTS } from "../../src/kernel/event-data.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kernel/time.ts";
import { createLane, takeNext } from "../../src/modules/outward/webhooks/lane.ts";
import { listReceivers, mayReceive } from "../../src/modules/outward/webhooks/receivers.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createRawReceiver, createReceiver, createWebhookApp, isSigned, stopAll } from "./support.ts";

afterEach(stopAll);

const gone = () => new Response("no", { status: 500 });

describe("an event", () => {
  test("reaches each receiver once, signed with its own secret, under one id", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const [a, b] = [createReceiver(app.clock.now), createReceiver(app.clock.now)];
    const [keyA, keyB] = [await owner.subscribe(a.url), await owner.subscribe(b.url)];

    const eventId = owner.announceUpdate();
    await app.deliver();
    await app.restart();
    await app.deliver();

    const [atA, atB] = [a.received[0], b.received[0]];
    if (!atA || !atB) throw new Error("Nothing came");
    expect([a.received.length, b.received.length]).toEqual([1, 1]);
    expect(atA.body).toEqual({
      id: eventId,
      type: "track.updated",
      timestamp: "2026-01-15T12:00:00.000Z",
      apiVersion: "1",
      data: { trackId: "trk_1", name: "Demo", changed: ["title"] },
    });
    expect(atB.text).toBe(atA.text);
    expect(isSigned(keyA.secret, atA, app.clock.now())).toBe(true);
    expect(isSigned(keyB.secret, atB, app.clock.now())).toBe(true);
    expect(isSigned(keyB.secret, atA, app.clock.now())).toBe(false);
    expect(isSigned(keyA.secret, { ...atA, text: `${atA.text} ` }, app.clock.now())).toBe(false);
    const [logged] = await owner.deliveries(keyA.id);
    expect(atA.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Dubplate-Webhooks/1",
      "webhook-id": eventId,
      "webhook-timestamp": String(app.clock.now() / 1000),
      "x-service-event": "track.updated",
      "x-service-event-id": eventId,
      "x-service-delivery-id": logged.id,
      "x-service-api-version": "1",
    });
  });

  test("goes to its owner's live keys that are switched on and may read its subject", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const [tracks, one, all, none, off, revoked, expired, stranger] = Array.from({ length: 8 }, () =>
      createReceiver(app.clock.now),
    ) as [Hook, Hook, Hook, Hook, Hook, Hook, Hook, Hook];
    await owner.subscribe(tracks.url, ["read:tracks"]);
    await owner.subscribe(one.url, ["read:composer"]);
    await owner.subscribe(all.url);
    await owner.subscribe(none.url, ["read:playlists"]);
    const offKey = await owner.subscribe(off.url);
    await owner.call("POST", offKey.path, { url: off.url, active: false });
    const revokedKey = await owner.subscribe(revoked.url);
    await owner.call("POST", `/integration/api-keys/${revokedKey.id}/revoke`);
    const expiredKey = await owner.subscribe(expired.url);
    app.deps.db.$client.run("UPDATE api_keys SET expires_at = ? WHERE id = ?", [
      app.clock.now(),
      expiredKey.id,
    ]);
    await app.owner().subscribe(stranger.url);

    owner.announceUpdate();
    owner.announce("composer.created", { composerId: "shr_1", changed: ["name"] });
    await app.deliver();

    const types = [tracks, one, all, none, off, revoked, expired, stranger].map(({ received }) =>
      received.map(({ body }) => body.type).sort(),
    );
    expect(types).toEqual([
      ["track.updated"],
      ["composer.created"],
      ["composer.created", "track.updated"],
      [],
      [],
      [],
      [],
      [],
    ]);
  });

  test("of every kind goes to a key that may read everything, and one of an unknown kind to none", () => {
    const types = [...Object.keys(EVENTS), "secret.told", "secret"];

    expect(types.filter((type) => !mayReceive({ scopes: null }, type))).toEqual(["secret.told", "secret"]);
    expect(types.filter((type) => mayReceive({ scopes: ["read:playlists"] }, type))).toEqual([
      "webhook.test",
    ]);
  });

  test("tells of comments only whoever may read comments", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const scopes = [["read:comments"], ["read:tracks", "read:composers", "read:composer"], undefined];
    const hooks = scopes.map(() => createReceiver(app.clock.now));
    for (const [at, hook] of hooks.entries()) await owner.subscribe(hook.url, scopes[at]);
    const { id, versionId } = addTrackRows(app.deps.db, owner.accountId);
    const say = async (body: object) =>
      (await owner.call("POST", `/app/tracks/${id}/comments`, { text: "Louder", ...body })).body.data.id;

    const note = await say({});
    const reply = await say({ parentId: note });
    for (const answered of [true, true, false])
      await owner.call("PATCH", `/app/comments/${note}`, { answered });
    await app.deliver();

    const added = (commentId: string, parentId: string | null) => [
      "comment.added",
      { trackId: id, versionId, commentId, parentId },
    ];
    const answered = ["comment.answered", { trackId: id, versionId, commentId: note }];
    const told = [added(note, null), added(reply, note), answered].sort();
    expect(hooks.map(({ received }) => received.map(({ body }) => [body.type, body.data]).sort())).toEqual([
      told,
      [],
      told,
    ]);
  });

  test("an event from before a webhook was switched on is not sent to it, even after a pause", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const [early, late] = [createReceiver(app.clock.now), createReceiver(app.clock.now)];
    owner.announceUpdate();
    await owner.subscribe(early.url);
    const first = owner.announceUpdate();
    const { path } = await owner.subscribe(late.url);
    const second = owner.announceUpdate();
    await owner.call("POST", path, { url: late.url, active: false });
    owner.announceUpdate();
    await owner.call("POST", path, { url: late.url, active: true });
    const last = owner.announceUpdate();

    await app.deliver();

    expect(new Set(early.received.map(({ body }) => body.id))).toContain(first);
    expect(early.received).toHaveLength(4);
    expect(late.received.map(({ body }) => body.id)).toEqual([last]);
    expect(second).not.toBe(last);
  });

  test("an event that waits is sent under the key's new id after the key is rotated", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    const { id, secret } = await owner.subscribe(hook.url);
    const eventId = owner.announceUpdate();
    await app.deliver();

    const rotated = await owner.call("POST", `/integration/api-keys/${id}/rotate`);
    hook.respond(() => new Response());
    await app.deliverNext();

    expect(hook.received.map(({ body }) => body.id)).toEqual([eventId, eventId]);
    const last = hook.received[1];
    expect(last && isSigned(secret, last, app.clock.now())).toBe(true);
    expect(await owner.deliveries(rotated.body.data.id)).toMatchObject([
      { eventId, status: "delivered", attemptCount: 2 },
    ]);
  });

  test("each of ten thousand events reaches its receiver once, in nearly the original order", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    await owner.subscribe(hook.url);
    const ids = Array.from({ length: 1200 }, () => owner.announceUpdate());

    await app.deliver();

    expect(hook.received.map(({ body }) => body.id).sort()).toEqual(ids.sort());
  });
});

type Hook = ReturnType<typeof createReceiver>;

describe("a receiver that fails", () => {
  test("is tried ten times in three days, each time with the same id and a fresh signature", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    const { id, secret } = await owner.subscribe(hook.url);
    const eventId = owner.announceUpdate();
    const startedAt = app.clock.now();

    await app.deliver();
    while (await app.deliverNext());

    const minutes = hook.received.map(({ at }) => (at - startedAt) / MINUTE_MS);
    const waits = minutes.slice(1).map((at, index) => at - (minutes[index] ?? 0));
    expect(minutes[0]).toBe(0);
    expect(waits.map((wait) => Math.round(wait * 60))).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    expect(new Set(hook.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([eventId]));
    expect(new Set(hook.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(10);
    for (const one of hook.received) expect(isSigned(secret, one, one.at)).toBe(true);
    expect(await owner.deliveries(id)).toMatchObject([
      { eventId, status: "failed", attemptCount: 10, nextAttemptAt: null, responseStatus: 500 },
    ]);
  });

  test.each([
    [0, 0.8],
    [0.999_999, 1.2],
  ])("is retried up to a fifth sooner or later: %p", async (random, factor) => {
    const app = await createWebhookApp({ random: () => random });
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    await owner.subscribe(hook.url);
    owner.announceUpdate();
    const startedAt = app.clock.now();

    await app.deliver();
    await app.deliverNext();
    await app.deliverNext();

    const [, second = 0, third = 0] = hook.received.map(({ at }) => at - startedAt);
    expect(second).toBe(Math.round(5 * SECOND_MS * factor));
    expect(third - second).toBe(Math.round(5 * MINUTE_MS * factor));
  });

  test.each([
    ["a number of seconds", () => "600", 10 * MINUTE_MS],
    ["a date", (at: number) => new Date(at + HOUR_MS).toUTCString(), HOUR_MS],
    ["less than the schedule", () => "1", 5 * SECOND_MS],
    ["a week", () => "604800", DAY_MS],
    ["nonsense", () => "soon", 5 * SECOND_MS],
  ])("a receiver that fails and asks for a pause of %s gets it", async (_, field, expectedMs) => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(
      app.clock.now,
      () => new Response("busy", { status: 503, headers: { "retry-after": field(app.clock.now()) } }),
    );
    const { id } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    const startedAt = app.clock.now();

    await app.deliver();

    const [{ nextAttemptAt }] = (await owner.deliveries(id)) as [{ nextAttemptAt: string }];
    expect(Date.parse(nextAttemptAt) - startedAt).toBe(expectedMs);
  });

  describe("and asks for a pause", () => {
    /** Makes a receiver that was busy at one event, and a second event after it. */
    const createPaused = async (seconds: string) => {
      const app = await createWebhookApp();
      const owner = app.owner();
      const hook = createReceiver(
        app.clock.now,
        () => new Response("busy", { status: 503, headers: { "retry-after": seconds } }),
      );
      const { id, path } = await owner.subscribe(hook.url);
      owner.announceUpdate();
      await app.deliver();
      hook.respond(() => new Response());
      owner.announceUpdate();
      await app.deliver();
      const startedAt = app.clock.now();
      /** Returns the state of each delivery, newest first, and the seconds until its next attempt. */
      const log = async () =>
        (await owner.deliveries(id)).map(({ status, nextAttemptAt }) => [
          status,
          nextAttemptAt && (Date.parse(nextAttemptAt) - startedAt) / SECOND_MS,
        ]);
      return { app, owner, hook, path, log };
    };

    test("a pause holds back other events due there, and the log says until when, even after a restart", async () => {
      const { app, hook, log } = await createPaused("200");
      const held = await log();
      await app.restart();
      await app.deliver();
      const afterStart = [hook.received.length, await log()];

      app.clock.advance(200 * SECOND_MS);
      await app.deliver();

      expect(held).toEqual([
        ["pending", 200],
        ["pending", 200],
      ]);
      expect(afterStart).toEqual([1, held]);
      expect([hook.received.length, await log()]).toEqual([
        3,
        [
          ["delivered", null],
          ["delivered", null],
        ],
      ]);
    });

    test("a pause holds its own delivery for at most a day, and the others for five minutes", async () => {
      const { app, hook, log } = await createPaused("604800");
      const held = await log();

      app.clock.advance(300 * SECOND_MS);
      await app.deliver();

      expect(held).toEqual([
        ["pending", 300],
        ["pending", 24 * 3600],
      ]);
      expect([hook.received.length, await log()]).toEqual([
        2,
        [
          ["delivered", null],
          ["pending", 24 * 3600],
        ],
      ]);
    });

    test("a pause does not hold back the owner's test or a redelivery", async () => {
      const { app, owner, hook, path, log } = await createPaused("200");
      const [, busy] = await owner.deliveries(path.split("/")[3] ?? "");

      const tested = await owner.call("POST", `${path}/test`);
      await app.deliver();
      const afterTest = hook.received.map(({ body }) => body.type);
      const again = await owner.call("POST", `${path}/deliveries/${busy?.id}/redeliver`);
      await app.deliver();

      const now = new Date(app.clock.now()).toISOString();
      expect([tested.body.data.nextAttemptAt, again.body.data.nextAttemptAt]).toEqual([now, now]);
      expect(afterTest).toEqual(["track.updated", "webhook.test"]);
      expect(hook.received.map(({ body }) => body.type)).toEqual([...afterTest, "track.updated"]);
      expect(await log()).toEqual([
        ["delivered", null],
        ["pending", 200],
        ["delivered", null],
      ]);
    });

    test("a pause ends when the webhook gets another address", async () => {
      const { app, owner, hook, path, log } = await createPaused("200");
      const other = createReceiver(app.clock.now);

      await owner.call("POST", path, { url: other.url, active: true });
      const held = await log();
      await app.deliver();

      expect(held).toEqual([
        ["pending", 0],
        ["pending", 200],
      ]);
      expect([hook.received.length, other.received.length]).toEqual([1, 1]);
    });
  });

  test("never shows a past time for a delivery that waits while sending is off", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    const { id, path } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    await app.deliver();
    await app.pause();
    app.clock.advance(HOUR_MS);

    const [one] = (await owner.deliveries(id)) as [{ id: string; nextAttemptAt: string }];
    const log = await owner.call("GET", `${path}/deliveries/${one.id}`);

    const now = new Date(app.clock.now()).toISOString();
    expect([one.nextAttemptAt, log.body.data.nextAttemptAt]).toEqual([now, now]);
  });

  test.each([200, 201, 202, 204, 299])("a receiver that answers %p has not failed", async (status) => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, () => new Response(null, { status }));
    const { id } = await owner.subscribe(hook.url);
    owner.announceUpdate();

    await app.deliver();

    expect(await owner.deliveries(id)).toMatchObject([
      { status: "delivered", responseStatus: status, error: null },
    ]);
  });

  test("a redirect is not followed", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const elsewhere = createReceiver(app.clock.now);
    const hook = createReceiver(app.clock.now, () => Response.redirect(elsewhere.url, 307));
    const { id } = await owner.subscribe(hook.url);
    owner.announceUpdate();

    await app.deliver();

    expect(elsewhere.received).toEqual([]);
    expect(await owner.deliveries(id)).toMatchObject([
      { status: "pending", responseStatus: 307, error: "it redirects (307), which is not followed" },
    ]);
  });

  test.each([
    ["does not answer", () => createRawReceiver(""), "no answer within 0.05 s", 50],
    [
      "answers byte by byte",
      () => createRawReceiver("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", { everyMs: 20 }),
      "no answer within 0.05 s",
      50,
    ],
    ["hangs up", () => createRawReceiver("", { hangUp: true }), "the connection broke off", 15_000],
    ["is unreachable", () => "http://127.0.0.1:1/", "nothing listens there (connection refused)", 15_000],
  ])("a receiver that %s is reported in words", async (_, start, error, attemptTimeoutMs) => {
    const app = await createWebhookApp({ attemptTimeoutMs });
    const owner = app.owner();
    const { id } = await owner.subscribe(start());
    owner.announceUpdate();

    await app.deliver();

    expect(await owner.deliveries(id)).toMatchObject([
      { status: "pending", attemptCount: 1, responseStatus: null, error },
    ]);
  });

  test("a receiver that fails after its status, in the middle of an endless body, counts as successful", async () => {
    const app = await createWebhookApp({ attemptTimeoutMs: 2000 });
    const owner = app.owner();
    const { id } = await owner.subscribe(
      createRawReceiver("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbeg"),
    );
    owner.announceUpdate();

    await app.deliver();

    expect(await owner.deliveries(id)).toMatchObject([{ status: "delivered", responseStatus: 200 }]);
  });

  test("a failing receiver with many events has each wait for its own time, and gets all of them when it answers again", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    const { id } = await owner.subscribe(hook.url);
    for (let event = 0; event < 300; event++) owner.announceUpdate();
    await app.deliver();
    const tried = hook.received.length;
    hook.respond(() => new Response());

    await app.deliver();
    const early = hook.received.length;
    await app.deliverNext();

    expect([tried, early, hook.received.length]).toEqual([300, 300, 600]);
    expect(await owner.deliveries(id, "?status=pending")).toEqual([]);
  });

  test("does not delay other receivers", async () => {
    const app = await createWebhookApp({ attemptTimeoutMs: 500 });
    const owner = app.owner();
    const silent = Array.from({ length: 5 }, () => createRawReceiver(""));
    for (const url of silent) await owner.subscribe(url);
    const hook = createReceiver(app.clock.now);
    await owner.subscribe(hook.url);
    for (let event = 0; event < 200; event++) owner.announceUpdate();

    const allThere = Promise.withResolvers<void>();
    hook.respond(() => {
      if (hook.received.length === 200) allThere.resolve();
      return new Response();
    });
    void app.deliver();
    await allThere.promise;

    const waiting = app.deps.db.$client
      .query<{ receivers: number }, []>(
        "SELECT count(DISTINCT receiver) AS receivers FROM webhook_deliveries WHERE status = 'pending' AND tries = 0",
      )
      .get();
    expect(waiting?.receivers).toBeGreaterThanOrEqual(5);
  });
});

describe("a receiver is switched off and its owner notified", () => {
  const told = (app: Awaited<ReturnType<typeof createWebhookApp>>) =>
    app.deps.db.select().from(notifications).all();

  test("a receiver that answers 410 is switched off at once, and its owner notified", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, () => new Response(null, { status: 410 }));
    const { id, path } = await owner.subscribe(hook.url);
    const other = createReceiver(app.clock.now);
    await owner.subscribe(other.url);
    for (let event = 0; event < 3; event++) owner.announceUpdate();

    await app.deliver();

    expect((await owner.call("GET", path)).body.data.webhookActive).toBe(false);
    expect(hook.received.length).toBe(1);
    expect(other.received.length).toBe(3);
    expect((await owner.deliveries(id)).map(({ status }) => status)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
    expect(told(app)).toMatchObject([
      {
        accountId: owner.accountId,
        kind: "webhook.disabled",
        title: "The webhook of key “test” was switched off: it answered 410 Gone",
        entityKey: "key",
        entityId: id,
      },
    ]);
  });

  test("a receiver is switched off after five days of only failures, and not before", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    const { path } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    await app.deliver();

    app.clock.advance(5 * DAY_MS - 1);
    owner.announceUpdate();
    await app.deliver();
    const before = (await owner.call("GET", path)).body.data.webhookActive;
    app.clock.advance(1);
    owner.announceUpdate();
    await app.deliver();

    expect(before).toBe(true);
    expect((await owner.call("GET", path)).body.data.webhookActive).toBe(false);
    expect(told(app)).toHaveLength(1);
    expect(told(app)[0]?.title).toContain("every delivery of the last five days failed");
  });

  test("a receiver stays on if one delivery in those days succeeded", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, gone);
    const { path } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    await app.deliver();
    app.clock.advance(2 * DAY_MS);
    hook.respond(() => new Response());
    owner.announceUpdate();
    await app.deliver();
    hook.respond(gone);
    app.clock.advance(4 * DAY_MS);
    owner.announceUpdate();

    await app.deliver();

    expect((await owner.call("GET", path)).body.data.webhookActive).toBe(true);
    const [health] = (await owner.call("GET", "/app/webhooks")).body.data;
    expect(health).toMatchObject({ failingSince: new Date(app.clock.now()).toISOString() });
  });

  test("a receiver that is switched on again gets the next event; failed deliveries can be sent again", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, () => new Response(null, { status: 410 }));
    const { id, path } = await owner.subscribe(hook.url);
    const missed = owner.announceUpdate();
    await app.deliver();
    hook.respond(() => new Response());

    await owner.call("POST", path, { url: hook.url, active: true });
    const next = owner.announceUpdate();
    await app.deliver();
    const before = hook.received.map(({ body }) => body.id);
    const [given] = await owner.deliveries(id, "?status=cancelled");
    await owner.call("POST", `${path}/deliveries/${given.id}/redeliver`);
    await app.deliver();

    expect(before).toEqual([missed, next]);
    expect(hook.received.map(({ body }) => body.id)).toEqual([missed, next, missed]);
    expect(await owner.deliveries(id, "?status=cancelled")).toEqual([]);
  });
});

describe("every attempt checks where a delivery may go", () => {
  test("a name that has moved to a private address since it was set is not reached", async () => {
    let addresses = ["93.184.216.34"];
    const app = await createWebhookApp({ allow: ["127.0.0.1"], resolve: async () => addresses });
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const { id, path } = await owner.subscribe(hook.url);
    app.deps.db.$client.run("UPDATE api_keys SET webhook_url = ? WHERE id = ?", [
      "https://studio.example/hook",
      id,
    ]);
    owner.announceUpdate();
    addresses = ["93.184.216.34", "10.0.0.7"];

    await app.deliver();

    const [delivery] = await owner.deliveries(id);
    expect(delivery).toMatchObject({
      status: "pending",
      error: "this address may not be reached: not a public host",
    });
    expect((await owner.call("GET", `${path}/deliveries/${delivery.id}`)).body.data.attempts).toHaveLength(1);
  });

  test("a host that the operator no longer allows is not reached", async () => {
    const app = await createWebhookApp({ allow: ["127.0.0.1"] });
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const { id } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    app.deps.db.$client.run(
      "UPDATE api_keys SET webhook_url = replace(webhook_url, '127.0.0.1', '127.0.0.2')",
    );

    await app.deliver();

    expect(hook.received).toEqual([]);
    expect(await owner.deliveries(id)).toMatchObject([
      { error: "this address may not be reached: not https" },
    ]);
  });
});

test("an event after a change of address goes to the new one, whenever the sender last looked", async () => {
  const { deps, owner } = await createWebhookApp();
  const me = owner();
  const { path } = await me.subscribe("http://127.0.0.1:1/before");
  const [receiver] = listReceivers(deps);
  if (!receiver) throw new Error("There is no receiver");
  const lane = createLane(receiver);
  await me.call("POST", path, { url: "http://127.0.0.1:1/after", active: true });
  const { body } = await me.call("POST", `${path}/test`);

  expect(takeNext(deps, lane, deps.now())?.id).toBe(body.data.eventId);
  expect(lane.receiver.url).toBe("http://127.0.0.1:1/after");
});

test("a key that loses a read scope does not get waiting events that need it", async () => {
  const app = await createWebhookApp();
  const owner = app.owner();
  const hook = createReceiver(app.clock.now, gone);
  const { id } = await owner.subscribe(hook.url, ["read:tracks"]);
  owner.announceUpdate();
  await app.deliver();
  await owner.call("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["read:playlists"] });

  await app.deliverNext();

  expect(hook.received).toHaveLength(1);
  expect(await owner.deliveries(id)).toMatchObject([{ status: "cancelled" }]);
});
