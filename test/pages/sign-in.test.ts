import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { attributesOf, createVisitor } from "./visitor.ts";

const PASSWORD = "correct horse battery";

describe("signing in", () => {
  let app: TestApp;
  let email: string;
  beforeAll(async () => {
    app = await createTestApp();
    email = app.createAccount().email;
  });
  afterAll(() => app.close());

  test("leads to the requested page, with a cookie hidden from scripts and other sites", async () => {
    const visitor = createVisitor(app);
    const form = await visitor.open("/signin?next=/swagger");

    const answer = await visitor.post("/signin", { email, password: PASSWORD, next: "/swagger" });

    expect(form.text).toContain('name="next" value="/swagger"');
    expect([answer.status, answer.location]).toEqual([303, "/swagger"]);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^dubplate_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    expect((await visitor.open("/")).location).toBe("/library");
    expect((await visitor.open("/signin?next=/swagger")).location).toBe("/swagger");
  });

  test("does not lead to another site", async () => {
    const answer = await createVisitor(app).post("/signin", {
      email,
      password: PASSWORD,
      next: "//elsewhere.example",
    });

    expect(answer.location).toBe("/");
  });

  test("a wrong password brings the form back, without the password", async () => {
    const answer = await createVisitor(app).post("/signin", {
      email,
      password: "wrong <b>",
      next: "/swagger",
    });

    expect(answer.status).toBe(401);
    expect(answer.text).toContain("The e-mail address or the password is wrong.");
    expect(answer.text).toContain(`value="${email}"`);
    expect(answer.text).toContain('name="next" value="/swagger"');
    expect(answer.text).not.toContain("wrong &lt;b");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("typed text is never used as markup", async () => {
    const answer = await createVisitor(app).post("/signin", { email: '"><script>1</script>', password: "x" });

    expect(answer.text).not.toContain("<script>1");
    expect(answer.text).toContain("&quot;>&lt;script");
  });

  test("ten attempts in total, on the page or the API, are allowed before a wait", async () => {
    const other = app.createAccount().email;
    const visitor = createVisitor(app, "198.51.100.1");
    const byPage = () => visitor.post("/signin", { email: other, password: "wrong" });
    const byApi = () =>
      app.request("/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: other, password: "wrong" }),
        peer: "198.51.100.1",
      });
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await byPage()).status).toBe(401);
      expect((await byApi()).status).toBe(401);
    }

    const refused = await byPage();

    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("900");
    expect(refused.text).toContain("try again in 15 minutes");
    app.clock.advance(15 * MINUTE_MS);
    expect((await visitor.post("/signin", { email: other, password: PASSWORD })).status).toBe(303);
  });

  test.each([
    ["another site", "https://elsewhere.example"],
    ["nowhere", ""],
  ])("a sign-in form from %s is refused", async (_, origin) => {
    const headers = { "content-type": "application/x-www-form-urlencoded", ...(origin && { origin }) };
    const body = new URLSearchParams({ email, password: PASSWORD }).toString();

    const response = await app.request("/signin", { method: "POST", headers, body });

    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("signing in works under the machine's other name", async () => {
    const origin = { origin: "http://localhost:4747" };

    const answer = await createVisitor(app).post("/signin", { email, password: PASSWORD }, origin);

    expect(answer.status).toBe(303);
  });

  test("signing out ends the session, only through its form", async () => {
    const visitor = createVisitor(app);
    await visitor.post("/signin", { email, password: PASSWORD });
    expect((await visitor.open("/signout")).text).toContain("Sign out?");
    expect((await visitor.open("/")).location).toBe("/library");

    const answer = await visitor.post("/signout", {});

    expect(answer.location).toBe("/signin");
    expect(visitor.cookieNames()).toEqual([]);
    expect((await visitor.open("/")).location).toBe("/signin");
  });

  test("set-up has ended, and registration is closed", async () => {
    const visitor = createVisitor(app);

    expect((await visitor.open("/setup")).location).toBe("/signin");
    const closed = await visitor.open("/signup");
    expect([closed.status, closed.text.includes("Sign-up is closed")]).toEqual([403, true]);
    expect(attributesOf(closed.text, "href")).toContain("/signin");
    const answer = await visitor.post("/signup", {
      email: "b@example.com",
      name: "B",
      password: "long enough",
    });
    expect([answer.status, attributesOf(answer.text, "href").includes("/signin")]).toEqual([403, true]);
  });
});

describe("the first account", () => {
  test("is created with the code, and signed in", async () => {
    const app = await createTestApp({ setupCode: "K7QF2-M9XTB" });
    const visitor = createVisitor(app);
    expect((await visitor.open("/")).location).toBe("/setup");
    expect((await visitor.open("/signin")).location).toBe("/setup");
    const fields = { email: "me@example.com", name: "Me", password: "a long sentence" };

    const refused = await visitor.post("/setup", { ...fields, setupCode: "wrong" });
    const short = await visitor.post("/setup", { ...fields, password: "short", setupCode: "K7QF2-M9XTB" });
    const made = await visitor.post("/setup", { ...fields, setupCode: "k7qf2m9xtb" });

    expect([refused.status, short.status]).toEqual([403, 400]);
    expect(refused.text).toContain('value="me@example.com"');
    expect([made.status, made.location]).toEqual([303, "/"]);
    expect((await visitor.open("/library")).text).toContain("<h1>Library</h1>");
    await app.close();
  });

  test("is followed by others at /signup if registration is open", async () => {
    const app = await createTestApp({ settings: { registrationOpen: true } });
    app.createAccount();
    const visitor = createVisitor(app);
    expect((await visitor.open("/signin")).text).toContain('href="/signup"');

    const made = await visitor.post("/signup", {
      email: "two@example.com",
      name: "Two",
      password: "a long sentence",
    });

    expect(made.location).toBe("/");
    await app.close();
  });
});

test("behind a proxy with https and a path, links and cookies use that path, and cookies are secure", async () => {
  const app = await createTestApp({ settings: { publicUrl: "https://example.com/music" } });
  const { email } = app.createAccount();
  const visitor = createVisitor(app);

  const page = await visitor.open("/signin");
  const answer = await visitor.post(
    "/signin",
    { email, password: PASSWORD },
    { origin: "https://example.com" },
  );

  expect(page.text).toContain('action="/music/signin"');
  expect(page.text).toContain('href="/music/assets/main.');
  expect(answer.location).toBe("/music/");
  expect(answer.headers.get("set-cookie")).toContain("; Path=/music/;");
  expect(answer.headers.get("set-cookie")).toEndWith("; Secure");
  await app.close();
});
