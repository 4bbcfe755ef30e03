import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { auditLog } from "../../db/schema.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { createDevice, type Wrong } from "./device.ts";

const ORIGIN = "https://music.example.com";
const PASSWORD = "correct horse battery";

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let device: Awaited<ReturnType<typeof createDevice>>;
beforeAll(async () => {
  app = await createTestApp({ settings: { passkeys: true, publicUrl: ORIGIN } });
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = app.createAccount();
  device = await createDevice(ORIGIN);
});

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.query(sql).run(...values);
const call = async (path: string, body?: unknown) => {
  const response = await app.request(path, {
    method: "POST",
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  return { status: response.status, body: await jsonOf(response) };
};
const begin = async () => (await call("/auth/passkey/options")).body.data;

/** Adds the device's passkey. */
async function add(token: string, wrong: Wrong = {}, name = "Laptop") {
  const as = app.signedIn(token);
  const { flow, options } = (await as("POST", "/app/account/passkeys/options")).body.data;
  const body = { flow, credential: device.create(options.challenge, wrong), name };
  return { body, answer: await as("POST", "/app/account/passkeys", body) };
}

async function signIn(wrong: Wrong = {}) {
  const { flow, options } = await begin();
  const body = { flow, credential: await device.sign(options.challenge, wrong) };
  return { body, answer: await call("/auth/passkey", body) };
}

const sessionsOf = (email: string) =>
  app.deps.db.$client
    .query("SELECT count(*) AS n FROM sessions JOIN people p ON p.id = person_id WHERE p.email = ?")
    .get(email) as { n: number };

describe("a passkey", () => {
  test("is added, signs in without an address, and says so in the list of sessions", async () => {
    const { answer } = await add(owner.token);

    const { answer: signedIn } = await signIn();

    expect(answer.body.data).toEqual({
      id: device.id,
      name: "Laptop",
      createdAt: new Date(app.deps.now()).toISOString(),
      lastUsedAt: null,
      backedUp: false,
    });
    expect(signedIn.body.data.user.email).toBe(owner.email);
    const as = app.signedIn(signedIn.body.data.token);
    const sessions = (await as("GET", "/auth/sessions")).body.data;
    expect(sessions.map(({ method }: { method: string }) => method).toSorted()).toEqual([
      "passkey",
      "password",
    ]);
    const [listed] = (await as("GET", "/app/account/passkeys")).body.data;
    expect(listed.lastUsedAt).toBe(new Date(app.deps.now()).toISOString());
    const actions = app.deps.db.select().from(auditLog).all();
    expect(
      actions.some(({ action, actor }) => action === "account.passkey_add" && actor === owner.accountId),
    ).toBe(true);
  });

  test("is asked for in a way that names nobody and needs the person's own finger or code", async () => {
    await add(owner.token);

    const { options } = await begin();

    expect(options).toMatchObject({ rpId: "music.example.com", userVerification: "required" });
    expect(options.allowCredentials ?? []).toEqual([]);
    expect(Buffer.from(options.challenge, "base64url").length).toBe(32);
  });

  test.each<[string, Wrong]>([
    ["another challenge", { challenge: Buffer.alloc(32, 1).toString("base64url") }],
    ["another site's page", { origin: "https://evil.example.com" }],
    ["the same host without https", { origin: "http://music.example.com" }],
    ["another site's passkey", { rpId: "evil.example.com" }],
    ["somebody who did not prove who they are", { flags: 0x01 }],
    ["nobody there", { flags: 0x04 }],
    ["a changed signature", { isSignatureChanged: true }],
    ["a creation in the place of a use", { type: "webauthn.create" }],
    ["another person's handle", { userHandle: Buffer.from("usr_other").toString("base64url") }],
  ])("does not sign in with %s", async (_, wrong) => {
    await add(owner.token);
    const before = sessionsOf(owner.email);

    const { answer } = await signIn(wrong);

    expect([answer.status, answer.body.messageCode]).toEqual([401, "invalid_credentials"]);
    expect(answer.body.message).toBe("This passkey does not work here");
    expect(sessionsOf(owner.email)).toEqual(before);
  });

  test("that counts back, as a copy does, does not sign in, and the right one still does", async () => {
    await add(owner.token);
    expect((await signIn({ counter: 7 })).answer.status).toBe(200);

    expect((await signIn({ counter: 3 })).answer.status).toBe(401);
    expect((await signIn({ counter: 7 })).answer.status).toBe(401);

    expect((await signIn({ counter: 8 })).answer.status).toBe(200);
  });

  test("of an authenticator that does not count signs in again and again", async () => {
    await add(owner.token);

    expect((await signIn({ counter: 0 })).answer.status).toBe(200);
    expect((await signIn({ counter: 0 })).answer.status).toBe(200);
  });

  test("is not used twice by one answer, also when the two arrive at once", async () => {
    await add(owner.token);
    const { flow, options } = await begin();
    const body = { flow, credential: await device.sign(options.challenge) };

    const answers = await Promise.all([call("/auth/passkey", body), call("/auth/passkey", body)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test("is used within five minutes", async () => {
    await add(owner.token);
    const { flow, options } = await begin();
    app.clock.advance(5 * MINUTE_MS);

    const answer = await call("/auth/passkey", { flow, credential: await device.sign(options.challenge) });

    expect(answer.status).toBe(401);
  });

  test("that is not known here is refused with the same sentence", async () => {
    const { answer } = await signIn();

    expect([answer.status, answer.body.message]).toEqual([401, "This passkey does not work here"]);
  });

  test.each([
    ["is blocked", "UPDATE people SET active = 0 WHERE email = ?"],
    [
      "has a disabled library",
      "UPDATE accounts SET active = 0 WHERE id = (SELECT id FROM people WHERE email = ?)",
    ],
  ])("does not sign somebody in who %s", async (_, sql) => {
    await add(owner.token);
    run(sql, owner.email);

    expect((await signIn()).answer.status).toBe(401);
  });

  test("does not sign in a person who was removed from their only library", async () => {
    const { token, memberId } = addMember(app, owner.accountId, { role: "artist" });
    await add(token);
    run("DELETE FROM members WHERE id = ?", memberId);

    expect((await signIn()).answer.status).toBe(401);
  });
});

describe("adding a passkey", () => {
  test.each<[string, Wrong]>([
    ["another challenge", { challenge: Buffer.alloc(32, 1).toString("base64url") }],
    ["another site's page", { origin: "https://evil.example.com" }],
    ["another site", { rpId: "evil.example.com" }],
    ["somebody who did not prove who they are", { flags: 0x41 }],
    ["a use in the place of a creation", { type: "webauthn.get" }],
    ["a certificate, whose address would be asked", { hasCertificate: true }],
  ])("is refused with %s", async (_, wrong) => {
    const { answer } = await add(owner.token, wrong);

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
    expect((await app.signedIn(owner.token)("GET", "/app/account/passkeys")).body.data).toEqual([]);
  });

  test("is refused in another person's session, and with an answer that was used", async () => {
    const other = app.createAccount();
    const { flow, options } = (await app.signedIn(owner.token)("POST", "/app/account/passkeys/options")).body
      .data;
    const body = { flow, credential: device.create(options.challenge), name: "Laptop" };

    expect((await app.signedIn(other.token)("POST", "/app/account/passkeys", body)).status).toBe(400);
    expect((await app.signedIn(owner.token)("POST", "/app/account/passkeys", body)).status).toBe(400);
    expect((await signIn()).answer.status).toBe(401);
  });

  test("does not take over a passkey that somebody else has", async () => {
    await add(owner.token);
    const other = app.createAccount();

    expect((await add(other.token)).answer.status).toBe(400);

    expect((await signIn()).answer.body.data.user.email).toBe(owner.email);
  });

  test("stops at twenty", async () => {
    const { accountId } = owner;
    for (let each = 0; each < 20; each++)
      run(
        `INSERT INTO passkeys (id, person_id, public_key, counter, transports, name, backed_up, created_at)
         VALUES (?, ?, x'', 0, '[]', 'Old', 0, 0)`,
        `${accountId}-${each}`,
        accountId,
      );

    const refused = await app.signedIn(owner.token)("POST", "/app/account/passkeys/options");

    expect([refused.status, refused.body.messageCode]).toEqual([409, "key_limit_reached"]);
  });
});

describe("changing how one signs in", () => {
  test("needs a proof ten minutes after signing in: the password, or a passkey of one's own", async () => {
    await add(owner.token);
    const as = app.signedIn(owner.token);
    app.clock.advance(10 * MINUTE_MS);
    const options = () => as("POST", "/app/account/passkeys/options");
    const remove = () => as("DELETE", `/app/account/passkeys/${device.id}`);

    expect([(await options()).body.messageCode, (await remove()).body.messageCode]).toEqual([
      "proof_needed",
      "proof_needed",
    ]);
    expect((await as("POST", "/auth/prove", { password: "wrong" })).body.messageCode).toBe(
      "validation_failed",
    );
    expect((await options()).status).toBe(403);
    expect((await as("POST", "/auth/prove", { password: PASSWORD })).status).toBe(200);
    expect((await options()).status).toBe(200);

    app.clock.advance(10 * MINUTE_MS);
    const asked = await begin();
    const credential = await device.sign(asked.options.challenge);
    expect((await as("POST", "/auth/prove", { flow: asked.flow, credential })).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await signIn()).answer.status).toBe(401);
  });

  test("is not proved by somebody else's passkey", async () => {
    await add(owner.token);
    const other = app.createAccount();
    const { flow, options } = await begin();

    const credential = await device.sign(options.challenge);
    const answer = await app.signedIn(other.token)("POST", "/auth/prove", { flow, credential });

    expect(answer.status).toBe(400);
  });

  test("needs a proof at once in a session that the operator began", async () => {
    run("UPDATE sessions SET method = 'operator', proved_at = 0 WHERE person_id = ?", owner.accountId);

    const answer = await app.signedIn(owner.token)("POST", "/app/account/passkeys/options");

    expect(answer.body.messageCode).toBe("proof_needed");
  });

  test("allows ten wrong passwords, of signing in and of proofs together", async () => {
    const as = app.signedIn(owner.token);
    for (let attempt = 0; attempt < 10; attempt++) await as("POST", "/auth/prove", { password: "wrong" });

    expect((await as("POST", "/auth/prove", { password: PASSWORD })).status).toBe(429);
    expect((await call("/auth/login", { email: owner.email, password: PASSWORD })).status).toBe(429);
  });

  test("leaves somebody without a password their last passkey", async () => {
    const { token } = addMember(app, owner.accountId, { role: "artist" });
    await add(token);

    const answer = await app.signedIn(token)("DELETE", `/app/account/passkeys/${device.id}`);

    expect([answer.status, answer.body.messageCode]).toEqual([409, "invalid_transition"]);
    expect((await signIn()).answer.status).toBe(200);
  });

  test("concerns one's own passkeys alone, and renames them", async () => {
    await add(owner.token);
    const other = app.signedIn(app.createAccount().token);
    const path = `/app/account/passkeys/${device.id}`;

    expect((await other("PATCH", path, { name: "Mine" })).status).toBe(404);
    expect((await other("DELETE", path)).status).toBe(404);
    expect((await app.signedIn(owner.token)("PATCH", path, { name: " " })).status).toBe(400);
    expect((await app.signedIn(owner.token)("PATCH", path, { name: "Studio" })).body.data.name).toBe(
      "Studio",
    );
  });
});

describe("the sign-in page", () => {
  test("signs in by a passkey with a cookie, and leads on only on this server", async () => {
    await add(owner.token);
    const visitor = createVisitor(app);
    const page = await visitor.open("/signin?next=/swagger");
    const { flow, options } = await begin();
    const answer = JSON.stringify({ flow, credential: await device.sign(options.challenge) });

    const signedIn = await visitor.post("/signin", { answer, next: "//elsewhere.example" });

    expect(page.text).toContain("Sign in with a passkey");
    expect(attributesOf(page.text, "data-options")).toEqual(["/auth/passkey/options"]);
    expect([signedIn.status, signedIn.location]).toEqual([303, "/"]);
    expect(signedIn.headers.get("set-cookie")).toMatch(
      /^dubplate_session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax/,
    );
  });

  test.each(["", "{", "{}", '{"flow":"x","credential":{"id":1}}'])(
    "refuses %p in one sentence",
    async (answer) => {
      const refused = await createVisitor(app).post("/signin", { answer, next: "" });

      expect(refused.status).toBe(400);
      expect(refused.text).toContain("This passkey could not be read.");
      expect(refused.headers.getSetCookie()).toEqual([]);
    },
  );

  test("does not take another site's form", async () => {
    const body = new URLSearchParams({ answer: "{}", next: "" });
    const headers = {
      origin: "https://evil.example.com",
      "content-type": "application/x-www-form-urlencoded",
    };

    expect((await app.request("/signin", { method: "POST", body, headers })).status).toBe(403);
  });
});

test("where passkeys are off nothing is there, and nothing is offered", async () => {
  const plain = await createTestApp();
  const { token } = plain.createAccount();

  const begun = await plain.request("/auth/passkey/options", { method: "POST" });
  const added = await plain.signedIn(token)("POST", "/app/account/passkeys/options");

  expect([begun.status, added.status]).toEqual([404, 404]);
  expect((await plain.signedIn(token)("GET", "/app/account")).body.data.signIn).toEqual({ passkeys: false });
  expect((await createVisitor(plain).open("/signin")).text).not.toContain("passkey");
  await plain.close();
});

test("attempts that ended are deleted, and no more than 10,000 are kept", async () => {
  const full = await createTestApp({ settings: { passkeys: true, publicUrl: ORIGIN } });
  full.createAccount();
  full.deps.db.$client.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
     INSERT INTO sign_in_flows (token_hash, kind, challenge, expires_at) SELECT CAST(i AS BLOB), 'passkey', 'x', i FROM n`,
  );
  const count = () =>
    full.deps.db.$client.query("SELECT count(*) AS n FROM sign_in_flows").get() as { n: number };

  await full.request("/auth/passkey/options", { method: "POST" });
  const kept = count().n;
  const { pruneFlows } = await import("../../src/modules/people/signin/service.ts");
  pruneFlows(full.deps);

  expect([kept, count().n]).toEqual([10_000, 1]);
  await full.close();
});
