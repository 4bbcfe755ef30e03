import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

const DAY_MS = 86_400_000;
/** Nothing is sent here. */
const mail = {
  ...{ host: "127.0.0.1", port: 1, isTls: false, needsTls: false, user: undefined, password: undefined },
  ...{ from: { name: null, address: "music@label.example" }, perDay: 200 },
};

let app: TestApp;
let accountId: string;
let web: ReturnType<TestApp["signedIn"]>;
let ben: string;
let trackId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { mail } });
});
afterAll(() => app.close());
beforeEach(async () => {
  const account = app.createAccount();
  accountId = account.accountId;
  web = app.signedIn(account.token);
  ben = await composer({ fullName: "Ben <b>Rio</b>", email: "ben@example.com", pro: "GEMA" });
  trackId = addTrackRows(app.deps.db, accountId, { name: "Night Drive.wav" }).id;
  const ada = await composer({ fullName: "Ada Secret", email: "ada@example.com" });
  const shareholders = [
    { shareholderId: ben, share: 50, role: "Composer" },
    { shareholderId: ada, share: 50, role: "Composer" },
  ];
  await web("PUT", `/app/library/tracks/shareholders?id=${trackId}`, { shareholders });
});

const composer = async (body: object): Promise<string> =>
  (await web("POST", "/app/composers", body)).body.data.id;
const ask = async (body: object = { trackIds: [trackId] }): Promise<Json> =>
  (await web("POST", `/app/composers/${ben}/ask`, body)).body.data;
const pathOf = ({ url }: Json): string => new URL(url).pathname;
const open = (path: string, init: RequestInit & { peer?: string } = {}) => app.request(path, init);
const send = (path: string, fields: Record<string, string>) =>
  open(path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { origin: "http://127.0.0.1:4747" },
  });
const suggestions = async (): Promise<Json> =>
  (await web("GET", `/app/composers/${ben}/suggestions`)).body.data;
const decide = (requestId: string, take: string[]) =>
  web("POST", `/app/composers/${ben}/suggestions/${requestId}`, { take });

describe("a composer who is asked", () => {
  test("sees their own lines and the shares asked about, and nothing of anybody else", async () => {
    addTrackRows(app.deps.db, accountId, { name: "Other.wav" });
    const response = await open(pathOf(await ask()));
    const html = await response.text();

    expect(response.status).toBe(200);
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
    expect(response.headers.get("x-robots-tag")).toContain("noindex");
    expect(html).toContain("Your details for");
    expect(html).toContain("Your share of “Night Drive” (Composer): 50 %");
    expect(html).toContain("ben@example.com");
    expect(html).not.toMatch(/Ada Secret|Other|<b>Rio|<script/);
  });

  test("sends a suggestion that changes nothing until somebody takes it", async () => {
    const link = await ask();
    const path = pathOf(link);
    const thanked = await send(path, {
      ...{ fullName: "Ben Rio", pro: "GEMA", ipi: "00017798450", email: "Ben@New.example", "share-0": "no" },
      note: "It is 60 %",
    });
    expect(thanked.headers.get("referrer-policy")).toBe("no-referrer");
    const before = (await web("GET", `/app/composers/${ben}`)).body.data;
    const [suggestion] = await suggestions();
    const told = (await web("GET", "/app/library/notifications")).body.data;
    const taken = await decide(suggestion.requestId, ["ipi", "email"]);

    expect(before).toMatchObject({ ipi: null, email: "ben@example.com" });
    expect(suggestion).toMatchObject({
      answeredAt: expect.any(String),
      offered: [
        { field: "fullName", from: "Ben <b>Rio</b>", to: "Ben Rio" },
        { field: "email", from: "ben@example.com", to: "ben@new.example" },
        { field: "ipi", from: null, to: "00017798450" },
      ],
      shares: [{ trackId, title: "Night Drive", role: "Composer", share: 50, isRight: false }],
      note: "It is 60 %",
    });
    expect(JSON.stringify(told)).toContain("sent their details");
    expect(taken.body.data).toMatchObject({
      fullName: "Ben <b>Rio</b>",
      ipi: "00017798450",
      email: "ben@new.example",
    });
    expect(await suggestions()).toEqual([]);
    expect((await open(path)).status).toBe(404);
    expect((await decide(suggestion.requestId, [])).status).toBe(404);
  });

  test("is told which field is wrong, and loses nothing that was typed", async () => {
    const path = pathOf(await ask());
    const refused = await send(path, { pro: "My own words", ipi: "00017798451" });
    const html = await refused.text();

    expect(refused.status).toBe(400);
    expect(html).toContain("IPI has check digits that do not fit");
    expect(html).toContain("My own words");
    expect((await suggestions())[0]).toMatchObject({ answeredAt: null, offered: [] });
  });

  test("may correct what they sent until somebody decides", async () => {
    const path = pathOf(await ask());
    await send(path, { publisher: "First" });
    await send(path, { publisher: "Second" });

    expect((await suggestions()).map(({ offered }: Json) => offered)).toEqual([
      [{ field: "publisher", from: null, to: "Second" }],
    ]);
  });
});

describe("a link to one's own details", () => {
  test("works for fourteen days, and gives way to the next one", async () => {
    const [first, second] = [pathOf(await ask()), pathOf(await ask())];

    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200]);
    app.clock.advance(14 * DAY_MS);
    expect((await open(second)).status).toBe(404);
  });

  test("cannot be found by trying: after ten wrong ones the client waits", async () => {
    const path = pathOf(await ask());
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++)
      statuses.push((await open(`/supply/wrong${n}`, { peer: "192.0.2.7" })).status);

    expect([statuses[9], statuses[10]]).toEqual([404, 429]);
    expect((await open(path, { peer: "192.0.2.7" })).status).toBe(429);
    expect((await open(path)).status).toBe(200);
  });

  test("goes with its composer, and is nobody else's", async () => {
    const path = pathOf(await ask());
    const [{ requestId }] = await suggestions();
    const other = app.signedIn(app.createAccount().token);

    for (const [method, each, body] of [
      ["POST", `/app/composers/${ben}/ask`, {}],
      ["GET", `/app/composers/${ben}/suggestions`, undefined],
      ["POST", `/app/composers/${ben}/suggestions/${requestId}`, { take: [] }],
    ] as const)
      expect((await other(method, each, body)).status).toBe(404);
    expect(await web("POST", `/app/composers/${ben}/ask`, { trackIds: ["trk_none"] })).toMatchObject({
      status: 404,
    });
    await web("DELETE", `/app/library/composers?id=${ben}`);
    expect((await open(path)).status).toBe(404);
    expect(app.deps.db.$client.query("SELECT 1 FROM supply_requests WHERE composer_id = ?").all(ben)).toEqual(
      [],
    );
  });

  test("goes along to whom a composer is merged into", async () => {
    const path = pathOf(await ask());
    await send(path, { ipi: "00017798450" });
    const kept = await composer({ fullName: "Ben Rio" });
    await web("POST", `/app/composers/${kept}/merge`, { composerId: ben });
    const { data } = (await web("GET", `/app/composers/${kept}/suggestions`)).body;

    expect(data.map(({ offered }: Json) => offered.map(({ field }: Json) => field))).toEqual([["ipi"]]);
  });

  test("goes out by mail where the server sends mails and the composer has an address", async () => {
    const sent = await ask({ trackIds: [trackId], mail: true, message: "For the registration" });
    const nameless = await composer({ fullName: "Cy" });
    const refused = await web("POST", `/app/composers/${nameless}/ask`, { mail: true });
    const [row] = app.deps.db.$client
      .query<Json, [string]>("SELECT kind, to_email, subject FROM mails WHERE account_id = ?")
      .all(accountId);

    expect(sent.mailed).toBe(true);
    expect(row).toMatchObject({ kind: "supply", to_email: "ben@example.com" });
    expect(refused.status).toBe(400);
    expect((await web("GET", `/app/composers/${nameless}/suggestions`)).body.data).toEqual([]);
  });
});
