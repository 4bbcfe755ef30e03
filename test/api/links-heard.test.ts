import { afterAll, beforeAll, expect, test } from "bun:test";
import { recordActivity } from "../../src/modules/library/analytics/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a link counts as used and heard once a visitor listened for 20 seconds", async () => {
  const { accountId, token } = app.createAccount();
  const call = app.signedIn(token);
  const { db } = app.deps;
  const { id: trackId } = addTrackRows(db, accountId, { name: "Night Bus.wav", durationSec: 180 });
  const { id } = (await call("POST", "/app/shares", { trackId, recipient: "Ana" })).body.data;
  const play = {
    ...{ ownerId: accountId, entity: "track" as const, entityId: trackId, metric: "plays" as const },
    ...{ actor: { type: "visitor" as const, name: null }, shareId: id, visit: "v" },
  };
  const at = app.deps.now();
  recordActivity(db, { ...play, leftOut: "short" }, at);
  const before = (await call("GET", `/app/links/${id}`)).body.data;
  const insightsBefore = (await call("GET", "/app/insights")).body.data;

  recordActivity(
    db,
    { ...play, leftOut: "short", heardSec: 20, heard: "[[0,20]]", stoppedSec: 20 },
    at + 1000,
  );

  const [listed] = (await call("GET", "/app/links")).body.data;
  const { visits, totals } = (await call("GET", `/app/shares/${id}/listening`)).body.data;
  expect(before).toMatchObject({ plays: 0, lastHeardAt: null });
  expect(listed).toMatchObject({ plays: 0, lastHeardAt: new Date(at + 1000).toISOString() });
  expect([totals.plays, visits[0].heard]).toEqual([0, [[0, 20]]]);
  expect(insightsBefore).toMatchObject({ people: [], notOpenedCount: 1 });
  expect((await call("GET", "/app/insights")).body.data).toMatchObject({
    people: [{ name: "Ana", plays: 0, heardSec: 20 }],
    notOpenedCount: 0,
    totals: { plays: 0 },
  });
});
