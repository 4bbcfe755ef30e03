import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PersonId, Role } from "../../db/schema.ts";
import { oauthGrants } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { type Planted, plantLibrary } from "../support/planted.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
let lib: Planted;
beforeAll(async () => {
  app = await createTestApp({ settings: { revealKeys: true } });
  lib = await plantLibrary(app, "Rooks", 350);
});
afterAll(() => app.close());

function member(role: Role) {
  const made = addMember(app, lib.accountId, { role });
  return { ...made, web: app.signedIn(made.token) };
}
type Someone = ReturnType<typeof member>;

const comment = async ({ web }: Someone | Planted) =>
  (await web("POST", `/app/tracks/${lib.trackId}/comments`, { text: "Louder" })).body.data.id;
const makeKey = ({ web }: Someone, more: Json = {}) =>
  web("POST", "/integration/api-keys", { name: "mine", ...more });

test("everyone deletes their own comments, and nobody else's without delete:comments", async () => {
  const [listener, producer, manager] = [member("listener"), member("producer"), member("manager")];
  const [theirs, ours] = [await comment(listener), await comment(lib)];
  const statusOf = async ({ web }: Someone, id: string) =>
    (await web("DELETE", `/app/comments/${id}`)).status;

  expect([await statusOf(producer, theirs), await statusOf(listener, ours)]).toEqual([404, 404]);
  expect([await statusOf(listener, theirs), await statusOf(manager, ours)]).toEqual([200, 200]);
});

test("a manager deletes no comment of the library's founder in another library", async () => {
  const other = await plantLibrary(app, "Jays", 360);
  const { web } = member("manager");
  const at = app.clock.now();
  const id = newId("cmt");
  app.deps.db.$client
    .query(
      "INSERT INTO comments (id, track_id, author_id, author_name, text, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(id, other.trackId, lib.accountId, "Founder", "Mine", at);

  expect((await web("DELETE", `/app/comments/${id}`)).status).toBe(404);
  expect((await lib.web("DELETE", `/app/comments/${id}`)).status).toBe(200);
});

test("an artist has at most five keys of their own, with scopes that the role has", async () => {
  const artist = member("artist");
  const beyond = await makeKey(artist, { scopes: ["read:tracks", "read:shares"] });
  const unknown = await makeKey(artist, { scopes: ["fly"] });
  const made = [];
  for (let count = 0; count < 6; count++) made.push(await makeKey(artist));

  expect([beyond.status, beyond.body.data.scopes]).toEqual([400, ["read:shares"]]);
  expect([unknown.body.messageCode, unknown.body.data.scopes]).toEqual(["invalid_scope", ["fly"]]);
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 409]);
  expect(made[5]?.body.messageCode).toBe("key_limit_reached");
  const { id } = made[0]?.body.data ?? {};
  expect(
    (await artist.web("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["read:shares"] })).status,
  ).toBe(400);
  expect(
    (await artist.web("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["read:tracks"] })).status,
  ).toBe(200);
  expect((await artist.web("POST", `/integration/api-keys/${id}/revoke`)).status).toBe(200);
  expect((await makeKey(artist)).status).toBe(200);
});

test("keys are seen and changed by their makers, and by those who manage keys", async () => {
  const [ana, ben, manager] = [member("producer"), member("producer"), member("manager")];
  const { id } = (await makeKey(ana, { scopes: ["read:tracks", "update:tracks"] })).body.data;
  const idsOf = async ({ web }: Someone) =>
    (await web("GET", "/integration/api-keys/all")).body.data.map((key: Json) => key.id);
  const foreign = [
    await ben.web("POST", `/integration/api-keys/${id}/scopes`, { scopes: ["read:tracks"] }),
    await ben.web("POST", `/integration/api-keys/${id}/rotate`),
    await ben.web("POST", `/integration/api-keys/${id}/revoke`),
  ];

  expect(foreign.map(({ body }) => body.messageCode)).toEqual(foreign.map(() => "key_not_found"));
  expect([await idsOf(ana), await idsOf(ben)]).toEqual([[id], []]);
  expect(await idsOf(manager)).toContain(id);
  app.deps.db.$client.query("UPDATE members SET role = 'listener' WHERE id = ?").run(ana.memberId);
  const [key] = (await ana.web("GET", "/integration/api-keys/all")).body.data;
  expect(key).toMatchObject({
    madeBy: { id: ana.personId, name: "The producer" },
    scopes: ["read:tracks", "update:tracks"],
    effectiveScopes: ["read:tracks"],
  });
});

test("a secret is shown again only to whoever made the key", async () => {
  const [ana, manager] = [member("artist"), member("manager")];
  const made = (await makeKey(ana)).body.data;
  const shown = async ({ web }: Someone) => (await web("GET", "/integration/api-keys")).body.data;

  expect(await shown(ana)).toMatchObject({ id: made.id, key: made.key });
  expect(await shown(manager)).toBeNull();
  expect(JSON.stringify(await shown({ ...manager, web: lib.web }))).not.toContain(made.key);
});

test("a key of the owner that a manager gave a new secret ends with the manager", async () => {
  const manager = member("manager");
  const { id } = (await lib.web("POST", "/integration/api-keys", { name: "ours" })).body.data;
  const rotated = (await manager.web("POST", `/integration/api-keys/${id}/rotate`)).body.data;
  const statusOf = async () => (await app.as(rotated.key)("GET", "/tracks")).status;
  const before = await statusOf();

  app.deps.db.$client.query("DELETE FROM members WHERE id = ?").run(manager.memberId);

  expect([before, await statusOf()]).toEqual([200, 401]);
});

test("connected programs are seen and ended by who let them in, and by those who manage keys", async () => {
  const [ana, ben, manager] = [member("listener"), member("listener"), member("manager")];
  const grant = (personId: PersonId) => {
    const id = newId("grt");
    const at = app.clock.now();
    app.deps.db
      .insert(oauthGrants)
      .values({
        ...{ id, accountId: lib.accountId, personId, clientId: "c", clientName: "Program" },
        ...{ redirectUri: "https://example.com/cb", scopes: ["read:tracks"], resource: "r" },
        ...{ createdAt: at, expiresAt: at + 1e9 },
      })
      .run();
    return id;
  };
  const [hers, his] = [grant(ana.personId), grant(ben.personId)];
  const listed = async ({ web }: Someone) =>
    (await web("GET", "/app/grants")).body.data.map(({ id, madeBy }: Json) => `${id} ${madeBy.id}`);

  expect(await listed(ana)).toEqual([`${hers} ${ana.personId}`]);
  expect((await listed(manager)).sort()).toEqual(
    [`${hers} ${ana.personId}`, `${his} ${ben.personId}`].sort(),
  );
  expect((await ana.web("DELETE", `/app/grants?id=${his}`)).status).toBe(404);
  expect((await ana.web("DELETE", "/app/grants")).body.data.revoked).toBe(1);
  expect(await listed(ben)).toHaveLength(1);
  expect((await manager.web("DELETE", `/app/grants?id=${his}`)).status).toBe(200);
});
