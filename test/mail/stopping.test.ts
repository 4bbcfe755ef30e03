import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { LibraryId } from "../../db/schema.ts";
import { isStopped, stopUrl } from "../../src/modules/mail/outbox/stops.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

const EMAIL = "bo@example.com";
const FORM = "application/x-www-form-urlencoded";

let app: TestApp;
let library: LibraryId;
let other: LibraryId;
beforeAll(async () => {
  app = await createTestApp({});
  library = app.createAccount("mara@label.example").accountId as LibraryId;
  other = app.createAccount("jo@label.example").accountId as LibraryId;
});
afterAll(() => app.close());
beforeEach(() => app.deps.db.$client.exec("DELETE FROM mail_stops"));

const pathFor = (accountId: LibraryId) => new URL(stopUrl(app.deps, { email: EMAIL, accountId })).pathname;
const stopped = () => ({
  library: isStopped(app.deps.db, { email: EMAIL, accountId: library }),
  other: isStopped(app.deps.db, { email: EMAIL, accountId: other }),
});
const NOBODY = { library: false, other: false };
const ONE = { library: true, other: false };
const ALL = { library: true, other: true };

const multipart = () => {
  const form = new FormData();
  form.append("List-Unsubscribe", "One-Click");
  return form;
};

describe("mail of a library", () => {
  test.each([
    [
      "one click of a mail program",
      { body: "List-Unsubscribe=One-Click", headers: { "content-type": FORM } },
      ONE,
    ],
    ["one click sent in parts", { body: multipart() }, ONE],
    [
      "one click sent from a mail program's own site",
      {
        body: "List-Unsubscribe=One-Click",
        headers: { "content-type": FORM, origin: "https://mail.example.net", "sec-fetch-site": "cross-site" },
      },
      ONE,
    ],
    ["the page's first button", { body: "all=false", headers: { "content-type": FORM } }, ONE],
    ["the page's second button", { body: "all=true", headers: { "content-type": FORM } }, ALL],
    ["an empty form", { body: "", headers: { "content-type": FORM } }, ONE],
    ["no form at all", {}, ONE],
  ])("is stopped by %s, without a cookie", async (_, init, wanted) => {
    const response = await app.request(pathFor(library), { method: "POST", ...init });

    expect([response.status, response.headers.get("set-cookie"), stopped()]).toEqual([200, null, wanted]);
  });

  test.each(["GET", "HEAD"])("goes on when a program only looks (%s)", async (method) => {
    const response = await app.request(pathFor(library), { method });

    expect([response.status, stopped()]).toEqual([200, NOBODY]);
  });

  test("is asked about on a page that names the address and the library, and that no search engine keeps", async () => {
    const response = await app.request(pathFor(library));
    const html = await response.text();

    expect(html).toContain(EMAIL);
    expect(html).toContain("Stop mail from");
    expect(html).toContain("Stop all mail from this server");
    expect(response.headers.get("cache-control")).toContain("no-store");
  });

  test.each([
    ["a made-up link", () => "/mail/stop/AAAA"],
    ["a link that was cut off", () => pathFor(library).slice(0, -1)],
    [
      "a link with a letter changed",
      () => pathFor(library).replace(/.$/, (end) => (end === "A" ? "B" : "A")),
    ],
  ])("is not stopped by %s", async (_, path) => {
    const statuses = [];
    for (const method of ["GET", "POST"]) statuses.push((await app.request(path(), { method })).status);

    expect([statuses, stopped()]).toEqual([[403, 403], NOBODY]);
  });

  test("stays stopped when the link is pressed again, and stopping all of it covers every library", async () => {
    const press = (body: string) =>
      app.request(pathFor(library), { method: "POST", body, headers: { "content-type": FORM } });
    await press("all=false");
    await press("all=false");
    await press("all=true");

    expect(stopped()).toEqual(ALL);
  });

  test("is stopped for the address, however it is written", async () => {
    await app.request(pathFor(library), { method: "POST" });

    expect(isStopped(app.deps.db, { email: " BO@Example.com", accountId: library })).toBe(true);
  });

  test("is wanted again by a press on the same page, unless the library marked the address", async () => {
    const press = (body: string) =>
      app.request(pathFor(library), { method: "POST", body, headers: { "content-type": FORM } });
    for (const body of ["all=false", "all=true"]) {
      expect(await (await press(body)).text()).toContain("Get mail again");
      expect(await (await app.request(pathFor(library))).text()).toContain("gets no more mail");
      expect(await (await press("again=true")).text()).toContain("gets mail from");
      expect(stopped()).toEqual(NOBODY);
    }
    app.deps.db.$client.run(
      "INSERT INTO mail_stops (email, account_id, at, source) VALUES (?, ?, 0, 'owner')",
      [EMAIL, library],
    );
    await press("again=true");

    expect(stopped()).toEqual(ONE);
  });
});
