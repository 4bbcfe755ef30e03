import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { failureAnswer } from "../../src/http/failure.ts";
import { mount } from "../../src/http/mount.ts";
import { sessionTokenOf } from "../../src/http/session-token.ts";
import { requireMember } from "../../src/kernel/actor.ts";
import { createClientDocuments, isDocumentAddress } from "../../src/modules/people/oauth/client-document.ts";
import { oauthPages } from "../../src/modules/people/oauth/pages.tsx";
import { authenticateAccessToken } from "../../src/modules/people/oauth/service.ts";
import { authenticateSession } from "../../src/modules/people/people/service.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../net/certificate.ts";
import { createBrowser } from "./browser.ts";
import {
  authorizeUrl,
  createWorld,
  ORIGIN,
  openConsent,
  REDIRECT,
  RESOURCE,
  redeem,
  verifier,
  type World,
} from "./client.ts";

const HOUR = 3_600_000;
let world: World;
let host: string;
let asked: string[] = [];
let reply: (id: string) => Response;
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: { cert: CERTIFICATE, key: PRIVATE_KEY },
  fetch: (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname);
    return reply(`https://${host}${pathname}${search}`);
  },
});
const good = (id: string, changes: object = {}) =>
  Response.json({ client_id: id, client_name: "Studio Helper", redirect_uris: [REDIRECT], ...changes });

/** Makes a service that fetches client documents from this machine as if it were `studio.example`. */
async function createWorldWithDocuments(): Promise<World> {
  const inner = await createWorld({ settings: { networkAllow: [host] } });
  const documents = createClientDocuments(inner.app.deps, {
    ca: CERTIFICATE,
    resolve: async () => ["127.0.0.1"],
  });
  const own = new Set([ORIGIN]);
  const personOf = (request: Request) => {
    const token = sessionTokenOf(request, own);
    return token === undefined ? undefined : requireMember(authenticateSession(inner.app.deps, token));
  };
  const unasked = () => {
    throw new Error("Pages decide by themselves who comes in");
  };
  const pages = mount(
    inner.app.deps,
    { key: unasked, session: unasked, further: unasked, inRooms: unasked },
    {
      operations: [],
      routes: oauthPages(inner.app.deps, {
        visitors: { personOf, memberOf: personOf, ownOrigins: own },
        documents,
      }),
      onFailure: failureAnswer(inner.app.deps.log, () => []),
    },
  );
  const browser = createBrowser(ORIGIN, async (url, init) =>
    new URL(url).pathname.startsWith("/oauth/")
      ? pages.handle(new Request(url, init))
      : inner.app.request(url, init),
  );
  return { ...inner, browser };
}

beforeAll(async () => {
  host = `studio.example:${site.port}`;
  world = await createWorldWithDocuments();
});
afterAll(async () => {
  await site.stop(true);
  await world.app.close();
});

describe("a client whose id is the address of its document", () => {
  test("is authorised by it: the document is fetched only for signed-in people, and cached for an hour", async () => {
    const clientId = `https://${host}/client.json`;
    const asClient = { ...world, clientId };
    [asked, reply] = [[], good];

    const first = await world.browser.load(authorizeUrl({ clientId }, verifier()));
    expect(first.url).toContain("/signin?next=");
    expect(asked).toEqual([]);

    const codeVerifier = verifier();
    const page = await openConsent(asClient, authorizeUrl({ clientId }, codeVerifier));
    expect(asked).toEqual(["/client.json"]);
    expect(page.text).toContain("Let Studio Helper into your library?");
    expect(page.text).toContain(`Comes from ${host}`);
    expect(page.text).not.toContain("registered itself");

    const back = await world.browser.submit(page, { decision: "allow" });
    const code = new URL(back.url).searchParams.get("code") ?? "";
    const { body } = await redeem(asClient, { code, code_verifier: codeVerifier });
    expect(authenticateAccessToken(world.app.deps, body.access_token, RESOURCE).scopes).toEqual([
      "read:tracks",
      "update:tracks",
    ]);

    world.app.clock.advance(HOUR - 1);
    await openConsent(asClient, authorizeUrl({ clientId }, verifier()));
    expect(asked).toHaveLength(1);
    world.app.clock.advance(1);
    await openConsent(asClient, authorizeUrl({ clientId }, verifier()));
    expect(asked).toHaveLength(2);
  });

  test("is redirected only to an address in its document", async () => {
    reply = good;
    const clientId = `https://${host}/client.json`;

    const page = await openConsent(
      world,
      authorizeUrl({ clientId }, verifier(), { redirect_uri: "https://evil.example/" }),
    );

    expect([page.status, page.url.startsWith(ORIGIN)]).toEqual([400, true]);
  });

  test.each<[string, (id: string) => Response, string]>([
    ["is missing", () => new Response("", { status: 404 }), "status 404"],
    [
      "is elsewhere",
      (id) => new Response(null, { status: 302, headers: { location: `${id}2` } }),
      "redirects",
    ],
    [
      "is a page",
      (id) => new Response(JSON.stringify({ client_id: id }), { headers: { "content-type": "text/html" } }),
      "not JSON",
    ],
    ["is not JSON", () => new Response("{", { headers: { "content-type": "application/json" } }), "not JSON"],
    ["is a list", () => Response.json([]), "not a JSON object"],
    ["is too large", (id) => good(id, { x: "x".repeat(11_000) }), "more than 10 KB"],
    ["is another client's", (id) => good(`${id}x`), "another client"],
    [
      "authenticates its client with a key",
      (id) => good(id, { token_endpoint_auth_method: "private_key_jwt" }),
      "public clients only",
    ],
    [
      "has a shared secret",
      (id) => good(id, { token_endpoint_auth_method: "client_secret_post" }),
      "public clients only",
    ],
    ["has no redirect_uris", (id) => good(id, { redirect_uris: undefined }), "redirect_uris"],
    ["has empty redirect_uris", (id) => good(id, { redirect_uris: [] }), "redirect_uris"],
    ["names a script", (id) => good(id, { redirect_uris: [REDIRECT, "javascript:x"] }), "not allowed"],
    ["names plain http", (id) => good(id, { redirect_uris: ["http://studio.example/"] }), "not allowed"],
  ])("is refused when its document %s, and the failure is not cached", async (name, answer, why) => {
    const clientId = `https://${host}/${encodeURIComponent(name)}.json`;
    [asked, reply] = [[], answer];

    const page = await openConsent(world, authorizeUrl({ clientId }, verifier()));
    expect(page.status).toBe(400);
    expect(page.text).toContain("invalid_client");
    expect(page.text).toContain(why);
    expect(asked).toHaveLength(1); // no redirect was followed

    reply = good;
    expect((await openConsent(world, authorizeUrl({ clientId }, verifier()))).status).toBe(200);
  });

  test("a client on a private network is not contacted", async () => {
    asked = [];
    const strict = createClientDocuments(
      { ...world.app.deps, settings: { ...world.app.deps.settings, networkAllow: [] } },
      { ca: CERTIFICATE, resolve: async () => ["127.0.0.1"] },
    );

    const attempt = strict.get(`https://${host}/client.json`, new AbortController().signal);

    expect(attempt).rejects.toThrow("not a public host");
    await attempt.catch(() => undefined);
    expect(asked).toEqual([]);
  });

  test.each([
    ["https://client.example/me", true],
    ["https://client.example:8443/a/b.json?v=2", true],
    ["http://client.example/me", false],
    ["https://client.example", false],
    ["https://client.example/", false],
    ["https://client.example/a/../b", false],
    ["https://client.example/a/%2e%2e/b", false],
    ["https://client.example/./b", false],
    ["https://client.example/me#x", false],
    ["https://client.example/me#", false],
    ["https://me@client.example/me", false],
    ["https://client.example:443/me", false],
    ["https://CLIENT.example/me", false],
    [`https://client.example/${"x".repeat(1000)}`, false],
    ["client", false],
  ])("a client id may be %p: %p", (id, isOne) => {
    expect(isDocumentAddress(id)).toBe(isOne);
  });
});
