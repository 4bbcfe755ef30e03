import { describe, expect, test } from "bun:test";
import {
  DEPRECATIONS,
  type DeprecatedRoute,
  type Deprecations,
  deprecationFinder,
} from "../../src/http/front/deprecation.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

/** The test's clock starts at noon on 15 January 2026. */
const DAY_MS = 24 * 3600 * 1000;
const UNTIL_SUNSET_MS = Date.UTC(2026, 3, 1) - Date.UTC(2026, 0, 15, 12);
const SWAGGER = '<http://127.0.0.1:4747/swagger>; rel="deprecation"; type="text/html"';

const COUNT: DeprecatedRoute = {
  method: "GET",
  path: "/api/v1/tracks/count",
  since: "2026-01-01",
  sunset: "2026-04-01",
  successor: "/api/v1/taxonomy",
  note: "Ask for something else",
};
const UNDECIDED: DeprecatedRoute = {
  method: "GET",
  path: "/api/v1/tracks/{trackId}/versions/{versionId}",
  since: "2026-01-02",
  sunset: null,
  successor: "/api/v1/tracks/{trackId}/versions",
  note: null,
};

async function withApp(deprecations: Deprecations, use: (app: TestApp, key: string) => Promise<void>) {
  const app = await createTestApp({ deprecations });
  try {
    await use(app, app.createKey(app.createAccount().accountId));
  } finally {
    await app.close();
  }
}

const routesOnly = (...routes: DeprecatedRoute[]): Deprecations => ({ routes, version: null });
const fieldsOf = ({ headers }: { headers: Headers }) =>
  ["deprecation", "sunset", "link"].map((name) => headers.get(name));

describe("a deprecated route", () => {
  test("works unchanged and says so on every answer, refusals included", () =>
    withApp(routesOnly(COUNT), async (app, key) => {
      const told = ["@1767225600", "Wed, 01 Apr 2026 00:00:00 GMT"];
      const link = `${SWAGGER}, <http://127.0.0.1:4747/api/v1/taxonomy>; rel="successor-version"`;

      const good = await app.as(key)("GET", "/tracks/count");
      const same = await app.as(key)("GET", "/tracks/count", undefined, {
        "if-none-match": good.headers.get("etag") ?? "",
      });
      const head = await app.request("/api/v1/tracks/count", { method: "HEAD" });
      const stranger = await app.request("/api/v1/tracks/count");
      const foreign = await app.request("/api/v1/tracks/count", {
        headers: { origin: "https://evil.example" },
      });

      expect(good.body.data).toEqual({ count: 0 });
      expect([good, same, head, stranger, foreign].map(({ status }) => status)).toEqual([
        200, 304, 401, 401, 403,
      ]);
      for (const answer of [good, same, head, stranger, foreign])
        expect(fieldsOf(answer)).toEqual([...told, link]);
    }));

  test("has no Sunset without a date, and names its successor with the request's ids", () =>
    withApp(routesOnly(UNDECIDED), async (app, key) => {
      const answer = await app.as(key)("GET", "/tracks/trk_1/versions/ver_1");

      expect(fieldsOf(answer)).toEqual([
        "@1767312000",
        null,
        `${SWAGGER}, <http://127.0.0.1:4747/api/v1/tracks/trk_1/versions>; rel="successor-version"`,
      ]);
      expect(answer).toMatchObject({ status: 404, body: { messageCode: "track_not_found" } });
    }));

  test("a deprecated route without a successor links only to the documentation", () =>
    withApp(routesOnly({ ...COUNT, successor: null }), async (app, key) => {
      expect((await app.as(key)("GET", "/tracks/count")).headers.get("link")).toBe(SWAGGER);
    }));

  test("does not affect other routes", () =>
    withApp(routesOnly(COUNT, UNDECIDED), async (app, key) => {
      const neighbours = [
        await app.as(key)("GET", "/tracks"),
        await app.as(key)("GET", "/tracks/trk_1/versions"),
        await app.request("/api/v1/tracks/count", { method: "POST" }),
        await app.request("/nowhere"),
      ];

      for (const answer of neighbours) expect(fieldsOf(answer)).toEqual([null, null, null]);
    }));

  test("a deprecated path with a parameter does not affect a literal path", () => {
    const pages: DeprecatedRoute = { ...COUNT, path: "/api/v1/tracks/{name}", sunset: null };
    return withApp(routesOnly({ ...pages, sunset: "2025-06-01", since: "2025-01-01" }), async (app, key) => {
      expect(fieldsOf(await app.as(key)("GET", "/tracks/count"))).toEqual([null, null, null]);
      expect(await app.as(key)("GET", "/tracks/other")).toMatchObject({
        status: 404,
        body: { data: { sunset: "2025-06-01" } },
      });
    });
  });

  test("is listed by the version endpoint and marked in the documentation", () =>
    withApp(routesOnly(COUNT, UNDECIDED), async (app, key) => {
      const { body } = await app.as(key)("GET", "/version");
      const document = await (await app.request("/openapi.json")).json();

      expect(body.data).toMatchObject({ status: "current", latest: "1", sunset: null });
      expect(body.data.deprecatedRoutes).toEqual([COUNT, UNDECIDED]);
      expect(document).toMatchObject({ paths: { "/api/v1/tracks/count": { get: { deprecated: true } } } });
    }));
});

describe("on its sunset date a route", () => {
  test("is gone for all clients, with the reason, but not a millisecond earlier", () =>
    withApp(routesOnly(COUNT), async (app, key) => {
      app.clock.advance(UNTIL_SUNSET_MS - 1);
      const last = await app.as(key)("GET", "/tracks/count");
      app.clock.advance(1);

      const gone = await app.as(key)("GET", "/tracks/count");
      const stranger = await app.request("/api/v1/tracks/count");
      const head = await app.request("/api/v1/tracks/count", { method: "HEAD" });

      expect(last.status).toBe(200);
      for (const answer of [gone, { status: stranger.status, body: await stranger.json() }])
        expect(answer).toMatchObject({
          status: 404,
          body: {
            statusCode: 404,
            messageCode: "not_found",
            error: "Not Found",
            data: { sunset: "2026-04-01", successor: "/api/v1/taxonomy" },
          },
        });
      expect(head.status).toBe(404);
      expect(fieldsOf(gone)).toEqual(fieldsOf(last));
    }));

  test("is no longer listed among the methods of its path", () =>
    withApp(routesOnly(COUNT), async (app) => {
      const post = () => app.request("/api/v1/tracks/count", { method: "POST" });
      const before = await post();
      app.clock.advance(UNTIL_SUNSET_MS);

      expect([before.status, before.headers.get("allow")]).toEqual([405, expect.stringContaining("GET")]);
      expect((await post()).status).toBe(404);
    }));

  test("may already have been removed from the program", () =>
    withApp(
      routesOnly({ ...COUNT, path: "/api/v1/old", since: "2025-01-01", sunset: "2025-12-01" }),
      async (app) => {
        const response = await app.request("/api/v1/old");

        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({
          data: { sunset: "2025-12-01", successor: "/api/v1/taxonomy" },
        });
      },
    ));
});

describe("once a second version exists, the first one", () => {
  const version = { latest: "2", since: "2026-01-10", sunset: "2026-07-01" };
  const told = [
    "@1768003200",
    "Wed, 01 Jul 2026 00:00:00 GMT",
    `${SWAGGER}, <http://127.0.0.1:4747/api/v2>; rel="successor-version"`,
  ];

  test("keeps working, and every answer under its prefix says until when", () =>
    withApp({ routes: [], version }, async (app, key) => {
      const answers = [
        await app.as(key)("GET", "/tracks/count"),
        await app.request("/api/v1/version"),
        await app.request("/api/v1/tracks"),
        await app.request("/api/v1/nowhere"),
        await app.request("/api/v1/tracks/count", { method: "PUT" }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405]);
      for (const answer of answers) expect(fieldsOf(answer)).toEqual(told);
      expect(fieldsOf(await app.request("/health"))).toEqual([null, null, null]);
      expect((await app.as(key)("GET", "/version")).body.data).toMatchObject({
        version: "1",
        latest: "2",
        status: "deprecated",
        sunset: "2026-07-01",
      });
    }));

  test("shows the earlier date for a route that ends first", () =>
    withApp({ routes: [COUNT], version }, async (app, key) => {
      expect(fieldsOf(await app.as(key)("GET", "/tracks/count"))).toEqual([
        "@1767225600",
        "Wed, 01 Apr 2026 00:00:00 GMT",
        `${SWAGGER}, <http://127.0.0.1:4747/api/v1/taxonomy>; rel="successor-version"`,
      ]);
    }));

  test("is gone completely on its date", () =>
    withApp({ routes: [], version }, async (app, key) => {
      app.clock.advance(200 * DAY_MS);

      expect(await app.as(key)("GET", "/tracks/count")).toMatchObject({
        status: 404,
        body: { messageCode: "not_found", data: { sunset: "2026-07-01", successor: "/api/v2" } },
      });
      expect((await app.request("/health")).status).toBe(200);
    }));
});

describe("the server does not start with", () => {
  const routes = (change: Partial<DeprecatedRoute>) => routesOnly({ ...COUNT, ...change });
  const start = (deprecations: Deprecations) =>
    deprecationFinder(deprecations, {
      now: () => Date.UTC(2026, 0, 15),
      routes: [{ method: "GET", path: "/api/v1/tracks/count" }],
      apiRoot: "http://127.0.0.1:4747",
    });

  test.each<[string, Deprecations, RegExp]>([
    ["a route that ends after 89 days", routes({ sunset: "2026-03-31" }), /at least 90 days/],
    ["a day that does not exist", routes({ since: "2026-02-30" }), /day that does not exist/],
    ["a route that does not exist", routes({ path: "/api/v1/nowhere" }), /does not exist/],
    ["a successor that cannot be filled in", routes({ successor: "/api/v1/x/{id}" }), /needs \{id\}/],
    [
      "a version that ends too soon",
      { routes: [], version: { latest: "2", since: "2026-01-01", sunset: "2026-03-31" } },
      /at least 90 days/,
    ],
  ])("%s", (_, deprecations, reason) => {
    expect(() => start(deprecations)).toThrow(reason);
  });

  test("a server starts with a route that ends after exactly 90 days", () => {
    expect(start(routes({ sunset: "2026-04-01" }))).toBeFunction();
  });
});

describe("with nothing deprecated", () => {
  test("no answer mentions it, and no request is inspected", () =>
    withApp(routesOnly(), async (app, key) => {
      const nothing = deprecationFinder(DEPRECATIONS, { now: Date.now, routes: [], apiRoot: "" });

      expect(nothing).toBeUndefined();
      expect(fieldsOf(await app.as(key)("GET", "/tracks/count"))).toEqual([null, null, null]);
    }));
});
