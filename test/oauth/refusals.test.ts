import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { accounts, auditLog, oauthGrants } from "../../db/schema.ts";
import { DomainError } from "../../src/kernel/errors.ts";
import { authenticateAccessToken, pruneOAuth } from "../../src/modules/people/oauth/service.ts";
import {
  authorizeUrl,
  connect,
  createWorld,
  letIn,
  newBrowser,
  ORIGIN,
  openConsent,
  post,
  REDIRECT,
  RESOURCE,
  redeem,
  refresh,
  register,
  verifier,
  type World,
} from "./client.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.app.close());

const authenticate = (token: string, resource = RESOURCE) =>
  authenticateAccessToken(world.app.deps, token, resource);

/** Returns the refusal of a token, or "accepted". */
function verdict(token: string, resource = RESOURCE): string {
  try {
    authenticate(token, resource);
    return "accepted";
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

describe("an access token", () => {
  test("is refused an hour after it was given", async () => {
    const { access_token, expires_in } = await connect(world);

    expect(verdict(access_token)).toBe("accepted");
    world.app.clock.advance(expires_in * SECOND - 1);
    expect(verdict(access_token)).toBe("accepted");
    world.app.clock.advance(1);
    expect(verdict(access_token)).toBe("invalid_token");
  });

  test("is refused for another resource", async () => {
    const { access_token } = await connect(world);

    expect(verdict(access_token, "http://127.0.0.1:4747/other")).toBe("invalid_token");
    expect(verdict(access_token, "https://example.com/mcp")).toBe("invalid_token");
  });

  test("is refused when it is another kind of token, or invented", async () => {
    const { access_token, refresh_token, code } = await connect(world);

    expect(
      [refresh_token, code, "", "dpa_", `${access_token}x`, world.person.token].map((each) => verdict(each)),
    ).toEqual(Array(6).fill("invalid_token"));
  });

  test("is refused once its account is closed", async () => {
    const other = await createWorld();
    const { access_token, refresh_token } = await connect(other);

    other.app.deps.db
      .update(accounts)
      .set({ active: false })
      .where(eq(accounts.id, other.person.accountId))
      .run();

    expect(() => authenticateAccessToken(other.app.deps, access_token, RESOURCE)).toThrow("not valid");
    expect((await refresh(other, refresh_token)).body.error).toBe("invalid_grant");
    await other.app.close();
  });
});

describe("at the authorization endpoint", () => {
  /** The person is signed in: errors go back to the client, with its state and the issuer. */
  test.each([
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["PKCE without a method, which means plain", { code_challenge_method: undefined }, "invalid_request"],
    ["a challenge that is not SHA-256", { code_challenge: "too-short" }, "invalid_request"],
    ["no response_type", { response_type: undefined }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["a fragment as response_mode", { response_mode: "fragment" }, "invalid_request"],
    ["an unknown scope", { scope: "read:tracks read:everything" }, "invalid_scope"],
    ["a platform scope", { scope: "platform:read:accounts" }, "invalid_scope"],
    ["the scope all", { scope: "all" }, "invalid_scope"],
    ["the scope act-as-user", { scope: "act-as-user" }, "invalid_scope"],
    ["another resource", { resource: "https://example.com/mcp" }, "invalid_target"],
    ["the server's root as resource", { resource: ORIGIN }, "invalid_target"],
  ])("%s goes back to the client with the error code of the RFCs", async (_, changes, error) => {
    await openConsent(world, authorizeUrl(world, verifier())); // signs in

    const back = await world.browser.load(authorizeUrl(world, verifier(), changes));

    expect(back.url).toStartWith(`${REDIRECT}?`);
    expect(Object.fromEntries(new URL(back.url).searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: "s t&te",
      iss: ORIGIN,
    });
  });

  test.each([
    ["no client", { client_id: undefined }, "invalid_request"],
    ["an unknown client", { client_id: "ocl_unknown" }, "invalid_client"],
    [
      "a client that is not an https address",
      { client_id: "http://client.example/me.json" },
      "invalid_client",
    ],
    ["a client address without a path", { client_id: "https://client.example/" }, "invalid_client"],
    ["a foreign redirect", { redirect_uri: "https://evil.example/callback" }, "invalid_request"],
    ["a redirect with another path", { redirect_uri: "http://127.0.0.1:5123/callback/x" }, "invalid_request"],
    ["a redirect with an extra query", { redirect_uri: `${REDIRECT}?x=1` }, "invalid_request"],
    [
      "a redirect to another name of this computer",
      { redirect_uri: "http://localhost:5123/callback" },
      "invalid_request",
    ],
    [
      "a redirect with a user name",
      { redirect_uri: "http://127.0.0.1:80@evil.example/callback" },
      "invalid_request",
    ],
    ["a redirect to a script", { redirect_uri: "javascript:alert(1)" }, "invalid_request"],
  ])("%s is shown on a page here, without a redirect", async (_, changes, error) => {
    const page = await openConsent(world, authorizeUrl(world, verifier(), changes));

    expect(page.status).toBe(400);
    expect(page.url).toStartWith(`${ORIGIN}/oauth/authorize?`);
    expect(page.text).toContain("This app cannot be let in");
    expect(page.text).toContain(error);
    expect(page.form).toBeUndefined();
  });

  test("a repeated parameter is shown on a page here, too", async () => {
    await openConsent(world, authorizeUrl(world, verifier()));

    for (const twice of [`redirect_uri=${encodeURIComponent(REDIRECT)}`, "state=other", "client_id=other"]) {
      const page = await world.browser.load(`${authorizeUrl(world, verifier())}&${twice}`);
      expect([twice, page.status]).toEqual([twice, 400]);
      expect(page.text).toContain("invalid_request");
    }
  });

  test("a person who is not signed in is not redirected by a bad request of a good client, to prevent phishing", async () => {
    const page = await newBrowser(world.app).load(authorizeUrl(world, verifier(), { scope: "nonsense" }));

    expect(page.status).toBe(400);
    expect(page.text).toContain("invalid_scope");
  });

  test("the port of any loopback address may differ each time", async () => {
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      const { body } = await register(world.app, {
        redirect_uris: [`http://${host}/callback`, `http://${host}:1/q?a=b`],
      });
      for (const [asked, works] of [
        [`http://${host}:49152/callback`, true],
        [`http://${host}/callback`, true],
        [`http://${host}:2/q?a=b`, true],
        [`http://${host}:49152/other`, false],
        [`http://${host}:49152x/callback`, false],
        [`https://${host}:49152/callback`, false],
      ] as const) {
        const changes = { redirect_uri: asked };
        const page = await openConsent(
          world,
          authorizeUrl({ clientId: body.client_id }, verifier(), changes),
        );
        expect([asked, page.status]).toEqual([asked, works ? 200 : 400]);
      }
    }
  });

  test("the port of any other host may not differ", async () => {
    const { body } = await register(world.app, { redirect_uris: ["https://client.example/callback"] });
    const changes = { redirect_uri: "https://client.example:8443/callback" };

    const page = await openConsent(world, authorizeUrl({ clientId: body.client_id }, verifier(), changes));

    expect(page.status).toBe(400);
  });

  test("a client with one address may omit it, a client with two may not", async () => {
    const two = await register(world.app, { redirect_uris: [REDIRECT, "com.example.app:/callback"] });
    const without = { redirect_uri: undefined };

    const one = await openConsent(world, authorizeUrl(world, verifier(), without));
    const either = await openConsent(
      world,
      authorizeUrl({ clientId: two.body.client_id }, verifier(), without),
    );

    expect([one.status, either.status]).toEqual([200, 400]);
  });

  test("an app's own scheme is returned as it was written", async () => {
    const redirect = "com.example.App://Path/callback?keep=%20";
    const { body } = await register(world.app, { redirect_uris: [redirect] });
    const page = await openConsent(
      world,
      authorizeUrl({ clientId: body.client_id }, verifier(), { redirect_uri: redirect }),
    );

    const back = await world.browser.submit(page, { decision: "allow" });

    expect(page.text).toContain("the app that opens com.example.app://");
    expect(back.url).toStartWith(`${redirect}&code=`);
  });
});

describe("the answer to a consent page", () => {
  const question = () => openConsent(world, authorizeUrl(world, verifier()));

  test.each([
    ["made up", () => "x".repeat(43)],
    ["changed by one letter", (token: string) => (token.startsWith("A") ? "B" : "A") + token.slice(1)],
    ["empty", () => ""],
  ])("an answer with a state that is %s grants nothing", async (_, tamper) => {
    const page = await question();
    const token = page.form?.fields.find(([name]) => name === "request")?.[1] ?? "";
    const before = await world.app.deps.db.$count(oauthGrants);

    const answer = await world.browser.submit(page, { request: tamper(token), decision: "allow" });

    expect(answer.status).toBe(400);
    expect(answer.text).toContain("has expired or was already used");
    expect(await world.app.deps.db.$count(oauthGrants)).toBe(before);
  });

  test("counts only once, whatever the answer", async () => {
    for (const decision of ["allow", "deny"]) {
      const page = await question();

      const first = await world.browser.submit(page, { decision });
      const second = await world.browser.submit(page, { decision: "allow" });

      expect(first.status).toBe(0);
      expect(second.status).toBe(400);
    }
  });

  test("counts for ten minutes", async () => {
    const page = await question();
    world.app.clock.advance(600 * SECOND);

    expect((await world.browser.submit(page, { decision: "allow" })).status).toBe(400);
  });

  test("counts only in the session that saw the page: another person's page cannot be injected", async () => {
    const page = await question();
    const other = { ...world, person: world.app.createAccount(), browser: newBrowser(world.app) };
    await openConsent(other, authorizeUrl(world, verifier()));

    const answer = await other.browser.submit(page, { decision: "allow" });

    expect(answer.status).toBe(400);
    expect((await world.browser.submit(page, { decision: "allow" })).status).toBe(0);
  });

  test("does not count without a session, after signing out, or from another site", async () => {
    const page = await question();
    const body = new URLSearchParams([...(page.form?.fields ?? []), ["decision", "allow"]]).toString();
    const cookie = [...world.browser.cookies].map((each) => each.join("=")).join("; ");
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const send = (headers: Record<string, string>) =>
      world.app.request("/oauth/consent", { method: "POST", headers: { ...type, ...headers }, body });

    expect((await send({ origin: ORIGIN })).status).toBe(400);
    expect((await send({ cookie, origin: "https://evil.example" })).status).toBe(403);
    expect((await send({ cookie, origin: "null" })).status).toBe(403);
    expect((await send({ cookie })).status).toBe(403);
    await world.browser.submit(await world.browser.load(`${ORIGIN}/signout`));
    const afterwards = await send({ cookie, origin: ORIGIN });
    expect(afterwards.status).toBe(400);
    expect(await afterwards.text()).toContain("no longer signed in");
  });
});

describe("at the token endpoint", () => {
  const isRefused = (error: string) => ({
    status: 400,
    body: { error, error_description: expect.any(String) },
  });

  test("a token answer must not be cached", async () => {
    const { code, codeVerifier } = await letIn(world);

    const good = await redeem(world, { code, code_verifier: codeVerifier });
    const bad = await redeem(world, { code, code_verifier: codeVerifier });

    for (const { headers } of [good, bad]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toStartWith("application/json");
    }
    expect(good.body).toEqual({
      access_token: expect.stringMatching(/^dpa_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^dpr_[\w-]{43}$/),
      scope: "read:tracks update:tracks",
    });
  });

  test("a reused code is refused, and its earlier tokens end", async () => {
    const { code, codeVerifier, access_token, refresh_token } = await connect(world);

    const replay = await redeem(world, { code, code_verifier: codeVerifier });

    expect(replay).toMatchObject(isRefused("invalid_grant"));
    expect(verdict(access_token)).toBe("invalid_token");
    expect((await refresh(world, refresh_token)).body.error).toBe("invalid_grant");
    expect(world.app.deps.db.select().from(auditLog).all().at(-1)?.action).toBe("grant.code_replayed");
    expect(world.app.logged.at(-1)?.level).toBe("warn");
  });

  test("a code is valid for 60 seconds", async () => {
    const [inTime, tooLate] = [await letIn(world), await letIn(world)];

    world.app.clock.advance(60 * SECOND - 1);
    const first = await redeem(world, { code: inTime.code, code_verifier: inTime.codeVerifier });
    world.app.clock.advance(1);
    const second = await redeem(world, { code: tooLate.code, code_verifier: tooLate.codeVerifier });

    expect(first.status).toBe(200);
    expect(second).toMatchObject(isRefused("invalid_grant"));
  });

  test.each([
    ["another code_verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
    ["a code_verifier that is too short", { code_verifier: "short" }, "invalid_grant"],
    ["another redirect_uri", { redirect_uri: "http://127.0.0.1:5124/callback" }, "invalid_grant"],
    ["another client with a document", { client_id: "https://client.example/me.json" }, "invalid_grant"],
  ])("a code with %s is refused, and used up", async (_, changes, error) => {
    const { code, codeVerifier } = await letIn(world);

    const refused = await redeem(world, { code, code_verifier: codeVerifier, ...changes });
    const again = await redeem(world, { code, code_verifier: codeVerifier });

    expect(refused).toMatchObject(isRefused(error));
    expect(again).toMatchObject(isRefused("invalid_grant"));
  });

  test.each([
    ["no grant_type", { grant_type: undefined }, "invalid_request"],
    ["an unknown grant_type", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["a password", { grant_type: "password" }, "unsupported_grant_type"],
    ["no client_id", { client_id: undefined }, "invalid_client"],
    ["an unknown client", { client_id: "ocl_unknown" }, "invalid_client"],
    ["no code", { code: undefined }, "invalid_request"],
    ["an unknown code", { code: "x".repeat(43) }, "invalid_grant"],
    ["no code_verifier", { code_verifier: undefined }, "invalid_request"],
    ["another resource", { resource: "https://example.com/mcp" }, "invalid_target"],
  ])("%s is refused, and the code stays valid", async (_, changes, error) => {
    const { code, codeVerifier } = await letIn(world);

    const refused = await redeem(world, { code, code_verifier: codeVerifier, ...changes });
    const then = await redeem(world, { code, code_verifier: codeVerifier });

    expect(refused).toMatchObject(isRefused(error));
    expect(then.status).toBe(200);
  });

  test("a client that authenticates in a header is told that this is not supported", async () => {
    const answer = await post(
      world.app,
      "/oauth/token",
      { grant_type: "refresh_token" },
      { authorization: `Basic ${btoa("id:secret")}` },
    );

    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(answer.headers.get("www-authenticate")).toStartWith("Basic ");
  });

  test("a token request must be a form, with each parameter once, within a size limit", async () => {
    const fields = (text: string) => post(world.app, "/oauth/token", new URLSearchParams(text));
    const json = await world.app.request("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });

    expect([json.status, await json.json()]).toEqual([
      400,
      expect.objectContaining({ error: "invalid_request" }),
    ]);
    expect(await fields("grant_type=refresh_token&grant_type=refresh_token")).toMatchObject(
      isRefused("invalid_request"),
    );
    expect(await fields(`grant_type=refresh_token&x=${"x".repeat(70_000)}`)).toMatchObject(
      isRefused("invalid_request"),
    );
    expect(await fields(`resource=${RESOURCE}&resource=https://example.com/`)).toMatchObject(
      isRefused("invalid_target"),
    );
    expect(await fields("")).toMatchObject(isRefused("invalid_request"));
  });

  test("a missing resource means the tool server, and so does another spelling of its host", async () => {
    for (const resource of [undefined, "HTTP://127.0.0.1:4747/mcp"]) {
      const { code, codeVerifier } = await letIn(world, { resource });

      const answer = await redeem(world, { code, code_verifier: codeVerifier, resource });

      expect(verdict(answer.body.access_token)).toBe("accepted");
    }
  });

  test("a client that follows OAuth 2.1 does not need to repeat its redirect_uri", async () => {
    const { code, codeVerifier } = await letIn(world);

    expect((await redeem(world, { code, code_verifier: codeVerifier, redirect_uri: undefined })).status).toBe(
      200,
    );
  });
});

describe("a refresh token", () => {
  test("gives a new pair, and the old access token stays valid until it expires", async () => {
    const first = await connect(world);

    const { status, body } = await refresh(world, first.refresh_token);

    expect(status).toBe(200);
    expect(body.scope).toBe("read:tracks update:tracks");
    expect([verdict(first.access_token), verdict(body.access_token)]).toEqual(["accepted", "accepted"]);
  });

  test("a refresh token that is reused ends the whole family, including its newest token", async () => {
    const first = await connect(world);
    const second = (await refresh(world, first.refresh_token)).body;
    const third = (await refresh(world, second.refresh_token)).body;
    const { grantId } = authenticate(third.access_token);

    const reused = await refresh(world, first.refresh_token);

    expect(reused).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    for (const { access_token } of [first, second, third])
      expect(verdict(access_token)).toBe("invalid_token");
    for (const { refresh_token } of [second, third])
      expect((await refresh(world, refresh_token)).body.error).toBe("invalid_grant");
    expect(world.app.deps.db.select().from(auditLog).all().at(-1)?.action).toBe("grant.token_reused");
    const listed = await world.app.signedIn(world.person.token)("GET", "/app/grants");
    expect(listed.body.data.map((grant: { id: string }) => grant.id)).not.toContain(grantId);
  });

  test("is valid for 30 days from its last use", async () => {
    const { refresh_token } = await connect(world);

    world.app.clock.advance(30 * DAY - 1);
    const renewed = await refresh(world, refresh_token);
    world.app.clock.advance(30 * DAY);
    const late = await refresh(world, renewed.body.refresh_token);

    expect(renewed.status).toBe(200);
    expect(late).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("a refresh token for an old address of the tool server is refused, and the client has to ask again", async () => {
    const other = await createWorld();
    const { refresh_token } = await connect(other);
    other.app.deps.db.$client.run("UPDATE oauth_grants SET resource = 'http://127.0.0.1:4748/mcp'");

    expect(await refresh(other, refresh_token)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    await other.app.close();
  });

  test("gives fewer scopes on request, never more, and all of them again later", async () => {
    const { refresh_token } = await connect(world);

    const less = await refresh(world, refresh_token, { scope: "read:tracks" });
    const more = await refresh(world, less.body.refresh_token, { scope: "read:tracks read:briefs" });
    const unknown = await refresh(world, less.body.refresh_token, { scope: "everything" });
    const whole = await refresh(world, less.body.refresh_token);

    expect(authenticate(less.body.access_token).scopes).toEqual(["read:tracks"]);
    expect([more.body.error, unknown.body.error]).toEqual(["invalid_scope", "invalid_scope"]);
    expect(whole.body.scope).toBe("read:tracks update:tracks");
  });

  test("a refresh token sent by another client, or by none, is refused and stays valid", async () => {
    const { refresh_token, access_token } = await connect(world);

    const foreign = await refresh(world, refresh_token, { client_id: "https://client.example/me.json" });
    const wrongKind = await refresh(world, access_token);
    const missing = await post(world.app, "/oauth/token", {
      grant_type: "refresh_token",
      client_id: world.clientId,
    });
    const elsewhere = await refresh(world, refresh_token, { resource: "https://example.com/mcp" });

    expect([foreign, wrongKind, missing, elsewhere].map(({ body }) => body.error)).toEqual([
      "invalid_grant",
      "invalid_grant",
      "invalid_request",
      "invalid_target",
    ]);
    expect((await refresh(world, refresh_token)).status).toBe(200);
  });
});

describe("at the revocation endpoint", () => {
  const revoke = (fields: Record<string, string | undefined>) =>
    post(world.app, "/oauth/revoke", { client_id: world.clientId, ...fields });

  test("an access token ends by itself, a refresh token with all its access tokens", async () => {
    const tokens = await connect(world);
    const later = (await refresh(world, tokens.refresh_token)).body;

    const one = await revoke({ token: tokens.access_token, token_type_hint: "refresh_token" });
    expect([one.status, verdict(tokens.access_token), verdict(later.access_token)]).toEqual([
      200,
      "invalid_token",
      "accepted",
    ]);
    const all = await revoke({ token: later.refresh_token });
    expect([all.status, verdict(later.access_token)]).toEqual([200, "invalid_token"]);
    expect((await refresh(world, later.refresh_token)).body.error).toBe("invalid_grant");
  });

  test("an unknown token is not an error; a missing one, or another client's, is", async () => {
    const { refresh_token, access_token } = await connect(world);

    expect((await revoke({ token: "unknown" })).status).toBe(200);
    expect((await revoke({})).body.error).toBe("invalid_request");
    expect((await revoke({ token: refresh_token, client_id: undefined })).body.error).toBe("invalid_client");
    expect(
      (await revoke({ token: refresh_token, client_id: "https://client.example/me.json" })).body.error,
    ).toBe("invalid_grant");
    expect(verdict(access_token)).toBe("accepted");
  });
});

describe("a client that registers itself", () => {
  test("becomes a public client, whatever it requested, and is told so", async () => {
    const { status, body, headers } = await register(world.app, {
      redirect_uris: ["https://client.example/callback"],
      client_name: "  Night\nBus  ",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
      logo_uri: "https://client.example/logo.png",
    });

    expect(status).toBe(201);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      client_id: expect.stringMatching(/^ocl_[0-9a-f]{32}$/),
      client_id_issued_at: Math.floor(world.app.clock.now() / 1000),
      client_name: "Night Bus",
      redirect_uris: ["https://client.example/callback"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
  });

  test.each([
    ["no redirect_uris", {}, "invalid_redirect_uri"],
    ["an empty list of redirect_uris", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["too many", { redirect_uris: Array(11).fill(REDIRECT) }, "invalid_redirect_uri"],
    ["plain http", { redirect_uris: ["http://client.example/callback"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: ["https://client.example/callback#x"] }, "invalid_redirect_uri"],
    ["a user name", { redirect_uris: ["https://me@client.example/callback"] }, "invalid_redirect_uri"],
    ["a script", { redirect_uris: ["javascript:alert(1)//x"] }, "invalid_redirect_uri"],
    ["data", { redirect_uris: ["data:text/html,x"] }, "invalid_redirect_uri"],
    ["a file", { redirect_uris: ["file:///etc/passwd"] }, "invalid_redirect_uri"],
    ["a line break", { redirect_uris: ["https://client.example/\r\nset-cookie:x"] }, "invalid_redirect_uri"],
    ["only a path", { redirect_uris: ["/callback"] }, "invalid_redirect_uri"],
    ["a number", { redirect_uris: [1] }, "invalid_redirect_uri"],
    [
      "only an unknown flow",
      { redirect_uris: [REDIRECT], grant_types: ["client_credentials"] },
      "invalid_client_metadata",
    ],
    [
      "only an unknown response type",
      { redirect_uris: [REDIRECT], response_types: ["token"] },
      "invalid_client_metadata",
    ],
    ["a list", [], "invalid_client_metadata"],
    ["no JSON", "{", "invalid_client_metadata"],
    ["too much", { redirect_uris: [REDIRECT], x: "x".repeat(70_000) }, "invalid_client_metadata"],
  ])("a registration with %s is refused", async (_, metadata, error) => {
    const answer = await register(world.app, metadata);

    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("may register 20 times per hour from one address", async () => {
    const metadata = { redirect_uris: [REDIRECT] };
    const results = [];
    for (let count = 0; count < 21; count++) results.push(await register(world.app, metadata, "203.0.113.9"));
    const elsewhere = await register(world.app, metadata, "203.0.113.10");
    world.app.clock.advance(HOUR);
    const later = await register(world.app, metadata, "203.0.113.9");

    expect(results.slice(0, 20).every(({ status }) => status === 201)).toBe(true);
    expect(results[20]).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(results[20]?.headers.get("retry-after")).toBe("3600");
    expect([elsewhere.status, later.status]).toEqual([201, 201]);
  });
});

describe("expired data", () => {
  let other: World;
  const rows = (table: string) =>
    other.app.deps.db.$client.query<{ total: number }, []>(`SELECT count(*) AS total FROM ${table}`).get()
      ?.total;
  beforeEach(async () => {
    other = await createWorld();
  });

  test("expired consent requests, codes, tokens, grants and unused clients are deleted", async () => {
    const { access_token } = await connect(other);
    await letIn(other); // a code that is never redeemed
    await openConsent(other, authorizeUrl(other, verifier())); // a consent request that is never answered
    await register(other.app, { redirect_uris: [REDIRECT] }); // a client that is never authorised
    expect(
      ["oauth_requests", "oauth_codes", "oauth_tokens", "oauth_grants", "oauth_clients"].map(rows),
    ).toEqual([1, 2, 2, 2, 2]);

    other.app.clock.advance(DAY + 1);
    pruneOAuth(other.app.deps);
    expect(
      ["oauth_requests", "oauth_codes", "oauth_tokens", "oauth_grants", "oauth_clients"].map(rows),
    ).toEqual([0, 1, 1, 1, 1]);
    expect(() => authenticateAccessToken(other.app.deps, access_token, RESOURCE)).toThrow();

    other.app.clock.advance(90 * DAY);
    pruneOAuth(other.app.deps);
    expect(["oauth_codes", "oauth_tokens", "oauth_grants", "oauth_clients"].map(rows)).toEqual([0, 0, 0, 0]);
    await other.app.close();
  });

  test("a consent request is deleted with its session, and with its account", async () => {
    const page = await openConsent(other, authorizeUrl(other, verifier()));
    await connect(other);

    await other.app.signedIn(other.person.token)("DELETE", "/auth/sessions");
    expect(rows("oauth_requests")).toBe(0);
    expect((await other.browser.submit(page, { decision: "allow" })).status).toBe(400);
    other.app.deps.db.delete(accounts).where(eq(accounts.id, other.person.accountId)).run();
    expect(["oauth_grants", "oauth_tokens", "oauth_codes"].map(rows)).toEqual([0, 0, 0]);
    await other.app.close();
  });
});
