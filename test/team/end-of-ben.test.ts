import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join as pathOf } from "node:path";
import { tidyHourly } from "../../src/upkeep.ts";
import { createListener } from "../desk/listener.ts";
import {
  authorizeUrl,
  createWorld,
  newBrowser,
  ORIGIN,
  openConsent,
  redeem,
  refresh,
  verifier,
  type World,
} from "../oauth/client.ts";
import type { Json } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { invited, join } from "./inviting.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ liveTiming: { lookMs: 5, heartbeatMs: 60_000 } });
});
afterAll(() => world.app.close());

type Bytes = Uint8Array<ArrayBuffer>;
const TUS = { "tus-resumable": "1.0.0" };
const OCTETS = { "content-type": "application/offset+octet-stream" };
const PASSWORD = "correct horse battery";

let songs = 0;
const song = () => wavBytes([sine(8000, 0.3, 200 + 9 * songs++)], 8000, 16) as Bytes;

/** Somebody who manages the library, and what their programs hold of it. */
async function newManager() {
  const { app, person: ana } = world;
  const email = `${crypto.randomUUID()}@example.com`;
  const invitation = await invited(app, ana.token, { email, role: "manager" });
  const { token } = (await join(app, { token: invitation.token, name: "Ben", password: PASSWORD })).body.data;
  const ask = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Bytes | ReadableStream,
  ) =>
    app.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...TUS, ...headers },
      ...(body && { body }),
    });
  const upload = async (bytes: Bytes, sentBytes: number) => {
    const metadata = `filename ${Buffer.from("Night Bus.wav").toString("base64")}`;
    const begun = await ask("POST", "/app/uploads", {
      "upload-length": String(bytes.length),
      "upload-metadata": metadata,
    });
    const location = begun.headers.get("location") ?? "";
    await ask("PATCH", location, { ...OCTETS, "upload-offset": "0" }, bytes.slice(0, sentBytes));
    return location;
  };
  const codeVerifier = verifier();
  const browser = newBrowser(app);
  const consent = await openConsent(
    { ...world, browser, person: { ...ana, email } },
    authorizeUrl(world, codeVerifier),
  );
  const { url } = await browser.submit(consent, { decision: "allow" });
  const code = new URL(url).searchParams.get("code") ?? "";
  const grant = (await redeem(world, { code, code_verifier: codeVerifier })).body;
  const makeKey = async (name: string) =>
    (await app.signedIn(token)("POST", "/integration/api-keys", { name })).body.data as {
      id: string;
      key: string;
    };
  const me = (await app.signedIn(token)("GET", "/app/team")).body.data.me;
  return { token, memberId: me.id as string, personId: me.person.id as string, ask, upload, grant, makeKey };
}

const tracksOf = async (token: string): Promise<string[]> =>
  (await world.app.signedIn(token)("GET", "/app/tracks")).body.data.map(({ id }: Json) => id);
const fileOf = (location: string) =>
  pathOf(world.app.deps.settings.dataDir, "uploads", location.split("/").at(-1) ?? "");
const toolStatus = async (accessToken: string) =>
  (
    await world.app.request("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    })
  ).status;

test("everything that works in somebody's name ends when they are removed, and what is kept goes on", async () => {
  const { app, person: ana } = world;
  const ben = await newManager();
  const [nas, kept] = [await ben.makeKey("NAS"), await ben.makeKey("Zapier")];
  const link = await invited(app, ben.token, { email: `${crypto.randomUUID()}@example.com`, role: "artist" });
  const form = new FormData();
  form.append("files", new File([song()], "Old Song.wav"));
  await app.as(nas.key)("POST", "/tracks/upload", form);
  const before = await tracksOf(ana.token);
  const sheet = await app.signedIn(ben.token)("GET", `/app/tracks/${before[0]}/versions`);
  const { pathname, search } = new URL(sheet.body.data[0].playbackUrl);
  const playsOn = async () =>
    (await app.request(`${pathname}${search}`, { headers: { range: "bytes=0-9" } })).status;
  const archive = await app.signedIn(ben.token)("POST", "/app/tracks/download", { where: { ids: before } });
  const stream = createListener(ben.ask("GET", "/app/events", { accept: "text/event-stream" }));
  await stream.next();
  const bytes = song();
  const [half, whole] = [await ben.upload(bytes, 1000), await ben.upload(song(), 1_000_000)];
  const arriving = song();
  const unfinished = await ben.upload(arriving, 1000);
  let finish = () => {};
  const rest = new ReadableStream({
    start(controller) {
      controller.enqueue(arriving.slice(1000, 2000));
      finish = () => {
        controller.enqueue(arriving.slice(2000));
        controller.close();
      };
    },
  });
  const piece = ben.ask("PATCH", unfinished, { ...OCTETS, "upload-offset": "1000" }, rest);
  expect([await toolStatus(ben.grant.access_token), archive.status, await playsOn()]).toEqual([
    200, 200, 206,
  ]);
  const access = await app.signedIn(ana.token)("GET", `/app/team/members/${ben.memberId}/access`);
  expect(access.body.data).toMatchObject({ programs: 1, uploads: 3, invitations: 1 });
  expect(access.body.data.keys.map(({ name, canKeep }: Json) => [name, canKeep])).toEqual(
    expect.arrayContaining([
      ["NAS", true],
      ["Zapier", true],
    ]),
  );

  const removed = await app.signedIn(ana.token)("DELETE", `/app/team/members/${ben.memberId}`, {
    keepKeys: [kept.id],
  });

  expect(removed.body.data.ended).toMatchObject({ keys: 1, programs: 1, uploads: 3, invitations: 1 });
  await stream.ended();
  expect((await ben.ask("GET", "/app/events")).status).toBe(401);
  expect((await ben.ask("GET", "/app/tracks")).status).toBe(401);
  expect(await playsOn()).toBe(403);
  expect((await ben.ask("GET", archive.body.data.path)).status).toBe(401);
  expect((await app.as(nas.key)("GET", "/tracks")).body.messageCode).toBe("invalid_key");
  expect((await app.as(kept.key)("GET", "/tracks")).status).toBe(200);
  expect(await toolStatus(ben.grant.access_token)).toBe(401);
  expect((await refresh(world, ben.grant.refresh_token)).body.error).toBe("invalid_grant");
  expect((await join(app, { token: link.token, name: "Eva", password: PASSWORD })).status).toBe(403);
  finish();
  expect((await piece).status).toBe(404);
  expect(
    (await ben.ask("PATCH", half, { ...OCTETS, "upload-offset": "1000" }, bytes.slice(1000))).status,
  ).toBe(401);

  await tidyHourly(app.deps);

  expect([half, unfinished, whole].map((each) => existsSync(fileOf(each)))).toEqual([false, false, false]);
  const after = await tracksOf(ana.token);
  expect([after.length, after.includes(before[0] ?? "")]).toEqual([2, true]);
  const log = await app.signedIn(ana.token)("GET", "/app/team/log?limit=50");
  expect(log.body.data.map(({ sentence }: Json) => sentence)).toEqual(
    expect.arrayContaining([
      "Someone removed Ben",
      "Someone took over the API key “Zapier”",
      "Someone revoked the API key “NAS”",
      "Ben made the API key “NAS”",
    ]),
  );
});

test("a membership that reaches its end counts for nothing, and the tidying makes a removal of it", async () => {
  const { app, person: ana } = world;
  const ben = await newManager();
  const { key } = await ben.makeKey("NAS");
  const until = new Date(app.clock.now() + 1000).toISOString();
  await app.signedIn(ana.token)("PATCH", `/app/team/members/${ben.memberId}`, { until });
  const before = [(await ben.ask("GET", "/app/tracks")).status, (await app.as(key)("GET", "/tracks")).status];

  app.clock.advance(1000);
  const over = [(await ben.ask("GET", "/app/tracks")).status, (await app.as(key)("GET", "/tracks")).status];
  await tidyHourly(app.deps);
  await tidyHourly(app.deps);

  expect([before, over]).toEqual([
    [200, 200],
    [401, 401],
  ]);
  const log = (await app.signedIn(ana.token)("GET", "/app/team/log")).body.data;
  expect(log.filter(({ action }: Json) => action === "team.end")).toMatchObject([
    { by: null, sentence: "The membership of Ben ended" },
  ]);
  const rows = app.deps.db.$client.query("SELECT 1 FROM members WHERE id = ?").all(ben.memberId);
  expect(rows).toEqual([]);
});

type Door = { method: string; path: string; by: "cookie" | "key"; refusal: number };

/** Every way into a library that the document knows, with what a stranger is answered there. */
function doorsOf(document: Json): Door[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([verb, { "x-need": need, "x-scope": scope }]): Door[] => {
      const method = verb.toUpperCase();
      const isForMembers = need !== undefined && need !== "self";
      const isForKeys = scope !== undefined && !scope.startsWith("platform:");
      return [
        ...(isForMembers ? [{ method, path, by: "cookie" as const, refusal: 403 }] : []),
        ...(isForKeys ? [{ method, path, by: "key" as const, refusal: 401 }] : []),
      ];
    }),
  );
}

test("a founder who handed the library over and left reaches nothing of it, although its id is theirs", async () => {
  const { app, person: ana } = await createWorld();
  const owner = app.signedIn(ana.token);
  const { key } = (await owner("POST", "/integration/api-keys", { name: "NAS" })).body.data;
  const link = await invited(app, ana.token, {
    email: `${crypto.randomUUID()}@example.com`,
    role: "manager",
  });
  const ben = (await join(app, { token: link.token, name: "Ben", password: PASSWORD })).body.data;
  const benId = (await app.signedIn(ben.token)("GET", "/app/team")).body.data.me.id;
  const document: Json = await (await app.request("/openapi.json")).json();
  await owner("POST", "/app/team/owner", { memberId: benId });
  const founder = (await owner("GET", "/app/team")).body.data.me.id;
  // Another library keeps the founder's sign-in alive: only the membership decides.
  const other = app.createAccount();
  const second = await invited(app, other.token, { email: ana.email, role: "listener" });
  await join(app, { token: second.token }, ana.token);

  const removed = await app.signedIn(ben.token)("DELETE", `/app/team/members/${founder}`);

  expect(removed.status).toBe(200);
  const ways = {
    cookie: { cookie: `dubplate_session=${ana.token}`, origin: ORIGIN, "x-library": ana.accountId },
    key: { "x-api-key": key },
  };
  const opened: string[] = [];
  for (const { method, path, by, refusal } of doorsOf(document)) {
    const headers = { ...ways[by], ...(method !== "GET" && { "content-type": "application/json" }) };
    const { status } = await app.request(path.replace(/\{\w+\}/g, ana.accountId), { method, headers });
    if (status !== refusal) opened.push(`${method} ${path} by ${by}: ${status}`);
  }
  expect(doorsOf(document).length).toBeGreaterThan(200);
  expect(opened).toEqual([]);
  expect((await app.signedIn(ben.token)("GET", "/app/team")).body.data.me.role).toBe("owner");
  await app.close();
});

test("GET /app/team says when a member was last here, to some minutes, also after signing out", async () => {
  const { app, person: ana } = world;
  const ben = await newManager();
  await ben.ask("GET", "/app/tracks");
  app.app.usage.flush();
  const at = app.clock.now();
  app.clock.advance(60_000);
  await ben.ask("GET", "/app/tracks");
  app.app.usage.flush();
  await app.signedIn(ben.token)("POST", "/auth/logout");
  app.app.usage.flush();

  const { body } = await app.signedIn(ana.token)("GET", "/app/team");

  const seen = body.data.members.find(({ id }: Json) => id === ben.memberId).lastSeenAt;
  expect(seen).toBe(new Date(at).toISOString());
});
