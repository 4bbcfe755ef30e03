import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { createPlayerUses, provePlayer } from "../../src/modules/pocket/players/service.ts";
import { resealAll } from "../../src/sealed.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** An owner who lets music apps in. */
async function owner() {
  const account = app.createAccount();
  const call = app.signedIn(account.token);
  await call("PATCH", "/app/players", { isOn: true });
  return { ...account, call, add: adder(call) };
}

const adder =
  (call: ReturnType<TestApp["signedIn"]>) =>
  async (body: object = {}): Promise<Json> =>
    (await call("POST", "/app/players", { name: "Car", ...body })).body.data;

const md5 = (text: string) => new Bun.CryptoHasher("md5").update(text).digest("hex");
const bySecret = ({ username, password }: Json) => provePlayer(app.deps, username, { secret: password });
const byToken = ({ username, password }: Json, typed = password) =>
  provePlayer(app.deps, username, { token: md5(`${typed}salt-42`), salt: "salt-42" });

describe("a music app", () => {
  test("gets a user name like its own name and a password of 100 bits, shown once with the server's address", async () => {
    const { call, add } = await owner();

    const made = await add({ name: " Auto Köln! " });
    const { headers, body } = await call("GET", "/app/players");

    expect(made).toEqual({
      id: expect.stringMatching(/^plr_[0-9a-f]{32}$/),
      server: expect.stringMatching(/^http/),
      username: expect.stringMatching(/^auto-koln-[0-9a-hjkmnp-tv-z]{4}$/),
      password: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{20}$/),
      apiKey: `${made.username}.${made.password}`,
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.data).toMatchObject({
      isOn: true,
      items: [{ name: "Auto Köln!", sound: "small", client: null, lastUsedAt: null, isOwn: true }],
    });
    expect(JSON.stringify(body)).not.toContain(made.password);
  });

  test("proves who it is with its password, however grouped, and with a salted MD5 of it", async () => {
    const { accountId, add } = await owner();
    const made = await add({ sound: "original" });
    const inGroups = made.password.replace(/(.{5})(?!$)/g, "$1-");

    const player = bySecret(made);

    expect(player).toMatchObject({
      playerId: made.id,
      accountId,
      username: made.username,
      sound: "original",
    });
    expect(bySecret({ ...made, password: ` ${inGroups.toUpperCase()}` })).toEqual(player);
    expect([byToken(made), byToken(made, inGroups)]).toEqual([player, player]);
  });

  test.each([
    ["another password", { password: "0".repeat(20) }],
    ["no password", { password: "" }],
    ["an unknown user name", { username: "car-0000" }],
  ])("with %s is nobody", async (_, wrong) => {
    const made = { ...(await (await owner()).add()), ...wrong };

    expect([bySecret(made), byToken(made)]).toEqual([undefined, undefined]);
  });

  test("is shut out when the switch is off, when its library is disabled, and when it is removed", async () => {
    const { accountId, call, add } = await owner();
    const [made, other] = [await add(), await add()];
    const { $client } = app.deps.db;

    await call("PATCH", "/app/players", { isOn: false });
    expect([bySecret(made), byToken(made)]).toEqual([undefined, undefined]);
    await call("PATCH", "/app/players", { isOn: true });
    expect(bySecret(made)).toBeDefined();
    $client.run("UPDATE accounts SET active = 0 WHERE id = ?", [accountId]);
    expect(bySecret(made)).toBeUndefined();
    $client.run("UPDATE accounts SET active = 1 WHERE id = ?", [accountId]);
    await call("DELETE", `/app/players/${made.id}`);

    expect([bySecret(made), byToken(made)]).toEqual([undefined, undefined]);
    expect(bySecret(other)).toBeDefined();
    expect((await call("DELETE", `/app/players/${made.id}`)).body.messageCode).toBe("player_not_found");
  });

  test("keeps its user name with a new password, and the old one ends", async () => {
    const { call, add } = await owner();
    const made = await add();

    const renewed = await call("POST", `/app/players/${made.id}/password`);
    await call("PATCH", `/app/players/${made.id}`, { name: "Kitchen", sound: "original" });

    expect(renewed.body.data).toMatchObject({ username: made.username });
    expect([bySecret(made), byToken(made)]).toEqual([undefined, undefined]);
    expect(bySecret(renewed.body.data)).toMatchObject({ name: "Kitchen", sound: "original" });
  });

  test("shows its password again, unless the operator turned that off or the copy does not open", async () => {
    const { call, add } = await owner();
    const { server: _, id, ...credentials } = await add();
    const reveal = () => call("GET", `/app/players/${id}/password`);

    expect((await reveal()).body.data).toEqual(credentials);

    app.deps.db.$client.run("UPDATE players SET secret_copy = x'' WHERE id = ?", [id]);
    expect(await reveal()).toMatchObject({ status: 404, body: { messageCode: "not_found" } });
    expect([bySecret(credentials), byToken(credentials)]).toEqual([expect.anything(), undefined]);

    const hiding = await createTestApp({ settings: { revealKeys: false } });
    const hidden = hiding.signedIn(hiding.createAccount().token);
    const made = (await hidden("POST", "/app/players", { name: "Car" })).body.data;
    expect((await hidden("GET", `/app/players/${made.id}/password`)).status).toBe(404);
    expect((await hidden("GET", "/app/players")).body.data.canReveal).toBe(false);
    await hiding.close();
  });

  test("opens as before after the master secret was changed", async () => {
    const own = await createTestApp();
    const call = own.signedIn(own.createAccount().token);
    await call("PATCH", "/app/players", { isOn: true });
    const { id, username, password } = (await call("POST", "/app/players", { name: "Car" })).body.data;
    const next = secretsOf(Buffer.alloc(32, 9));

    expect(resealAll(own.deps.db, own.deps.secrets, next)).toMatchObject({ players: 1 });

    const proven = { token: md5(`${password}salt-42`), salt: "salt-42" };
    expect(provePlayer({ ...own.deps, secrets: next }, username, proven)).toMatchObject({ playerId: id });
    await own.close();
  });

  test("is at most the twentieth of its person", async () => {
    const { accountId, call, add } = await owner();
    for (let n = 0; n < 20; n++) await add();
    const ben = app.signedIn(addMember(app, accountId, { role: "listener" }).token);

    expect(await call("POST", "/app/players", { name: "Car" })).toMatchObject({
      status: 409,
      body: { messageCode: "player_limit_reached" },
    });
    expect((await ben("POST", "/app/players", { name: "Car" })).status).toBe(200);
  });

  test("is noted as used a moment later, with what it says it is", async () => {
    const { call, add } = await owner();
    const { id } = await add();
    const uses = createPlayerUses(app.deps);

    uses.record(id, "Symfonium".repeat(20));
    uses.record(id, undefined);
    uses.flush();

    const [row] = (await call("GET", "/app/players")).body.data.items;
    expect(row).toMatchObject({
      client: "Symfonium".repeat(20).slice(0, 60),
      lastUsedAt: expect.any(String),
    });
  });
});

describe("in a team", () => {
  test("each member has their own, and only who manages keys sees and removes those of others", async () => {
    const ana = await owner();
    const own = await ana.add();
    const ben = app.signedIn(addMember(app, ana.accountId, { role: "listener" }).token);
    const bens = await adder(ben)();
    const idsOf = async (call: typeof ben) =>
      (await call("GET", "/app/players")).body.data.items.map(({ id, isOwn }: Json) => [id, isOwn]);

    expect(await idsOf(ben)).toEqual([[bens.id, true]]);
    expect(await idsOf(ana.call)).toEqual([
      [bens.id, false],
      [own.id, true],
    ]);
    for (const [method, path] of [
      ["GET", "/password"],
      ["POST", "/password"],
      ["PATCH", ""],
      ["DELETE", ""],
    ] as const) {
      const body = method === "PATCH" ? { name: "Mine" } : undefined;
      expect((await ben(method, `/app/players/${own.id}${path}`, body)).status).toBe(404);
      if (method !== "DELETE")
        expect((await ana.call(method, `/app/players/${bens.id}${path}`, body)).status).toBe(404);
    }
    expect((await ben("PATCH", "/app/players", { isOn: false })).status).toBe(403);
    expect((await ana.call("DELETE", `/app/players/${bens.id}`)).status).toBe(200);
    expect(bySecret(bens)).toBeUndefined();
  });

  test("one gets no original files that its person may not have", async () => {
    const ana = await owner();
    const ben = addMember(app, ana.accountId, { role: "artist" });
    const made = await adder(app.signedIn(ben.token))({ sound: "original" });
    expect(bySecret(made)).toMatchObject({ sound: "original", memberId: ben.memberId });

    app.deps.db.$client.run("UPDATE members SET role = 'listener' WHERE id = ?", [ben.memberId]);

    expect(bySecret(made)).toMatchObject({ sound: "small" });
    const again = await app.signedIn(ben.token)("POST", "/app/players", { name: "Car", sound: "original" });
    expect(again).toMatchObject({ status: 403, body: { messageCode: "insufficient_scope" } });
  });

  test("one ends with its person's membership, also when they come back", async () => {
    const ana = await owner();
    const { personId, memberId, token } = addMember(app, ana.accountId, { role: "artist" });
    const made = await adder(app.signedIn(token))();

    const access = await ana.call("GET", `/app/team/members/${memberId}/access`);
    const removed = await ana.call("DELETE", `/app/team/members/${memberId}`, {});

    expect([access.body.data.players, removed.body.data.ended.players]).toEqual([1, 1]);
    expect(bySecret(made)).toBeUndefined();
    app.deps.db.$client.run(
      "INSERT INTO members (id, account_id, person_id, role, joined_at) VALUES ('mem_again', ?, ?, 'artist', 1)",
      [ana.accountId, personId],
    );
    expect(bySecret(made)).toBeUndefined();
  });

  test("a guest of rooms has none", async () => {
    const ana = await owner();
    const playlist = (await ana.call("POST", "/app/playlists", { name: "Room" })).body.data;
    const guest = app.signedIn(addGuest(app, ana.accountId, { [playlist.id]: {} }).token);

    expect((await guest("POST", "/app/players", { name: "Car" })).status).toBe(403);
    expect((await guest("GET", "/app/players")).status).toBe(403);
  });

  test("the log says what happened, without a secret", async () => {
    const { call, add } = await owner();
    const made = await add();
    await call("GET", `/app/players/${made.id}/password`);
    await call("DELETE", `/app/players/${made.id}`);

    const { body } = await call("GET", "/app/team/log");

    expect(body.data.map(({ sentence }: Json) => sentence)).toEqual([
      "Someone removed the music app “Car”",
      "Someone looked at the password of the music app “Car”",
      "Someone added the music app “Car”",
      "Someone let music apps in",
    ]);
    expect(JSON.stringify(body)).not.toContain(made.password);
  });
});
