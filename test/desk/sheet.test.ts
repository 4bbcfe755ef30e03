import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a track's versions come newest first, with what was measured and an address to play", async () => {
  const { accountId, token } = app.createAccount();
  const { id, versionId } = addTrackRows(app.deps.db, accountId, { name: "Song.wav", measured: {} });
  addVersionRow(app.deps.db, id, { versionOrder: 1, label: "v2" });

  const { status, body } = await app.signedIn(token)("GET", `/app/tracks/${id}/versions`);

  expect(status).toBe(200);
  const [second, first] = body.data;
  expect(second).toMatchObject({ label: "v2", isAnalysed: false, durationSec: null, integratedLufs: null });
  expect(first).toMatchObject({ id: versionId, active: true, isAnalysed: true });
  expect(first.durationSec).toBeNumber();
  expect(new URL(first.playbackUrl).pathname).toStartWith("/media/");
});

test("the sheet of another account's track is not found", async () => {
  const owner = app.createAccount();
  const { id } = addTrackRows(app.deps.db, owner.accountId, { name: "Song.wav" });
  const { token } = app.createAccount();

  const { status, body } = await app.signedIn(token)("GET", `/app/tracks/${id}/versions`);

  expect([status, body.messageCode]).toEqual([404, "track_not_found"]);
});
