import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auditLog } from "../../db/schema.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { createVisitor, textOf } from "../pages/visitor.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";

const PASSWORD = "correct horse battery";
const FORM = /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const call = async (path: string, body: object) => {
  const response = await app.request(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, body: await jsonOf(response) };
};
/** A person with ten codes. */
async function withCodes() {
  const person = app.createAccount();
  const as = app.signedIn(person.token);
  const { codes } = (await as("POST", "/app/account/recovery-codes")).body.data as { codes: string[] };
  const [code = "", other = ""] = codes;
  return { ...person, as, codes, code, other };
}
const left = async (as: ReturnType<TestApp["signedIn"]>) =>
  (await as("GET", "/app/account/recovery-codes")).body.data;

describe("recovery codes", () => {
  test("are ten, each another, and only their number is kept to be read", async () => {
    const { as, codes } = await withCodes();

    expect(codes.filter((code) => FORM.test(code)).length).toBe(10);
    expect(new Set(codes).size).toBe(10);
    expect(await left(as)).toEqual({ left: 10, createdAt: new Date(app.deps.now()).toISOString() });
    const kept = app.deps.db.$client.serialize().toString("latin1");
    for (const code of codes) expect(kept).not.toContain(code);
  });

  test("sign in once each, however they are written, and say how many are left", async () => {
    const { email, as, code } = await withCodes();
    const written = code.toLowerCase().replaceAll("-", " ");

    const first = await call("/auth/recovery", { email: ` ${email.toUpperCase()}`, code: written });
    const again = await call("/auth/recovery", { email, code });

    expect([first.status, first.body.data.user.email]).toEqual([200, email]);
    expect([again.status, again.body.message]).toEqual([
      401,
      "The e-mail address or the recovery code is wrong",
    ]);
    expect((await left(as)).left).toBe(9);
    const uses = app.deps.db.select().from(auditLog).all();
    expect(uses.filter(({ action }) => action === "account.recovery").at(-1)?.detail).toEqual({ left: 9 });
  });

  test("sign in once also when two requests bring the same one", async () => {
    const { email, code } = await withCodes();

    const answers = await Promise.all([1, 2].map(() => call("/auth/recovery", { email, code })));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test("let the person choose a new password without the old one", async () => {
    const { email, code } = await withCodes();
    const { token } = (await call("/auth/recovery", { email, code })).body.data;

    const changed = await app.signedIn(token)("POST", "/app/account/password", {
      newPassword: "another one",
    });

    expect(changed.status).toBe(200);
    expect((await call("/auth/login", { email, password: "another one" })).status).toBe(200);
  });

  test("are nobody else's", async () => {
    const [ana, ben] = [await withCodes(), await withCodes()];

    expect((await call("/auth/recovery", { email: ben.email, code: ana.code })).status).toBe(401);
    expect((await ben.as("POST", "/auth/prove", { recoveryCode: ana.code })).status).toBe(400);
    expect((await left(ana.as)).left).toBe(10);
  });

  test("are made anew with a proof of the last ten minutes, and the earlier ones end", async () => {
    const { email, as, code } = await withCodes();
    app.clock.advance(10 * MINUTE_MS);
    for (const method of ["POST", "DELETE"])
      expect((await as(method, "/app/account/recovery-codes")).body.messageCode).toBe("proof_needed");

    expect((await as("POST", "/auth/prove", { password: PASSWORD })).status).toBe(200);
    const made = (await as("POST", "/app/account/recovery-codes")).body.data.codes;

    expect((await call("/auth/recovery", { email, code })).status).toBe(401);
    expect((await call("/auth/recovery", { email, code: made[9] })).status).toBe(200);
    expect((await as("DELETE", "/app/account/recovery-codes")).status).toBe(200);
    expect(await left(as)).toEqual({ left: 0, createdAt: null });
    expect((await call("/auth/recovery", { email, code: made[8] })).status).toBe(401);
  });

  test("prove who is there, once each", async () => {
    const { as, code } = await withCodes();
    app.clock.advance(10 * MINUTE_MS);

    const proved = await as("POST", "/auth/prove", { recoveryCode: code });
    const again = await as("POST", "/auth/prove", { recoveryCode: code });

    expect([proved.status, again.status]).toEqual([200, 400]);
    expect(again.body.data.errors[0].path).toBe("recoveryCode");
    expect((await as("POST", "/app/account/recovery-codes")).status).toBe(200);
  });

  test("count wrong guesses together with wrong passwords: ten, then a wait", async () => {
    const { email, code } = await withCodes();
    for (let guess = 0; guess < 5; guess++) {
      await call("/auth/recovery", { email, code: "AAAA-AAAA-AAAA-AAAA" });
      await call("/auth/login", { email, password: "wrong" });
    }

    expect((await call("/auth/recovery", { email, code })).status).toBe(429);
    expect((await call("/auth/login", { email, password: PASSWORD })).status).toBe(429);
  });

  test.each([
    ["is blocked", "UPDATE people SET active = 0 WHERE email = ?"],
    [
      "has a disabled library",
      "UPDATE accounts SET active = 0 WHERE id = (SELECT id FROM people WHERE email = ?)",
    ],
  ])("do not sign somebody in who %s, and are not used up", async (_, sql) => {
    const { accountId, email, code } = await withCodes();
    app.deps.db.$client.run(sql, [email]);

    expect((await call("/auth/recovery", { email, code })).status).toBe(401);

    const rows = app.deps.db.$client.query("SELECT 1 FROM recovery_codes WHERE person_id = ?");
    expect(rows.all(accountId).length).toBe(10);
  });
});

describe("the page for recovery codes", () => {
  test("is found from the sign-in page, and signs in to where a new way is set up", async () => {
    const { email, code, other } = await withCodes();
    const visitor = createVisitor(app);
    const start = await visitor.open("/signin?next=/library/links");
    const page = await visitor.open("/signin/recovery?next=/library/links");

    const wrong = await visitor.post("/signin/recovery", { email, code: "nonsense", next: "" });
    const elsewhere = await visitor.post("/signin/recovery", { email, code, next: "//evil.example" });
    const further = await createVisitor(app).post("/signin/recovery", {
      email,
      code: other,
      next: "/library/links",
    });

    expect(start.text).toContain('href="/signin/recovery?next=%2Flibrary%2Flinks"');
    expect(textOf(page)).toContain("One of the ten that you kept");
    expect([wrong.status, textOf(wrong)]).toEqual([
      401,
      expect.stringContaining("The e-mail address or the recovery code is wrong."),
    ]);
    expect([elsewhere.status, elsewhere.location]).toEqual([303, "/library/settings/security"]);
    expect(further.location).toBe("/library/links");
    expect(visitor.cookieNames()).toContain("dubplate_session");
  });

  test("does not take another site's form", async () => {
    const answer = await createVisitor(app).post("/signin/recovery", {}, { origin: "https://evil.example" });

    expect(answer.status).toBe(403);
  });
});
