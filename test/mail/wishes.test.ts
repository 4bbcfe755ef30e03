import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
import { createMailApp, type MailApp } from "./mail-app.ts";

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

describe("what a member hears of by mail", () => {
  test("is nothing at first, and what they chose from then on", async () => {
    const { email, token } = app.createAccount();
    const call = app.signedIn(token);
    const kinds = ["submissions", "answers", "notes", "listens"];

    expect((await call("GET", "/app/mail-wishes")).body.data).toEqual({
      sendsMail: true,
      email,
      isStopped: false,
      every: "off",
      kinds,
      offered: kinds,
    });
    const changed = await call("PATCH", "/app/mail-wishes", {
      every: "daily",
      kinds: ["listens", "answers"],
    });
    expect(changed.body.data).toMatchObject({ every: "daily", kinds: ["answers", "listens"] });
    expect((await call("GET", "/app/mail-wishes")).body.data).toEqual(changed.body.data);
    await call("PATCH", "/app/mail-wishes", { every: "off" });
    expect((await call("GET", "/app/mail-wishes")).body.data).toMatchObject({
      every: "off",
      kinds: ["answers", "listens"],
    });
  });

  test("is offered by what their role shows them", async () => {
    const { accountId } = app.createAccount();
    const offeredTo = async (role: "producer" | "artist" | "listener", seesListening: boolean) => {
      const { token } = addMember(app, accountId, { role, listening: seesListening });
      return (await app.signedIn(token)("GET", "/app/mail-wishes")).body.data.offered;
    };

    expect(await offeredTo("producer", false)).toEqual(["submissions", "answers", "notes"]);
    expect(await offeredTo("artist", true)).toEqual(["notes", "listens"]);
    expect(await offeredTo("listener", false)).toEqual(["notes"]);
  });

  test("cannot be switched on where the address asked for no more mail", async () => {
    const { accountId, email, token } = app.createAccount();
    app.deps.db.$client.run(
      "INSERT INTO mail_stops (email, account_id, at, source) VALUES (?, ?, 0, 'link')",
      [email, accountId],
    );

    const refused = await app.signedIn(token)("PATCH", "/app/mail-wishes", { every: "daily" });

    expect([refused.status, refused.body.messageCode]).toEqual([409, "mail_stopped"]);
    expect((await app.signedIn(token)("GET", "/app/mail-wishes")).body.data).toMatchObject({
      every: "off",
      isStopped: true,
    });
  });

  test("cannot be chosen where no mails are sent", async () => {
    const silent = await createTestApp();
    const call = silent.signedIn(silent.createAccount().token);

    expect((await call("GET", "/app/mail-wishes")).body.data).toMatchObject({
      sendsMail: false,
      every: "off",
    });
    const refused = await call("PATCH", "/app/mail-wishes", { every: "daily" });
    expect([refused.status, refused.body.messageCode]).toEqual([409, "mail_off"]);
    await silent.close();
  });
});
