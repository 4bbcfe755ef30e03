import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { noteMailTrouble } from "../../src/modules/whole/operator/service.ts";
import { createTestApp } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { createMailApp, type MailApp } from "./mail-app.ts";

let receiver: MailReceiver;
let app: MailApp;
let operator: ReturnType<MailApp["signedIn"]>;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
  operator = app.signedIn(app.createAccount("mara@label.example").token);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

describe("the operator", () => {
  test("sees where mails go, and how many wait", async () => {
    const { status, body } = await operator("GET", "/app/mail/server");

    expect([status, body.data]).toEqual([
      200,
      {
        server: `127.0.0.1:${receiver.port}`,
        sender: "music@label.example",
        perDay: 200,
        waiting: 0,
        lastRefusal: null,
      },
    ]);
  });

  test("sends a test to their own address, at once, and hears what the relay said", async () => {
    const { body } = await operator("POST", "/app/mail/test");

    expect(body.data).toEqual({
      ok: true,
      words: expect.stringMatching(/^127\.0\.0\.1:\d+ took the mail: 250 /),
      email: "mara@label.example",
    });
    const mail = await simpleParser(receiver.received.at(-1)?.source ?? "");
    expect(mail).toMatchObject({ subject: "A test of Dubplate" });
    expect(mail.text).toContain("https://music.example.com/library/settings/mail");
  });

  test.each([
    ["refuses the address", "nobody@label.example", / 550 5\.1\.1 No such mailbox$/],
    ["closes the connection", "closing@label.example", / 421 4\.3\.2 Closing down$/],
  ])("hears so when the relay %s", async (_, email, words) => {
    app.deps.db.$client.run("UPDATE people SET email = ? WHERE operator = 1", [email]);

    const { status, body } = await operator("POST", "/app/mail/test");

    expect([status, body.data.ok, body.data.email]).toEqual([200, false, email]);
    expect(body.data.words).toMatch(words);
  });

  test("hears so when no relay is there", async () => {
    const mail = { ...app.deps.settings.mail, port: 1 } as MailApp["deps"]["settings"]["mail"];
    const lonely = await createTestApp({ settings: { mail } });
    const call = lonely.signedIn(lonely.createAccount("mara@label.example").token);

    const { body } = await call("POST", "/app/mail/test");

    expect(body.data).toMatchObject({
      ok: false,
      words: expect.stringContaining("127.0.0.1:1: it does not answer"),
    });
    await lonely.close();
  });

  test("is told once that mails wait, and why, without the addresses that the relay names", async () => {
    const { settings } = app.deps;
    const mail = { ...settings.mail, port: 1 } as NonNullable<MailApp["deps"]["settings"]["mail"]>;
    const lonely = await createTestApp({ settings: { mail, publicUrl: "https://music.example.com" } });
    const call = lonely.signedIn(lonely.createAccount("mara@label.example").token);
    const { token } = lonely.createAccount("bo@label.example");
    const ask = { email: "bo@new.example", currentPassword: "correct horse battery" };
    await lonely.signedIn(token)("PATCH", "/app/account", ask);

    const sender = startMailSender(lonely.deps, mail, {
      onTrouble: (words) => noteMailTrouble(lonely.deps, words),
    });
    await sender.idle();
    await sender.stop();
    noteMailTrouble(lonely.deps, "it answers 550 5.7.1 <bo@new.example>: Relaying denied");

    const { body } = await call("GET", "/app/notifications");
    const words = "127.0.0.1:1: it answers 550 5.7.1 …: Relaying denied";
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual([`Mails wait: ${words}`]);
    const { data } = (await call("GET", "/app/mail/server")).body;
    expect(data).toMatchObject({ waiting: 2, lastRefusal: { words } });
    expect((await lonely.signedIn(token)("GET", "/app/notifications")).body.data).toEqual([]);
    await lonely.close();
  });

  test("is alone in this: others are refused, and without a relay there is nothing to see", async () => {
    const other = app.signedIn(app.createAccount("bo@label.example").token);
    const silent = await createTestApp();
    const owner = silent.signedIn(silent.createAccount().token);

    for (const [method, path] of [
      ["GET", "/app/mail/server"],
      ["POST", "/app/mail/test"],
    ] as const) {
      expect((await other(method, path)).status).toBe(403);
      const { status, body } = await owner(method, path);
      expect([status, body.messageCode]).toEqual([409, "mail_off"]);
    }
    await silent.close();
  });
});
