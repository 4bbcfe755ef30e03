import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createBrowser } from "../oauth/browser.ts";
import { BROWSER } from "../pages/visitor.ts";
import type { Json } from "./app.ts";
import { picture } from "./pictures.ts";
import type { createProgram } from "./process.ts";
import { PROGRAM } from "./program-command.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
/** Where the sign-in flow sends the browser; nothing needs to listen there. */
const REDIRECT = "http://127.0.0.1:5123/callback";

type Program = Pick<ReturnType<typeof createProgram>, "run" | "dataDir">;
export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/**
 * Makes an account on a running server, with everything that an account can have: a key with a webhook, a session, a
 * program that signed in, tracks, a playlist, links, a brief and its submissions.
 *
 * @param hookUrl Where the events go; the server's NETWORK_ALLOW must contain its host.
 */
export async function createTenant(
  program: Program,
  address: string,
  { email, hookUrl }: { email: string; hookUrl: string },
) {
  const password = `password of ${email}`;
  await must(program.run(["account", "create", "--email", email, "--name", "Ana", "--password", password]));
  const signedIn = await call(address, "POST", "/auth/login", { email, password });
  const session = { authorization: `Bearer ${signedIn.data.token}` };
  const key: string = (await call(address, "POST", "/integration/api-keys", { name: "all" }, session)).data
    .key;
  const byKey = { "x-api-key": key };
  const keyId = key.split(".")[0] ?? "";

  const form = new FormData();
  for (const name of ["tone.flac", "tone.mp3"])
    form.append("files", new File([readFileSync(join(FIXTURES, name))], name));
  const uploaded = await call(address, "POST", "/api/v1/tracks/upload", form, byKey);
  const [trackId, otherId]: string[] = uploaded.data.uploaded.map(({ id }: Json) => id);
  const { data: versions } = await call(
    address,
    "GET",
    `/api/v1/tracks/${trackId}/versions`,
    undefined,
    byKey,
  );
  const [version] = versions.versions ?? versions;

  const playlist = await call(
    address,
    "POST",
    "/api/v1/playlists",
    { name: "Roughs", trackIds: [trackId] },
    byKey,
  );
  const sharePassword = `password of ${email}'s link`;
  const share = (
    await call(
      address,
      "POST",
      "/app/shares",
      { trackId, password: sharePassword, allowComments: true, allowDownload: true },
      session,
    )
  ).data;
  const openShare = (await call(address, "POST", "/app/shares", { trackId: otherId }, session)).data;
  const brief = (
    await call(address, "POST", "/app/briefs", { name: "Songs", status: "open", publicPage: true }, session)
  ).data;
  const hook = await call(
    address,
    "POST",
    `/integration/api-keys/${keyId}/webhook`,
    { url: hookUrl, active: true },
    session,
  );
  const granted = await signProgramIn(address, { email, password });
  return {
    email,
    password,
    key,
    keyId,
    accountId: signedIn.data.user.id as string,
    sessionToken: signedIn.data.token as string,
    trackId: trackId ?? "",
    otherId: otherId ?? "",
    versionId: version.id as string,
    playlistId: playlist.data.playlist.id as string,
    publicLink: playlist.data.playlist.publicLink as string,
    shareUrl: share.url as string,
    openShareUrl: openShare.url as string,
    sharePassword,
    downloadUrl: version.downloadUrl as string,
    brief,
    webhookSecret: hook.data.webhookSecret as string,
    ...granted,
    byKey,
    session,
  };
}

/**
 * Adds to a tenant's library what its owner and visitors would: details, tags, a second version, a cover, a composer,
 * comments, a save, and a song that `sender` submits to its brief.
 */
export async function fillLibrary(address: string, tenant: Tenant, sender: Tenant) {
  const api = (method: string, path: string, body?: unknown) =>
    call(address, method, `/api/v1${path}`, body, tenant.byKey);
  const app = (method: string, path: string, body?: unknown, { session } = tenant) =>
    call(address, method, `/app${path}`, body, session);
  const { trackId, playlistId } = tenant;
  const details = {
    title: "Night: Drive?",
    artist: "Ana / Bo",
    lyrics: "Lights of the harbour",
    notes: "Loud",
  };
  await api("PATCH", `/tracks/details?id=${trackId}`, details);
  await api("PATCH", `/tracks/details?id=${tenant.otherId}`, { title: "Dawn", artist: null });
  await api("PATCH", `/tracks/tags?id=${trackId}`, { genres: ["Deep House"], additionalTags: ["for Bo"] });
  const form = new FormData();
  form.append("file", new File([readFileSync(join(FIXTURES, "tone.wav"))], "mix 2.wav"));
  form.append("label", "rough mix");
  await api("POST", `/tracks/${trackId}/versions`, form);
  const cover = (await picture("jpeg")).toString("base64");
  await api("POST", "/tracks/cover-art", { trackId, base64: cover });
  const composer = await api("POST", "/composers", {
    fullName: "Ada",
    email: "ada@example.com",
    publisher: "Songs",
  });
  await api("PUT", `/tracks/shareholders?id=${trackId}`, {
    shareholders: [{ shareholderId: composer.data.id, share: 60, role: "composer" }],
  });
  await app("POST", `/tracks/${trackId}/comments`, { text: "Louder here", positionSec: 1 });
  await app("PUT", `/saves/playlist/${playlistId}`);
  await app("POST", `/briefs/${tenant.brief.id}/requests`, { email: "asked@example.com" });
  const toBrief = `/briefs/${tenant.brief.id}/submissions`;
  await app("POST", toBrief, { trackId: sender.trackId, message: "Mine" }, sender);
  await api("POST", "/tracks/search", { query: "harbour" });
  const opened = await fetch(tenant.openShareUrl, { headers: { "user-agent": BROWSER } });
  await opened.text();
  return { composerId: composer.data.id as string };
}

/** Sends JSON or a form. @throws Error unless the answer is a success. */
export async function call(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Json> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { ...(body !== undefined && !isForm && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function must<Result extends { code: number; stderr: string }>(
  running: Promise<Result>,
): Promise<Result> {
  const result = await running;
  if (result.code !== 0) throw new Error(result.stderr);
  return result;
}

/** Lets a program sign in through the browser (OAuth). Returns all that it got. */
async function signProgramIn(address: string, { email, password }: { email: string; password: string }) {
  const { client_id } = await call(address, "POST", "/oauth/register", {
    redirect_uris: [REDIRECT],
    client_name: "Studio Helper",
  });
  const codeVerifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: REDIRECT,
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: "read:tracks",
  });
  const browser = createBrowser(address, (url, init) => fetch(url, init));
  const signIn = await browser.load(`${address}/oauth/authorize?${query}`);
  const consent = await browser.submit(signIn, { email, password });
  const { url } = await browser.submit(consent, { decision: "allow" });
  const oauthCode = new URL(url).searchParams.get("code") ?? "";
  const tokens = await exchange(address, {
    grant_type: "authorization_code",
    client_id,
    redirect_uri: REDIRECT,
    code: oauthCode,
    code_verifier: codeVerifier,
  });
  return {
    clientId: client_id as string,
    oauthCode,
    cookie: browser.cookies.get("dubplate_session") ?? "",
    accessToken: tokens.body.access_token as string,
    refreshToken: tokens.body.refresh_token as string,
  };
}

/** Asks the token endpoint. */
export async function exchange(address: string, fields: Record<string, string>) {
  const response = await fetch(`${address}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** Starts the tool server on stdin and stdout beside the server, on the library itself. */
export async function openStdio(dataDir: string, key: string) {
  const [command = "", ...args] = PROGRAM;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, "mcp"],
      env: { PATH: process.env.PATH ?? "", LOG_LEVEL: "warn", DATA_DIR: dataDir, DUBPLATE_API_KEY: key },
      stderr: "pipe",
    }),
  );
  return {
    /** Returns what a call answers: its text, or the text of its refusal. */
    countTracks: async (): Promise<string> => {
      try {
        const { content } = (await client.callTool({ name: "get_track_count", arguments: {} })) as Json;
        return content[0].text;
      } catch (error) {
        return String(error);
      }
    },
    close: () => client.close(),
  };
}

/** A call of the tool server over HTTP. */
export const toolCall = (headers: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    ...headers,
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_track_count", arguments: {} },
  }),
});

/** Returns the status at each door of an account: its credentials, its sign-in form and its links. */
export async function tryDoors(address: string, tenant: Tenant): Promise<Record<string, number>> {
  const { byKey, session, cookie, accessToken, email, password } = tenant;
  const status = async (path: string, init: RequestInit = {}) => {
    const url = path.startsWith("http") ? path : `${address}${path}`;
    const response = await fetch(url, { redirect: "manual", ...init });
    await response.arrayBuffer();
    return response.status;
  };
  const json = { "content-type": "application/json" };
  return {
    "API key": await status("/api/v1/tracks/count", { headers: byKey }),
    session: await status("/auth/session", { headers: session }),
    "session cookie": await status("/auth/session", { headers: { cookie: `dubplate_session=${cookie}` } }),
    "app with a session": await status("/app/shares", { headers: session }),
    "tools with a key": await status("/mcp", toolCall(byKey)),
    "tools with a token": await status("/mcp", toolCall({ authorization: `Bearer ${accessToken}` })),
    "sign-in": await status("/auth/login", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ email, password }),
    }),
    "track link": await status(tenant.openShareUrl),
    "playlist link": await status(tenant.publicLink),
    "link with a password": await status(tenant.shareUrl),
    "submission page": await status(tenant.brief.publicUrl),
    "signed file": await status(tenant.downloadUrl),
  };
}
