import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addPlayer, type Credentials, queryOf, upload } from "../support/door.ts";
import { seededRandom } from "../support/signals.ts";
import { addGuest, addMember } from "../support/team.ts";
import { ANSWERS } from "./shapes.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  // The door stays open for one library while others close it.
  await addPlayer(app, app.createAccount().token);
});
afterAll(() => app.close());

const md5 = (text: string) => new Bun.CryptoHasher("md5").update(text).digest("hex");
const hex = (text: string) => Buffer.from(text).toString("hex");

/** Each way in which an app shows who it is. */
const WAYS: readonly [name: string, shown: (of: Credentials) => Record<string, string>][] = [
  ["an API key", ({ apiKey }) => ({ apiKey })],
  ["a salted token", ({ username, password }) => ({ u: username, t: md5(`${password}salt42`), s: "salt42" })],
  ["a password", ({ username, password }) => ({ u: username, p: password })],
  ["a password in hex", ({ username, password }) => ({ u: username, p: `enc:${hex(password)}` })],
];

let peers = 0;
/** Calls a method as somebody at an address of their own; returns the status and the code of the error. */
async function codeOf(
  shown: Record<string, string>,
  method = "ping",
  init: RequestInit & { peer?: string } = {},
) {
  const query = queryOf({ username: "", password: "", apiKey: "" }, {}, shown);
  const peer = `10.1.${peers >> 8}.${peers++ & 255}`;
  const response = await app.request(`/rest/${method}?${query}`, { peer, ...init });
  const text = await response.text();
  if (!text.startsWith('{"subsonic-response"')) return response.status;
  return (JSON.parse(text) as Json)["subsonic-response"].error?.code ?? "ok";
}

async function library() {
  const account = app.createAccount();
  return { ...account, web: app.signedIn(account.token), player: await addPlayer(app, account.token) };
}

describe("who comes in", () => {
  test.each(WAYS)(
    "%s, until the app is removed, the library is closed or shuts apps out, or its person leaves",
    async (_, shown) => {
      const { accountId, web, player } = await library();
      const { $client } = app.deps.db;
      const wrong = "apiKey" in shown(player) ? 44 : 40;
      const recorded = shown(player);
      const code = () => codeOf(recorded);

      expect(await code()).toBe("ok");
      await web("PATCH", "/app/players", { isOn: false });
      expect(await code()).toBe(wrong);
      await web("PATCH", "/app/players", { isOn: true });
      $client.run("UPDATE accounts SET active = 0 WHERE id = ?", [accountId]);
      expect(await code()).toBe(wrong);
      $client.run("UPDATE accounts SET active = 1 WHERE id = ?", [accountId]);
      $client.run("UPDATE people SET active = 0 WHERE id = ?", [accountId]);
      expect(await code()).toBe(wrong);
      $client.run("UPDATE people SET active = 1 WHERE id = ?", [accountId]);
      expect(await code()).toBe("ok");
      await web("DELETE", `/app/players/${player.id}`);
      expect(await code()).toBe(wrong);

      const ben = addMember(app, accountId, { role: "listener" });
      const theirs = await addPlayer(app, ben.token, { isOn: false });
      expect(await codeOf(shown(theirs))).toBe("ok");
      await web("DELETE", `/app/team/members/${ben.memberId}`, {});
      expect(await codeOf(shown(theirs))).toBe(wrong);
    },
  );

  test.each([
    ["nothing", () => ({}), 10],
    ["a user name alone", ({ username }) => ({ u: username }), 10],
    ["a token without its salt", ({ username }) => ({ u: username, t: "00" }), 10],
    ["a wrong password", ({ username }) => ({ u: username, p: "0".repeat(20) }), 40],
    ["a wrong token", ({ username }) => ({ u: username, t: md5("x"), s: "salt42" }), 40],
    ["a short salt", ({ username, password }) => ({ u: username, t: md5(`${password}salt`), s: "salt" }), 40],
    [
      "a token with another salt",
      ({ username, password }) => ({ u: username, t: md5(`${password}salt42`), s: "salt43" }),
      40,
    ],
    ["half a password in hex", ({ username }) => ({ u: username, p: "enc:0" }), 40],
    ["an unknown user name", ({ password }) => ({ u: "car-0000", p: password }), 40],
    ["a wrong API key", ({ username }) => ({ apiKey: `${username}.${"0".repeat(20)}` }), 44],
    ["no API key at all", () => ({ apiKey: "x" }), 44],
    ["an API key and a user name", ({ username, apiKey }) => ({ apiKey, u: username }), 43],
    ["an API key and a password", ({ password, apiKey }) => ({ apiKey, p: password }), 43],
  ] satisfies [string, (of: Credentials) => Record<string, string>, number][])(
    "not with %s",
    async (_, shown, code) => {
      const { player } = await library();

      expect(await codeOf(shown(player))).toBe(code);
    },
  );

  test("the API keys of a library and the password of its owner open nothing, in no field", async () => {
    const { accountId, email, player } = await library();
    const key = app.createKey(accountId);
    const secret = key.split(".")[1] ?? "";
    const password = "correct horse battery";

    for (const shown of [
      { apiKey: key },
      { u: player.username, p: key },
      { u: player.username, p: secret },
      { u: player.username, p: password },
      { u: player.username, t: md5(`${password}salt42`), s: "salt42" },
      { u: email, p: password },
      { u: email, t: md5(`${password}salt42`), s: "salt42" },
    ])
      expect([40, 44]).toContain(await codeOf(shown as Record<string, string>));
    const response = await app.request(`/rest/ping?${queryOf(player, {}, { u: email, p: password })}`);
    expect(((await response.json()) as Json)["subsonic-response"].error).toEqual({
      code: 40,
      message: "Use the user name and password of this app from Settings > Devices",
      helpUrl: expect.stringMatching(/\/library\/settings\/devices$/),
    });
    const byHeader = await app.request("/rest/ping?f=json", { headers: { "x-api-key": key } });
    expect(((await byHeader.json()) as Json)["subsonic-response"].error.code).toBe(10);
  });

  test("what opens this door opens no other", async () => {
    const { player } = await library();

    expect((await app.as(player.apiKey)("GET", "/tracks")).status).toBe(401);
    expect((await app.signedIn(player.password)("GET", "/app/players")).status).toBe(401);
    expect((await app.signedIn(player.apiKey)("GET", "/app/players")).status).toBe(401);
  });

  test("a form takes the place of the address, and is not read beyond 64 kB", async () => {
    const { player } = await library();
    const post = (body: string) =>
      app.request("/rest/ping.view?u=nobody&p=nothing&f=xml", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      });

    const whole = queryOf(player, {}, { u: player.username, p: player.password });
    expect(((await (await post(whole)).json()) as Json)["subsonic-response"].status).toBe("ok");
    expect(await (await post("u=somebody")).text()).toContain('<error code="40"');
    expect((await post(`${whole}&x=${"x".repeat(70_000)}`)).status).toBe(413);
  });

  test("ten wrong attempts of a client at a user name are enough, and the answer stays the protocol's", async () => {
    const { player } = await library();
    const call = (p: string, peer = "10.9.9.9") =>
      app.request(`/rest/ping?${queryOf(player, {}, { u: player.username, p })}`, { peer });
    for (let n = 0; n < 10; n++) await call("wrong");

    const limited = await call(player.password);

    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "900"]);
    expect(((await limited.json()) as Json)["subsonic-response"]).toMatchObject({
      status: "failed",
      error: { code: 0 },
    });
    expect((await call(player.password, "10.9.9.8")).status).toBe(200);
    for (let n = 0; n < 10; n++) await call("wrong", `2001:db8:1:1::${n}`);
    expect((await call(player.password, "2001:db8:1:1::ffff")).status).toBe(429);
    expect((await call(player.password, "2001:db8:1:2::1")).status).toBe(200);
    app.clock.advance(16 * MINUTE_MS);
    expect(((await (await call(player.password)).json()) as Json)["subsonic-response"].status).toBe("ok");
  });

  test.each([
    ["1.8.0", "ok"],
    ["1.16.1", "ok"],
    ["2.0.0", 30],
    ["0.9", 20],
    ["one", 0],
  ])("an app that speaks %s: %p", async (v, code) => {
    const { player } = await library();

    const response = await app.request(`/rest/ping?${queryOf(player).replace("v=1.16.1", `v=${v}`)}`);

    expect(((await response.json()) as Json)["subsonic-response"].error?.code ?? "ok").toBe(code);
  });

  test("what is announced needs no password, other scripts may read it, and JSONP is not spoken", async () => {
    const { player } = await library();
    const response = await app.request("/rest/getOpenSubsonicExtensions?f=json", {
      headers: { origin: "https://player.example" },
    });
    const preflight = await app.request("/rest/ping", {
      method: "OPTIONS",
      headers: { origin: "https://player.example", "access-control-request-method": "POST" },
    });

    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    const { openSubsonicExtensions } = ((await response.json()) as Json)["subsonic-response"];
    expect(openSubsonicExtensions.map(({ name }: Json) => name)).toEqual([
      "apiKeyAuthentication",
      "formPost",
      "songLyrics",
    ]);
    const jsonp = await app.request(`/rest/ping?${queryOf(player, { f: "jsonp", callback: "alert" })}`);
    expect(await jsonp.text()).toContain('<error code="0"');
  });

  test("without a library that lets apps in, there is nothing at the address", async () => {
    const other = await createTestApp();
    const response = await other.request("/rest/ping?u=x&p=y&f=json");

    expect([response.status, ((await response.json()) as Json).messageCode]).toEqual([404, "not_found"]);
    await other.close();
  });

  test("a refusal before the door is the protocol's too", async () => {
    const limited = await createTestApp({ settings: { rateLimit: 1 } });
    const call = () => limited.request("/rest/ping?f=json", { headers: { accept: "text/html" } });
    for (let n = 0; n < 1200; n++) await call();

    const response = await call();

    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(((await response.json()) as Json)["subsonic-response"].error.code).toBe(0);
    await limited.close();
  });
});

describe("in a team", () => {
  test("a listener's app gets no original that is not what everybody plays", async () => {
    const { accountId } = await library();
    const key = app.as(app.createKey(accountId));
    const { id } = await upload(app, key, "Secret.wav", 21);
    const ben = addMember(app, accountId, { role: "listener" });
    const { door } = await addPlayer(app, ben.token, { isOn: false });

    const { song } = await door("getSong", { id });

    expect(song).toMatchObject({ suffix: "m4a", contentType: "audio/mp4" });
    expect("size" in song).toBe(false);
    for (const [method, more, code] of [
      ["stream", {}, 70],
      ["stream", { format: "raw" }, 70],
      ["download", {}, 50],
    ] as const)
      expect((await door(method, { id, ...more })).error.code).toBe(code);
    expect((await door("getUser")).user.downloadRole).toBe(false);
  });

  test("an app of somebody who is now a guest opens nothing", async () => {
    const { accountId, web } = await library();
    const open = await upload(app, app.as(app.createKey(accountId)), "Open.wav", 22);
    const room = (await web("POST", "/app/playlists", { name: "Room", trackIds: [open.id] })).body.data.id;
    const guest = addGuest(app, accountId, { [room]: {} });
    app.deps.db.$client.run("UPDATE members SET reach = 'library' WHERE id = ?", [guest.memberId]);
    const { door } = await addPlayer(app, guest.token, { isOn: false });
    expect((await door("getSong", { id: open.id })).song.title).toBe("Open.wav");
    app.deps.db.$client.run("UPDATE members SET reach = 'rooms' WHERE id = ?", [guest.memberId]);

    for (const method of ["ping", "search3", "getSong", "stream", "download", "getCoverArt"])
      expect((await door(method, { id: open.id, query: "" })).error.code).toBe(40);
  });
});

/** What is thrown at the door: names and values that mean something, and such that do not. */
function malformed(random: () => number, own: Credentials, foreign: readonly string[]) {
  const pick = <Each>(list: readonly Each[]): Each => list[Math.floor(random() * list.length)] as Each;
  const method = pick([
    ...Object.keys(ANSWERS),
    "stream",
    "download",
    "getCoverArt",
    "star",
    "x",
    "%00",
    "..%2f",
    "constructor",
  ]);
  const values = [
    ...foreign,
    "",
    "-1",
    "1e9",
    "NaN",
    "99999999999999999999",
    "\u0000",
    "\ud800",
    "%",
    "' OR 1=1 --",
    "x".repeat(3000),
    "trk_",
    `trk_${"0".repeat(32)}-9999999999`,
    "al-",
    "__proto__",
    "newest",
    "byYear",
    "<![CDATA[",
  ];
  const names =
    "id type size offset count query songCount songOffset artistId genre fromYear toYear time submission musicFolderId username title artist maxBitRate format ifModifiedSince f v".split(
      " ",
    );
  const query = new URLSearchParams(queryOf(own, {}, { u: own.username, p: own.password }));
  for (let n = Math.floor(random() * 5); n >= 0; n--) query.append(pick(names), pick(values));
  if (random() < 0.05) query.delete(pick(["u", "p", "v", "f"]));
  const raw = random() < 0.1 ? `${query}&%zz&=&&x` : `${query}`;
  return {
    method,
    query: raw,
    isForm: random() < 0.2,
    range: random() < 0.2 ? pick(["bytes=9-1", "bytes=-0", "x", "bytes=999-"]) : undefined,
  };
}

/** The short part of what a slow run does two thousand times. */
const TIMES = Number(process.env.MALFORMED_REQUESTS ?? 250);

test("malformed requests are no fault of the server, and show no other library", async () => {
  const own = await library();
  const other = await library();
  const key = app.as(app.createKey(other.accountId));
  const secret = await upload(app, key, "Zebra.wav", 31);
  await upload(app, app.as(app.createKey(own.accountId)), "Horse.wav", 32);
  const made = await other.web("POST", "/app/playlists", { name: "Zebras", trackIds: [secret.id] });
  const { searchResult3 } = await other.player.door("search3", { query: "" });
  const [{ id: song, albumId, artistId, coverArt = "" }] = searchResult3.song;
  const foreign = [
    song,
    secret.id,
    albumId,
    artistId,
    coverArt,
    made.body.data.id,
    other.player.username,
    other.accountId,
  ];
  const rows = () =>
    JSON.stringify(
      app.deps.db.$client
        .query(
          "SELECT (SELECT count(*) FROM tracks), (SELECT count(*) FROM playlists), (SELECT count(*) FROM saves)",
        )
        .values(),
    );
  const before = rows();
  const random = seededRandom(39);
  const wrong: string[] = [];

  for (let n = 0; n < TIMES; n++) {
    const { method, query, isForm, range } = malformed(random, own.player, foreign);
    const headers = {
      ...(range && { range }),
      ...(isForm && { "content-type": "application/x-www-form-urlencoded" }),
    };
    const response = isForm
      ? await app.request(`/rest/${method}`, { method: "POST", headers, body: query, peer: "10.8.8.8" })
      : await app.request(`/rest/${method}?${query}`, { headers, peer: "10.8.8.8" });
    const text = await response.text();
    if (response.status >= 500 || /zebra/i.test(text)) wrong.push(`${response.status} ${method}?${query}`);
  }

  expect(wrong).toEqual([]);
  expect(rows()).toBe(before);
  expect(app.logged.filter(({ level }) => level === "error")).toEqual([]);
});

test("no secret is in what the server logs, keeps or counts", async () => {
  const { player } = await library();
  const shown = WAYS.map(([, each]) => each(player));
  for (const each of shown) await codeOf(each, "getSong");
  for (const each of shown) await codeOf({ ...each, u: "somebody", apiKey: "" }, "ping");
  app.app.usage.flush();

  const kept = Buffer.from(app.deps.db.$client.serialize());
  const metrics = await app.request("/metrics").then((response) => response.text());
  const said = JSON.stringify(app.logged) + metrics;

  const secrets = [player.password, hex(player.password), md5(`${player.password}salt42`), player.apiKey];
  expect(secrets.filter((each) => kept.includes(each) || said.includes(each))).toEqual([]);
  expect(kept.includes(player.username)).toBe(true);
});
