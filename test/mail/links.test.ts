import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, toIso } from "../../src/kernel/time.ts";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { addressesOf, createMailApp, type MailApp } from "./mail-app.ts";

let receiver: MailReceiver;
let app: MailApp;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

let accountId: string;
let call: ReturnType<MailApp["signedIn"]>;
let trackId: string;
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
  trackId = addTrackRows(app.deps.db, accountId, { name: "Night Drive.wav" }).id;
});

const BO = { recipient: "Bo Berg", recipientEmail: "Bo@Example.com " };

async function share(settings: object = {}): Promise<Json> {
  const { status, body } = await call("POST", "/app/shares", { trackId, ...settings });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}
const change = (id: string, settings: object) => call("PATCH", `/app/shares/${id}`, settings);
const inDays = (days: number) => toIso(app.deps.now() + days * DAY_MS);

describe("a link with a mail", () => {
  test("reaches its recipient with the sender's words, from the library and with a way to stop it", async () => {
    const link = await share({ ...BO, mail: { message: "Hi Bo,\nfor your show." } });
    const [mail, ...more] = await app.mails();

    expect([link.recipientEmail, more]).toEqual(["bo@example.com", []]);
    expect(mail).toMatchObject({
      subject: "Someone sent you “Night Drive”",
      from: { value: [{ address: "music@label.example", name: "Someone via Dubplate" }] },
      to: { value: [{ address: "bo@example.com", name: "Bo Berg" }] },
    });
    expect(mail?.replyTo).toBeUndefined();
    for (const part of [mail?.text ?? "", mail?.html || ""]) {
      expect(part).toContain(link.url);
      expect(part).toContain("for your show.");
      expect(part).toMatch(/\/mail\/stop\/[\w-]+/);
    }
    expect(mail?.headers.has("list")).toBe(true);
  });

  test("lists the tracks of a playlist, and says when it ends and that it has a password", async () => {
    const trackIds = [trackId, addTrackRows(app.deps.db, accountId, { name: "Dawn.wav" }).id];
    const made = await call("POST", "/app/library/playlists", { name: "For Bo", trackIds });
    const playlistId = made.body.data.playlist.id;
    const terms = { expiresAt: "2099-12-24T10:00:00Z", password: "open sesame" };
    await call("POST", "/app/shares", { playlistId, ...BO, ...terms, mail: {} });
    const [mail] = await app.mails();

    expect(mail?.subject).toBe("Someone sent you “For Bo”");
    expect(mail?.text).toContain("- Night Drive");
    expect(mail?.text).toContain("- Dawn");
    expect(mail?.text).toContain("It works until 24 December 2099.");
    expect(mail?.text).toContain("It asks for a password, which Someone tells you.");
    expect(mail?.text).not.toContain("sesame");
  });

  test("has answers go to the sender where the sender wants it", async () => {
    const { email } = (await call("GET", "/app/account")).body.data;
    await share({ ...BO, mail: { replyTo: true } });
    const [mail] = await app.mails();

    expect(mail?.replyTo?.value).toEqual([{ address: email, name: "" }]);
  });

  test("that opens later says nothing of the music until then", async () => {
    await share({ ...BO, notBefore: inDays(3), mail: { when: "now" } });
    const [mail] = await app.mails();

    expect(mail?.subject).toStartWith("Someone sent you music that opens on ");
    expect(`${mail?.text} ${mail?.html}`).not.toContain("Night Drive");
  });

  test("goes when the link opens, and moves with that time", async () => {
    const link = await share({ ...BO, notBefore: inDays(3), mail: { when: "open" } });
    expect(await app.mails()).toEqual([]);
    await change(link.id, { notBefore: inDays(5) });
    app.clock.advance(3 * DAY_MS + HOUR_MS);
    expect(await app.mails()).toEqual([]);
    app.clock.advance(2 * DAY_MS);

    expect((await app.mails()).map(({ subject }) => subject)).toEqual(["Someone sent you “Night Drive”"]);
  });

  test("goes at once when the link is opened at once", async () => {
    const link = await share({ ...BO, notBefore: inDays(3), mail: { when: "open" } });
    await change(link.id, { notBefore: null });

    expect(addressesOf(await app.mails())).toEqual(["bo@example.com"]);
  });

  test("is not sent when the link is revoked before, or its address changed", async () => {
    const [revoked, changed] = [
      await share({ ...BO, notBefore: inDays(1), mail: { when: "open" } }),
      await share({ ...BO, notBefore: inDays(1), mail: { when: "open" } }),
    ];
    await call("DELETE", `/app/shares/${revoked.id}`);
    await change(changed.id, { recipientEmail: "anna@example.com", mail: { when: "open" } });
    app.clock.advance(2 * DAY_MS);

    expect(addressesOf(await app.mails())).toEqual(["anna@example.com"]);
  });

  test("is sent later to a link that was made without, once to an address", async () => {
    const link = await share(BO);
    expect(await app.mails()).toEqual([]);
    await change(link.id, { mail: {} });
    const again = await change(link.id, { mail: {} });

    expect([again.status, again.body.messageCode]).toEqual([409, "invalid_transition"]);
    expect(addressesOf(await app.mails())).toEqual(["bo@example.com"]);
  });

  test.each([
    ["bo@example.com", "bo@example.com", undefined],
    ["Bo Berg <bo@example.com>", "bo@example.com", "Bo Berg"],
  ])("takes the address of %j from there, which no page shows", async (recipient, email, name) => {
    const link = await share({ recipient, mail: {} });
    const [mail] = await app.mails();
    const page = await (await app.request(new URL(link.url).pathname)).text();

    expect(link).toMatchObject({ recipient, recipientEmail: email });
    expect([mail?.to].flat()[0]?.value).toEqual([{ address: email, name: name ?? "" }]);
    expect(page).not.toContain("bo@example.com");
  });

  test("forgets the address with the recipient", async () => {
    const link = await share({ recipient: "Bo <bo@example.com>" });
    const [renamed, named, open] = [
      await change(link.id, { recipient: "Anna" }),
      await change(link.id, { recipientEmail: "anna@example.com" }),
      await change(link.id, { recipient: null }),
    ].map(({ body }) => [body.data.recipient, body.data.recipientEmail]);

    expect([renamed, named, open]).toEqual([
      ["Anna", null],
      ["Anna", "anna@example.com"],
      [null, null],
    ]);
  });
});

describe("nothing is made or sent", () => {
  const BAD: readonly [what: string, settings: object][] = [
    ["a second address", { ...BO, recipientEmail: "bo@example.com,anna@example.com" }],
    ["an address with a name", { ...BO, recipientEmail: "Bo <bo@example.com>" }],
    ["a header in the address", { ...BO, recipientEmail: "bo@example.com\r\nBcc: anna@example.com" }],
    ["a header in the name", { ...BO, recipient: "Bo\r\nBcc: anna@example.com" }],
    ["a control character in the message", { ...BO, mail: { message: "Hi\u0000" } }],
    ["no address", { recipient: "Bo" }],
    ["a message that is too long", { ...BO, mail: { message: "a".repeat(2001) } }],
  ];
  test.each(BAD)("for %s", async (_, settings) => {
    const { status, body } = await call("POST", "/app/shares", { trackId, mail: {}, ...settings });

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect((await call("GET", "/app/shares")).body.data).toEqual([]);
    expect(await app.mails()).toEqual([]);
  });

  test("with a key", async () => {
    const api = app.as(app.createKey(accountId));
    const { status, body } = await api("POST", "/shares", { trackId, ...BO, mail: {} });

    expect([status, body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect((await call("GET", "/app/shares")).body.data).toEqual([]);
  });

  test("to somebody who stopped it, and who can still be sent a link by hand", async () => {
    await share({ ...BO, mail: {} });
    const [mail] = await app.mails();
    const stop = /\/mail\/stop\/[\w-]+/.exec(mail?.text ?? "")?.[0] ?? "";
    await app.request(stop, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    const refused = await call("POST", "/app/shares", { trackId, ...BO, mail: {} });

    expect([refused.status, refused.body.messageCode]).toEqual([409, "mail_stopped"]);
    expect(refused.body.data).toEqual({ emails: ["bo@example.com"] });
    await share(BO);
    expect(await app.mails()).toEqual([]);
  });
});

test("a line break in a title or a library's name begins no header", async () => {
  await call("PATCH", "/app/account", { brand: { name: "Label\r\nBcc: anna@example.com" } });
  trackId = addTrackRows(app.deps.db, accountId, {
    name: "x.wav",
    title: "Night\r\nBcc: anna@example.com",
  }).id;
  await share({ ...BO, mail: {} });
  const mails = await app.mails();

  expect(addressesOf(mails)).toEqual(["bo@example.com"]);
  expect(mails[0]?.headers.has("bcc")).toBe(false);
  expect(receiver.received.at(-1)?.to).toBe("bo@example.com");
});

describe("a pack by mail", () => {
  const pack = async (recipients: string[], more: object = {}) => {
    const brief = (await call("POST", "/app/briefs", { name: "Trailer", status: "open" })).body.data;
    const body = {
      name: "For the trailer",
      trackIds: [trackId],
      recipients,
      mail: { message: "Have a listen" },
      ...more,
    };
    return call("POST", `/app/briefs/${brief.id}/pack`, body);
  };

  test("brings each recipient a link of their own", async () => {
    const sent = await pack(["Bo", "Cy <cy@example.com>"], { recipientEmails: ["bo@example.com"] });
    const mails = await app.mails();

    expect(sent.body.data.links).toMatchObject([
      { recipient: "Bo", recipientEmail: "bo@example.com" },
      { recipient: "Cy <cy@example.com>", recipientEmail: "cy@example.com" },
    ]);
    expect(addressesOf(mails).sort()).toEqual(["bo@example.com", "cy@example.com"]);
    for (const [n, mail] of mails.entries()) expect(mail.text).toContain(sent.body.data.links[n].url);
    expect(mails[0]?.subject).toBe("Someone sent you “For the trailer”");
  });

  test.each([
    ["one recipient has no address", ["Bo <bo@example.com>", "Cy"], "validation_failed"],
    ["two have the same", ["Bo <bo@example.com>", "Cy <bo@example.com>"], "validation_failed"],
    ["one wants no mail", ["Bo <bo@example.com>", "Di <di@example.com>"], "mail_stopped"],
  ])("makes and sends nothing when %s", async (_, recipients, code) => {
    await call("PUT", "/app/mail-marks", { email: "di@example.com", doesNotArrive: true });
    const { body } = await pack(recipients);

    expect(body.messageCode).toBe(code);
    expect((await call("GET", "/app/shares")).body.data).toEqual([]);
    expect((await call("GET", "/app/library/playlists")).body.data).toEqual([]);
    expect(await app.mails()).toEqual([]);
  });
});
