import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { type Planted, plantLibrary } from "../support/planted.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
let lib: Planted;
beforeAll(async () => {
  app = await createTestApp();
  lib = await plantLibrary(app, "Owls", 330);
});
afterAll(() => app.close());

/** A member in the console, at its door to the library, and with a key. */
async function member(role: Role) {
  const made = addMember(app, lib.accountId, { role: "manager" });
  const web = app.signedIn(made.token);
  const { key } = (await web("POST", "/integration/api-keys", { name: "mine" })).body.data;
  app.deps.db.$client.query("UPDATE members SET role = ? WHERE id = ?").run(role, made.memberId);
  const door = (method: string, path: string, body?: unknown) => web(method, `/app/library${path}`, body);
  return { ...made, web, door, key: app.as(key) };
}
type Someone = Awaited<ReturnType<typeof member>>;

/** Every way to change a playlist, by its doors. */
const changes = ({ web, door, key }: Someone, id: string) => [
  () => door("POST", `/playlists/${id}/tracks`, { trackIds: [lib.quietId] }),
  () => key("POST", `/playlists/${id}/tracks`, { trackIds: [lib.quietId] }),
  () => door("PATCH", `/playlists/${id}`, { name: "Renamed" }),
  () => key("PATCH", `/playlists/${id}`, { collaborative: true }),
  () => key("DELETE", `/playlists/${id}/tracks/${lib.quietId}`),
  () => door("PATCH", `/playlists/${id}/order`, { trackIds: [lib.trackId] }),
  () => web("DELETE", `/app/playlists/${id}`),
  () => web("POST", `/app/playlists/${id}/restore`),
  () => key("DELETE", `/playlists/${id}`),
];

async function outcomes(who: Someone, id: string) {
  const found = [];
  for (const change of changes(who, id)) {
    const { status, body } = await change();
    found.push(status === 403 ? `${body.messageCode} ${body.data.required}` : String(status));
  }
  return found;
}

const made = async (who: Someone, more = {}) =>
  (await who.web("POST", "/app/playlists", { name: "Mine", trackIds: [lib.trackId], ...more })).body.data;

test("an artist changes playlists of their own, and those that everyone may change", async () => {
  const [artist, other] = [await member("artist"), await member("artist")];
  const own = await made(artist);
  const shared = await made(other, { collaborative: true });
  const every = changes(artist, own.id).map(() => "200");

  expect(own.collaborative).toBe(false);
  expect(shared.collaborative).toBe(true);
  expect(await outcomes(artist, own.id)).toEqual(every);
  expect(await outcomes(artist, shared.id)).toEqual(every);
});

test("an artist changes no playlist of somebody else, and learns nothing of one that is not there", async () => {
  const artist = await member("artist");
  const theirs = await made(await member("artist"));
  const before = (await lib.web("GET", `/app/playlists/${theirs.id}`)).body.data;

  const refused = await outcomes(artist, theirs.id);

  expect(new Set(refused.slice(0, 2))).toEqual(new Set(["insufficient_scope create:playlists"]));
  // What is not in the bin is left alone.
  expect(new Set(refused.filter((_, at) => at > 1 && at !== 7))).toEqual(
    new Set(["insufficient_scope update:playlists"]),
  );
  expect((await lib.web("GET", `/app/playlists/${theirs.id}`)).body.data).toEqual(before);
  expect((await artist.key("PATCH", "/playlists/pl_none", { name: "x" })).body.data).toMatchObject({
    ok: false,
  });
});

test("what is in the bin is for its maker to restore", async () => {
  const artist = await member("artist");
  const theirs = await made(await member("artist"));
  await lib.web("DELETE", `/app/playlists/${theirs.id}`);

  expect((await artist.web("POST", `/app/playlists/${theirs.id}/restore`)).status).toBe(403);
  expect((await lib.web("POST", `/app/playlists/${theirs.id}/restore`)).status).toBe(200);
});

test("pins are for those who may change every playlist", async () => {
  const artist = await member("artist");
  const own = await made(artist, { collaborative: true });
  const statuses = async (who: Someone) => [
    (await who.web("PUT", `/app/playlists/${own.id}/pin`)).status,
    (await who.web("DELETE", `/app/playlists/${own.id}/pin`)).status,
  ];

  expect(await statuses(artist)).toEqual([403, 403]);
  expect(await statuses(await member("producer"))).toEqual([200, 200]);
});

test("a producer changes every playlist, and says which everyone may change", async () => {
  const producer = await member("producer");
  const theirs = await made(await member("artist"));

  expect(await outcomes(producer, theirs.id)).toEqual(changes(producer, theirs.id).map(() => "200"));
  await lib.web("POST", `/app/playlists/${theirs.id}/restore`);
  const { body } = await producer.key("GET", `/playlists/single/${theirs.id}`);
  expect(body.data.collaborative).toBe(true);
});

test("a playlist that an artist makes with a key opens for nobody else", async () => {
  const [artist, producer] = [await member("artist"), await member("producer")];
  const pageOf = async ({ key }: Someone) => {
    const { body } = await key("POST", "/playlists", { name: "Mine", trackIds: [lib.trackId] });
    return (await app.request(new URL(body.data.playlist.publicLink).pathname)).status;
  };

  expect(await pageOf(producer)).toBe(200);
  expect(await pageOf(artist)).toBe(404);
});
