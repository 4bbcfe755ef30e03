import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeResetLink } from "../../src/modules/people/people/service.ts";
import { createVisitor, textOf } from "../pages/visitor.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { invited } from "../team/inviting.ts";
import { createDevice } from "./device.ts";

const ORIGIN = "https://music.example.com";
const PASSWORD = "correct horse battery";

let app: TestApp;
let operator: ReturnType<TestApp["createAccount"]>;
beforeAll(async () => {
  app = await createTestApp({ settings: { passkeys: true, passwords: false, publicUrl: ORIGIN } });
  operator = app.createAccount();
});
afterAll(() => app.close());

const login = async (email: string, password = PASSWORD) => {
  const response = await app.request("/auth/login", {
    method: "POST",
    body: JSON.stringify({ email, password }),
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, body: await jsonOf(response) };
};
const resetLink = (of: { accountId: string; email: string }) => {
  const { url } = makeResetLink(app.deps, { id: of.accountId, email: of.email } as never);
  return url.slice(ORIGIN.length);
};
const sessionsOf = ({ accountId }: { accountId: string }) =>
  app.deps.db.$client.query("SELECT 1 FROM sessions WHERE person_id = ?").all(accountId).length;

describe("with PASSWORDS=off", () => {
  test("the operator signs in with a password, and nobody else, who learns it by the right one alone", async () => {
    const { email } = app.createAccount();

    expect((await login(operator.email)).status).toBe(200);
    const right = await login(email);
    expect([right.status, right.body.messageCode, right.body.message]).toEqual([
      403,
      "password_sign_in_off",
      "Nobody but the operator signs in with a password here",
    ]);
    expect((await login(email, "wrong")).body.messageCode).toBe("invalid_credentials");
    expect((await login("nobody@example.com")).body.messageCode).toBe("invalid_credentials");
  });

  test("the sign-in page has passkeys first, and the password for the operator below", async () => {
    const person = app.createAccount();
    const visitor = createVisitor(app, "203.0.113.9", ORIGIN);

    const page = await visitor.open("/signin");
    const refused = await visitor.post("/signin", { email: person.email, password: PASSWORD, next: "" });

    expect(page.text).toMatch(/Sign in with a passkey[\s\S]*<summary>Sign in as the operator<\/summary>/);
    expect([refused.status, textOf(refused)]).toEqual([
      403,
      expect.stringContaining("Nobody but the operator signs in with a password here."),
    ]);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  test("a password proves nothing and cannot be set, except the operator's", async () => {
    const person = app.createAccount();
    const as = app.signedIn(person.token);
    const body = { currentPassword: PASSWORD, newPassword: "another one" };

    const answers = [
      await as("POST", "/auth/prove", { password: PASSWORD }),
      await as("POST", "/app/account/password", body),
      await as("POST", "/app/account/password", { newPassword: "another one" }),
      await as("PATCH", "/app/account", { email: "other@example.com", currentPassword: PASSWORD }),
    ];

    expect(answers.map(({ body: answer }) => answer.messageCode)).toEqual(
      answers.map(() => "password_sign_in_off"),
    );
    expect((await as("GET", "/app/account/sign-in")).body.data).toEqual({
      hasPassword: false,
      mayHavePassword: false,
      provider: null,
    });
    const own = app.signedIn(operator.token);
    expect((await own("POST", "/auth/prove", { password: PASSWORD })).status).toBe(200);
    expect((await own("GET", "/app/account/sign-in")).body.data).toEqual({
      hasPassword: true,
      mayHavePassword: true,
      provider: null,
    });
  });

  test("the last passkey stays, although there is a password that counts for nothing", async () => {
    const person = app.createAccount();
    const as = app.signedIn(person.token);
    const device = await createDevice(ORIGIN);
    const { flow, options } = (await as("POST", "/app/account/passkeys/options")).body.data;
    await as("POST", "/app/account/passkeys", { flow, credential: device.create(options.challenge) });

    const removed = await as("DELETE", `/app/account/passkeys/${device.id}`);

    expect([removed.status, removed.body.messageCode]).toEqual([409, "invalid_transition"]);
  });

  test("a link from the operator signs in once, ends other sessions, and lets a passkey be added", async () => {
    const person = app.createAccount();
    const link = resetLink(person);
    const visitor = createVisitor(app, "203.0.113.9", ORIGIN);

    const page = await visitor.open(link);
    const token = new URL(link, ORIGIN).searchParams.get("token") ?? "";
    const signedIn = await visitor.post("/reset", { token });
    const again = await createVisitor(app, "203.0.113.9", ORIGIN).post("/reset", { token });

    expect(textOf(page)).toContain(`As ${person.email}. It signs you out everywhere else`);
    expect(page.text).not.toContain('type="password"');
    expect([signedIn.status, signedIn.location]).toEqual([303, "/library/settings/security"]);
    expect(again.status).toBe(410);
    expect(sessionsOf(person)).toBe(1);
    const cookie = /dubplate_session=([\w-]+)/.exec(signedIn.headers.getSetCookie().join())?.[1] ?? "";
    const as = app.signedIn(cookie);
    const begun = await as("POST", "/app/account/passkeys/options");
    expect(begun.status).toBe(200);
    const device = await createDevice(ORIGIN);
    const credential = device.create(begun.body.data.options.challenge);
    const added = await as(
      "POST",
      "/app/account/passkeys",
      { flow: begun.body.data.flow, credential },
      {
        "user-agent":
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
      },
    );
    expect(added.body.data.name).toBe("Chrome on Windows");
  });

  test("a link sets the operator's password as ever", async () => {
    const link = resetLink(operator);
    const visitor = createVisitor(app, "203.0.113.9", ORIGIN);
    const page = await visitor.open(link);
    const token = new URL(link, ORIGIN).searchParams.get("token") ?? "";

    const changed = await visitor.post("/reset", {
      token,
      email: operator.email,
      password: "a new long one",
    });

    expect(textOf(page)).toContain("Choose a new password");
    expect(textOf(changed)).toContain("Your password is changed");
    expect((await login(operator.email, "a new long one")).status).toBe(200);
  });

  test("an invitation is joined without a password, and leads to where a passkey is added", async () => {
    const owner = app.createAccount();
    const { token } = await invited(app, owner.token, { email: "new@example.com" });
    const visitor = createVisitor(app, "203.0.113.9", ORIGIN);
    const page = await visitor.open(`/join?token=${token}`);

    const refused = await visitor.post("/join", { token, name: "Ben", password: PASSWORD, email: "" });
    const joined = await visitor.post("/join", { token, name: "Ben", password: "", email: "" });

    expect(page.text).not.toContain('type="password"');
    expect(textOf(page)).toContain("Add a passkey right after joining");
    expect(textOf(refused)).toContain("Nobody but the operator signs in with a password here.");
    expect(joined.location).toBe(`/library/settings/security?in=${owner.accountId}`);
    const cookie = /dubplate_session=([\w-]+)/.exec(joined.headers.getSetCookie().join())?.[1] ?? "";
    expect((await app.signedIn(cookie)("POST", "/app/account/passkeys/options")).status).toBe(200);
  });
});
