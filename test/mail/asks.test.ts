import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/time.ts";
import { pruneMails } from "../../src/modules/mail/outbox/service.ts";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
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

let call: ReturnType<MailApp["signedIn"]>;
let peers = 0;
beforeEach(() => {
  call = app.signedIn(app.createAccount().token);
});

async function makeBrief(settings: object = {}): Promise<string> {
  const brief = { name: "Trailer", status: "open", publicPage: true, ...settings };
  return (await call("POST", "/app/briefs", brief)).body.data.id;
}

const ask = (briefId: string, person: object) => call("POST", `/app/briefs/${briefId}/requests`, person);

/** Sends a link by the form of a page, as a browser without a script does. Returns where it leads. */
async function handIn(link: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  const filled = { name: "Ana", links: "https://example.com/one https://example.com/two", ...fields };
  for (const [name, value] of Object.entries(filled)) form.append(name, value);
  const response = await app.request(new URL(link).pathname, {
    method: "POST",
    body: form,
    headers: { origin: "https://music.example.com" },
    redirect: "manual",
    peer: `203.0.113.${++peers}`,
  });
  return { status: response.status, location: response.headers.get("location") };
}

const requestsOf = async (briefId: string) =>
  (await call("GET", `/app/briefs/${briefId}/requests`)).body.data;
const countOf = async (briefId: string) =>
  (await call("GET", `/app/briefs/${briefId}`)).body.data.requestCount;

describe("asking somebody for music by mail", () => {
  test("sends the link, the message and what is looked for, and says when the mail went out", async () => {
    const briefId = await makeBrief({ description: "Two minutes, no drums.", deadline: "2030-03-31" });

    const asked = await ask(briefId, {
      name: "Ana Silva",
      email: " Ana@Example.com ",
      message: "Your last one\nwas lovely.",
      mail: true,
    });
    const [mail, ...more] = await app.mails();

    const at = new Date(app.clock.now()).toISOString();
    const waiting = { id: expect.stringMatching(/^mail_/), state: "waiting", code: null, answer: null, at };
    expect(asked.body.data).toMatchObject({ email: "ana@example.com", mail: waiting });
    expect(more).toEqual([]);
    const text = mail?.text ?? "";
    expect(mail).toMatchObject({
      subject: "Someone is looking for music: Trailer",
      to: { value: [{ address: "ana@example.com", name: "Ana Silva" }] },
    });
    for (const words of [
      "Someone:\n> Your last one\n> was lovely.",
      "Two minutes, no drums.",
      `Send your music:\n${asked.body.data.link}`,
      "Music is taken until the end of 31 March 2030 (UTC).",
    ])
      expect(text).toContain(words);
    expect(mail?.html).toContain(`href="${asked.body.data.link}"`);
    const [request] = await requestsOf(briefId);
    expect(request).toEqual({
      ...asked.body.data,
      mail: { ...asked.body.data.mail, state: "sent", code: 250, answer: expect.any(String) },
    });
    expect(await countOf(briefId)).toBe(1);
  });

  test("does not count who could not be reached, unless they came by the link all the same", async () => {
    const briefId = await makeBrief();
    const { link } = (await ask(briefId, { email: "nobody@example.com", mail: true })).body.data;
    await ask(briefId, { email: "ana@example.com", mail: true });
    await ask(briefId, { email: "bea@example.com" });
    const before = await countOf(briefId);
    await app.mails();

    expect([before, await countOf(briefId)]).toEqual([3, 2]);
    expect((await call("GET", "/app/briefs")).body.data[0].requestCount).toBe(2);
    expect((await requestsOf(briefId)).map(({ mail }: Json) => mail && [mail.state, mail.code])).toEqual([
      null,
      ["sent", 250],
      ["refused", 550],
    ]);
    await handIn(link);
    expect(await countOf(briefId)).toBe(3);
  });

  test("says whom it reached as long as the brief is there", async () => {
    const [briefId, deleted] = [await makeBrief(), await makeBrief()];
    for (const id of [briefId, deleted]) await ask(id, { email: "nobody@example.com", mail: true });
    await app.mails();
    await call("DELETE", `/app/briefs/${deleted}`);
    pruneMails({ db: app.deps.db, now: () => app.clock.now() + 100 * DAY_MS });

    expect(await countOf(briefId)).toBe(0);
    expect((await requestsOf(briefId))[0].mail).toMatchObject({ state: "refused", code: 550 });
    const said =
      "SELECT count(*) AS total FROM mails WHERE to_email = 'nobody@example.com' AND body IS NOT NULL";
    expect(app.deps.db.$client.query(said).get()).toEqual({ total: 0 });
    const left =
      "SELECT count(*) AS total FROM mails WHERE to_email = 'nobody@example.com' AND request_id IS NULL";
    expect(app.deps.db.$client.query(left).get()).toEqual({ total: 0 });
  });

  test("asks an address once in seven days for a brief", async () => {
    const [briefId, other] = [await makeBrief(), await makeBrief()];
    const person = { email: "ana@example.com", mail: true };
    await ask(briefId, person);
    app.clock.advance(6 * DAY_MS);

    const again = await ask(briefId, person);
    expect(again).toMatchObject({ status: 429, body: { messageCode: "mail_limit" } });
    expect(again.headers.get("retry-after")).toBe(String(24 * 3600));
    expect(await requestsOf(briefId)).toHaveLength(1);
    expect((await ask(other, person)).status).toBe(200);
    expect((await ask(briefId, { email: "ana@example.com" })).status).toBe(200);
    app.clock.advance(DAY_MS);
    expect((await ask(briefId, person)).status).toBe(200);
    await app.mails();
  });

  test("asks an address anew at once when the mail before was refused or cancelled", async () => {
    const briefId = await makeBrief();
    const person = { email: "nobody@example.com", mail: true };
    await ask(briefId, person);
    await app.mails();

    expect((await ask(briefId, person)).status).toBe(200);
    await app.mails();
  });

  test.each([
    ["without an address", { name: "Ana", mail: true }, 400, "validation_failed"],
    ["to two addresses", { email: "ana@example.com,bea@example.com", mail: true }, 400, "validation_failed"],
    [
      "to a name with a line break",
      { email: "a@example.com", name: "A\nBcc: b@c.d", mail: true },
      400,
      "validation_failed",
    ],
    [
      "with a control character",
      { email: "a@example.com", message: "A\u0007", mail: true },
      400,
      "validation_failed",
    ],
  ])("is refused %s, and keeps nothing", async (_, person, status, messageCode) => {
    const briefId = await makeBrief();

    expect(await ask(briefId, person)).toMatchObject({ status, body: { messageCode } });
    expect(await requestsOf(briefId)).toEqual([]);
    expect(await app.mails()).toEqual([]);
  });

  test("is refused for a brief that takes nothing, and for another library's", async () => {
    const person = { email: "ana@example.com", mail: true };
    for (const settings of [{ status: "draft" }, { deadline: "2020-01-01" }])
      expect(await ask(await makeBrief(settings), person)).toMatchObject({
        status: 409,
        body: { messageCode: "brief_not_open" },
      });
    const stranger = app.signedIn(app.createAccount().token);
    expect(await stranger("POST", `/app/briefs/${await makeBrief()}/requests`, person)).toMatchObject({
      status: 404,
      body: { messageCode: "brief_not_found" },
    });
    expect(await app.mails()).toEqual([]);
  });

  test.each([
    [
      "closed",
      (id: string) => call("PATCH", `/app/briefs/${id}`, { status: "closed" }),
      "The brief is closed",
    ],
    [
      "past its deadline",
      (id: string) => call("PATCH", `/app/briefs/${id}`, { deadline: "2020-01-01" }),
      "The brief is closed",
    ],
  ])("is cancelled when the brief is %s before it went out", async (_, end, answer) => {
    const briefId = await makeBrief();
    await ask(briefId, { email: "ana@example.com", mail: true });
    await end(briefId);

    expect(await app.mails()).toEqual([]);
    expect((await requestsOf(briefId))[0].mail).toMatchObject({ state: "cancelled", answer });
  });

  test("stays cancelled when the brief is opened again", async () => {
    const briefId = await makeBrief();
    await ask(briefId, { email: "ana@example.com", mail: true });
    await call("PATCH", `/app/briefs/${briefId}`, { status: "closed" });
    const [request] = await requestsOf(briefId);
    await call("PATCH", `/app/briefs/${briefId}`, { status: "open" });

    expect(request.mail).toMatchObject({ state: "cancelled", answer: "The brief is closed" });
    expect(await app.mails()).toEqual([]);
    expect((await ask(briefId, { email: "ana@example.com", mail: true })).status).toBe(200);
    expect(addressesOf(await app.mails())).toEqual(["ana@example.com"]);
  });

  test("goes to nobody when the brief was deleted", async () => {
    const briefId = await makeBrief();
    await ask(briefId, { email: "ana@example.com", mail: true });
    await call("DELETE", `/app/briefs/${briefId}`);

    expect(await app.mails()).toEqual([]);
  });

  test("ends with a stop of the library's mail, which leaves those of others", async () => {
    const briefId = await makeBrief();
    await ask(briefId, { email: "zoe@example.com", mail: true });
    const [mail] = await app.mails();
    const stop = /https:\S+\/mail\/stop\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    await app.request(stop, { method: "POST", body: ONE_CLICK });

    const other = await makeBrief();
    expect(await ask(other, { email: "Zoe@example.com", mail: true })).toMatchObject({
      status: 409,
      body: { messageCode: "mail_stopped" },
    });
    call = app.signedIn(app.createAccount().token);
    await ask(await makeBrief(), { email: "zoe@example.com", mail: true });
    expect(addressesOf(await app.mails())).toEqual(["zoe@example.com"]);
  });
});

/** What mail programs send to stop mail (RFC 8058). */
const ONE_CLICK = new URLSearchParams({ "List-Unsubscribe": "One-Click" });

describe("who was asked by a link of their own and sends music", () => {
  const linkFor = async (email: string | null, briefId?: string): Promise<string> =>
    (await ask(briefId ?? (await makeBrief()), { email, name: "Ana Silva" })).body.data.link;

  test("gets a mail that says what arrived, with the receipt", async () => {
    const { status } = await handIn(await linkFor("ana@example.com"));

    const [mail, ...more] = await app.mails();
    expect([status, more]).toEqual([303, []]);
    expect(mail).toMatchObject({
      subject: "Someone has your 2 songs",
      to: { value: [{ address: "ana@example.com", name: "Ana Silva" }] },
      from: { value: [{ address: "music@label.example", name: "Someone via Dubplate" }] },
    });
    expect(mail?.text).toContain("- https://example.com/two");
    const receipt = /https:\S+\/submit\/receipt\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    expect(await (await app.request(receipt)).text()).toContain("https://example.com/one");
    expect(mail?.headers.get("list")).toMatchObject({
      unsubscribe: { url: expect.stringContaining("/mail/stop/") },
    });
  });

  test("gets it also after the brief was closed, and not after it was deleted", async () => {
    const [closed, deleted] = [await makeBrief(), await makeBrief()];
    await handIn(await linkFor("ana@example.com", closed));
    await handIn(await linkFor("bea@example.com", deleted));
    await call("PATCH", `/app/briefs/${closed}`, { status: "closed" });
    await call("DELETE", `/app/briefs/${deleted}`);

    expect(addressesOf(await app.mails())).toEqual(["ana@example.com"]);
  });

  test("gets none at another address that they typed", async () => {
    await handIn(await linkFor(null), { email: "victim@example.com" });
    await handIn(await linkFor("ana@example.com"), { email: "victim@example.com" });
    const page = (await call("GET", `/app/briefs/${await makeBrief()}`)).body.data.publicUrl;
    await handIn(page, { email: "victim@example.com" });

    expect(await app.mails()).toEqual([]);
  });

  test("gets at most ten in a day", async () => {
    const link = await linkFor("ana@example.com");
    for (let n = 0; n < 12; n++) await handIn(link);
    expect(await app.mails()).toHaveLength(10);

    app.clock.advance(DAY_MS);
    await handIn(link);
    expect(await app.mails()).toHaveLength(1);
  });

  test("gets none after they asked not to be written to", async () => {
    const link = await linkFor("ana@example.com");
    await handIn(link);
    const [mail] = await app.mails();
    const stop = /https:\S+\/mail\/stop\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    await handIn(link);

    expect((await app.request(stop, { method: "POST", body: ONE_CLICK })).status).toBe(200);
    await handIn(link);
    expect(await app.mails()).toEqual([]);
  });
});
