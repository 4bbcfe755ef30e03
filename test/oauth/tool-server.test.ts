import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as current from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Json } from "../support/app.ts";
import {
  connect,
  createWorld,
  letIn,
  openConsent,
  REDIRECT,
  RESOURCE,
  redeem,
  refresh,
  type World,
} from "./client.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.app.close());

/** Makes the storage of an MCP client, and its browser, which records where it was sent. */
function createProvider() {
  let information: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let codeVerifier = "";
  let discovery: unknown;
  const visits: URL[] = [];
  return {
    visits,
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: "Studio Helper",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => information,
    saveClientInformation: (saved: OAuthClientInformationMixed) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved: OAuthTokens) => {
      tokens = saved;
    },
    redirectToAuthorization: (url: URL) => void visits.push(url),
    saveCodeVerifier: (saved: string) => {
      codeVerifier = saved;
    },
    codeVerifier: () => codeVerifier,
    saveDiscoveryState: (saved: unknown) => {
      discovery = saved;
    },
    discoveryState: () => discovery as undefined,
  };
}

const inMemory = (url: string | URL, init?: RequestInit) => world.app.request(String(url), init);
const transportOf = (authProvider: ReturnType<typeof createProvider>) =>
  new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider, fetch: inMemory });

/** Consents on the page, and returns the address that the client gets. */
async function sayYes(url: URL | undefined): Promise<URL> {
  const consent = await openConsent(world, url?.href ?? "");
  return new URL((await world.browser.submit(consent, { decision: "allow" })).url);
}

/** Calls the tool server with an access token. */
async function call(
  token: string,
  method: string,
  params: object = {},
): Promise<{ response: Response; body: Json }> {
  const response = await world.app.request("/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await response.text();
  return { response, body: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) };
}

describe("an assistant that knows only the tool server's address", () => {
  test("signs in, lists and calls tools with the client of 2025", async () => {
    const provider = createProvider();
    const client = new Client({ name: "studio", version: "1" });
    const first = transportOf(provider);
    // The library's types do not know exactOptionalPropertyTypes.
    const start = (transport: StreamableHTTPClientTransport) =>
      client.connect(transport as Parameters<Client["connect"]>[0]);

    const refusal: unknown = await start(first).catch((error) => error);
    expect(refusal).toBeInstanceOf(UnauthorizedError);
    const asked = provider.visits.at(-1)?.searchParams;
    expect([asked?.get("resource"), asked?.get("scope")]).toEqual([RESOURCE, "read:tracks read:playlists"]);
    await first.finishAuth((await sayYes(provider.visits.at(-1))).searchParams.get("code") ?? "");
    expect(provider.tokens()?.scope).toBe("read:tracks read:playlists");

    await start(transportOf(provider));
    expect((await client.listTools()).tools.length).toBe(39);
    expect(await client.callTool({ name: "get_track_count", arguments: {} })).not.toHaveProperty(
      "isError",
      true,
    );

    await client.close();
  });

  test("the current client signs in too, and asks for more scopes when a tool needs them", async () => {
    const provider = createProvider();
    const connectOnce = () => {
      const client = new current.Client({ name: "studio", version: "1" });
      const transport = new current.StreamableHTTPClientTransport(new URL(RESOURCE), {
        authProvider: provider as unknown as current.OAuthClientProvider,
        fetch: inMemory,
      });
      return { client, transport, started: client.connect(transport) };
    };

    const refused = connectOnce();
    await refused.started.catch(() => undefined);
    await refused.transport.finishAuth((await sayYes(provider.visits.at(-1))).searchParams);
    const { client, transport, started } = connectOnce();
    await started;
    expect((await client.listTools()).tools.length).toBe(39);

    await client.callTool({ name: "list_composers", arguments: {} }).catch(() => undefined);
    expect(provider.visits).toHaveLength(2);
    expect(provider.visits.at(-1)?.searchParams.get("scope")).toBe(
      "read:tracks read:playlists read:composers",
    );
    await transport.finishAuth((await sayYes(provider.visits.at(-1))).searchParams);

    const answer = await client.callTool({ name: "list_composers", arguments: {} });
    expect(answer.isError ?? false).toBe(false);
    await client.close();
  });
});

describe("the tool server, shown an access token", () => {
  const challenge = (response: Response) => response.headers.get("www-authenticate") ?? "";

  test("does what was consented to, and records the call under the grant", async () => {
    const { access_token } = await connect(world, { scope: "read:tracks" });

    const { response, body } = await call(access_token, "tools/call", {
      name: "get_track_count",
      arguments: {},
    });
    world.app.app.usage.flush();
    const usage = await world.app.signedIn(world.person.token)("GET", "/integration/usage");

    expect(response.status).toBe(200);
    expect(body.result.isError ?? false).toBe(false);
    expect(usage.body.data.items[0]).toMatchObject({
      keyId: expect.stringMatching(/^grt_/),
      route: "/tracks/count",
    });
  });

  test("asks for missing scopes with 403 and insufficient_scope", async () => {
    const { access_token } = await connect(world, { scope: "read:tracks" });

    const { response, body } = await call(access_token, "tools/call", {
      name: "list_composers",
      arguments: {},
    });

    expect(response.status).toBe(403);
    expect(challenge(response)).toContain('error="insufficient_scope"');
    expect(challenge(response)).toContain('scope="read:tracks read:composers"');
    expect(body.error.message).toEndWith("is missing a required scope for this action.");
  });

  test.each<[string, (world: World) => Promise<string>]>([
    [
      "expired",
      async (each) => {
        const { access_token } = await connect(each);
        each.app.clock.advance(3_600_000);
        return access_token;
      },
    ],
    [
      "whose grant was revoked",
      async (each) => {
        const { access_token } = await connect(each);
        await each.app.signedIn(each.person.token)("DELETE", "/app/grants");
        return access_token;
      },
    ],
    [
      "whose code was replayed",
      async (each) => {
        const { access_token, code, codeVerifier } = await connect(each);
        await redeem(each, { code, code_verifier: codeVerifier });
        return access_token;
      },
    ],
    [
      "whose refresh token was reused",
      async (each) => {
        const { refresh_token } = await connect(each);
        const { body } = await refresh(each, refresh_token);
        await refresh(each, refresh_token);
        return body.access_token;
      },
    ],
    ["that is a refresh token", async (each) => (await connect(each)).refresh_token],
    ["that is a code", async (each) => (await letIn(each)).code],
    ["that is a session's", async (each) => each.person.token],
    [
      "for another resource",
      async (each) => {
        const { access_token } = await connect(each);
        each.app.deps.db.$client.run("UPDATE oauth_grants SET resource = 'https://example.com/mcp'");
        return access_token;
      },
    ],
  ])("refuses one %s with 401 and invalid_token, and says how to get a new one", async (_, tokenOf) => {
    const { response } = await call(await tokenOf(world), "tools/list");

    expect(response.status).toBe(401);
    expect(challenge(response)).toStartWith('Bearer error="invalid_token"');
    expect(challenge(response)).toContain(
      'resource_metadata="http://127.0.0.1:4747/.well-known/oauth-protected-resource/mcp"',
    );
  });
});
