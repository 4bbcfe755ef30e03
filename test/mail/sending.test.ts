import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { simpleParser } from "mailparser";
import { openDb, transact } from "../../db/client.ts";
import { mails } from "../../db/schema.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { type NewMail, writeMail } from "../../src/modules/mail/outbox/outbox.ts";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;

let receiver: MailReceiver;
beforeAll(async () => {
  receiver = await receiveMails();
});
afterAll(() => receiver.close());

/** A library's outbox, with a clock that tests control. */
function createOutbox(port = receiver.port) {
  const clock = { at: START };
  const logged: string[] = [];
  const deps = {
    db: openDb(":memory:"),
    now: () => clock.at,
    log: (_: string, message: string, fields?: object) =>
      void logged.push(`${message} ${JSON.stringify(fields)}`),
    secrets: secretsOf(Buffer.alloc(32, 7)),
  };
  const troubles: string[] = [];
  const relay = {
    host: "127.0.0.1",
    port,
    isTls: false,
    needsTls: false,
    user: undefined,
    password: undefined,
  };
  const from = { name: "Night Label", address: "music@label.example" };
  return {
    clock,
    logged,
    troubles,
    row: () => deps.db.select().from(mails).get(),
    write: (email: string, more: Partial<NewMail> = {}) =>
      transact(deps.db, (tx) =>
        writeMail(
          { ...deps, db: tx },
          {
            accountId: null,
            kind: "test",
            dedupe: email,
            to: { email, name: "Anna Berg" },
            subject: "Night Drive, for you",
            content: {
              fromName: "Mara via Dubplate",
              replyTo: "mara@label.example",
              text: "Listen",
              html: "<p>Listen</p>",
              headers: { "X-Kind": "test" },
              logo: null,
            },
            ...more,
          },
        ),
      ),
    /** Sends what is due, as one run of the program. */
    async send() {
      const sender = startMailSender(
        deps,
        { ...relay, from, perDay: 200 },
        { random: () => 0.5, onTrouble: (words) => void troubles.push(words) },
      );
      await sender.idle();
      await sender.stop();
    },
  };
}

describe("a mail", () => {
  test("arrives with its sender, its recipient, both parts and its headers, and nothing of it stays", async () => {
    const outbox = createOutbox();
    const id = outbox.write("anna@example.com");

    await outbox.send();

    const { from, to, source } = receiver.received.at(-1) ?? { source: "" };
    const parsed = await simpleParser(source);
    expect([from, to]).toEqual(["music@label.example", "anna@example.com"]);
    expect(parsed).toMatchObject({
      subject: "Night Drive, for you",
      messageId: `<${id}@label.example>`,
      date: new Date(START),
      from: { value: [{ address: "music@label.example", name: "Mara via Dubplate" }] },
      to: { value: [{ address: "anna@example.com", name: "Anna Berg" }] },
      replyTo: { value: [{ address: "mara@label.example" }] },
      text: "Listen",
      html: "<p>Listen</p>",
    });
    expect(outbox.row()).toMatchObject({ state: "sent", code: 250, body: null, endedAt: START });
  });

  test("of one deed is written once", () => {
    const outbox = createOutbox();

    expect(outbox.write("anna@example.com")).toStartWith("mail_");
    expect(outbox.write("anna@example.com")).toBeUndefined();
  });

  test("to an address that the relay refuses ends there, with the relay's words", async () => {
    const outbox = createOutbox();
    outbox.write("nobody@example.com");

    await outbox.send();

    expect(outbox.row()).toMatchObject({ state: "refused", code: 550, tries: 0, dueAt: null, body: null });
    expect(outbox.row()?.answer).toContain("No such mailbox");
    expect(outbox.troubles).toEqual([]);
  });

  test("that the relay puts off goes out again after a minute, then after five", async () => {
    const outbox = createOutbox();
    outbox.write("busy@example.com");

    await outbox.send();
    expect(outbox.row()).toMatchObject({ state: "waiting", code: 450, tries: 1, dueAt: START + MINUTE_MS });
    outbox.clock.at += MINUTE_MS;
    await outbox.send();
    expect(outbox.row()).toMatchObject({ state: "waiting", tries: 2, dueAt: START + 6 * MINUTE_MS });
    outbox.clock.at += 5 * MINUTE_MS;
    await outbox.send();

    expect(outbox.row()).toMatchObject({ state: "sent", tries: 2 });
  });

  test("waits without blame where the relay closes down or is not there, and the operator is told once", async () => {
    const closed = await receiveMails();
    await closed.close();
    for (const outbox of [createOutbox(closed.port), createOutbox()]) {
      outbox.write("closing@example.com");
      outbox.write("closing2@example.com");

      await outbox.send();

      expect(outbox.row()).toMatchObject({ state: "waiting", tries: 0, dueAt: START + 5 * MINUTE_MS });
      expect(outbox.troubles).toHaveLength(1);
      expect(outbox.logged.join()).not.toContain("example.com");
    }
  });

  test("is cancelled when it is too late", async () => {
    const outbox = createOutbox();
    outbox.write("late@example.com", { dueAt: START + MINUTE_MS, expiresAt: START + MINUTE_MS });
    outbox.clock.at += MINUTE_MS;

    await outbox.send();

    expect(outbox.row()).toMatchObject({ state: "cancelled", body: null, answer: "It was too late" });
    expect(receiver.received.filter(({ to }) => to.startsWith("late"))).toEqual([]);
  });
});

/** Takes a mail with everything, and is gone before it says so. */
async function dieAfterTheDot() {
  let taken = 0;
  const server = createServer((socket) => {
    let isData = false;
    socket.write("220 ready\r\n");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const text = bytes.toString();
      if (isData && text.endsWith("\r\n.\r\n")) {
        taken++;
        return socket.destroy();
      }
      if (isData) return;
      isData = text.startsWith("DATA");
      socket.write(isData ? "354 go on\r\n" : "250 ok\r\n");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  return { port, taken: () => taken, close: () => server.close() };
}

test("a mail that the relay may have had is sent once more, and then a person decides", async () => {
  const relay = await dieAfterTheDot();
  const outbox = createOutbox(relay.port);
  outbox.write("anna@example.com");

  await outbox.send();
  expect(outbox.row()).toMatchObject({ state: "waiting", unsure: 1, dueAt: START + MINUTE_MS });
  outbox.clock.at += MINUTE_MS;
  await outbox.send();
  await outbox.send();

  expect(outbox.row()).toMatchObject({ state: "unsure", unsure: 2, dueAt: null, body: expect.anything() });
  expect(relay.taken()).toBe(2);
  relay.close();
});
