import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";

const PASSWORD = "a long enough one";
const NEW = "another long one";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ settings: { registrationOpen: true } });
  app.createAccount(); // the first one would need a set-up code
});
afterAll(() => app.close());

const ask = async (path: string, body: object) => {
  const response = await app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await jsonOf(response) };
};
const signIn = (email: string, password: string) => ask("/auth/login", { email, password });

/** Makes an account with its password, for one test each. */
async function newAccount(name: string) {
  const email = `${name.toLowerCase()}@example.com`;
  const { body } = await ask("/auth/register", { email, name, password: PASSWORD });
  return { email, call: app.signedIn(body.data.token) };
}

describe("/app/account", () => {
  test("shows the account, and changes its name and the address that it signs in with", async () => {
    const { call } = await newAccount("Ada");

    const changed = await call("PATCH", "/app/account", {
      name: " Ada W ",
      email: "ADA.W@example.com ",
      currentPassword: PASSWORD,
    });

    expect(changed.body.data).toMatchObject({ name: "Ada W", email: "ada.w@example.com" });
    expect((await call("GET", "/app/account")).body.data).toEqual(changed.body.data);
    expect((await signIn("ada.w@example.com", PASSWORD)).status).toBe(200);
    expect((await signIn("ada@example.com", PASSWORD)).status).toBe(401);
  });

  test("refuses a blank name, and an address that another account has", async () => {
    const { call } = await newAccount("Ben");
    const { email } = await newAccount("Cleo");

    expect((await call("PATCH", "/app/account", { name: "  " })).body.data.errors[0].path).toBe("name");
    const taken = await call("PATCH", "/app/account", { email, currentPassword: PASSWORD });
    expect(taken.body.messageCode).toBe("duplicate_email");
    expect((await call("PATCH", "/app/account", { email: "BEN@example.com" })).status).toBe(200);
  });

  test("takes a new address with the password alone", async () => {
    const { call } = await newAccount("Fay");
    const email = "fay.w@example.com";

    for (const currentPassword of [undefined, "not it at all"]) {
      const { status, body } = await call("PATCH", "/app/account", { email, currentPassword });
      expect([status, body.data.errors[0].path]).toEqual([400, "currentPassword"]);
    }
    expect((await call("GET", "/app/account")).body.data.email).toBe("fay@example.com");
    expect((await call("PATCH", "/app/account", { name: "Fay W" })).status).toBe(200);
  });

  test("takes a proof of the last ten minutes in the place of the password", async () => {
    const { email, call } = await newAccount("Gil");
    const move = () => call("PATCH", "/app/account", { email: "gil.w@example.com" });
    const change = () => call("POST", "/app/account/password", { newPassword: NEW });
    app.clock.advance(15 * MINUTE_MS);
    for (const refused of [await move(), await change()])
      expect([refused.status, refused.body.messageCode]).toEqual([403, "proof_needed"]);

    expect((await call("POST", "/auth/prove", { password: PASSWORD })).status).toBe(200);

    expect((await move()).body.data.email).toBe("gil.w@example.com");
    expect((await change()).status).toBe(200);
    expect((await signIn("gil.w@example.com", NEW)).status).toBe(200);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
  });

  test("changes the password with the current one, and ends every other session", async () => {
    const { email, call } = await newAccount("Dora");
    const other = app.signedIn((await signIn(email, PASSWORD)).body.data.token);
    const body = { currentPassword: PASSWORD, newPassword: NEW };

    const wrong = await call("POST", "/app/account/password", { ...body, currentPassword: "not it at all" });
    const short = await call("POST", "/app/account/password", { ...body, newPassword: "short" });
    expect([wrong.status, wrong.body.data.errors[0].path]).toEqual([400, "currentPassword"]);
    expect([short.status, short.body.data.errors[0].path]).toEqual([400, "newPassword"]);
    expect((await other("GET", "/app/account")).status).toBe(200);

    const done = await call("POST", "/app/account/password", body);

    expect(done.body.data).toEqual({ ok: true, revoked: 1 });
    expect((await other("GET", "/app/account")).status).toBe(401);
    expect((await call("GET", "/app/account")).status).toBe(200);
    expect([(await signIn(email, PASSWORD)).status, (await signIn(email, NEW)).status]).toEqual([401, 200]);
  });

  test("stops guessing after ten wrong passwords", async () => {
    const { call } = await newAccount("Edda");
    const guess = { currentPassword: "a guess", newPassword: NEW };
    for (let n = 0; n < 10; n++) await call("POST", "/app/account/password", guess);

    const right = await call("POST", "/app/account/password", { ...guess, currentPassword: PASSWORD });

    expect([right.status, right.body.messageCode]).toEqual([429, "rate_limit_exceeded"]);
  });
});

test("an account keeps its sentences for senders, and has ours again where one is blank", async () => {
  const { call } = await newAccount("Jon");
  const ours = { new: null, shortlisted: null, passed: null, kept: null };
  expect((await call("GET", "/app/account")).body.data.thanks).toEqual(ours);
  const change = async (thanks: object) => (await call("PATCH", "/app/account", { thanks })).body;

  await change({ passed: " Not {title}, sorry. " });
  expect((await change({ kept: "Yes" })).data.thanks).toEqual({
    ...ours,
    passed: "Not {title}, sorry.",
    kept: "Yes",
  });
  await change({ kept: " ", passed: null });

  expect((await call("GET", "/app/account")).body.data.thanks).toEqual(ours);
  expect((await change({ kept: "x".repeat(501) })).messageCode).toBe("validation_failed");
});

describe("a brand", () => {
  const PIXELS = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

  test("is ours until it is changed, and takes what can be seen in both schemes", async () => {
    const { call } = await newAccount("Gil");
    const change = (body: object) => call("PATCH", "/app/account/brand", body);
    const none = { name: null, accent: null, website: null, logoUrl: null };
    expect((await call("GET", "/app/account/brand")).body.data).toEqual(none);

    const { body } = await change({
      name: " Harbour Records ",
      accent: "#2F8F5E",
      website: "harbour.example",
    });
    expect(body.data).toEqual({
      ...none,
      name: "Harbour Records",
      accent: "#2f8f5e",
      website: "https://harbour.example/",
    });
    for (const [accent, detail] of [
      ["#ffee88", "is too light to be seen on light paper"],
      ["#101030", "is too dark to be seen on dark paper"],
      ["teal", "must be a colour such as #2f6f4e"],
    ]) {
      const refused = (await change({ accent })).body;
      expect(refused.data.errors[0]).toMatchObject({ path: "accent", detail });
    }
    expect((await change({ website: "javascript:alert(1)" })).status).toBe(400);
    for (const website of [
      "https://me:secret@harbour.example/",
      "me@harbour.example",
      "https://:pw@harbour.example",
    ]) {
      const [error] = (await change({ website })).body.data.errors;
      expect(error.detail).toBe("must be the address of a website, without a user name or password");
    }
    expect((await change({ accent: "", name: null })).body.data).toMatchObject({ name: null, accent: null });

    // What an earlier version kept, or an import brought.
    const keep = (website: string) => app.deps.db.$client.run("UPDATE brands SET website = ?", [website]);
    keep("https://me:secret@harbour.example/artists");
    expect((await call("GET", "/app/account/brand")).body.data.website).toBe(
      "https://harbour.example/artists",
    );
    keep("javascript:alert(1)");
    expect((await call("GET", "/app/account/brand")).body.data.website).toBeNull();
  });

  test("is part of the account, and is changed with it or not at all", async () => {
    const { call } = await newAccount("Ivo");

    const { body } = await call("PATCH", "/app/account", {
      name: "Ivo B.",
      brand: { name: "Harbour Records" },
    });
    const refused = await call("PATCH", "/app/account", { name: "Nobody", brand: { accent: "teal" } });

    expect(body.data).toMatchObject({ name: "Ivo B.", brand: { name: "Harbour Records", logoUrl: null } });
    expect(refused.status).toBe(400);
    expect((await call("GET", "/app/account")).body.data).toMatchObject({
      name: "Ivo B.",
      brand: { name: "Harbour Records", accent: null },
    });
  });

  test("has a logo at a public address, until it is taken away", async () => {
    const { call } = await newAccount("Hal");

    const { logoUrl } = (await call("PUT", "/app/account/logo", { image: PIXELS })).body.data;
    expect((await app.request(new URL(logoUrl).pathname)).status).toBe(200);
    expect((await call("PUT", "/app/account/logo", { image: "bm90IGEgcGljdHVyZQ==" })).body.messageCode).toBe(
      "invalid_image_type",
    );
    expect((await call("DELETE", "/app/account/logo")).body.data.logoUrl).toBeNull();
    expect((await app.request(new URL(logoUrl).pathname)).status).toBe(404);
  });

  test("has a style sheet for its colour alone, with text that can be read", async () => {
    const sheet = await app.request("/brand/2f8f5e.css");

    expect(sheet.headers.get("content-type")).toContain("text/css");
    expect(await sheet.text()).toMatch(/--accent:#2f8f5e;--accent-ink:#\w{6};--on-accent:#\w{6}/);
    for (const name of ["ffee88.css", "2f8f5e", "2f8f5e.css.css", "..%2fmain.css"])
      expect((await app.request(`/brand/${name}`)).status).toBe(404);
  });
});
