import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { mails } from "../../db/schema.ts";
import { DAY_MS, toIso } from "../../src/kernel/time.ts";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
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

const later = () => toIso(app.deps.now() + DAY_MS);

/** Sends a link to somebody; returns it. */
async function share(email = "bo@example.com", more: object = {}): Promise<Json> {
  const { status, body } = await call("POST", "/app/shares", {
    ...{ trackId, recipient: "Bo Berg", recipientEmail: email, mail: {} },
    ...more,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}
const waiting = () => share("bo@example.com", { notBefore: later(), mail: { when: "open" } });
const listed = async (query = "") => (await call("GET", `/app/mails${query}`)).body.data as Json[];
const act = async (id: string, what: "cancel" | "again") => call("POST", `/app/mails/${id}/${what}`);
const mark = (doesNotArrive: boolean) =>
  call("PUT", "/app/mail-marks", { email: "bo@example.com", doesNotArrive });

describe("the mails of a library", () => {
  test("are listed with what became of them, and never with what they said", async () => {
    const link = await share();
    await share("nobody@example.com");
    await app.mails();
    const other = app.signedIn(app.createAccount().token);

    const [refused, sent] = await listed();
    expect(sent).toMatchObject({
      kind: "link",
      state: "sent",
      toEmail: "bo@example.com",
      toName: "Bo Berg",
      shareId: link.id,
      code: 250,
      stopped: null,
      mayGoAgain: false,
    });
    expect(refused).toMatchObject({ state: "refused", code: 550, mayGoAgain: true });
    expect(await listed(`?shareId=${link.id}`)).toEqual([sent]);
    expect(await listed("?state=refused")).toEqual([refused]);
    expect((await other("GET", "/app/mails")).body.data).toEqual([]);
    expect((await other("POST", `/app/mails/${sent?.id}/cancel`)).status).toBe(404);
    expect((await other("POST", `/app/mails/${refused?.id}/again`)).status).toBe(404);
  });

  test("come page by page", async () => {
    for (const n of [1, 2, 3]) await share(`${n}@example.com`);
    const first = await call("GET", "/app/mails?limit=2");
    const rest = await call("GET", `/app/mails?limit=2&cursor=${first.body.paging.next_cursor}`);

    const names = [...first.body.data, ...rest.body.data].map(({ toEmail }: Json) => toEmail);
    expect(names).toEqual(["3@example.com", "2@example.com", "1@example.com"]);
    await app.mails();
  });

  test("are closed to artists and listeners", async () => {
    for (const role of ["artist", "listener"] as const) {
      const member = app.signedIn(addMember(app, accountId, { role }).token);
      expect((await member("GET", "/app/mails")).status).toBe(403);
    }
  });
});

describe("a mail that waits", () => {
  test("is cancelled by hand, and the link can be sent anew", async () => {
    const link = await waiting();
    const [mail] = await listed();
    const cancelled = await act(mail?.id, "cancel");

    expect(cancelled.body.data).toMatchObject({ state: "cancelled", answer: "Cancelled", dueAt: null });
    expect((await act(mail?.id, "cancel")).status).toBe(200);
    expect((await call("PATCH", `/app/shares/${link.id}`, { mail: {} })).status).toBe(200);
    expect(addressesOf(await app.mails())).toEqual(["bo@example.com"]);
  });

  test("is not cancelled any more once it has gone", async () => {
    await share();
    await app.mails();
    const [mail] = await listed();

    expect((await act(mail?.id, "cancel")).body.messageCode).toBe("invalid_transition");
    expect((await act(mail?.id, "again")).body.messageCode).toBe("invalid_transition");
  });

  test("does not arrive when it is cancelled while the relay asks for it", async () => {
    const slow = await receiveMails({
      onMailFrom(_address, _session, done) {
        void listed().then(([mail]) => act(mail?.id, "cancel").then(() => done()));
      },
    });
    await share();
    await app.mails(slow.port);

    expect(slow.received).toEqual([]);
    expect((await listed())[0]).toMatchObject({ state: "cancelled" });
    await slow.close();
  });
});

describe("a mail that was refused", () => {
  test("is told to its sender alone, without the address, and goes again as the same mail", async () => {
    const producer = addMember(app, accountId, { role: "producer" });
    const owner = call;
    call = app.signedIn(producer.token);
    await share("nobody@example.com");
    await app.mails();
    const told = async (who: typeof call) =>
      ((await who("GET", "/app/notifications")).body.data as Json[]).filter(
        ({ kind }) => kind === "mail.refused",
      );

    expect(await told(call)).toMatchObject([
      {
        title: "The mail to Bo Berg was refused: 550 5.1.1 No such mailbox",
        entityKey: "track",
        entityId: trackId,
      },
    ]);
    expect(await told(owner)).toEqual([]);
    const [mail] = await listed();
    expect((await act(mail?.id, "again")).body.data).toMatchObject({ state: "waiting", mayGoAgain: false });
    await app.mails();
    expect((await listed())[0]).toMatchObject({ id: mail?.id, state: "refused" });
  });

  test("goes to nobody who wants no mail", async () => {
    await share("nobody@example.com");
    await app.mails();
    await call("PUT", "/app/mail-marks", { email: "nobody@example.com", doesNotArrive: true });
    const [mail] = await listed();

    expect((await act(mail?.id, "again")).body.messageCode).toBe("mail_stopped");
  });
});

test("a mail that may have arrived goes again when a person says so, once", async () => {
  await share();
  app.deps.db
    .update(mails)
    .set({ state: "unsure", unsure: 2, dueAt: null })
    .where(eq(mails.accountId, accountId as never))
    .run();
  const [mail] = await listed();
  expect(mail).toMatchObject({ state: "unsure", mayGoAgain: true });
  await act(mail?.id, "again");

  expect(addressesOf(await app.mails())).toEqual(["bo@example.com"]);
  expect((await act(mail?.id, "again")).body.messageCode).toBe("invalid_transition");
});

describe("an address at which no mail arrives", () => {
  test("is marked: what waits is cancelled, and nothing new is sent until the mark is taken back", async () => {
    await waiting();
    await mark(true);
    const refused = await call("POST", "/app/shares", {
      trackId,
      recipient: "Bo <bo@example.com>",
      mail: {},
    });
    app.clock.advance(2 * DAY_MS);

    expect(refused.body).toMatchObject({ statusCode: 409, messageCode: "mail_stopped" });
    expect(await app.mails()).toEqual([]);
    expect((await listed())[0]).toMatchObject({
      state: "cancelled",
      answer: "Marked: no mail arrives there",
      stopped: "library",
    });
    expect((await call("GET", "/app/mail-marks")).body.data).toMatchObject([{ email: "bo@example.com" }]);
    await mark(false);
    await share();
    expect(addressesOf(await app.mails())).toEqual(["bo@example.com"]);
  });

  test("stays stopped once its owner asked for that, whatever the library marks", async () => {
    await share();
    const [mail] = await app.mails();
    await mark(true);
    const path = /\/mail\/stop\/[\w-]+/.exec(mail?.text ?? "")?.[0] ?? "";
    await app.request(path, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    await mark(false);

    expect((await listed())[0]).toMatchObject({ stopped: "recipient" });
    expect((await call("GET", "/app/mail-marks")).body.data).toEqual([]);
  });

  test("is marked for one library, and for nobody by a wrong address", async () => {
    await mark(true);
    call = app.signedIn(app.createAccount().token);

    expect((await call("GET", "/app/mail-marks")).body.data).toEqual([]);
    const wrong = await call("PUT", "/app/mail-marks", {
      email: "bo@example.com,x@y.z",
      doesNotArrive: true,
    });
    expect(wrong.status).toBe(400);
  });
});
