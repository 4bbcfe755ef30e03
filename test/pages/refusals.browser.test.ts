import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createFront } from "../../src/http/front/front.ts";
import { refusalResponse } from "../../src/pages/message.tsx";
import { createTestApp, type TestApp } from "../support/app.ts";
import {
  BROWSER_PATH,
  createServedApp,
  inspect,
  openWindow,
  startBrowser,
  WINDOWS,
  type WindowName,
} from "./browser.ts";
import { BROWSER } from "./visitor.ts";

/** The headers that Chromium and Firefox send when a person opens an address or sends a form. */
const NAVIGATION = {
  "user-agent": BROWSER,
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  app.createAccount();
});
afterAll(() => app.close());

describe("a refused person sees a page, with the same status that programs get", () => {
  test.each([
    ["an unknown address", "GET", "/nowhere", {}, 404, "Nothing here"],
    ["an address with a broken escape", "GET", "/track/%E0%A4%A", {}, 404, "Nothing here"],
    ["audio of an expired page", "GET", "/track/AAAA/listen/x?e=1&s=2", {}, 404, "Nothing here"],
    ["an address for programs", "GET", "/auth/login", {}, 405, "Nothing to see here"],
    ["an address that needs a key", "GET", "/api/v1/tracks", {}, 401, "That did not work"],
    ["a form from another site", "POST", "/signin", { origin: "https://a.example" }, 403, "PUBLIC_URL"],
    ["a form from nowhere", "POST", "/signin", { origin: "null" }, 403, "an unknown address"],
    [
      "a body that is not a form",
      "POST",
      "/signin",
      { "content-type": "text/plain" },
      403,
      "Please use the form",
    ],
  ] as const)("a person sees a page for %s", async (_, method, path, headers, status, words) => {
    const init = { method, ...(method === "POST" && { body: "email=a" }) };

    const page = await app.request(path, { ...init, headers: { ...NAVIGATION, ...FORM, ...headers } });
    const data = await app.request(path, { ...init, headers: { accept: "*/*", ...FORM, ...headers } });

    const text = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(text).toContain(words);
    expect(text).toContain("<title>");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(data.status).toBe(status);
    if (data.headers.get("content-type") !== "application/json") return;
    expect([page, data].map(({ headers }) => headers.get("vary"))).toEqual(["Accept", "Accept"]);
  });

  test("a page keeps the headers of the refusal, and answers HEAD like GET", async () => {
    const wrong = await app.request("/auth/login", { headers: NAVIGATION });
    const head = await app.request("/nowhere", { method: "HEAD", headers: NAVIGATION });

    expect(wrong.headers.get("allow")).toContain("POST");
    expect([head.status, head.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(head.headers.get("cache-control")).toBe("no-store");
  });

  test("a person who makes too many requests sees when to retry", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 1 } });
    await limited.request("/signin", { headers: NAVIGATION });

    const page = await limited.request("/signin", { headers: NAVIGATION });

    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await page.text()).toContain("A little too fast");
    await limited.close();
  });

  test("a person who meets a fault of the server sees a page without internal details", async () => {
    const broken = await createTestApp();
    broken.createAccount();
    broken.deps.db.$client.run("ALTER TABLE sessions RENAME TO secrets_of_the_house");

    const page = await broken.request("/", {
      headers: { ...NAVIGATION, cookie: "dubplate_session=abc" },
    });

    const text = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"]);
    expect(text).toContain("Something went wrong");
    expect(text).not.toContain("sessions");
    expect(broken.logged.map(({ message }) => message)).toContain("A request failed");
    await broken.close();
  });

  test("a person whose answer takes too long sees a page that says so", async () => {
    const front = createFront(app.deps, {
      handle: () => new Promise(() => undefined),
      methodsOf: () => ["GET"],
      allowedOrigins: new Set(),
      onAnswer: () => undefined,
      refusalPage: (refusal) => refusalResponse("", refusal),
      timeoutMs: 5,
    });

    const page = await front(new Request("http://127.0.0.1:4747/", { headers: NAVIGATION }), "127.0.0.1");

    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await page.text()).toContain("That took too long");
  });

  test("a page never leads to another site, whatever was requested", async () => {
    const page = await app.request("http://127.0.0.1:4747//elsewhere.example/%3Cscript%3E", {
      headers: NAVIGATION,
    });

    const text = await page.text();
    expect(page.status).toBe(404);
    expect(text).not.toContain("elsewhere.example");
  });
});

describe("programs get JSON", () => {
  const JAVA = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";
  test.each([
    ["that state no preference", "GET", "/nowhere", {}],
    ["that accept anything", "GET", "/nowhere", { accept: "*/*" }],
    ["that want JSON", "GET", "/nowhere", { accept: "application/json, text/plain, */*" }],
    ["that want JSON as much as HTML", "GET", "/nowhere", { accept: "text/html, application/json" }],
    ["that want no HTML", "GET", "/nowhere", { accept: "text/html;q=0, */*" }],
    [
      "that want JSON slightly more than the rest",
      "GET",
      "/nowhere",
      { accept: "*/*;q=0.9, application/json" },
    ],
    ["that ask for HTML by default, with a key", "GET", "/api/v1/tracks", { accept: JAVA, "x-api-key": "x" }],
    ["that ask for HTML by default, signing in", "POST", "/auth/login", { accept: JAVA }],
    ["that get a token", "POST", "/oauth/token", { accept: JAVA }],
  ])("programs %s get JSON", async (_, method, path, headers) => {
    const response = await app.request(path, { method, headers });

    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(await response.json()).toBeObject();
  });
});

describe.skipIf(!BROWSER_PATH)("in a browser", () => {
  test.each(Object.keys(WINDOWS) as WindowName[])(
    "an unknown address shows a page, in a %s window",
    async (name) => {
      const served = await createServedApp();
      served.createAccount();
      const browser = await startBrowser();
      const { page, close, errors, foreign } = await openWindow(browser, served.origin, name);

      const answer = await page.goto("/nowhere");

      expect(answer?.status()).toBe(404);
      expect(await inspect(page, `unknown-address-${name}`)).toEqual([]);
      await page.getByRole("link", { name: "Go to the start page" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect([errors, foreign]).toEqual([[], []]);
      await close();
      await browser.close();
      await served.close();
    },
  );
});
