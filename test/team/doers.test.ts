import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const makersIn = (table: string, column = "made_by") =>
  app.deps.db.$client.query<{ maker: string | null }, []>(`SELECT ${column} AS maker FROM ${table}`).all();

test("what a member makes says so: in the console, through the routes of keys, with a key, and in the log", async () => {
  const { accountId } = app.createAccount();
  const ben = addMember(app, accountId, { role: "manager" });
  const web = app.signedIn(ben.token);
  const made = await web("POST", "/integration/api-keys", { name: "mine" });
  const byKey = app.as(made.body.data.key);
  const form = new FormData();
  form.append("files", new File([wavBytes([sine(8000, 0.2, 440)], 8000, 16)], "Night Ferry.wav"));

  const uploaded = await byKey("POST", "/tracks/upload", form);
  const trackId = uploaded.body.data.uploaded[0].id;
  await web("POST", "/app/library/playlists", { name: "Roughs", trackIds: [trackId] });
  await byKey("POST", "/playlists", { name: "Finals", trackIds: [trackId] });
  await web("POST", "/app/shares", { trackId });
  await web("POST", "/app/briefs", { name: "Songs" });
  await web("POST", "/app/tracks/bulk", { where: { ids: [trackId] }, do: { details: { title: "Night" } } });
  await app.drainJobs();

  for (const table of ["versions", "playlists", "briefs", "undos"]) {
    const makers = makersIn(table).map(({ maker }) => maker);
    expect([table, makers.length > 0, [...new Set(makers)]]).toEqual([table, true, [ben.personId]]);
  }
  expect(makersIn("api_keys")).toEqual([{ maker: ben.personId }]);
  // Playlists get a link of their own, which is made with them.
  expect(new Set(makersIn("shares").map(({ maker }) => maker))).toEqual(new Set([ben.personId]));
  const logged = app.deps.db.$client
    .query("SELECT account_id, person_id, key_id FROM audit_log WHERE action = 'key.create'")
    .all();
  expect(logged).toEqual([{ account_id: accountId, person_id: ben.personId, key_id: null }]);
});

test("what the operator's key makes says nobody", async () => {
  const { accountId } = app.createAccount();

  const { id } = addTrackRows(app.deps.db, accountId, {});
  await app.as(app.createKey(accountId))("POST", "/playlists", { name: "Nobody's", trackIds: [id] });

  const playlist = app.deps.db.$client.query("SELECT made_by FROM playlists WHERE name = ?").get("Nobody's");
  expect(playlist).toEqual({ made_by: null });
});
