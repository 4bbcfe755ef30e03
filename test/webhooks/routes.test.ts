import { afterEach, describe, expect, test } from "bun:test";
import { auditLog } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/kernel/time.ts";
import { pruneDeliveries } from "../../src/modules/outward/webhooks/service.ts";
import { createReceiver, createWebhookApp, isSigned, stopAll } from "./support.ts";

afterEach(stopAll);

describe("POST …/webhook/rotate-secret", () => {
  test("signs with both secrets for a day, and then with only the new one", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const { path, secret } = await owner.subscribe(hook.url);

    const rotated = (await owner.call("POST", `${path}/rotate-secret`)).body.data;
    const received = [];
    for (const waitMs of [0, DAY_MS - 1, 1]) {
      app.clock.advance(waitMs);
      owner.announceUpdate();
      await app.deliver();
      received.push(hook.received.at(-1));
    }

    expect(rotated.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.webhookSecret).not.toBe(secret);
    expect((await owner.call("GET", path)).body.data).toEqual(rotated);
    const signedBy = received.map(
      (one) => one && [secret, rotated.webhookSecret].map((each) => isSigned(each, one, one.at)),
    );
    expect(signedBy).toEqual([
      [true, true],
      [true, true],
      [false, true],
    ]);
    expect(received[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    expect(received[2]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
  });

  test("keeps both secrets through a rotation of the key", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const { id, path, secret } = await owner.subscribe(hook.url);
    const second = (await owner.call("POST", `${path}/rotate-secret`)).body.data.webhookSecret;
    await owner.call("POST", `/integration/api-keys/${id}/rotate`);
    owner.announceUpdate();

    await app.deliver();

    const [one] = hook.received;
    expect([secret, second].map((each) => one && isSigned(each, one, one.at))).toEqual([true, true]);
  });
});

describe("POST …/webhook/test", () => {
  test("sends a test only to this key, like any event", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const [hook, other] = [createReceiver(app.clock.now), createReceiver(app.clock.now)];
    const { id, path } = await owner.subscribe(hook.url, ["read:playlists"]);
    await owner.subscribe(other.url);

    const answer = await owner.call("POST", `${path}/test`);
    await app.deliver();

    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body.data).toMatchObject({ event: "webhook.test", status: "pending", attemptCount: 0 });
    expect(hook.received.map(({ body }) => body)).toMatchObject([
      { id: answer.body.data.eventId, type: "webhook.test", data: { keyId: id } },
    ]);
    expect(other.received).toEqual([]);
    expect(await owner.deliveries(id)).toMatchObject([{ id: answer.body.data.id, status: "delivered" }]);
  });
});

describe("GET …/webhook/deliveries", () => {
  test("lists deliveries newest first, page by page, and by status", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, ({ body }) =>
      body.data.name === "bad" ? new Response("no", { status: 500 }) : new Response(),
    );
    const { id, path } = await owner.subscribe(hook.url);
    const ids: string[] = [];
    for (const name of ["a", "bad", "b", "bad", "c"])
      ids.unshift(owner.announce("track.updated", { trackId: "trk_1", name, changed: ["title"] }));
    await app.deliver();

    const first = (await owner.call("GET", `${path}/deliveries?limit=3`)).body;
    const second = (await owner.call("GET", `${path}/deliveries?limit=3&cursor=${first.paging.next_cursor}`))
      .body;
    const pending = await owner.deliveries(id, "?status=pending");

    expect([...first.data, ...second.data].map(({ eventId }) => eventId)).toEqual(ids);
    expect(second.paging.next_cursor).toBeNull();
    expect(pending.map(({ eventId }) => eventId)).toEqual([ids[1], ids[3]] as string[]);
    const foreign = await owner.call(
      "GET",
      `${path}/deliveries?status=failed&cursor=${first.paging.next_cursor}`,
    );
    expect(foreign).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });

  test.each(["limit=0", "limit=201", "status=lost", "cursor=zzz"])("refuses %s", async (query) => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const id = app.createKey(owner.accountId).split(".")[0];

    const refused = await owner.call("GET", `/integration/api-keys/${id}/webhook/deliveries?${query}`);

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });
});

describe("GET …/webhook/deliveries/{deliveryId}", () => {
  test("shows every request and answer, and no secret", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now, () => new Response("é".repeat(5000), { status: 500 }));
    const { id, path, secret } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    await app.deliver();
    hook.respond(() => new Response("thanks"));
    await app.deliverNext();

    const [listed] = await owner.deliveries(id);
    const { body } = await owner.call("GET", `${path}/deliveries/${listed.id}`);

    const { attempts, ...rest } = body.data;
    expect(rest).toEqual({ ...listed, body: hook.received[0]?.text });
    expect(attempts).toMatchObject([
      { attempt: 1, responseStatus: 500, error: "it answered with status 500" },
      { attempt: 2, responseStatus: 200, error: null, response: "thanks" },
    ]);
    expect(Buffer.byteLength(attempts[0].response)).toBe(1024);
    expect(Date.parse(attempts[1].at) - Date.parse(attempts[0].at)).toBe(5 * SECOND_MS);
    for (const [index, one] of hook.received.entries())
      expect(one.headers).toMatchObject(attempts[index].headers);
    expect(attempts[0].duration).toBeGreaterThanOrEqual(0);
    const key = Buffer.from(secret.slice(6), "base64");
    const dump = Buffer.from(app.deps.db.$client.serialize());
    expect([dump.includes(secret), dump.includes(key), JSON.stringify(body).includes(secret)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("POST …/redeliver", () => {
  test("sends a delivered event again, under the same ids", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const { id, path } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    await app.deliver();
    const [before] = await owner.deliveries(id);
    app.clock.advance(HOUR_MS);

    const answer = (await owner.call("POST", `${path}/deliveries/${before.id}/redeliver`)).body.data;
    await app.deliver();

    expect(answer).toMatchObject({
      ...before,
      status: "pending",
      nextAttemptAt: new Date(app.clock.now()).toISOString(),
    });
    const [first, second] = hook.received;
    expect(second?.text).toBe(first?.text ?? "");
    expect(second?.headers["x-service-delivery-id"]).toBe(first?.headers["x-service-delivery-id"] ?? "");
    expect(await owner.deliveries(id)).toMatchObject([
      { id: before.id, status: "delivered", attemptCount: 2 },
    ]);
  });

  test("gives a failed delivery ten new tries", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(
      app.clock.now,
      ({ body }) => new Response(null, { status: body.type === "webhook.test" ? 200 : 500 }),
    );
    const { id, path } = await owner.subscribe(hook.url);
    owner.announceUpdate();
    await app.deliver();
    while (await app.deliverNext());
    const [failed] = await owner.deliveries(id, "?status=failed");
    // Prevents switching off after five days of only failures.
    await owner.call("POST", `${path}/test`);
    await app.deliver();

    await owner.call("POST", `${path}/deliveries/${failed.id}/redeliver`);
    while (await app.deliverNext());

    expect(hook.received).toHaveLength(21);
    expect(await owner.deliveries(id, "?status=failed")).toMatchObject([{ attemptCount: 20 }]);
    const log = (await owner.call("GET", `${path}/deliveries/${failed.id}`)).body.data;
    expect(log.attempts).toHaveLength(20);
  });
});

describe("a webhook request is refused", () => {
  const routes = (deliveryId: string) =>
    [
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["GET", `/deliveries/${deliveryId}`],
      ["POST", `/deliveries/${deliveryId}/redeliver`],
    ] as const;

  test("other accounts, a missing session and an API key are refused", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const { path } = await owner.subscribe(hook.url);
    const sent = (await owner.call("POST", `${path}/test`)).body.data;

    for (const [method, tail] of routes(sent.id)) {
      const stranger = await app.owner().call(method, path + tail);
      const nobody = await app.request(path + tail, { method });
      const key = await app.request(path + tail, {
        method,
        headers: { "x-api-key": app.createKey(owner.accountId) },
      });
      expect([tail, stranger.body.messageCode]).toEqual([tail, "key_not_found"]);
      expect([nobody.status, key.status]).toEqual([401, 401]);
    }
    expect((await app.request("/app/webhooks")).status).toBe(401);
  });

  test("an unknown delivery, or one of another key, is refused", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const [a, b] = [await owner.subscribe(hook.url), await owner.subscribe(hook.url)];
    const ofA = (await owner.call("POST", `${a.path}/test`)).body.data.id as string;

    for (const id of [ofA, "dlv_1", "x", `dlv_${"0".repeat(32)}1`, `${ofA}0`])
      for (const tail of [`/deliveries/${id}`, `/deliveries/${id}/redeliver`]) {
        const refused = await owner.call(tail.endsWith("redeliver") ? "POST" : "GET", b.path + tail);
        expect(refused).toMatchObject({ status: 404, body: { messageCode: "delivery_not_found" } });
      }
  });

  test("a key without a webhook, with one switched off, or revoked, is refused", async () => {
    const app = await createWebhookApp();
    const owner = app.owner();
    const hook = createReceiver(app.clock.now);
    const bare = `/integration/api-keys/${app.createKey(owner.accountId).split(".")[0]}/webhook`;
    const off = await owner.subscribe(hook.url);
    const sent = (await owner.call("POST", `${off.path}/test`)).body.data.id;
    await owner.call("POST", off.path, { url: hook.url, active: false });
    const revoked = await owner.subscribe(hook.url);
    await owner.call("POST", `/integration/api-keys/${revoked.id}/revoke`);
    const codeOf = async (path: string) => (await owner.call("POST", path)).body.messageCode;

    expect(await codeOf(`${bare}/test`)).toBe("webhook_not_active");
    expect(await codeOf(`${bare}/rotate-secret`)).toBe("webhook_not_active");
    expect(await owner.deliveries(bare.split("/")[3] ?? "")).toEqual([]);
    expect(await codeOf(`${off.path}/test`)).toBe("webhook_not_active");
    expect(await codeOf(`${off.path}/deliveries/${sent}/redeliver`)).toBe("webhook_not_active");
    expect(await codeOf(`${revoked.path}/test`)).toBe("key_not_active");
  });
});

test("GET /app/webhooks shows the state of each webhook of the account", async () => {
  const app = await createWebhookApp();
  const owner = app.owner();
  const [good, bad] = [
    createReceiver(app.clock.now),
    createReceiver(app.clock.now, () => new Response(null, { status: 500 })),
  ];
  const [a, b] = [await owner.subscribe(good.url), await owner.subscribe(bad.url)];
  await app.owner().subscribe(good.url);
  owner.announceUpdate();
  await app.deliver();

  const { body } = await owner.call("GET", "/app/webhooks");

  const at = new Date(app.clock.now()).toISOString();
  const same = { keyName: "test", webhookActive: true, failed: 0 };
  expect(body.data).toEqual([
    { ...same, keyId: a.id, webhookUrl: good.url, failingSince: null, pending: 0 },
    { ...same, keyId: b.id, webhookUrl: bad.url, failingSince: at, pending: 1 },
  ]);
});

test("the log is kept for 30 days; waiting deliveries and newer events are kept longer", async () => {
  const app = await createWebhookApp();
  const owner = app.owner();
  const hook = createReceiver(app.clock.now);
  await owner.subscribe(hook.url);
  const old = Array.from({ length: 1100 }, () => owner.announceUpdate());
  await app.deliver();
  hook.respond(() => new Response(null, { status: 500 }));
  const waiting = owner.announceUpdate();
  await app.deliver();
  app.clock.advance(30 * DAY_MS);
  hook.respond(() => new Response());
  const early = await pruneDeliveries(app.deps);
  app.clock.advance(1);
  const recent = owner.announceUpdate();

  const pruned = await pruneDeliveries(app.deps);
  const kept = app.deps.db.$client.query<{ id: string }, []>("SELECT id FROM events ORDER BY seq").all();
  await app.deliver();
  const left = app.deps.db.$client
    .query<{ status: string; attempts: number }, []>(
      "SELECT status, attempts FROM webhook_deliveries ORDER BY event_seq",
    )
    .all();

  expect([early, pruned]).toEqual([0, old.length]);
  expect(kept.map((row) => row.id)).toEqual([waiting, recent]);
  expect(left).toEqual([
    { status: "delivered", attempts: 2 },
    { status: "delivered", attempts: 1 },
  ]);
  const attempts = app.deps.db.$client.query("SELECT count(*) AS left FROM webhook_attempts").get();
  expect(attempts).toEqual({ left: 3 });
});

test("changes to webhooks are in the audit log", async () => {
  const app = await createWebhookApp();
  const owner = app.owner();
  const hook = createReceiver(app.clock.now, () => new Response(null, { status: 410 }));
  const { path } = await owner.subscribe(hook.url);
  await owner.call("POST", `${path}/rotate-secret`);
  await owner.call("POST", `${path}/test`);
  await app.deliver();

  const actions = app.deps.db.select().from(auditLog).all();
  expect(actions.map(({ action }) => action).filter((action) => action.startsWith("key.webhook"))).toEqual([
    "key.webhook",
    "key.webhook_secret",
    "key.webhook_off",
  ]);
});
