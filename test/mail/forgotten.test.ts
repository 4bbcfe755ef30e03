import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { createTestApp } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";

const HOUR_MS = 3_600_000;

let receiver: MailReceiver;
beforeAll(async () => {
  receiver = await receiveMails();
});
afterAll(() => receiver.close());

/** A server that sends mails, with somebody who can sign in. */
async function createServer() {
  const relay = { host: "127.0.0.1", port: receiver.port, isTls: false, needsTls: false };
  const from = { name: null, address: "music@label.example" };
  const mail = { ...relay, user: undefined, password: undefined, from, perDay: 200 };
  const app = await createTestApp({ settings: { mail } });
  return {
    ...app,
    account: app.createAccount("mara@label.example"),
    post: (path: string, fields: Record<string, string>) =>
      app.request(path, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { origin: "http://127.0.0.1:4747" },
      }),
    /** Does what waits and sends what is due; returns what came. */
    async mails() {
      const before = receiver.received.length;
      await app.drainJobs();
      const sender = startMailSender(app.deps, mail);
      await sender.idle();
      await sender.stop();
      return Promise.all(receiver.received.slice(before).map(({ source }) => simpleParser(source)));
    },
  };
}

const ON_ITS_WAY = "If this address has a sign-in here, a link is on its way.";
const NEW = { email: "mara@label.example", password: "a new and better password" };

describe("a forgotten password", () => {
  test("is chosen anew by a mail, with a link that works once", async () => {
    const server = await createServer();

    expect(await (await server.post("/forgot", { email: "Mara@Label.example " })).text()).toContain(
      ON_ITS_WAY,
    );
    const [mail, ...more] = await server.mails();
    const token = /\/reset\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const changed = await server.post("/reset", { ...NEW, token });

    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: "A new password for Dubplate",
      to: { value: [{ address: NEW.email }] },
    });
    expect(mail?.html).toContain(`/reset?token=${token}`);
    expect(mail?.headers.has("list-unsubscribe")).toBe(false);
    expect(changed.status).toBe(200);
    expect((await server.post("/signin", NEW)).status).toBe(303);
    expect((await server.post("/reset", { ...NEW, token })).status).toBe(410);
    await server.close();
  });

  test("of an unknown address is answered alike, and no mail leaves", async () => {
    const server = await createServer();
    const [known, unknown] = [
      await server.post("/forgot", { email: NEW.email }),
      await server.post("/forgot", { email: "nobody@label.example" }),
    ];

    expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()]);
    expect((await server.mails()).map(({ to }) => to)).toMatchObject([{ value: [{ address: NEW.email }] }]);
    await server.close();
  });

  test("can be asked for three times an hour, whether the address is known or not", async () => {
    const server = await createServer();
    for (const email of [NEW.email, "nobody@label.example"]) {
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push((await server.post("/forgot", { email })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
    server.clock.advance(HOUR_MS);
    expect((await server.post("/forgot", { email: NEW.email })).status).toBe(200);
    await server.close();
  });

  test("link ends after an hour", async () => {
    const server = await createServer();
    await server.post("/forgot", { email: NEW.email });
    const [mail] = await server.mails();
    const token = /\/reset\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    server.clock.advance(HOUR_MS);

    expect((await server.request(`/reset?token=${token}`)).status).toBe(410);
    await server.close();
  });

  test("has no page where no mails are sent", async () => {
    const app = await createTestApp();
    app.createAccount("mara@label.example");

    expect((await app.request("/forgot")).status).toBe(404);
    expect(await (await app.request("/signin")).text()).not.toContain("/forgot");
    await app.close();
  });
});
