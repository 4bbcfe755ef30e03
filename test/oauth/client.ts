import { createHash, randomBytes } from "node:crypto";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { type Browser, createBrowser, type Visit } from "./browser.ts";

export const ORIGIN = "http://127.0.0.1:4747";
export const RESOURCE = `${ORIGIN}/mcp`;
export const REDIRECT = "http://127.0.0.1:5123/callback";
const PASSWORD = "correct horse battery";

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Makes an app with an account, and a client that wants access. */
export async function createWorld(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await createTestApp(options);
  const person = app.createAccount();
  const browser = newBrowser(app);
  const clientId = (await register(app, { redirect_uris: [REDIRECT], client_name: "Studio Helper" })).body
    .client_id as string;
  return { app, person, browser, clientId };
}

export function newBrowser(app: TestApp): Browser {
  return createBrowser(ORIGIN, (url, init) => app.request(url, init));
}

export type OAuthAnswer = { status: number; headers: Headers; body: Json };

/** Sends a form to one of the endpoints for programs. */
export async function post(
  app: TestApp,
  path: string,
  fields: Record<string, string | undefined> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<OAuthAnswer> {
  const present = Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined);
  const body = fields instanceof URLSearchParams ? fields : new URLSearchParams(present);
  const response = await app.request(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: body.toString(),
  });
  return answerOf(response);
}

export async function register(app: TestApp, metadata: unknown, peer = "127.0.0.1"): Promise<OAuthAnswer> {
  const response = await app.request("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
    peer,
  } as RequestInit);
  return answerOf(response);
}

async function answerOf(response: Response): Promise<OAuthAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

export const verifier = () => randomBytes(32).toString("base64url");
export const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/** Returns the address that a client opens in the browser; `undefined` removes a parameter. */
export function authorizeUrl(
  { clientId }: { clientId: string },
  codeVerifier: string,
  changes: Record<string, string | undefined> = {},
): string {
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challengeOf(codeVerifier),
    code_challenge_method: "S256",
    resource: RESOURCE,
    scope: "read:tracks update:tracks",
    state: "s t&te",
    ...changes,
  };
  const present = Object.entries(parameters).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return `${ORIGIN}/oauth/authorize?${new URLSearchParams(present)}`;
}

/** Signs in if a visit ended at the sign-in page. */
export async function signIn(
  { browser, person }: Pick<World, "browser" | "person">,
  page: Visit,
): Promise<Visit> {
  if (!page.url.includes("/signin")) return page;
  return browser.submit(page, { email: person.email, password: PASSWORD });
}

/** Goes from the client's address to the consent page. */
export async function openConsent(world: World, url: string): Promise<Visit> {
  return signIn(world, await world.browser.load(url));
}

/** Authorises a client, and returns its code and what it needs to redeem it. */
export async function letIn(world: World, changes: Record<string, string | undefined> = {}) {
  const codeVerifier = verifier();
  const page = await openConsent(world, authorizeUrl(world, codeVerifier, changes));
  const { url } = await world.browser.submit(page, { decision: "allow" });
  return { code: new URL(url).searchParams.get("code") ?? "", codeVerifier, url };
}

/** Authorises a client and redeems its code. */
export async function connect(world: World, changes: Record<string, string | undefined> = {}) {
  const { code, codeVerifier } = await letIn(world, changes);
  const answer = await redeem(world, { code, code_verifier: codeVerifier });
  return { ...answer.body, code, codeVerifier } as {
    access_token: string;
    refresh_token: string;
    scope: string;
    expires_in: number;
    code: string;
    codeVerifier: string;
  };
}

export function redeem(
  { app, clientId }: World,
  fields: Record<string, string | undefined>,
): Promise<OAuthAnswer> {
  return post(app, "/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    resource: RESOURCE,
    ...fields,
  });
}

export function refresh(
  { app, clientId }: World,
  refreshToken: string,
  changes: Record<string, string | undefined> = {},
): Promise<OAuthAnswer> {
  return post(app, "/oauth/token", {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: refreshToken,
    ...changes,
  });
}
