import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { auditLog } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { createKey } from "../../src/modules/people/keys/service.ts";
import { createProvider } from "../../src/modules/people/signin/service.ts";
import { attributesOf, textOf } from "../pages/visitor.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { invited as makeInvitation } from "../team/inviting.ts";
import {
  CLIENT,
  createBrowser,
  type Fault,
  type RunningProvider,
  SECRET,
  startProvider,
} from "./provider.ts";

const ORIGIN = "http://127.0.0.1:4747";
const PASSWORD = "correct horse battery";
const NAME = "Example ID";
const CALLBACK = "/auth/provider/callback";

const houses: RunningProvider[] = [];
const apps: TestApp[] = [];
async function open(
  joins: "email" | "invited",
  options: Parameters<typeof startProvider>[1] = {},
  settings: Partial<TestApp["deps"]["settings"]> = {},
) {
  const house = await startProvider(`${ORIGIN}${CALLBACK}`, options);
  houses.push(house);
  const clientSecret = options.isPublic ? undefined : SECRET;
  const provider = { issuer: house.issuer, clientId: CLIENT, clientSecret, name: NAME, joins };
  const app = await createTestApp({
    settings: {
      publicUrl: ORIGIN,
      networkAllow: [new URL(house.issuer).host],
      provider: { ...provider, sessionMs: 24 * HOUR_MS },
      ...settings,
    },
  });
  apps.push(app);
  // The provider has the machine's clock.
  app.clock.advance(Date.now() - app.clock.now());
  return { house, app };
}

let house: RunningProvider;
let app: TestApp;
let invited: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  ({ house, app } = await open("email"));
  invited = await open("invited");
});
afterAll(async () => {
  for (const each of apps) await each.close();
  for (const each of houses) await each.close();
});
afterEach(() => {
  for (const { state } of houses) state.fault = {};
});

const rowsOf = ({ deps }: TestApp, sql: string) => deps.db.$client.query(sql).all() as Json[];
/** Everything that a sign-in could write, except flows, and when members were last seen, which any request may. */
const written = (of: TestApp) =>
  ["people", "sessions", "identities", "members", "passkeys", "api_keys", "audit_log"].map((table) =>
    rowsOf(of, `SELECT * FROM ${table}`).map(({ seen_at: _, ...row }) => row),
  );
/** Lets the provider know somebody by an address of this server. */
function knownAs(of: RunningProvider, sub: string, email: unknown, said: object = { email_verified: true }) {
  of.state.account = { sub, email, ...said, name: "Ana" };
}
const sessionOf = async (browser: ReturnType<typeof createBrowser>) =>
  JSON.parse((await browser.visitor.open("/auth/session")).text);

/** A person of this server who has connected the provider. */
async function connected(of: { app: TestApp; house: RunningProvider }, sub: string) {
  const person = of.app.createAccount();
  knownAs(of.house, sub, person.email);
  const browser = createBrowser(of.app, ORIGIN);
  browser.visitor.setCookie("dubplate_session", person.token);
  const seen = await browser.signIn("/auth/provider?next=/library/settings/security");
  return { ...person, browser, seen };
}

describe("signing in by the provider", () => {
  test("leads to the requested page as the person who connected it, by what the provider calls them", async () => {
    const { email } = await connected(invited, "ana-1");
    knownAs(invited.house, "ana-1", "another@example.com");
    const browser = createBrowser(invited.app, ORIGIN);

    const signedIn = await browser.signIn("/auth/provider?next=/library/links");

    expect([signedIn.status, signedIn.location]).toEqual([303, "/library/links"]);
    expect((await sessionOf(browser)).data.user.email).toBe(email);
    const { data } = JSON.parse((await browser.visitor.open("/auth/sessions")).text);
    expect(data[0]).toMatchObject({ current: true, method: "provider" });
  });

  test("asks with PKCE, state, nonce and a cookie that only this browser has", async () => {
    const { visitor } = createBrowser(app, ORIGIN);

    const begun = await visitor.open("/auth/provider");

    const asked = new URL(begun.location ?? "").searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect(asked.get("redirect_uri")).toBe(`${ORIGIN}${CALLBACK}`);
    for (const name of ["code_challenge", "state", "nonce"]) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(begun.headers.get("set-cookie")).toMatch(
      /^dubplate_flow=[\w-]{43}; Path=\/auth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  test("never leads elsewhere", async () => {
    const { browser } = await connected(invited, "ana-2");
    browser.visitor.setCookie("dubplate_session", "");

    const signedIn = await browser.signIn("/auth/provider?next=//evil.example");

    expect(signedIn.location).toBe("/");
  });

  test("lasts no longer than OIDC_SESSION", async () => {
    const { app: own } = invited;
    await connected(invited, "ana-3");
    const browser = createBrowser(own, ORIGIN);
    const signedIn = await browser.signIn();

    expect(signedIn.headers.getSetCookie()[1]).toContain("Max-Age=86400;");
    const { expires_at: until } = rowsOf(
      own,
      "SELECT absolute_expires_at AS expires_at FROM sessions WHERE method = 'provider' ORDER BY created_at DESC",
    )[0];
    expect(until).toBe(own.clock.now() + DAY_MS);
  });

  test("works where the address is in the ID token, and for a client without a secret", async () => {
    const plain = await open("email", { inIdToken: true, isPublic: true });
    const { email } = plain.app.createAccount();
    knownAs(plain.house, "ana", email);

    const signedIn = await createBrowser(plain.app, ORIGIN).signIn();

    expect(textOf(signedIn)).toContain(`You now sign in with ${NAME}`);
    expect(plain.house.state.requests).not.toContain("GET /me");
  });
});

describe("an answer of the provider", () => {
  test.each<[string, Fault]>([
    ["another nonce", { claims: (claims) => ({ ...claims, nonce: "x".repeat(43) }) }],
    ["no nonce", { claims: ({ nonce: _, ...claims }) => claims }],
    ["another state", { back: (url) => url.searchParams.set("state", "x".repeat(43)) }],
    ["no state", { back: (url) => url.searchParams.delete("state") }],
    ["another iss in the address", { back: (url) => url.searchParams.set("iss", "https://evil.example") }],
    ["no iss in the address", { back: (url) => url.searchParams.delete("iss") }],
    ["another code", { back: (url) => url.searchParams.set("code", "x".repeat(43)) }],
    ["another issuer", { claims: (claims) => ({ ...claims, iss: "https://evil.example" }) }],
    ["another audience", { claims: (claims) => ({ ...claims, aud: "somebody-else" }) }],
    [
      "several audiences and another party",
      { claims: (claims) => ({ ...claims, aud: [CLIENT, "b"], azp: "b" }) },
    ],
    ["an end in the past", { claims: (claims) => ({ ...claims, exp: claims.iat - 3600 }) }],
    ["a beginning in the future", { claims: (claims) => ({ ...claims, nbf: claims.iat + 3600 }) }],
    ["no subject", { claims: ({ sub: _, ...claims }) => claims }],
    ["a subject that is too long", { claims: (claims) => ({ ...claims, sub: "x".repeat(300), email: 1 }) }],
    ["no signature", { sign: "none" }],
    ["the signature of another key", { sign: "another key" }],
    ["a signature made with the client's secret", { sign: "HS256" }],
    ["a changed content", { sign: "changed" }],
    [
      "an error of the token endpoint",
      {
        answer: (path) =>
          path === "/token" ? { status: 400, body: '{"error":"invalid_grant"}' } : undefined,
      },
    ],
    [
      "no ID token",
      {
        answer: (path) =>
          path === "/token" ? { status: 200, body: '{"access_token":"a","token_type":"bearer"}' } : undefined,
      },
    ],
    [
      "a redirect in the place of tokens",
      { answer: (path) => (path === "/token" ? { status: 302, body: "" } : undefined) },
    ],
    ["rubbish", { answer: (path) => (path === "/token" ? { status: 200, body: "<html>" } : undefined) }],
  ])("with %s is refused in one sentence, and nothing is written", async (_, fault) => {
    const { email } = app.createAccount();
    knownAs(house, "ana", email);
    const browser = createBrowser(app, ORIGIN);
    house.state.fault = fault;
    const before = written(app);
    const back = new URL(await browser.begin(), ORIGIN);
    fault.back?.(back);

    const refused = await browser.visitor.open(back.pathname + back.search);

    expect([refused.status, textOf(refused)]).toEqual([
      401,
      expect.stringMatching(
        /The answer of Example ID could not be verified: try again, or sign in in another way\.|This sign-in does not work here\./,
      ),
    ]);
    expect(written(app)).toEqual(before);
    expect(refused.headers.getSetCookie().join()).not.toContain("dubplate_session");
  });

  test.each<[string, object]>([
    ["does not say that it is", {}],
    ["says so as text", { email_verified: "true" }],
    ["says that it is not", { email_verified: false }],
    ["says so as a number", { email_verified: 1 }],
  ])("with an address of which it %s confirmed is nobody's here, and nothing is written", async (_, said) => {
    const { email } = app.createAccount();
    knownAs(house, "unconfirmed", email, said);
    const before = written(app);

    const refused = await createBrowser(app, ORIGIN).signIn();

    expect(refused.status).toBe(403);
    expect(textOf(refused)).toContain("Nobody here has a sign-in with this account of Example ID");
    expect(written(app)).toEqual(before);
  });

  test.each<[string, unknown]>([
    ["nobody has", "nobody@example.com"],
    ["is none", 7],
    ["is too long", `${"x".repeat(300)}@example.com`],
  ])("with an address that %s is refused, and nothing is written", async (_, email) => {
    knownAs(house, "nobody", email);
    const before = written(app);

    const refused = await createBrowser(app, ORIGIN).signIn();

    expect(refused.status).toBe(403);
    expect(written(app)).toEqual(before);
  });

  test("is not used twice, nor in another browser, nor after ten minutes", async () => {
    await connected(invited, "ana-once");
    const ended = "This sign-in has ended, or began in another browser: start again.";
    const back = await createAnswer(invited.app);

    const elsewhere = await createBrowser(invited.app, ORIGIN).visitor.open(back.path);
    const first = await back.visitor.open(back.path);
    const again = await back.visitor.open(back.path);
    const late = await createAnswer(invited.app);
    invited.app.clock.advance(10 * MINUTE_MS);
    const tooLate = await late.visitor.open(late.path);

    expect(first.status).toBe(303);
    for (const refused of [elsewhere, again, tooLate]) {
      expect(refused.status).toBe(403);
      expect(textOf(refused)).toContain(ended);
    }
    invited.app.clock.advance(-10 * MINUTE_MS);
  });

  test("is not used twice by two requests at once, and a code not in another flow", async () => {
    await connected(invited, "ana-twice");
    const { visitor, path } = await createAnswer(invited.app);
    const stolen = await createAnswer(invited.app);
    const other = createBrowser(invited.app, ORIGIN);
    const own = new URL(await other.begin(), ORIGIN);
    own.searchParams.set("code", new URL(stolen.path, ORIGIN).searchParams.get("code") ?? "");

    const answers = await Promise.all([visitor.open(path), visitor.open(path)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403]);
    expect((await other.visitor.open(own.pathname + own.search)).status).toBe(401);
  });

  test("that somebody would rather not is said as that", async () => {
    const browser = createBrowser(app, ORIGIN);
    const back = new URL(await browser.begin(), ORIGIN);
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");

    const refused = await browser.visitor.open(back.pathname + back.search);

    expect(refused.status).toBe(401);
    expect(textOf(refused)).toContain(
      "Example ID did not sign you in: try again, or sign in in another way.",
    );
  });
});

/** An answer that has not been opened, and its browser. */
async function createAnswer(of: TestApp) {
  const browser = createBrowser(of, ORIGIN);
  return { visitor: browser.visitor, path: await browser.begin() };
}

describe("a person with the address that the provider says", () => {
  test("is not signed in where only invited people are let in, and nothing is written", async () => {
    const { email } = invited.app.createAccount();
    knownAs(invited.house, "stranger", email);
    const before = written(invited.app);

    const refused = await createBrowser(invited.app, ORIGIN).signIn();

    expect(refused.status).toBe(403);
    expect(textOf(refused)).toContain(
      "ask for an invitation, or sign in as before and connect it under Settings > Security.",
    );
    expect(written(invited.app)).toEqual(before);
  });

  test("is signed in with OIDC_JOIN=email; whatever was set up under the address before ends, and the page says so", async () => {
    const { accountId, email, token } = app.createAccount();
    const key = createKey(app.deps, accountId, { name: "NAS" }, { isOperator: false }).key;
    app.deps.db.$client.run("UPDATE api_keys SET made_by = account_id WHERE account_id = ?", [accountId]);
    app.deps.db.$client.run(
      `INSERT INTO passkeys (id, person_id, public_key, counter, transports, name, backed_up, created_at)
       VALUES ('one', ?1, x'', 0, '[]', 'Old', 0, 0), ('two', ?1, x'', 0, '[]', 'Old', 0, 0)`,
      [accountId],
    );
    app.deps.db.$client.run("INSERT INTO recovery_codes VALUES (x'01', ?, 0)", [accountId]);
    knownAs(house, "the-owner", email.toUpperCase());
    const browser = createBrowser(app, ORIGIN);

    const page = await browser.signIn("/auth/provider?next=/library");

    expect(page.status).toBe(200);
    const said = "no longer work: your password 2 passkeys 1 recovery code 1 session 1 API key Your music";
    expect(textOf(page)).toContain(said);
    expect(page.text).toContain('href="/library"');
    expect((await sessionOf(browser)).data.user.id).toBe(accountId);
    expect((await app.signedIn(token)("GET", "/auth/session")).status).toBe(401);
    expect((await app.as(key)("GET", "/tracks")).status).toBe(401);
    const login = await app.request("/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(login.status).toBe(401);
    const left = rowsOf(app, `SELECT 1 FROM passkeys WHERE person_id = '${accountId}'`);
    expect([left.length, rowsOf(app, "SELECT 1 FROM recovery_codes").length]).toEqual([0, 0]);
    const actions = app.deps.db.select().from(auditLog).all();
    const own = actions.filter(({ actor }) => actor === accountId).map(({ action }) => action);
    expect(own).toEqual(
      expect.arrayContaining(["account.ways_taken", "account.provider_connect", "key.revoke"]),
    );

    const again = await createBrowser(app, ORIGIN).signIn();
    expect([again.status, again.location]).toEqual([303, "/"]);
  });

  test.each([
    ["is blocked", "UPDATE people SET active = 0 WHERE email = ?"],
    [
      "has a disabled library",
      "UPDATE accounts SET active = 0 WHERE id = (SELECT id FROM people WHERE email = ?)",
    ],
  ])("is not signed in who %s, and nothing is written", async (_, sql) => {
    const { email } = app.createAccount();
    app.deps.db.$client.run(sql, [email]);
    knownAs(house, "shut-out", email);
    const before = written(app);

    const refused = await createBrowser(app, ORIGIN).signIn();

    expect([401, 403]).toContain(refused.status);
    expect(written(app)).toEqual(before);
  });

  test("is no longer signed in by an account that was connected, once they are blocked", async () => {
    const { email } = await connected(invited, "to-be-blocked");
    invited.app.deps.db.$client.run("UPDATE people SET active = 0 WHERE email = ?", [email]);
    const before = written(invited.app);

    const refused = await createBrowser(invited.app, ORIGIN).signIn();

    expect([refused.status, textOf(refused)]).toEqual([
      401,
      expect.stringContaining("This sign-in does not work here."),
    ]);
    expect(written(invited.app)).toEqual(before);
  });
});

describe("an invitation", () => {
  test("lets somebody new join by the provider, without a password, in the library that it is for", async () => {
    const { app: own, house: theirs } = invited;
    const owner = own.createAccount();
    const made = await makeInvitation(own, owner.token, { email: "new-1@example.com" });
    knownAs(theirs, "new-1", "New-1@example.com");
    const browser = createBrowser(own, ORIGIN);
    const page = await browser.visitor.open(`/join?token=${made.token}`);
    const path = attributesOf(page.text, "href").find((each) => each.startsWith("/auth/provider")) ?? "";

    const joined = await browser.signIn(path);

    expect([joined.status, joined.location]).toEqual([303, `/library?in=${owner.accountId}`]);
    const { data } = await sessionOf(browser);
    expect(data).toMatchObject({
      user: { email: "new-1@example.com", name: "Ana" },
      library: { id: owner.accountId, role: "producer" },
    });
    expect((await createBrowser(own, ORIGIN).signIn()).status).toBe(303);
    expect((await browser.visitor.open(`/join?token=${made.token}`)).text).toContain("already");
  });

  test("is found by its address where somebody signs in without its link, and then used up", async () => {
    const { app: own, house: theirs } = invited;
    const owner = own.createAccount();
    await makeInvitation(own, owner.token, { email: "new-2@example.com" });
    knownAs(theirs, "new-2", "new-2@example.com");

    const joined = await createBrowser(own, ORIGIN).signIn();

    expect(joined.location).toBe(`/library?in=${owner.accountId}`);
  });

  test.each<[string, object, string]>([
    ["whose address is another", { email_verified: true }, "other@example.com"],
    ["whose address the provider does not confirm", { email_verified: false }, "new-3@example.com"],
  ])("lets nobody join %s, and nothing is written", async (_, said, email) => {
    const { app: own, house: theirs } = invited;
    const made = await makeInvitation(own, own.createAccount().token, { email: "new-3@example.com" });
    knownAs(theirs, `new-3-${email}`, email, said);
    const before = written(own);

    const refused = await createBrowser(own, ORIGIN).signIn(`/auth/provider?invitation=${made.token}`);

    expect(refused.status).toBe(403);
    expect(written(own)).toEqual(before);
  });

  test("opens nothing for the address of somebody who has a sign-in, and a withdrawn one nothing at all", async () => {
    const { app: own, house: theirs } = invited;
    const [owner, person] = [own.createAccount(), own.createAccount()];
    const made = await makeInvitation(own, owner.token, { email: person.email });
    const gone = await makeInvitation(own, owner.token, { email: "gone@example.com" });
    await own.signedIn(owner.token)("DELETE", `/app/team/invitations/${gone.id}`);
    knownAs(theirs, "has-a-sign-in", person.email);
    const before = written(own);
    const { visitor, signIn } = createBrowser(own, ORIGIN);

    expect((await signIn(`/auth/provider?invitation=${made.token}`)).status).toBe(403);
    expect((await visitor.open(`/auth/provider?invitation=${gone.token}`)).status).toBe(403);
    expect((await visitor.open("/auth/provider?invitation=nonsense")).status).toBe(403);
    expect(written(own)).toEqual(before);
  });
});

describe("connecting the provider", () => {
  test("needs a session and a proof of the last ten minutes, and is listed", async () => {
    const { app: own } = invited;
    const person = await connected(invited, "connected-1");
    const as = own.signedIn(person.token);

    expect([person.seen.status, person.seen.location]).toEqual([303, "/library/settings/security"]);
    expect((await as("GET", "/app/account/sign-in")).body.data.provider).toEqual({
      name: NAME,
      connected: {
        email: person.email,
        createdAt: new Date(own.clock.now()).toISOString(),
        lastUsedAt: new Date(own.clock.now()).toISOString(),
      },
    });
    own.clock.advance(10 * MINUTE_MS);
    const [begin, open] = [
      await as("POST", "/app/account/provider"),
      await person.browser.visitor.open("/auth/provider"),
    ];
    own.clock.advance(-10 * MINUTE_MS);
    expect([begin.body.messageCode, open.status]).toEqual(["proof_needed", 403]);
    expect((await as("POST", "/app/account/provider")).body.data.url).toBe(
      "/auth/provider?next=%2Flibrary%2Fsettings%2Fsecurity",
    );
  });

  test("is refused for an account that somebody else has connected, or beside another one", async () => {
    const first = await connected(invited, "taken-1");
    const second = await connected(invited, "taken-2");
    const before = written(invited.app);

    knownAs(invited.house, "taken-1", first.email);
    second.browser.forget();
    const taken = await second.browser.signIn();
    knownAs(invited.house, "taken-3", second.email);
    second.browser.forget();
    const beside = await second.browser.signIn();

    expect(textOf(taken)).toContain("This account of Example ID belongs to somebody else here.");
    expect(textOf(beside)).toContain(
      "You have connected another account of Example ID: disconnect it first.",
    );
    expect(written(invited.app)).toEqual(before);
  });

  test("is not begun by another site, and not ended in another person's session", async () => {
    const [ana, ben] = [invited.app.createAccount(), invited.app.createAccount()];
    knownAs(invited.house, "attacker", "attacker@example.com");
    const browser = createBrowser(invited.app, ORIGIN);
    browser.visitor.setCookie("dubplate_session", ana.token);
    const before = written(invited.app);

    for (const from of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "none" },
      { referer: "https://evil.example/" },
    ])
      expect((await browser.visitor.open("/auth/provider", from as never)).status).toBe(403);
    const back = await browser.begin("/auth/provider", { "sec-fetch-site": "same-origin" });
    browser.visitor.setCookie("dubplate_session", ben.token);

    expect((await browser.visitor.open(back)).status).toBe(403);
    expect(written(invited.app)).toEqual(before);
  });

  test("is undone with a proof, but not by somebody who could not sign in any more", async () => {
    const { app: own } = invited;
    const person = await connected(invited, "undone");
    const as = own.signedIn(person.token);
    const hash = own.deps.db.$client
      .query("SELECT password_hash AS hash FROM people WHERE id = ?")
      .get(person.accountId) as Json;
    const setHash = (value: string | null) =>
      own.deps.db.$client.run("UPDATE people SET password_hash = ? WHERE id = ?", [value, person.accountId]);

    own.clock.advance(10 * MINUTE_MS);
    expect((await as("DELETE", "/app/account/provider")).body.messageCode).toBe("proof_needed");
    own.clock.advance(-10 * MINUTE_MS);
    setHash(null);
    expect((await as("DELETE", "/app/account/provider")).body.messageCode).toBe("invalid_transition");
    setHash(hash.hash);
    expect((await as("DELETE", "/app/account/provider")).status).toBe(200);
    expect((await as("DELETE", "/app/account/provider")).status).toBe(404);
    expect((await createBrowser(own, ORIGIN).signIn()).status).toBe(403);
  });
});

describe("a proof by the provider", () => {
  test("makes the person sign in there anew, and counts for ten minutes", async () => {
    const { app: own } = invited;
    const { browser, token } = await connected(invited, "prover");
    own.clock.advance(11 * MINUTE_MS);
    const asked = await browser.visitor.open("/auth/provider?for=proof&next=/library/settings/security");
    own.clock.advance(-11 * MINUTE_MS);
    expect(new URL(asked.location ?? "").searchParams.get("max_age")).toBe("0");
    own.deps.db.$client.run("UPDATE sessions SET proved_at = 0");
    expect((await own.signedIn(token)("POST", "/app/account/provider")).status).toBe(403);

    const proved = await browser.signIn("/auth/provider?for=proof&next=/library/settings/security");

    expect(proved.location).toBe("/library/settings/security");
    expect((await own.signedIn(token)("POST", "/app/account/provider")).status).toBe(200);
  });

  test.each<[string, Fault, string]>([
    [
      "a sign-in of long ago",
      { claims: (claims) => ({ ...claims, auth_time: claims.iat - 900 }) },
      "did not ask who you are",
    ],
    ["no time of a sign-in", { claims: ({ auth_time: _, ...claims }) => claims }, "did not ask who you are"],
  ])("is none with %s", async (_, fault, sentence) => {
    const { app: own, house: theirs } = invited;
    const { browser, token } = await connected(
      invited,
      `prover-${sentence.length}-${Object.keys(fault)}-${_}`,
    );
    own.deps.db.$client.run("UPDATE sessions SET proved_at = 0");
    theirs.state.fault = fault;

    const refused = await browser.signIn("/auth/provider?for=proof");

    expect([refused.status, textOf(refused)]).toEqual([401, expect.stringContaining(sentence)]);
    expect((await own.signedIn(token)("POST", "/app/account/provider")).status).toBe(403);
  });

  test("is none with another account there", async () => {
    const { app: own, house: theirs } = invited;
    const { browser, token, email } = await connected(invited, "prover-own");
    own.deps.db.$client.run("UPDATE sessions SET proved_at = 0");
    browser.forget();
    knownAs(theirs, "prover-other", email);

    const refused = await browser.signIn("/auth/provider?for=proof");

    expect(textOf(refused)).toContain("This is not the account of Example ID that you connected.");
    expect((await own.signedIn(token)("POST", "/app/account/provider")).status).toBe(403);
  });

  test("leads somebody who is not signed in to the sign-in page", async () => {
    const answer = await createBrowser(invited.app, ORIGIN).visitor.open("/auth/provider?for=proof");

    expect(answer.location).toBe("/signin");
  });

  test("is not what an old sign-in at the provider gives a new session", async () => {
    const { app: own, house: theirs } = invited;
    await connected(invited, "long-ago");
    const browser = createBrowser(own, ORIGIN);
    theirs.state.fault = { claims: (claims) => ({ ...claims, auth_time: claims.iat - 900 }) };

    await browser.signIn();

    expect((await browser.visitor.open("/auth/provider")).status).toBe(403);
  });
});

describe("a provider that fails", () => {
  const discovery = (status: number, body: string): Fault => ({
    answer: (path) => (path.startsWith("/.well-known") ? { status, body } : undefined),
  });

  test.each<[string, Fault, number]>([
    ["answers with an error", discovery(500, "no"), 401],
    ["answers rubbish", discovery(200, "<html>"), 401],
    ["answers a list", discovery(200, "[]"), 401],
    ["answers more than 1 MB", discovery(200, `{"issuer":"${"x".repeat(2 ** 20)}"}`), 503],
    ["says that it is another one", discovery(200, '{"issuer":"https://evil.example"}'), 401],
    ["names no address to sign in at", discovery(200, '{"issuer":"ISSUER"}'), 401],
    [
      "names an address of another kind",
      discovery(200, '{"issuer":"ISSUER","authorization_endpoint":"javascript:alert(1)"}'),
      401,
    ],
    ["says its name with a slash more", discovery(200, '{"issuer":"ISSUER/"}'), 401],
  ])("and %s costs one sentence, writes nothing, and is asked again", async (_, fault, status) => {
    const own = await open("email");
    const { email } = own.app.createAccount();
    knownAs(own.house, "ana", email);
    own.house.state.fault = {
      answer: (path) => {
        const answer = fault.answer?.(path);
        return answer && { ...answer, body: answer.body.replace("ISSUER", own.house.issuer) };
      },
    };
    const before = written(own.app);
    const browser = createBrowser(own.app, ORIGIN);

    const refused = await browser.visitor.open("/auth/provider");

    expect(refused.status).toBe(status);
    expect(textOf(refused)).toMatch(/Example ID (cannot be reached|could not be verified): try again/);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect([written(own.app), rowsOf(own.app, "SELECT 1 FROM sign_in_flows")]).toEqual([before, []]);
    own.house.state.fault = {};
    expect((await browser.signIn()).status).toBe(200);
    await own.app.close();
    apps.splice(apps.indexOf(own.app), 1);
  });

  test("and has no keys signs nobody in", async () => {
    const own = await open("email");
    const { email } = own.app.createAccount();
    knownAs(own.house, "ana", email);
    own.house.state.fault = {
      answer: (path) => (path === "/jwks" ? { status: 200, body: '{"keys":7}' } : undefined),
    };
    const before = written(own.app);

    expect((await createBrowser(own.app, ORIGIN).signIn()).status).toBe(401);
    expect(written(own.app)).toEqual(before);
  });

  test("and is down or silent is said as that, and passwords still work", async () => {
    const own = await open("email");
    const { email } = own.app.createAccount();
    await own.house.close();
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const provider = own.app.deps.settings.provider;
    const issuer = `http://127.0.0.1:${silent.port}`;
    const settings = {
      ...own.app.deps.settings,
      networkAllow: ["127.0.0.1"],
      ...(provider && { provider: { ...provider, issuer } }),
    };

    const down = await createBrowser(own.app, ORIGIN).visitor.open("/auth/provider");
    const late = createProvider({ ...own.app.deps, settings }, { timeoutMs: 200 }).begin(false);

    expect(down.status).toBe(503);
    expect(textOf(down)).toContain(
      "Example ID cannot be reached: try again later, or sign in in another way.",
    );
    await expect(late).rejects.toThrow("Example ID cannot be reached");
    const { visitor } = createBrowser(own.app, ORIGIN);
    expect((await visitor.post("/signin", { email, password: PASSWORD, next: "" })).status).toBe(303);
    silent.stop(true);
  });
});

test("where no provider is set nothing is there, and nothing is offered", async () => {
  const plain = await createTestApp();
  apps.push(plain);
  const { token } = plain.createAccount();
  const as = plain.signedIn(token);
  const { visitor } = createBrowser(plain, ORIGIN);

  for (const path of ["/auth/provider", `${CALLBACK}?code=a&state=b`, "/auth/provider?for=proof"])
    expect((await visitor.open(path)).status).toBe(404);
  expect((await as("GET", "/app/account/sign-in")).body.data.provider).toBeNull();
  for (const method of ["POST", "DELETE"])
    expect((await as(method, "/app/account/provider")).status).toBe(404);
  expect((await visitor.open("/signin")).text).not.toContain("/auth/provider");
});

test("the sign-in page offers it, and goes on to where the person wanted to", async () => {
  app.createAccount();
  const { visitor } = createBrowser(app, ORIGIN);

  const page = await visitor.open("/signin?next=/library/links%3Fa=b");

  expect(textOf(page)).toContain(`Sign in with ${NAME}`);
  expect(page.text).toContain('href="/auth/provider?next=%2Flibrary%2Flinks%3Fa%3Db"');
});
