import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { startOddRelay } from "../support/mail-relay.ts";
import { createOutbox, START } from "../support/outbox.ts";

const MINUTE_MS = 60_000;

let receiver: MailReceiver;
beforeAll(async () => {
  receiver = await receiveMails();
});
afterAll(() => receiver.close());

describe("a mail", () => {
  test("arrives with its sender, its recipient, both parts and its headers, and nothing of it stays", async () => {
    const outbox = createOutbox(receiver);
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
    const outbox = createOutbox(receiver);

    expect(outbox.write("anna@example.com")).toStartWith("mail_");
    expect(outbox.write("anna@example.com")).toBeUndefined();
  });

  test("to an address that the relay refuses ends there, with the relay's words", async () => {
    const outbox = createOutbox(receiver);
    outbox.write("nobody@example.com");

    await outbox.send();

    expect(outbox.row()).toMatchObject({ state: "refused", code: 550, tries: 0, dueAt: null, body: null });
    expect(outbox.row()?.answer).toContain("No such mailbox");
    expect(outbox.troubles).toEqual([]);
  });

  test("that the relay puts off goes out again after a minute, then after five", async () => {
    const outbox = createOutbox(receiver);
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
    for (const outbox of [createOutbox(closed), createOutbox(receiver)]) {
      outbox.write("closing@example.com");
      outbox.write("closing2@example.com");

      await outbox.send();

      expect(outbox.row()).toMatchObject({ state: "waiting", tries: 0, dueAt: START + 5 * MINUTE_MS });
      expect(outbox.troubles).toHaveLength(1);
      expect(outbox.logged.join()).not.toContain("example.com");
    }
  });

  test("is cancelled when it is too late", async () => {
    const outbox = createOutbox(receiver);
    outbox.write("late@example.com", { dueAt: START + MINUTE_MS, expiresAt: START + MINUTE_MS });
    outbox.clock.at += MINUTE_MS;

    await outbox.send();

    expect(outbox.row()).toMatchObject({ state: "cancelled", body: null, answer: "It was too late" });
    expect(receiver.received.filter(({ to }) => to.startsWith("late"))).toEqual([]);
  });
});

test("a mail that the relay may have had is sent once more, and then a person decides", async () => {
  const relay = await startOddRelay({ end: "hang up" });
  const outbox = createOutbox(relay);
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
