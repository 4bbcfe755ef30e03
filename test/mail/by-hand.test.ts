import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LibraryId } from "../../db/schema.ts";
import type { Member } from "../../src/kernel/actor.ts";
import { allowedTo } from "../../src/kernel/roles.ts";
import { openSending, sendByHand } from "../../src/modules/mail/outbox/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

const DAY_MS = 86_400_000;
const MAIL = {
  host: "127.0.0.1",
  port: 1,
  isTls: false,
  needsTls: false,
  user: undefined,
  password: undefined,
  from: { name: null, address: "music@label.example" },
  perDay: 3,
};
const WORDS = { subject: "For you", lead: "For you.", parts: [], why: "Mara wrote to you." };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ settings: { mail: MAIL, registrationOpen: true } });
});
afterAll(() => app.close());

/** A producer of a new library. */
function producer(): Member {
  const accountId = app.createAccount().accountId as LibraryId;
  const { personId, memberId } = addMember(app, accountId, { role: "producer" });
  return { accountId, personId, memberId, sessionId: "ses", allowed: allowedTo("producer", false, false) };
}

async function send(actor: Member, email: string, dedupe = email) {
  const sending = await openSending(app.deps, actor, { kind: "link", to: [email] });
  return sendByHand(app.deps, sending, { kind: "link", dedupe, to: { email, name: null }, words: WORDS });
}

describe("a mail by hand", () => {
  test("is sent by a person, and by no key", async () => {
    const { sessionId: _, ...key } = producer();

    expect(await send(producer(), "bo@example.com")).toStartWith("mail_");
    await expect(send(key, "bo@example.com")).rejects.toMatchObject({ code: "insufficient_scope" });
  });

  test("counts for a library's day, and is free again a day later", async () => {
    const actor = producer();
    for (const n of [1, 2, 3]) await send(actor, `${n}@example.com`, `${actor.accountId} ${n}`);

    await expect(send(actor, "4@example.com")).rejects.toMatchObject({ code: "mail_limit" });
    await send(producer(), "4@example.com", "another library");
    app.clock.advance(DAY_MS);
    expect(await send(actor, "4@example.com", "next day")).toStartWith("mail_");
  });

  test("counts twenty a day in the first week, where anybody may register", async () => {
    const open = await createTestApp({
      settings: { mail: { ...MAIL, perDay: 200 }, registrationOpen: true },
    });
    const accountId = open.createAccount().accountId as LibraryId;
    const { personId, memberId } = addMember(open, accountId, { role: "producer" });
    const actor: Member = {
      accountId,
      personId,
      memberId,
      sessionId: "ses",
      allowed: allowedTo("producer", false, false),
    };
    const to = (count: number) => Array.from({ length: count }, (_, n) => `${n}@example.com`);
    const opening = (count: number) => openSending(open.deps, actor, { kind: "link", to: to(count) });

    await opening(20);
    await expect(opening(21)).rejects.toMatchObject({ code: "mail_limit" });
    open.clock.advance(7 * DAY_MS);
    await opening(50);
    await expect(opening(51)).rejects.toMatchObject({ code: "validation_failed" });
    await open.close();
  });

  test.each([
    "bo@example.com, anna@example.com",
    "bo@example.com\r\nBcc: anna@example.com",
    "Bo <bo@example.com>",
    "bo@example.com;anna@example.com",
    "bo\u0000@example.com",
    "bo",
  ])("goes to one address: %j is refused", async (email) => {
    await expect(send(producer(), email)).rejects.toMatchObject({ code: "validation_failed" });
  });
});
