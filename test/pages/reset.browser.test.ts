import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { getAccountByEmail, makeResetLink, setActive } from "../../src/modules/people/accounts/service.ts";
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
import { createVisitor } from "./visitor.ts";

const OLD = "correct horse battery";
const NEW = "a new long sentence";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes an account with a link, as the operator's command does. */
function newLink({ createAccount, deps }: TestApp = app) {
  const { email, token: session } = createAccount();
  const { url, expiresAt } = makeResetLink(deps, getAccountByEmail(deps, email));
  const { pathname, search, searchParams } = new URL(url);
  return { email, session, path: pathname + search, token: searchParams.get("token") ?? "", url, expiresAt };
}

const canSignIn = async (email: string, password: string): Promise<boolean> =>
  (await createVisitor(app).post("/signin", { email, password })).status === 303;

describe("a reset link", () => {
  test("leads to a form that sets a new password and ends every session", async () => {
    const { email, session, path, token } = newLink();
    const visitor = createVisitor(app);

    const page = await visitor.open(path);
    const opened = await visitor.open(path);
    const changed = await visitor.post("/reset", { token, password: NEW });

    expect([page.status, opened.status, changed.status]).toEqual([200, 200, 200]);
    expect(page.text).toContain(`For ${email}.`);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(changed.text).toContain("Your password is changed");
    expect(changed.text).toContain('href="/signin"');
    expect([await canSignIn(email, OLD), await canSignIn(email, NEW)]).toEqual([false, true]);
    expect((await app.signedIn(session)("GET", "/auth/session")).status).toBe(401);
  });

  test("a reset link works once", async () => {
    const { email, path, token } = newLink();
    const visitor = createVisitor(app);
    await visitor.post("/reset", { token, password: NEW });

    const again = await visitor.post("/reset", { token, password: "somebody else's" });
    const page = await visitor.open(path);

    expect([again.status, page.status]).toEqual([410, 410]);
    expect(page.text).toContain("This link does not work");
    expect(page.text).not.toContain(email);
    expect(await canSignIn(email, NEW)).toBe(true);
  });

  test("a reset link that is used twice at once sets one password", async () => {
    const { email, token } = newLink();

    const answers = await Promise.all(
      ["the first of two", "the second of two"].map((password) =>
        createVisitor(app).post("/reset", { token, password }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
    const works = [await canSignIn(email, "the first of two"), await canSignIn(email, "the second of two")];
    expect(works.sort()).toEqual([false, true]);
  });

  test("a reset link works for an hour", async () => {
    const other = await createTestApp();
    const { path, expiresAt } = newLink(other);
    const visitor = createVisitor(other);

    other.clock.advance(HOUR_MS - 1);
    const before = await visitor.open(path);
    other.clock.advance(1);
    const after = await visitor.open(path);

    expect([before.status, after.status]).toEqual([200, 410]);
    expect(Date.parse(expiresAt)).toBe(other.clock.now());
    await other.close();
  });

  test("is replaced by a newer one", async () => {
    const { email, path } = newLink();
    const { url } = makeResetLink(app.deps, getAccountByEmail(app.deps, email));
    const visitor = createVisitor(app);

    expect((await visitor.open(path)).status).toBe(410);
    expect((await visitor.open(new URL(url).pathname + new URL(url).search)).status).toBe(200);
  });

  test("opens nothing while its account is disabled", async () => {
    const { email, path } = newLink();
    const visitor = createVisitor(app);

    setActive(app.deps, { email }, false);
    const closed = await visitor.open(path);
    setActive(app.deps, { email }, true);

    expect([closed.status, (await visitor.open(path)).status]).toEqual([410, 200]);
  });

  test.each([
    ["too short", "short"],
    ["too long", "x".repeat(201)],
  ])("survives a password that is %s", async (_, password) => {
    const { path, token } = newLink();
    const visitor = createVisitor(app);

    const refused = await visitor.post("/reset", { token, password });

    expect(refused.status).toBe(400);
    expect(refused.text).toContain("A password has 8 to 200 characters.");
    expect(refused.text).not.toContain(password);
    expect((await visitor.open(path)).status).toBe(200);
  });

  test("is refused from a form of another site", async () => {
    const { email, token } = newLink();

    const refused = await createVisitor(app).post(
      "/reset",
      { token, password: NEW },
      { origin: "https://elsewhere.example" },
    );

    expect([refused.status, await canSignIn(email, OLD)]).toEqual([403, true]);
  });

  test("is not in the database, and its token is in no path that is logged", () => {
    const { token, url } = newLink();
    const rows = app.deps.db.$client.query("SELECT * FROM password_resets").all();

    expect(JSON.stringify(rows)).not.toContain(token);
    expect(new URL(url).pathname).toBe("/reset");
  });
});

test("ten wrong links, like ten wrong passwords, are followed by a wait", async () => {
  const visitor = createVisitor(app, "198.51.100.9");
  const { path } = newLink();
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await visitor.open("/reset?token=wrong")).status).toBe(410);
    expect((await visitor.post("/reset", { token: "wrong", password: NEW })).status).toBe(410);
  }

  const refused = await visitor.open(path);
  const elsewhere = await createVisitor(app, "198.51.100.10").open(path);
  app.clock.advance(15 * MINUTE_MS);
  const later = await visitor.open(path);

  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"]);
  expect([elsewhere.status, later.status]).toEqual([200, 200]);
});

describe.skipIf(!BROWSER_PATH)("in a browser", () => {
  test.each(
    (Object.keys(WINDOWS) as WindowName[]).flatMap((name) => [true, false].map((js) => [name, js] as const)),
  )("a new password is set, in a %s window with JavaScript %p", async (name, javaScriptEnabled) => {
    const served = await createServedApp();
    const { path, email } = newLink(served);
    const browser = await startBrowser();
    const { page, close, errors, foreign } = await openWindow(browser, served.origin, name, {
      javaScriptEnabled,
    });

    await page.goto(path);
    if (javaScriptEnabled) expect(await inspect(page, `reset-${name}`)).toEqual([]);
    await page.getByLabel("New password").fill(NEW);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("heading", { name: "Your password is changed" }).waitFor();
    if (javaScriptEnabled) expect(await inspect(page, `reset-done-${name}`)).toEqual([]);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(NEW);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/(library)?$/);
    await page.goto(path);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();

    if (javaScriptEnabled) expect(await inspect(page, `reset-over-${name}`)).toEqual([]);
    expect([errors, foreign]).toEqual([[], []]);
    await close();
    await browser.close();
    await served.close();
  });
});
