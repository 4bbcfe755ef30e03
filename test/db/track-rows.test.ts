import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { transact } from "../../db/client.ts";
import trackRows from "../../db/migrations/0018-track-rows.sql" with { type: "text" };
import { tracks, versions } from "../../db/schema.ts";
import { recordActivity, settleActivity } from "../../src/modules/library/analytics/service.ts";
import { foldArtists } from "../../src/modules/library/catalog/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** What the migration makes of a library that is there already. */
const RECOUNT = /^SELECT t\.seq[\s\S]*?FROM tracks t;$/m.exec(trackRows)?.[0] ?? "";
const COLUMNS = `seq, id, owner_id, created_at, title, artist, words, bpm, key, duration_sec, status, visible, versions,
  tag, tags, plays`;

test("triggers keep the table's rows as a migration would make them from the library", async () => {
  const { deps, createAccount, createKey, as } = app;
  const { db, now } = deps;
  const { accountId } = createAccount();
  const api = as(createKey(accountId));
  const [first, second, third] = ["Dusk.wav", "Lava.wav", "Ash.wav"].map((name) =>
    addTrackRows(db, accountId, { name, artist: "ana", tags: { genres: ["House"], moods: ["Happy"] } }),
  );
  if (!first || !second || !third) throw new Error("There are three");
  addVersionRow(db, first.id, { versionOrder: 1, visible: false });
  const hidden = addVersionRow(db, second.id, { versionOrder: 1, visible: false });
  await api("PATCH", `/tracks/details?id=${first.id}`, {
    title: "Dusk",
    artist: "zoe",
    bpm: 99,
    key: "C major",
  });
  await api("POST", `/tracks/${second.id}/versions/${hidden}/activate`);
  await api("PATCH", `/tracks/tags?id=${second.id}`, { genres: [], additionalTags: ["demo"] });
  const heard = transact(db, (tx) =>
    [second, second, third].map(({ id }) => {
      const by = { actor: { type: "visitor", name: null }, ownerId: accountId } as const;
      return recordActivity(tx, { ...by, entity: "track", entityId: id, metric: "plays" }, now());
    }),
  );
  transact(db, (tx) => settleActivity(tx, heard[2] ?? 0, "short"));
  db.delete(versions).where(eq(versions.id, first.versionId)).run();
  addTrackRows(db, accountId, { name: "gone" });
  db.delete(tracks).where(eq(tracks.name, "gone")).run();

  const kept = db.$client.query(`SELECT ${COLUMNS} FROM track_rows ORDER BY seq`).all();
  const counted = db.$client
    .query(
      `WITH counted (${COLUMNS}, updated_at) AS (${RECOUNT.slice(0, -1)}) SELECT ${COLUMNS} FROM counted ORDER BY seq`,
    )
    .all();

  expect(kept).toMatchObject([
    { title: "dusk", artist: "zoe", tags: 2, tag: "house", versions: 1 },
    { visible: 0, tag: "happy", tags: 2, versions: 2, plays: 202601 * 2 ** 24 + 2 },
    { plays: 202601 * 2 ** 24 },
  ]);
  // A migration finds no plays where the count has come to nothing; both mean none.
  expect(kept.map((row) => ({ ...(row as object), plays: 0 }))).toEqual(
    counted.map((row) => ({ ...(row as object), plays: 0 })),
  );
});

test("artists that an older program wrote are folded at the start, so that they sort as the others do", async () => {
  const { deps, createAccount, signedIn } = app;
  const { accountId, token } = createAccount();
  for (const [name, artist] of [["a", "Zoe"], ["b", "Édith"], ["c", undefined]] as const) // biome-ignore format: a table
    addTrackRows(deps.db, accountId, { name, ...(artist && { artist }) });
  deps.db.update(tracks).set({ artistFold: null }).run();

  await foldArtists(deps);
  const { body } = await signedIn(token)("GET", "/app/tracks?sort=artist");

  expect(body.data.map(({ artist }: { artist: string }) => artist)).toEqual(["Édith", "Zoe", null]);
});
