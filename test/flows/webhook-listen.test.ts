import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { startCommand } from "../support/running-command.ts";
import { createReceiver, stopAll } from "../webhooks/support.ts";

const EMAIL = "me@example.com";
/** The listener, and the receiver set before it, use the loopback interface. */
const program = createProgram({ NETWORK_ALLOW: "127.0.0.1" });
let server: Awaited<ReturnType<typeof program.serve>>;
let token = "";

beforeAll(async () => {
  server = await program.serve();
  await program.run([
    "account",
    "create",
    "--email",
    EMAIL,
    "--name",
    "Me",
    "--password",
    "a long enough one",
  ]);
  token = String((await program.run(["session", "create", "--email", EMAIL])).rows[0]?.token);
});
afterAll(async () => {
  await stopAll();
  await program.close();
});

const call = async (method: string, path: string, body?: object): Promise<Json> => {
  const response = await fetch(`${server.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as Json).data;
};

async function newKey(): Promise<{ id: string; key: string; path: string }> {
  const { rows } = await program.run(["key", "create", "--email", EMAIL, "--name", "listen"]);
  return {
    id: String(rows[0]?.id),
    key: String(rows[0]?.key),
    path: `/integration/api-keys/${rows[0]?.id}/webhook`,
  };
}

describe("dubplate webhook listen", () => {
  test("prints a key's verified events, and restores the webhook when it stops", async () => {
    const { id, key, path } = await newKey();
    const before = createReceiver(Date.now);
    await call("POST", path, { url: before.url, active: true });
    const listener = startCommand(program.dataDir, [
      "webhook",
      "listen",
      "--port",
      "0",
      "--key",
      id,
      "--url",
      server.address,
      "--token",
      token,
    ]);

    await listener.says(/Send a test/);
    const ping = await call("POST", `${path}/test`);
    const first = await listener.prints();
    await fetch(`${server.address}/api/v1/composers`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ fullName: "Someone Else", email: "someone@example.com" }),
    });
    const second = await listener.prints();
    await call("POST", `${path}/deliveries/${ping.id}/redeliver`);
    const third = await listener.prints();
    const code = await listener.stop();

    expect(first).toMatchObject({
      verified: true,
      repeated: false,
      deliveryId: ping.id,
      event: { id: ping.eventId, type: "webhook.test", apiVersion: "1", data: { keyId: id } },
    });
    expect(second).toMatchObject({ verified: true, repeated: false, event: { type: "composer.created" } });
    expect(third).toMatchObject({ verified: true, repeated: true, deliveryId: ping.id });
    expect(code).toBe(0);
    expect(await call("GET", path)).toMatchObject({ webhookUrl: before.url, webhookActive: true });
    expect(before.received).toEqual([]);
  });

  test("asks a server with the key itself, and no session", async () => {
    const { id, key, path } = await newKey();
    const args = ["--port", "0", "--key", key, "--url", server.address];
    const listener = startCommand(program.dataDir, ["webhook", "listen", ...args]);

    await listener.says(/Send a test/);
    const headers = { "x-api-key": key, "content-type": "application/json" };
    await fetch(`${server.address}/api/v1/webhook/test`, { method: "POST", headers });
    const printed = await listener.prints();
    await listener.stop();

    expect(printed).toMatchObject({ verified: true, event: { type: "webhook.test", data: { keyId: id } } });
    expect((await call("GET", path)).webhookActive).toBe(false);
  });

  test("uses a key of the library on this machine, and switches off a webhook that led nowhere before", async () => {
    const { id, path } = await newKey();
    const listener = startCommand(program.dataDir, ["webhook", "listen", "--port", "0", "--key", id]);

    await listener.says(/Send a test/);
    const ping = await call("POST", `${path}/test`);
    const printed = await listener.prints();
    await listener.stop();

    expect(printed).toMatchObject({ verified: true, event: { id: ping.eventId } });
    expect((await call("GET", path)).webhookActive).toBe(false);
    // The listener prints before its answer reaches the server's log.
    let log = await call("GET", `${path}/deliveries/${ping.id}`);
    while (log.attempts.length === 0) log = await call("GET", `${path}/deliveries/${ping.id}`);
    expect(log).toMatchObject({ status: "delivered", responseStatus: 204, attempts: [{ attempt: 1 }] });
  });

  test("rejects a request signed with another secret", async () => {
    const { id } = await newKey();
    const { path } = await newKey();
    const listener = startCommand(program.dataDir, [
      "webhook",
      "listen",
      "--port",
      "0",
      "--secret",
      `whsec_${btoa("another secret")}`,
    ]);
    const address = (await listener.says(/Listening at (\S+)/))[1] ?? "";
    await call("POST", path, { url: address, active: true });

    await call("POST", `${path}/test`);
    const printed = await listener.prints();
    await listener.stop();

    expect(printed).toMatchObject({ verified: false, error: "No matching signature found" });
    expect(id).toStartWith("key_");
  });

  test.each([
    [["webhook", "listen"]],
    [["webhook", "listen", "--secret", "whsec_AAAA", "--key", "key_1"]],
    [["webhook", "listen", "--key", "key_1", "--url", "http://127.0.0.1:1"]],
    [["webhook", "listen", "--secret", "whsec_%"]],
    [["webhook", "speak"]],
  ])("prints its usage when called wrongly: %p", async (args) => {
    const { code, stderr } = await program.run([...args, "--port", "0"]);

    expect(code).toBe(2);
    expect(stderr).toContain("usage: dubplate webhook listen");
  });

  test.each([
    ["an unknown key", () => ["--key", "key_nobody"], "There is no such key"],
    [
      "a key without the scope",
      async () => {
        const args = ["--email", EMAIL, "--name", "narrow", "--scopes", "read:tracks"];
        const { rows } = await program.run(["key", "create", ...args]);
        return ["--key", String(rows[0]?.key), "--url", server.address];
      },
      "lacks the scope read:webhooks",
    ],
    [
      "an unreachable server",
      () => ["--key", "key_1", "--url", "http://127.0.0.1:1", "--token", "x"],
      "http://127.0.0.1:1 cannot be reached",
    ],
    [
      "an invalid session",
      () => ["--key", "key_1", "--url", server.address, "--token", "x"],
      "The server refused (401 invalid_session_token)",
    ],
  ])("refuses %s", async (_, args, words) => {
    const { code, stderr } = await program.run(["webhook", "listen", "--port", "0", ...(await args())]);

    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });
});

test("when the server does not allow this machine, the message says how to start it", async () => {
  const strict = createProgram();
  try {
    const { address } = await strict.serve();
    await strict.run([
      "account",
      "create",
      "--email",
      EMAIL,
      "--name",
      "Me",
      "--password",
      "a long enough one",
    ]);
    const [session, key] = await Promise.all([
      strict.run(["session", "create", "--email", EMAIL]),
      strict.run(["key", "create", "--email", EMAIL, "--name", "x"]),
    ]);

    const args = [
      "--key",
      String(key.rows[0]?.id),
      "--url",
      address,
      "--token",
      String(session.rows[0]?.token),
    ];
    const { code, stderr } = await strict.run(["webhook", "listen", "--port", "0", ...args]);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /does not allow http:\/\/127\.0\.0\.1:(\d+)\/: start it with NETWORK_ALLOW=127\.0\.0\.1:\1/,
    );
  } finally {
    await strict.close();
  }
});
