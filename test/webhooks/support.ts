import { Webhook } from "standardwebhooks";
import { transact } from "../../db/client.ts";
import type { EventData } from "../../src/kernel/event-data.ts";
import { emit } from "../../src/kernel/events.ts";
import { type Sender, type SenderOptions, startSender } from "../../src/modules/outward/webhooks/sender.ts";
import { createTestApp, type Json } from "../support/app.ts";

/** A request that a receiver got. */
export type Received = { headers: Record<string, string>; text: string; body: Json; at: number };
type Respond = (received: Received, request: Request) => Response | Promise<Response>;

const stops: (() => unknown)[] = [];

/** Stops everything that the test started; for `afterEach`. */
export async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

/** Makes the whole service with a sender whose clock and randomness the test controls. */
export async function createWebhookApp(options: SenderOptions & { allow?: string[] } = {}) {
  const { allow = ["127.0.0.1"], ...senderOptions } = options;
  const app = await createTestApp({ settings: { networkAllow: allow } });
  stops.push(() => app.close());
  const start = (): Sender =>
    startSender(app.deps, { random: () => 0.5, attemptTimeoutMs: 2000, ...senderOptions });
  let sender: Sender | undefined;
  stops.push(() => sender?.stop());

  const owner = () => {
    const account = app.createAccount();
    const call = app.signedIn(account.token);
    /** Makes a key with a webhook, and returns its id and secret. */
    const subscribe = async (url: string, scopes?: string[]) => {
      const id = app.createKey(account.accountId, scopes).split(".")[0] ?? "";
      const set = await call("POST", `/integration/api-keys/${id}/webhook`, { url, active: true });
      if (set.status !== 200) throw new Error(JSON.stringify(set.body));
      return {
        id,
        path: `/integration/api-keys/${id}/webhook`,
        secret: set.body.data.webhookSecret as string,
      };
    };
    const announce = <Type extends keyof EventData>(type: Type, data: EventData[Type]): string =>
      transact(app.deps.db, (tx) => emit(tx, account.accountId, type, data, app.clock.now()));
    return {
      ...account,
      call,
      subscribe,
      announce,
      announceUpdate: () => announce("track.updated", { trackId: "trk_1", name: "Demo", changed: ["title"] }),
      deliveries: async (id: string, query = ""): Promise<Json[]> =>
        (await call("GET", `/integration/api-keys/${id}/webhook/deliveries${query}`)).body.data,
    };
  };

  return {
    ...app,
    owner,
    /** Sends everything that is due, and waits for the outcome. */
    deliver: () => {
      sender ??= start();
      return sender.idle();
    },
    /** Stops sending. */
    pause: async () => sender?.stop(),
    /** Starts the sender again, as after a crash or restart. */
    restart: async () => {
      await sender?.stop();
      sender = start();
    },
    /** Advances the time to the next waiting attempt and makes it. Returns false when none waits. */
    deliverNext: async () => {
      const next = app.deps.db.$client
        .query<{ at: number | null }, []>(
          "SELECT min(due_at) AS at FROM webhook_deliveries WHERE status = 'pending'",
        )
        .get();
      if (!next?.at) return false;
      app.clock.advance(Math.max(0, next.at - app.clock.now()));
      sender ??= start();
      await sender.idle();
      return true;
    },
  };
}

/** Makes a receiver on this machine that records its requests. */
export function createReceiver(now: () => number, respond: Respond = () => new Response("thanks")) {
  const received: Received[] = [];
  let answer = respond;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const text = await request.text();
      const one = { headers: Object.fromEntries(request.headers), text, body: JSON.parse(text), at: now() };
      received.push(one);
      return await answer(one, request);
    },
  });
  stops.push(() => server.stop(true));
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    port: server.port ?? 0,
    received,
    respond: (next: Respond) => {
      answer = next;
    },
  };
}

/** Makes a receiver that answers with only these bytes, one every `everyMs`; without bytes it sends nothing. */
export function createRawReceiver(bytes: string, { everyMs = 0, hangUp = false } = {}): string {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        if (hangUp) return void socket.terminate();
        if (everyMs === 0) return void socket.write(bytes);
        let sent = 0;
        const timer = setInterval(() => {
          socket.write(bytes.slice(sent, ++sent));
          if (sent >= bytes.length) clearInterval(timer);
        }, everyMs);
        stops.push(() => clearInterval(timer));
      },
    },
  });
  stops.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}/`;
}

/** True when the public library accepts a delivery's signature at the time it was sent. */
export function isSigned(secret: string, { text, headers }: Received, at: number): boolean {
  const real = Date.now;
  try {
    // The library uses the machine's clock, but tests have their own.
    Date.now = () => at;
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = real;
  }
}
