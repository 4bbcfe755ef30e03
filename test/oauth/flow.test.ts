import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as oauth from "oauth4webapi";
import type { PersonId } from "../../db/schema.ts";
import { auditLog } from "../../db/schema.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { TOOL_SCOPES } from "../../src/modules/people/oauth/scopes.ts";
import { authenticateAccessToken } from "../../src/modules/people/oauth/service.ts";
import { type Json, jsonOf } from "../support/app.ts";
import {
  authorizeUrl,
  connect,
  createWorld,
  newBrowser,
  ORIGIN,
  openConsent,
  REDIRECT,
  RESOURCE,
  redeem,
  register,
  signIn,
  verifier,
  type World,
} from "./client.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.app.close());

/** Lets the library talk to the app in memory, over plain http. */
const inMemory = () => ({
  [oauth.customFetch]: (url: string, init: unknown) => world.app.request(url, init as RequestInit),
  [oauth.allowInsecureRequests]: true,
});

describe("a client that follows the standards", () => {
  test("gets from the tool server's address to tokens, renews them and revokes them", async () => {
    const resource = await oauth.processResourceDiscoveryResponse(
      new URL(RESOURCE),
      await oauth.resourceDiscoveryRequest(new URL(RESOURCE), inMemory()),
    );
    const issuer = new URL(resource.authorization_servers?.[0] ?? "");
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...inMemory() }),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { client_name: "Studio Helper", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
        inMemory(),
      ),
    );

    const codeVerifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint ?? "");
    address.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      response_type: "code",
      scope: "read:tracks update:tracks read:playlists",
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      resource: RESOURCE,
      state,
    }).toString();
    const consent = await openConsent(world, address.href);
    const back = await world.browser.submit(consent, {
      decision: "allow",
      scope: ["read:tracks", "read:playlists"],
    });

    const parameters = oauth.validateAuthResponse(server, client, new URL(back.url), state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        REDIRECT,
        codeVerifier,
        {
          additionalParameters: { resource: RESOURCE },
          ...inMemory(),
        },
      ),
    );
    expect(tokens).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      scope: "read:tracks read:playlists",
    });

    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token ?? "",
        inMemory(),
      ),
    );
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(authenticateAccessToken(world.app.deps, renewed.access_token, RESOURCE)).toEqual({
      grantId: expect.stringMatching(/^grt_/),
      accountId: world.person.accountId,
      memberId: expect.any(String),
      personId: world.person.accountId as PersonId,
      scopes: ["read:tracks", "read:playlists"],
    });

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token ?? "", inMemory()),
    );
    expect(() => authenticateAccessToken(world.app.deps, renewed.access_token, RESOURCE)).toThrow(
      "not valid",
    );
  });
});

describe("the metadata", () => {
  const read = async (path: string) => {
    const response = await world.app.request(path);
    return { status: response.status, body: await jsonOf(response), headers: response.headers };
  };

  test("the metadata of the tool server are at their own path and at the root", async () => {
    const own = await read("/.well-known/oauth-protected-resource/mcp");
    const root = await read("/.well-known/oauth-protected-resource");

    expect(own.body).toMatchObject({ resource: RESOURCE, authorization_servers: [ORIGIN] });
    expect(own.body.scopes_supported).toContain("read:tracks");
    expect(own.body.scopes_supported).not.toContain("platform:read:accounts");
    expect(root.body).toEqual(own.body);
  });

  test("the metadata of the authorization server list only what is supported, and no OpenID Connect", async () => {
    const { body } = await read("/.well-known/oauth-authorization-server");

    expect(body).toEqual({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      revocation_endpoint: `${ORIGIN}/oauth/revoke`,
      scopes_supported: expect.arrayContaining(["read:tracks", "delete:composer"]),
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [RESOURCE],
    });
    expect((await read("/.well-known/openid-configuration")).status).toBe(404);
  });

  test("names the public addresses, and is served at their paths", async () => {
    const other = await createWorld({
      settings: { publicUrl: "https://music.example.com", mcpBase: "https://example.com/tools" },
    });

    const resource = await other.app.request("/.well-known/oauth-protected-resource/tools/mcp");
    const server = await other.app.request("/.well-known/oauth-authorization-server");

    expect(await resource.json()).toMatchObject({
      resource: "https://example.com/tools/mcp",
      authorization_servers: ["https://music.example.com"],
    });
    expect(await server.json()).toMatchObject({
      issuer: "https://music.example.com",
      token_endpoint: "https://music.example.com/oauth/token",
    });
    await other.app.close();
  });

  test.each([
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/.well-known/oauth-protected-resource/mcp"],
    ["POST", "/oauth/token"],
    ["POST", "/oauth/register"],
  ])("%s %s may be used by a page of any origin, and its preflight says so", async (method, path) => {
    const origin = { origin: "https://inspector.example" };
    const answer = await world.app.request(path, { method, headers: origin });
    const preflight = await world.app.request(path, {
      method: "OPTIONS",
      headers: {
        ...origin,
        "access-control-request-method": method,
        "access-control-request-headers": "mcp-protocol-version",
      },
    });

    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain(method);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
  });

  test("the pages for people do not allow other origins", async () => {
    for (const path of ["/oauth/authorize", "/oauth/consent"]) {
      const answer = await world.app.request(path, {
        method: "POST",
        headers: { origin: "https://elsewhere.example" },
      });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });
});

describe("the consent page", () => {
  test("comes after signing in, and explains who asks, where the answer goes and what is requested", async () => {
    const browser = newBrowser(world.app);
    const visitor = { ...world, browser };
    const first = await browser.load(authorizeUrl(world, verifier()));
    expect(first.url).toStartWith(`${ORIGIN}/signin?next=`);

    const page = await signIn(visitor, first);

    expect(page.status).toBe(200);
    expect(page.text).toContain("Let Studio Helper into your library?");
    expect(page.text).toContain("registered itself");
    expect(page.text).toContain("127.0.0.1:5123 , this computer");
    expect(page.text).toContain(world.person.email);
    expect(page.text).toContain("search and see your tracks");
    expect(page.text).toContain("change tracks: details, tags, covers and versions");
    expect(page.form?.boxes.filter(({ name }) => name === "scope")).toEqual([
      { name: "scope", value: "read:tracks" },
      { name: "scope", value: "update:tracks" },
    ]);
    expect(page.form?.fields.filter(([name]) => name === "scope")).toHaveLength(2);
  });

  test("cannot be framed, cached or read by other sites, and its form posts only to this server", async () => {
    const page = await openConsent(world, authorizeUrl(world, verifier()));

    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.html).not.toContain("<script");
  });

  test("offers everything to a client that names no scopes, with only reading ticked", async () => {
    const page = await openConsent(world, authorizeUrl(world, verifier(), { scope: undefined }));

    const ticked = page.form?.fields.filter(([name]) => name === "scope").map(([, value]) => value);
    expect(page.form?.boxes).toHaveLength(ASSIGNABLE_SCOPES.length);
    expect(ticked).toEqual(ASSIGNABLE_SCOPES.filter((scope) => scope.startsWith("read:")));
  });

  test("shows a client's name as text on one line, even if it contains markup", async () => {
    const { body } = await register(world.app, {
      redirect_uris: [REDIRECT],
      client_name: `<b>Bank</b>\n\u202egnilaer "x" ${"y".repeat(200)}`,
    });

    const page = await openConsent(world, authorizeUrl({ clientId: body.client_id }, verifier()));

    expect(page.html).not.toContain("<b>Bank");
    expect(page.html).toContain("&lt;b>Bank&lt;/b> gnilaer");
    expect(page.html).not.toContain("y".repeat(80));
  });

  test("the consent page asks again when nothing is ticked, and its next answer counts", async () => {
    const page = await openConsent(world, authorizeUrl(world, verifier()));

    const again = await world.browser.submit(page, { decision: "allow", scope: undefined });
    const back = await world.browser.submit(again, { decision: "allow", scope: "read:tracks" });

    expect(again.status).toBe(400);
    expect(again.text).toContain("Tick at least one thing that the app may do.");
    expect(new URL(back.url).searchParams.get("code")).toBeTruthy();
  });

  test("offers what the client did not ask for, unticked, and grants what the owner ticks of it", async () => {
    const codeVerifier = verifier();
    const page = await openConsent(world, authorizeUrl(world, codeVerifier, { scope: "read:tracks" }));
    const boxes = page.form?.boxes.filter(({ name }) => name === "further") ?? [];

    const back = await world.browser.submit(page, {
      decision: "allow",
      scope: "read:tracks",
      further: ["create:playlists", "act-as-user", "platform:read:accounts"],
    });
    const code = new URL(back.url).searchParams.get("code") ?? "";

    expect(page.form?.fields.filter(([name]) => name === "further")).toEqual([]);
    expect(boxes.map(({ value }) => value)).toEqual(TOOL_SCOPES.filter((scope) => scope !== "read:tracks"));
    expect((await redeem(world, { code, code_verifier: codeVerifier })).body.scope).toBe(
      "read:tracks create:playlists",
    );
  });

  test("offers exactly the scopes that tools use", async () => {
    const { tools } = await jsonOf(await world.app.request("/tools"));

    // Some arguments need a scope of their own: sharing with a person, and asking who listened.
    const used = tools.flatMap(({ scopes }: Json) => scopes);
    expect(new Set([...used, "read:shares", "create:shares"])).toEqual(new Set(TOOL_SCOPES));
  });

  test("never grants scopes that the client did not request, whatever is posted", async () => {
    const codeVerifier = verifier();
    const page = await openConsent(world, authorizeUrl(world, codeVerifier, { scope: "read:tracks" }));

    const back = await world.browser.submit(page, {
      decision: "allow",
      scope: ["read:tracks", "delete:composer", "platform:read:accounts", "all"],
    });
    const code = new URL(back.url).searchParams.get("code") ?? "";

    expect((await redeem(world, { code, code_verifier: codeVerifier })).body.scope).toBe("read:tracks");
  });

  test("accepts a refusal", async () => {
    const page = await openConsent(world, authorizeUrl(world, verifier()));

    const back = await world.browser.submit(page, { decision: "deny" });

    expect(back.url).toStartWith(`${REDIRECT}?`);
    expect(Object.fromEntries(new URL(back.url).searchParams)).toEqual({
      error: "access_denied",
      error_description: "The user refused the request",
      state: "s t&te",
      iss: ORIGIN,
    });
  });

  test("sends the browser back through a separate page, which no form policy can block", async () => {
    const page = await openConsent(world, authorizeUrl(world, verifier()));

    const response = await world.app.request("/oauth/consent", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: ORIGIN,
        cookie: [...world.browser.cookies].map((each) => each.join("=")).join("; "),
      },
      body: new URLSearchParams([...(page.form?.fields ?? []), ["decision", "allow"]]).toString(),
    });

    expect(response.status).toBe(200);
    expect(response.headers.get("refresh")).toStartWith(`0; url=${REDIRECT}?code=`);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toContain(`<a class="button primary" href="${REDIRECT}?code=`);
  });
});

describe("grants", () => {
  test("are listed for their owner, and revoking one ends its tokens at once", async () => {
    const owner = await createWorld();
    const app = owner.app.signedIn(owner.person.token);
    const first = await connect(owner, { scope: "read:tracks" });
    owner.app.clock.advance(1000);
    const second = await connect(owner, { scope: "read:briefs" });
    authenticateAccessToken(owner.app.deps, second.access_token, RESOURCE);

    const listed = await app("GET", "/app/grants");
    const [newest, oldest] = listed.body.data;
    const revoked = await app("DELETE", `/app/grants?id=${newest.id}`);

    expect(oldest).toEqual({
      id: expect.stringMatching(/^grt_/),
      clientId: owner.clientId,
      clientName: "Studio Helper",
      madeBy: { id: owner.person.accountId, name: "Someone" },
      redirectHost: "127.0.0.1:5123",
      scopes: ["read:tracks"],
      createdAt: "2026-01-15T12:00:00.000Z",
      lastUsedAt: null,
      expiresAt: "2026-02-14T12:00:00.000Z",
    });
    expect(newest.lastUsedAt).toBe("2026-01-15T12:00:01.000Z");
    expect(revoked.body.data).toEqual({ ok: true, revoked: 1 });
    expect(() => authenticateAccessToken(owner.app.deps, second.access_token, RESOURCE)).toThrow();
    expect(authenticateAccessToken(owner.app.deps, first.access_token, RESOURCE).grantId).toBe(oldest.id);
    const actions = owner.app.deps.db.select().from(auditLog).all();
    expect(actions.map(({ action, subject }) => [action, subject])).toEqual(
      expect.arrayContaining([
        ["grant.create", oldest.id],
        ["grant.create", newest.id],
        ["grant.revoke", newest.id],
      ]),
    );
    await owner.app.close();
  });

  test("grants of another account are not shown and cannot be revoked", async () => {
    const { access_token } = await connect(world);
    const { grantId } = authenticateAccessToken(world.app.deps, access_token, RESOURCE);
    const stranger = world.app.signedIn(world.app.createAccount().token);

    expect((await stranger("GET", "/app/grants")).body.data).toEqual([]);
    expect(await stranger("DELETE", `/app/grants?id=${grantId}`)).toMatchObject({
      status: 404,
      body: { messageCode: "grant_not_found" },
    });
    expect((await stranger("DELETE", "/app/grants")).body.data).toEqual({ ok: true, revoked: 0 });
    expect(authenticateAccessToken(world.app.deps, access_token, RESOURCE).grantId).toBe(grantId);
  });

  test("an access token opens nothing of the REST API", async () => {
    const { access_token } = await connect(world);
    const bearer = { authorization: `Bearer ${access_token}` };

    const tracks = await world.app.request("/api/v1/tracks", { headers: bearer });
    const keys = await world.app.request("/integration/api-keys", { headers: bearer });
    const grants = await world.app.request("/app/grants", { headers: bearer });

    expect([tracks.status, (await jsonOf(tracks)).messageCode]).toEqual([401, "missing_api_key"]);
    expect([keys.status, (await jsonOf(keys)).messageCode]).toEqual([401, "invalid_session_token"]);
    expect([grants.status, (await jsonOf(grants)).messageCode]).toEqual([401, "invalid_session_token"]);
  });

  test("secrets are in the database only as hashes", async () => {
    const tokens = await connect(world);

    const rows = ["oauth_tokens", "oauth_codes", "oauth_grants", "oauth_requests", "audit_log"].map((table) =>
      JSON.stringify(
        world.app.deps.db.$client
          .query(`SELECT * FROM ${table}`)
          .values()
          .flat()
          .map((value) =>
            value instanceof Uint8Array
              ? `${Buffer.from(value).toString("latin1")} ${Buffer.from(value).toString("hex")}`
              : value,
          ),
      ),
    );

    const everything = rows.join("\n");
    expect(everything).toContain("read:tracks");
    for (const secret of [tokens.access_token, tokens.refresh_token, tokens.code, tokens.codeVerifier])
      for (const form of [
        secret,
        secret.slice(4),
        Buffer.from(secret.replace(/^dp._/, ""), "base64url").toString("hex"),
      ])
        expect(everything).not.toContain(form);
  });
});
