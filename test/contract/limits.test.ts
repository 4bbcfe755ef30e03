import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createFront } from "../../src/http/front/front.ts";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { createTestApp, type Json, jsonOf } from "../support/app.ts";
import { type Input, type Inputs, nameOf, type Row } from "./notation.ts";
import { scenarioOf } from "./scenarios.ts";
import { misfits } from "./shapes.ts";
import { FIELD_LIMITS } from "./specification/limits.ts";
import { trackListItemWithAllFields } from "./specification/objects.ts";
import { ROWS } from "./specification.ts";
import { addressOf, createWorld, type Person, type World } from "./world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: World;
let owner: Person;
let counted: Person;
beforeAll(async () => {
  world = await createWorld();
  ({ owner } = world);
  counted = world.createPerson(2);
  // All at once and at the start: an analysis runs together with all others that wait.
  await Promise.all([owner.analysed(), counted.analysed()]);
});
afterAll(() => world.close());

const rowOf = (name: string): Row => {
  const row = ROWS.find((each) => nameOf(each) === name);
  if (!row) throw new Error(`There is no row ${name}`);
  return row;
};

describe("section 8 agrees with section 4 on", () => {
  test.each(FIELD_LIMITS)("$row $field", ({ row, field, ...limits }) => {
    const [part = "", name = ""] = field.split(".");

    const input: Input | undefined = (rowOf(row)[part as "query"] as Inputs)?.[name];

    expect(input).toMatchObject(limits);
  });
});

test("only search costs a credit, and only when it succeeds", async () => {
  for (const row of ROWS.filter(({ needs }) => needs !== "session token")) {
    const { by: _, ...call } = await scenarioOf(nameOf(row)).happy(counted, world);
    expect([nameOf(row), (await counted.send(row, call)).status]).toEqual([nameOf(row), 200]);
  }
  const search = rowOf("POST /tracks/search");
  await counted.send(search, { body: { query: "" } });

  const last = await counted.send(search, { body: { query: "x" } });
  const refused = await counted.send(search, { body: { query: "x" } });

  expect([last.status, last.headers.get("x-service-credits-remaining")]).toEqual([200, "0"]);
  expect(refused).toMatchObject({ status: 400, body: { messageCode: "not_enough_credits" } });
});

describe("a request", () => {
  const anywhere = ROWS.map((row): [string, string] => [nameOf(row), addressOf(row, unusedParams(row))]);

  test("a request beyond the rate of an address is refused on every route, but not for other addresses", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 100 } });
    const hit = (row: Row, peer: string) =>
      limited.request(addressOf(row, unusedParams(row)), { method: row.method, peer });
    for (let i = 0; i < 100; i++) await limited.request("/api/v1/version", { peer: "192.0.2.1" });

    for (const row of ROWS) {
      const refused = await hit(row, "192.0.2.1");
      expect([nameOf(row), refused.status]).toEqual([nameOf(row), 429]);
      expect(await refused.json()).toMatchObject({ statusCode: 429, messageCode: "rate_limit_exceeded" });
      expect(refused.headers.get("retry-after")).toBe("60");
      expect((await hit(row, "192.0.2.2")).status).not.toBe(429);
    }
    await limited.close();
  });

  test("a body of more than 10 MB of JSON is refused on every route that takes JSON", async () => {
    const large = JSON.stringify({ notes: "x".repeat(10 * 1024 * 1024) });
    for (const row of ROWS.filter(({ body }) => body)) {
      const headers = { "content-type": "application/json", "x-api-key": owner.key };
      const response = await world.app.request(addressOf(row, unusedParams(row)), {
        method: row.method,
        headers:
          row.needs === "session token" ? { ...headers, authorization: `Bearer ${owner.token}` } : headers,
        body: large,
      });

      expect([nameOf(row), response.status, (await jsonOf(response)).messageCode]).toEqual([
        nameOf(row),
        413,
        "payload_too_large",
      ]);
    }
  });

  test("a request with an unknown method gets the list of allowed methods", async () => {
    for (const [name, address] of anywhere) {
      const response = await world.app.request(address, { method: "PROPFIND" });

      expect([name, response.status, (await jsonOf(response)).messageCode]).toEqual([
        name,
        405,
        "method_not_allowed",
      ]);
      expect(response.headers.get("allow")).toContain(name.split(" ")[0] ?? "");
    }
  });

  test("with unknown fields and parameters is answered as without them when it is lenient", async () => {
    for (const row of ROWS.filter(({ form, needs }) => !form && needs !== "session token")) {
      const { by: _, ...call } = await scenarioOf(nameOf(row)).happy(owner, world);
      const more = { ...call, query: { ...call.query, unknown: "1" } };

      const answer = await owner.sendLenient(
        row,
        call.body ? { ...more, body: { ...call.body, unknown: [1] } } : more,
      );

      expect([nameOf(row), answer.status, answer.body.data?.ok]).not.toContain(false);
      expect([nameOf(row), answer.status]).toEqual([nameOf(row), 200]);
    }
  });

  test.each([
    ["that fails because of a bug", () => Promise.reject(new Error("secret path")), 500, "internal_error"],
    ["that takes too long", () => new Promise<Response>(() => undefined), 503, "request_timeout"],
  ])("a request %s is answered %p %p", async (_, handle, status, messageCode) => {
    const front = createFront(world.app.deps, {
      handle,
      methodsOf: () => ["GET"],
      allowedOrigins: new Set(),
      timeoutMs: 5,
      onAnswer: () => undefined,
    });

    const response = await front(new Request("http://127.0.0.1:4747/api/v1/tracks"), "127.0.0.1");

    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      statusCode: status,
      messageCode,
      message: expect.any(String),
      error: expect.any(String),
    });
    expect(text).not.toContain("secret");
    expect(response.headers.get("retry-after") !== null).toBe(status === 503);
  });
});

/** Returns placeholder ids for the path parameters only. */
function unusedParams({ params = {} }: Row) {
  return { params: Object.fromEntries(Object.keys(params).map((name) => [name, "x"])) };
}

describe("cursor pages", () => {
  const lists: [name: string, path: string, make: (person: Person) => Promise<unknown>][] = [
    ["tracks", "/tracks?limit=2", (person) => person.track()],
    ["playlists", "/playlists?limit=2", async (person) => person.playlist([await person.track()])],
  ];
  test.each(lists)(
    "pages of %s return every item once, newest first, and end with null",
    async (_, path, make) => {
      const person = world.createPerson();
      for (let i = 0; i < 5; i++) {
        await make(person);
        world.app.clock.advance(1000);
      }

      const pages = await pagesOf(person, path);

      expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
      expect(pages.map(({ paging }) => paging.limit)).toEqual([2, 2, 2]);
      const items: Json[] = pages.flatMap(({ data }) => data);
      expect(new Set(items.map(({ id }) => id)).size).toBe(5);
      expect(items.map(({ createdAt }) => createdAt)).toEqual(
        items
          .map(({ createdAt }) => createdAt)
          .sort()
          .reverse(),
      );
    },
  );

  test("a cursor of another account is refused", async () => {
    const person = world.createPerson();
    for (let i = 0; i < 2; i++) await person.track();
    const [first] = await pagesOf(person, "/tracks?limit=1");

    const answer = await world.app.as(owner.key)("GET", `/tracks?limit=1&cursor=${first.paging.next_cursor}`);

    expect(answer).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });

  test("pages of composers have up to 100 items, newest first, and continue from any composer's id", async () => {
    const person = world.createPerson();
    const made: string[] = [];
    for (let i = 0; i < 101; i++) made.unshift((await person.composer()).id);
    const ids = ({ body }: { body: Json }) => body.data.map(({ id }: { id: string }) => id);

    const first = await world.app.as(person.key)("GET", "/composers");
    const last = await world.app.as(person.key)("GET", `/composers?cursor=${first.body.paging.next_cursor}`);
    const middle = await world.app.as(person.key)("GET", `/composers?cursor=${made[98]}`);

    expect(ids(first)).toEqual(made.slice(0, 100));
    expect(first.body.paging).toEqual({ limit: 100, next_cursor: made[99] });
    expect([ids(last), last.body.paging.next_cursor]).toEqual([made.slice(100), null]);
    expect(ids(middle)).toEqual(made.slice(99));
  });

  test("pages of usage records end with a null nextCursor", async () => {
    const person = world.createPerson();
    for (let i = 0; i < 3; i++) await person.api("GET", "/tracks/count");
    const page = (query: string) => person.web("GET", `/integration/usage?limit=2${query}`);

    const first = await page("");
    const last = await page(`&cursor=${encodeURIComponent(first.nextCursor)}`);

    expect([first.items.length, last.items.length, last.nextCursor]).toEqual([2, 1, null]);
  });
});

async function pagesOf(person: Person, path: string): Promise<Json[]> {
  const pages: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1).paging.next_cursor) {
    const { body } = await world.app.as(person.key)("GET", `${path}${cursor ? `&cursor=${cursor}` : ""}`);
    pages.push(body);
  }
  return pages;
}

describe("the platform's pages", () => {
  const pageOf = async (query: string) =>
    (
      await world.send(
        rowOf("GET /platform/accounts"),
        { query: Object.fromEntries(new URLSearchParams(query)) },
        {
          "x-api-key": world.platformKey,
        },
      )
    ).body.data;

  test.each([
    ["pageSize=201", { page: 1, pageSize: 200 }],
    ["pageSize=0&page=0", { page: 1, pageSize: 50 }],
    ["pageSize=ten&page=-1&createdAfter=never", { page: 1, pageSize: 50 }],
    ["pageSize=1&page=2", { page: 2, pageSize: 1 }],
  ])("a query of %s gives %p", async (query, expected) => {
    expect(await pageOf(query)).toMatchObject(expected);
  });

  test("show the total count, and are empty beyond the end", async () => {
    const { totalCount, totalPages, rows } = await pageOf("pageSize=2");

    expect(rows).toHaveLength(2);
    expect(totalPages).toBe(Math.ceil(totalCount / 2));
    expect(await pageOf(`pageSize=2&page=${totalPages + 1}`)).toMatchObject({ rows: [], totalCount });
  });

  test("pages of file requests are clamped to 100, pages of submissions to 200", async () => {
    const id = await owner.brief();
    const get = async (path: string) =>
      (await world.app.as(world.platformKey)("GET", `${path}?pageSize=500`)).body.data.pageSize;

    expect([
      await get("/platform/file-requests"),
      await get(`/platform/file-requests/${id}/submissions`),
    ]).toEqual([100, 200]);
  });
});

test("every name in `fields` adds only its field", async () => {
  const [id] = await owner.analysed();
  const { id: shareholderId } = await owner.composer();
  const shareholders = [{ shareholderId, share: 25, role: "Writer" }];
  await owner.api("PUT", `/tracks/shareholders?id=${id}`, { shareholders });
  await owner.web("POST", "/app/shares", { trackId: id });
  const itemWith = async (fields: string) =>
    (await owner.api("GET", `/tracks?limit=200&fields=${fields}`)).find((item: Json) => item.id === id);
  const names = Object.keys(trackListItemWithAllFields);

  const item = await itemWith(names.join());

  expect(misfits(trackListItemWithAllFields, item)).toEqual([]);
  expect(Object.keys(item).sort()).toEqual(names.toSorted());
  expect(item.link).toBe(item.share_link);
  expect(item.link).toMatch(/^http.*\/track\/[\w-]{22}$/);
  for (const name of names)
    expect(Object.keys(await itemWith(name)).sort()).toEqual([...new Set(["id", name])].toSorted());
});

test("a download link works for one hour", async () => {
  const [trackId] = await owner.analysed();
  const { versions } = await owner.api("GET", `/tracks/${trackId}/versions`);
  const status = async () => (await world.app.request(versions[0].downloadUrl)).status;

  const fresh = await status();
  world.app.clock.advance(59 * MINUTE_MS);
  const late = await status();
  world.app.clock.advance(2 * MINUTE_MS);

  expect([fresh, late, await status()]).toEqual([200, 200, 403]);
});

test("platform keys live from 1 to 365 days", () => {
  const make = (days: number) => () =>
    createPlatformKey(world.app.deps, { name: "partner", scopes: ["platform:read:accounts"], days });

  for (const days of [0, 366, 1.5]) expect(make(days)).toThrow("Invalid request");
  const expiresAt = (days: number) => Date.parse(make(days)().expiresAt) - world.app.clock.now();
  expect([expiresAt(1), expiresAt(365)]).toEqual([DAY_MS, 365 * DAY_MS]);
});

test("a session unused for 30 days has ended on every route that needs one", async () => {
  const person = world.createPerson();
  world.app.clock.advance(30 * DAY_MS + 1);

  for (const row of ROWS.filter(({ needs }) => needs === "session token"))
    expect(await person.send(row, { ...unusedParams(row), ...(row.body && { body: {} }) })).toMatchObject({
      status: 401,
      body: { messageCode: "expired_session_token" },
    });
});

test("a list of briefs has up to 200 items", async () => {
  const person = world.createPerson();
  for (let i = 0; i < 201; i++) await person.web("POST", "/app/briefs", { name: `Brief ${i}` });

  const briefs = await person.api("GET", "/briefs");

  expect([briefs.length, briefs[0].name, briefs[199].name]).toEqual([200, "Brief 200", "Brief 1"]);
});
