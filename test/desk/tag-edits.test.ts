import { afterAll, beforeAll, expect, test } from "bun:test";
import { tagSuggestions } from "../../db/schema.ts";
import { TAXONOMY } from "../../db/taxonomy.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

function tagged() {
  const { accountId, token } = app.createAccount();
  const { id } = addTrackRows(app.deps.db, accountId, { name: "Song.wav", measured: {} });
  const genres = TAXONOMY.genres.slice(0, 3);
  const rows = genres.map(({ id: tagId, name }) => ({
    trackId: id,
    category: "genres" as const,
    tagId,
    name,
    confidence: 0.7,
    modelVersion: "test",
  }));
  app.deps.db.insert(tagSuggestions).values(rows).run();
  const web = app.signedIn(token);
  const edit = (edits: unknown[]) => web("POST", `/app/tracks/${id}/tags`, { edits });
  const verdicts = () =>
    app.deps.db.$client
      .query<{ name: string; verdict: string }, [string]>(
        "SELECT name, verdict FROM tag_feedback WHERE track_id = ? ORDER BY seq",
      )
      .all(id);
  return { id, names: genres.map(({ name }) => name), edit, verdicts };
}

test("an accepted suggestion says nothing about the others", async () => {
  const { names, edit, verdicts } = tagged();

  const { status, body } = await edit([{ category: "genres", add: [names[0]] }]);

  expect([status, body.data.taught]).toEqual([200, 1]);
  expect(verdicts()).toEqual([{ name: names[0] ?? "", verdict: "accepted" }]);
});

test("a rejected suggestion goes, and is learnt", async () => {
  const { id, names, edit, verdicts } = tagged();

  await edit([{ category: "genres", reject: [names[1]] }]);

  expect(verdicts()).toEqual([{ name: names[1] ?? "", verdict: "rejected" }]);
  const left = app.deps.db.select().from(tagSuggestions).all();
  expect(new Set(left.filter(({ trackId }) => trackId === id).map(({ name }) => name))).toEqual(
    new Set([names[0] ?? "", names[2] ?? ""]),
  );
});

test("a name that is not in the taxonomy is refused, and own words are free", async () => {
  const { edit } = tagged();

  const refused = await edit([{ category: "genres", add: ["Blorp"] }]);
  const taken = await edit([{ category: "tags", add: ["for Anna"] }]);

  expect([refused.status, refused.body.messageCode]).toEqual([400, "validation_failed"]);
  expect(taken.status).toBe(200);
});
