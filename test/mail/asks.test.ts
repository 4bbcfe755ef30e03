import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/time.ts";
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
