import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accounts, briefSubmissions, briefs, people } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { PlatformScope } from "../../src/kernel/scopes.ts";
import { DAY_MS, MINUTE_MS, toIso } from "../../src/kernel/time.ts";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

/** The clock of the test app. */
const NOW = Date.UTC(2026, 0, 15, 12);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.deps.db.delete(accounts).run();
  app.deps.db.delete(people).run();
});

function partner(...scopes: PlatformScope[]) {
  return app.as(createPlatformKey(app.deps, { name: "Partner", scopes, days: 30 }).key);
}
const requestsPartner = () => partner("platform:read:file-requests");
const accountsPartner = () => partner("platform:read:accounts");

function addBrief(ownerId: string, columns: Partial<typeof briefs.$inferInsert> = {}): string {
  const id = newId("brf");
  const createdAt = columns.createdAt ?? NOW - DAY_MS;
  app.deps.db
    .insert(briefs)
    .values({
      name: "Songs for a film",
      status: "open",
      token: newId("req"),
      publicPage: true,
      publicSince: createdAt,
      updatedAt: createdAt,
      ...columns,
      createdAt,
      id,
      ownerId,
    })
    .run();
  return id;
}

/** Adds a submission of `items` links. */
function send(
  briefId: string,
  createdAt: number,
  {
    kind = "free",
    items = 1,
    by = null,
  }: { kind?: "free" | "paid"; items?: number; by?: string | null } = {},
): void {
  const batchId = newId("bat");
  const row = { briefId, batchId, type: "link", link: "https://example.com/", kind, createdAt } as const;
  for (let item = 0; item < items; item++)
    app.deps.db
      .insert(briefSubmissions)
      .values({ ...row, id: newId("sub"), submitterHash: by })
      .run();
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe("GET /platform/file-requests", () => {
  test("reports across accounts, and counts each submission once", async () => {
    const [ada, ben] = [app.createAccount("ada@example.com"), app.createAccount("ben@example.com")];
    const film = addBrief(ada.accountId, { name: "Songs for a film" });
    const game = addBrief(ben.accountId, { name: "Music for a game", createdAt: NOW - 2 * DAY_MS });
    send(film, NOW - 5000, { items: 3 });
    send(film, NOW - 4000);
    send(film, NOW - 9000, { kind: "paid", items: 2 });
    send(game, NOW - 1000, { kind: "paid" });

    const { status, body } = await requestsPartner()("GET", "/platform/file-requests");

    expect(status).toBe(200);
    expect(body.data).toEqual({
      rows: [
        {
          id: game,
          title: "Music for a game",
          createdAt: toIso(NOW - 2 * DAY_MS),
          active: true,
          ownerId: ben.accountId,
          ownerName: "Someone",
          ownerEmail: "ben@example.com",
          freeSubmissions: 0,
          paidSubmissions: 1,
          submissionsTotal: 1,
          latestSubmissionAt: toIso(NOW - 1000),
        },
        {
          id: film,
          title: "Songs for a film",
          createdAt: toIso(NOW - DAY_MS),
          active: true,
          ownerId: ada.accountId,
          ownerName: "Someone",
          ownerEmail: "ada@example.com",
          freeSubmissions: 2,
          paidSubmissions: 1,
          submissionsTotal: 3,
          latestSubmissionAt: toIso(NOW - 4000),
        },
      ],
      page: 1,
      pageSize: 50,
      totalCount: 2,
      totalPages: 1,
    });
  });

  test("lists only briefs whose page is or was public; those without submissions come last", async () => {
    const { accountId } = app.createAccount();
    addBrief(accountId, { publicPage: false, publicSince: null });
    const older = addBrief(accountId, { createdAt: NOW - 3000 });
    const newer = addBrief(accountId, { createdAt: NOW - 2000 });
    const once = addBrief(accountId, { publicPage: false, createdAt: NOW - 9000 });
    send(once, NOW - 8000);

    const { data } = (await requestsPartner()("GET", "/platform/file-requests")).body;

    expect(idsOf(data.rows)).toEqual([once, newer, older]);
    expect(data.rows[2]).toMatchObject({
      latestSubmissionAt: null,
      freeSubmissions: 0,
      paidSubmissions: 0,
      submissionsTotal: 0,
    });
  });

  test("filters by active: open, with a deadline that has not passed", async () => {
    const { accountId } = app.createAccount();
    const open = addBrief(accountId, { createdAt: NOW - 1 });
    const future = addBrief(accountId, { deadline: NOW + 1, createdAt: NOW - 2 });
    const past = addBrief(accountId, { deadline: NOW, createdAt: NOW - 3 });
    const closed = addBrief(accountId, { status: "closed", createdAt: NOW - 4 });
    const draft = addBrief(accountId, { status: "draft", createdAt: NOW - 5 });
    const archived = addBrief(accountId, { status: "archived", createdAt: NOW - 6 });
    const api = requestsPartner();
    const rows = async (query: string) => {
      const { data } = (await api("GET", `/platform/file-requests${query}`)).body;
      expect(data.totalCount).toBe(data.rows.length);
      return data.rows;
    };

    expect(idsOf(await rows("?active=true"))).toEqual([open, future]);
    expect(idsOf(await rows("?active=false"))).toEqual([past, closed, draft, archived]);
    for (const unknown of ["?active=yes", "?active=", "?active=1", ""])
      expect((await rows(unknown)).map(({ active }: { active: boolean }) => active)).toEqual([
        true,
        true,
        false,
        false,
        false,
        false,
      ]);
  });

  test("returns pages in a fixed order, and no rows after the last page", async () => {
    const { accountId } = app.createAccount();
    const ids = Array.from({ length: 5 }, (_, index) => {
      const id = addBrief(accountId, { createdAt: NOW - index });
      if (index < 3) send(id, NOW - 10);
      return id;
    });
    const api = requestsPartner();
    const page = async (number: number) =>
      (await api("GET", `/platform/file-requests?page=${number}&pageSize=2`)).body.data;

    const pages = [await page(1), await page(2), await page(3)];

    expect(pages.flatMap(({ rows }) => idsOf(rows))).toEqual(ids);
    expect(pages[2]).toMatchObject({ page: 3, pageSize: 2, totalCount: 5, totalPages: 3 });
    expect(await page(4)).toEqual({ rows: [], page: 4, pageSize: 2, totalCount: 5, totalPages: 3 });
    expect(await page(Number.MAX_SAFE_INTEGER)).toMatchObject({ rows: [], totalCount: 5 });
  });

  test.each([
    ["", 1, 50],
    ["page=0&pageSize=0", 1, 50],
    ["page=-1&pageSize=-5", 1, 50],
    ["page=two&pageSize=many", 1, 50],
    ["page=1.5&pageSize=1e1", 1, 50],
    ["page=&pageSize=", 1, 50],
    ["page=2&pageSize=100", 2, 100],
    ["pageSize=101", 1, 100],
    ["pageSize=99999999999999999999", 1, 100],
    ["page=99999999999999999999", Number.MAX_SAFE_INTEGER, 50],
    [`page=${"9".repeat(400)}`, Number.MAX_SAFE_INTEGER, 50],
  ])("reads %.40j as page %i of %i", async (query, page, pageSize) => {
    const { status, body } = await requestsPartner()("GET", `/platform/file-requests?${query}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({ rows: [], page, pageSize, totalCount: 0, totalPages: 0 });
  });
});

describe("GET /platform/file-requests/{id}/submissions", () => {
  test("lists submissions, newest first", async () => {
    const { accountId } = app.createAccount();
    const [brief, other] = [addBrief(accountId), addBrief(accountId)];
    send(brief, NOW - 3000, { items: 2, by: "hash-of-somebody" });
    send(brief, NOW - 1000, { kind: "paid" });
    send(brief, NOW - 2000, { by: "hash-of-somebody" });
    send(other, NOW);

    const { status, body } = await requestsPartner()("GET", `/platform/file-requests/${brief}/submissions`);

    expect(status).toBe(200);
    expect(body.data).toEqual({
      rows: [
        { kind: "paid", submittedAt: toIso(NOW - 1000), itemCount: 1, submitterId: null },
        { kind: "free", submittedAt: toIso(NOW - 2000), itemCount: 1, submitterId: "hash-of-somebody" },
        { kind: "free", submittedAt: toIso(NOW - 3000), itemCount: 2, submitterId: "hash-of-somebody" },
      ],
      page: 1,
      pageSize: 50,
      totalCount: 3,
      totalPages: 1,
      requestId: brief,
      active: true,
    });
  });

  test("counts pages in submissions, up to 200 per page", async () => {
    const brief = addBrief(app.createAccount().accountId, { status: "closed" });
    for (let n = 0; n < 3; n++) send(brief, NOW - n, { items: 4 });
    const api = requestsPartner();
    const page = async (query: string) =>
      (await api("GET", `/platform/file-requests/${brief}/submissions?${query}`)).body.data;

    expect(await page("pageSize=2&page=2")).toMatchObject({
      rows: [{ submittedAt: toIso(NOW - 2), itemCount: 4 }],
      totalCount: 3,
      totalPages: 2,
      active: false,
    });
    expect(await page("pageSize=201")).toMatchObject({ pageSize: 200, totalPages: 1 });
    expect(await page("page=9")).toMatchObject({ rows: [], page: 9, requestId: brief });
  });

  test("is 404 for an unknown id and for a brief that was never public", async () => {
    const { accountId } = app.createAccount();
    const hidden = addBrief(accountId, { publicPage: false, publicSince: null });

    for (const id of ["brf_unknown", hidden]) {
      const { status, body } = await requestsPartner()("GET", `/platform/file-requests/${id}/submissions`);
      expect([status, body.messageCode]).toEqual([404, "file_request_not_found"]);
    }
  });
});

describe("GET /platform/accounts", () => {
  test("lists accounts newest first, with the source of each", async () => {
    const { db } = app.deps;
    const first = app.createAccount("first@example.com");
    const brief = addBrief(first.accountId, { name: "Songs for a film" });
    app.clock.advance(MINUTE_MS);
    const second = app.createAccount("second@example.com");
    db.update(accounts)
      .set({
        acquisitionSource: "file_request",
        acquisitionBriefId: brief,
        username: "second",
        active: false,
      })
      .where(eq(accounts.id, second.accountId))
      .run();
    const createdAt = (id: string) =>
      toIso(db.select().from(accounts).where(eq(accounts.id, id)).get()?.createdAt ?? 0);

    const { status, body } = await accountsPartner()("GET", "/platform/accounts");

    expect(status).toBe(200);
    expect(body.data).toEqual({
      rows: [
        {
          id: second.accountId,
          name: "Someone",
          email: "second@example.com",
          username: "second",
          createdAt: createdAt(second.accountId),
          active: false,
          acquisitionSource: "file_request",
          acquisitionFileRequestId: brief,
          acquisitionFileRequestTitle: "Songs for a film",
          acquisitionFileRequestOwnerId: first.accountId,
        },
        {
          id: first.accountId,
          name: "Someone",
          email: "first@example.com",
          username: null,
          createdAt: createdAt(first.accountId),
          active: true,
          acquisitionSource: null,
          acquisitionFileRequestId: null,
          acquisitionFileRequestTitle: null,
          acquisitionFileRequestOwnerId: null,
        },
      ],
      page: 1,
      pageSize: 50,
      totalCount: 2,
      totalPages: 1,
    });
    expect(JSON.stringify(body)).not.toContain("argon2");
  });

  test("createdAfter includes the whole day, and is ignored when it is not a date", async () => {
    const { accountId } = app.createAccount();
    const at = Date.UTC(2026, 0, 10);
    app.deps.db.update(accounts).set({ createdAt: at }).where(eq(accounts.id, accountId)).run();
    const api = accountsPartner();
    const total = async (text: string) =>
      (await api("GET", `/platform/accounts?createdAfter=${text}`)).body.data.totalCount;

    expect(await total("2026-01-10")).toBe(1);
    expect(await total("2026-01-11")).toBe(0);
    expect(await total("2026-01-10T00:00:00.001Z")).toBe(0);
    for (const text of ["yesterday", "", "2026-13-01", "10.01.2026"]) expect(await total(text)).toBe(1);
  });

  test("returns up to 200 per page", async () => {
    for (let n = 0; n < 3; n++) app.createAccount();
    const api = accountsPartner();

    const first = (await api("GET", "/platform/accounts?pageSize=2")).body.data;
    const second = (await api("GET", "/platform/accounts?pageSize=2&page=2")).body.data;
    const large = (await api("GET", "/platform/accounts?pageSize=500")).body.data;

    expect(idsOf([...first.rows, ...second.rows])).toEqual(idsOf(large.rows));
    expect(large).toMatchObject({ pageSize: 200, totalCount: 3, totalPages: 1 });
  });
});

describe("platform keys", () => {
  const REQUESTS = "platform:read:file-requests";
  const ACCOUNTS = "platform:read:accounts";

  test.each([
    ["/platform/file-requests", REQUESTS, ACCOUNTS],
    ["/platform/file-requests/brf_1/submissions", REQUESTS, ACCOUNTS],
    ["/platform/accounts", ACCOUNTS, REQUESTS],
  ] as const)("%s needs %s", async (path, _right, wrong) => {
    const { accountId } = app.createAccount();

    const noKey = await app.request(`/api/v1${path}`);
    const answers = [
      await partner(wrong)("GET", path),
      await app.as(app.createKey(accountId))("GET", path),
      await app.as(app.createKey(accountId, ["all"]))("GET", path),
    ];

    expect([noKey.status, await noKey.json()]).toMatchObject([401, { messageCode: "missing_api_key" }]);
    for (const { status, body } of answers)
      expect([status, body.messageCode]).toEqual([403, "insufficient_scope"]);
  });

  test("cannot use other routes", async () => {
    const api = partner(REQUESTS, ACCOUNTS);

    for (const path of ["/tracks", "/briefs", "/analytics/dashboard"]) {
      const { status, body } = await api("GET", path);
      expect([status, body.messageCode]).toEqual([403, "insufficient_scope"]);
    }
  });

  test("stop working when they expire", async () => {
    const short = await createTestApp();
    try {
      const { key } = createPlatformKey(short.deps, { name: "Partner", scopes: [ACCOUNTS], days: 1 });
      short.clock.advance(DAY_MS);

      const { status, body } = await short.as(key)("GET", "/platform/accounts");

      expect([status, body.messageCode]).toEqual([401, "expired_key"]);
    } finally {
      await short.close();
    }
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s is 405, with or without a key", async (method) => {
    for (const path of ["/file-requests", "/file-requests/brf_1/submissions", "/accounts"]) {
      const withKey = await partner(REQUESTS, ACCOUNTS)(method, `/platform${path}`);
      const noKey = await app.request(`/api/v1/platform${path}`, { method });

      expect([withKey.status, withKey.body.messageCode]).toEqual([405, "method_not_allowed"]);
      expect(withKey.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(noKey.status).toBe(405);
    }
  });
});
