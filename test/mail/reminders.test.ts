import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, toIso } from "../../src/kernel/time.ts";
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
let token: string;
let call: ReturnType<MailApp["signedIn"]>;
let trackId: string;
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  token = account.token;
  call = app.signedIn(token);
  trackId = addTrackRows(app.deps.db, accountId, { name: "Night Drive.wav" }).id;
});

async function share(name: string, more: object = {}): Promise<Json> {
  const who = { recipient: name, recipientEmail: `${name.toLowerCase()}@example.com` };
  const { status, body } = await call("POST", "/app/shares", { trackId, ...who, mail: {}, ...more });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}
const unopened = async (query = "") =>
  ((await call("GET", `/app/links/unopened${query}`)).body.data as Json[]).map(({ recipient }) => recipient);
const remind = (shareIds: string[], more: object = {}) =>
  call("POST", "/app/shares/remind", { shareIds, ...more });
/** Lets days go by, at whose end somebody signs in anew. */
function wait(days: number): void {
  app.clock.advance(days * DAY_MS);
}

/** Opens a link as a browser does that shows it. */
async function open(url: string): Promise<void> {
  const { pathname } = new URL(url);
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", accept: "text/html" };
  const page = await app.request(pathname, { headers });
  const cookie = page.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  await app.request(`${pathname}/seen`, { method: "POST", headers: { ...headers, cookie } });
  await app.request(`${pathname}/seen`, { headers: { ...headers, cookie } });
}

describe("links that nobody has opened", () => {
  test("are listed a week after their mail, without those that were opened, have ended or open later", async () => {
    const [bo, cy] = [await share("Bo"), await share("Cy")];
    await share("Di", { expiresAt: toIso(app.deps.now() + DAY_MS) });
    await share("Ed", { notBefore: toIso(app.deps.now() + 4 * DAY_MS) });
    await share("Fo", { mail: undefined });
    const gone = await share("Gu");
    await app.mails();
    await call("DELETE", `/app/shares/${gone.id}`);
    await open(cy.url);
    wait(6);
    expect(await unopened()).toEqual([]);
    wait(1);

    expect(await unopened()).toEqual(["Bo"]);
    expect(await unopened("?days=3")).toEqual(["Bo", "Ed"]);
    expect((await call("GET", "/app/links/unopened?days=2")).status).toBe(400);
    expect((await remind([bo.id, cy.id])).body).toMatchObject({
      statusCode: 409,
      data: { shareIds: [cy.id] },
    });
    expect(await app.mails()).toEqual([]);
  });

  test("are reminded of once, with the sender's words", async () => {
    const [bo, cy] = [await share("Bo"), await share("Cy")];
    await app.mails();
    wait(7);
    const { body } = await remind([bo.id, cy.id, bo.id], { message: "Did you get it?" });
    const mails = await app.mails();

    expect(body.data).toEqual({ sent: 2 });
    expect(addressesOf(mails).sort()).toEqual(["bo@example.com", "cy@example.com"]);
    expect(mails[0]?.subject).toBe("“Night Drive” is waiting for you");
    expect(mails[0]?.text).toContain("Did you get it?");
    wait(10);
    expect(await unopened()).toEqual([]);
    expect((await remind([bo.id])).body.messageCode).toBe("invalid_transition");
  });

  test("may be reminded of again when the reminder was cancelled before it went", async () => {
    const bo = await share("Bo");
    await app.mails();
    wait(7);
    await remind([bo.id]);
    const [mail] = (await call("GET", "/app/mails")).body.data;
    await call("POST", `/app/mails/${mail.id}/cancel`);

    expect(await app.mails()).toEqual([]);
    expect(await unopened()).toEqual(["Bo"]);
  });

  test("are another library's secret", async () => {
    const bo = await share("Bo");
    await app.mails();
    wait(7);
    call = app.signedIn(app.createAccount().token);

    expect(await unopened()).toEqual([]);
    expect((await remind([bo.id])).body.messageCode).toBe("share_not_found");
  });

  test("of somebody who stopped mail are not listed", async () => {
    await share("Bo");
    await app.mails();
    await call("PUT", "/app/mail-marks", { email: "bo@example.com", doesNotArrive: true });
    wait(7);

    expect(await unopened()).toEqual([]);
  });
});

describe("a mail that is looked at first", () => {
  const look = async (body: object) => {
    const answer = await call("POST", "/app/mails/preview", body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.data as Json;
  };
  const recipients = [{ recipient: "Bo Berg", recipientEmail: "bo@example.com" }];
  /** Without what is made when it is sent. */
  const bare = (text: string) =>
    text.replace(/\/(track|playlist|submit)\/[\w-]+/g, "/link").replace(/\/stop\/[\w-]+/g, "/stop");

  test("is what goes out, and sends nothing", async () => {
    const mail = { message: "For <you> & yours", replyTo: true };
    const seen = await look({ kind: "link", trackId, recipients, ...mail, expiresAt: "2099-12-24" });
    expect(await app.mails()).toEqual([]);
    await share("Bo", { recipient: "Bo Berg", mail, expiresAt: "2099-12-24" });
    const [sent] = await app.mails();

    expect(seen).toMatchObject({
      from: "Someone via Dubplate <music@label.example>",
      subject: sent?.subject,
      replyTo: sent?.replyTo?.value[0]?.address,
      recipients: [{ name: "Bo Berg", email: "bo@example.com", takesMail: true }],
    });
    expect(bare(seen.html)).toBe(bare((sent?.html || "").trimEnd()));
    expect(bare(seen.text).trimEnd()).toBe(bare(sent?.text ?? "").trimEnd());
  });

  test("shows a pack, a request for music and a reminder", async () => {
    const pack = await look({ kind: "pack", name: "For Bo", trackIds: [trackId], recipients });
    const brief = (await call("POST", "/app/briefs", { name: "Trailer", status: "open" })).body.data;
    const asked = await look({ kind: "brief", briefId: brief.id, recipients });
    const link = await share("Bo");
    const again = await look({ kind: "reminder", shareIds: [link.id] });

    expect(pack.text).toContain("- Night Drive");
    expect([pack, asked, again].map(({ subject }) => subject)).toEqual([
      "Someone sent you “For Bo”",
      "Someone is looking for music: Trailer",
      "“Night Drive” is waiting for you",
    ]);
    expect(again.recipients).toMatchObject([{ email: "bo@example.com" }]);
    await app.mails();
  });

  test("says who takes no mail, and shows nothing of another library", async () => {
    await call("PUT", "/app/mail-marks", { email: "bo@example.com", doesNotArrive: true });
    const seen = await look({ kind: "link", trackId, recipients });
    const other = app.signedIn(app.createAccount().token);
    const codes: string[] = [];
    for (const body of [
      { kind: "link", trackId },
      { kind: "pack", name: "x", trackIds: [trackId] },
      { kind: "reminder", shareIds: ["lnk_none"] },
      { kind: "brief", briefId: "brf_none" },
    ])
      codes.push((await other("POST", "/app/mails/preview", { ...body, recipients })).body.messageCode);

    expect(seen.recipients).toMatchObject([{ takesMail: false }]);
    expect(codes).toEqual(["track_not_found", "track_not_found", "share_not_found", "brief_not_found"]);
  });
});
