import { afterAll, beforeAll, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import type { LibraryId } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { type NewMail, writeMail } from "../../src/modules/mail/outbox/outbox.ts";
import { stopUrl } from "../../src/modules/mail/outbox/stops.ts";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import { tidyHourly } from "../../src/upkeep.ts";
import type { Json } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
import { createMailApp, type MailApp } from "./mail-app.ts";

let receiver: MailReceiver;
let app: MailApp;
let operatorEmail: string;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
  operatorEmail = app.createAccount().email;
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** Sessions of before the clock was moved have ended. */
function signInOperator() {
  const account = getAccountByEmail(app.deps, operatorEmail);
  return app.signedIn(beginSession(app.deps, account, { ip: "test", userAgent: null }).token);
}
const CONTENT = { fromName: null, replyTo: null, text: "Listen", html: "", headers: {}, logo: null };

function write(mail: Pick<NewMail, "accountId" | "kind"> & Partial<NewMail> & { email: string }): void {
  const { email, ...rest } = mail;
  const to = { email, name: null };
  transact(
    app.deps.db,
    (tx) =>
      void writeMail(
        { ...app.deps, db: tx },
        { subject: "S", dedupe: `${rest.kind} ${email}`, content: CONTENT, to, ...rest },
      ),
  );
}
const kept = (): Json[] =>
  app.deps.db.$client
    .query<{ mail: string; body: Uint8Array | null }, []>(
      "SELECT to_email AS mail, body IS NOT NULL AS says FROM mails ORDER BY seq",
    )
    .all();

test("what became of mails is kept for 90 days, of reminders as long as their link, and what they say until they end", async () => {
  const { accountId, token } = app.createAccount();
  const [trackId = ""] = addTracks(app, accountId, [{ title: "Dawn" }]);
  const web = app.signedIn(token);
  const share = (await web("POST", "/app/shares", { trackId, recipient: "Bo" })).body.data;
  write({ accountId: accountId as LibraryId, kind: "link", email: "bo@example.com", shareId: share.id });
  write({
    accountId: accountId as LibraryId,
    kind: "reminder",
    email: "again@example.com",
    shareId: share.id,
  });
  write({
    accountId: accountId as LibraryId,
    kind: "link",
    email: "later@example.com",
    shareId: share.id,
    dueAt: app.clock.now() + 120 * DAY_MS,
  });
  await app.mails();

  app.clock.advance(89 * DAY_MS);
  await tidyHourly(app.deps);
  const before = kept();
  app.clock.advance(2 * DAY_MS);
  await tidyHourly(app.deps);

  expect(before).toEqual([
    { mail: "bo@example.com", says: 0 },
    { mail: "again@example.com", says: 0 },
    { mail: "later@example.com", says: 1 },
  ]);
  expect(kept()).toEqual(before.slice(1));
  app.deps.db.$client.run("DELETE FROM shares WHERE id = ?", [share.id]);
  await tidyHourly(app.deps);
  expect(kept()).toEqual(before.slice(2));
  app.deps.db.$client.run("DELETE FROM mails");
});

test("what nobody can decide about, or is of no use, says nothing any more", async () => {
  const { accountId } = app.createAccount();
  write({ accountId: null, kind: "password", email: "reset@example.com" });
  write({
    accountId: accountId as LibraryId,
    kind: "invitation",
    email: "late@example.com",
    expiresAt: app.clock.now() + HOUR_MS,
  });
  write({ accountId: accountId as LibraryId, kind: "invitation", email: "bo@example.com" });
  app.deps.db.$client.run("UPDATE mails SET state = 'unsure', due_at = NULL, ended_at = ?", [
    app.clock.now(),
  ]);
  app.clock.advance(2 * HOUR_MS);

  await tidyHourly(app.deps);

  expect(kept()).toEqual([
    { mail: "reset@example.com", says: 0 },
    { mail: "late@example.com", says: 0 },
    { mail: "bo@example.com", says: 1 },
  ]);
  app.deps.db.$client.run("DELETE FROM mails");
});

test("what the server wrote to somebody goes with their sign-in, and what libraries wrote stays theirs", async () => {
  const operator = signInOperator();
  const { accountId } = app.createAccount();
  const { personId, token } = addMember(app, accountId, { role: "producer" });
  const email = `${personId}@example.com`;
  write({ accountId: null, kind: "password", email });
  write({ accountId: accountId as LibraryId, kind: "digest", email });
  app.deps.db.$client.run(
    "UPDATE people SET password_hash = (SELECT password_hash FROM people WHERE password_hash IS NOT NULL LIMIT 1) WHERE id = ?",
    [personId],
  );

  const gone = await app.signedIn(token)("DELETE", "/app/account", {
    currentPassword: "correct horse battery",
  });

  expect(gone.status).toBe(200);
  expect(kept()).toEqual([{ mail: email, says: 1 }]);
  const erased = await operator("DELETE", `/app/accounts/${accountId}`, { email: ownerOf(accountId) });
  expect([erased.status, kept()]).toEqual([200, []]);
});

const ownerOf = (accountId: string): string =>
  app.deps.db.$client
    .query<{ email: string }, [string]>(
      "SELECT p.email FROM people p JOIN members m ON m.person_id = p.id WHERE m.account_id = ?",
    )
    .get(accountId)?.email ?? "";

test("mail of a library that was deleted can still be stopped, and all mail of the server too", async () => {
  const operator = signInOperator();
  const { accountId, email } = app.createAccount();
  const { pathname } = new URL(
    stopUrl(app.deps, { email: "bo@example.com", accountId: accountId as LibraryId }),
  );
  await operator("DELETE", `/app/accounts/${accountId}`, { email });
  const press = (body: string) =>
    app.request(pathname, {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

  const [page, one, all] = [await app.request(pathname), await press("all=false"), await press("all=true")];

  expect([page.status, one.status, all.status]).toEqual([200, 200, 200]);
  expect(await page.text()).toContain("a library that is no longer here");
  expect(app.deps.db.$client.query("SELECT email, account_id AS accountId FROM mail_stops").all()).toEqual([
    { email: "bo@example.com", accountId: null },
  ]);
});
