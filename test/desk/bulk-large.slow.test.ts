import { afterAll, beforeAll, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a whole library is changed by one request, while others are answered", async () => {
  const { accountId, token } = app.createAccount();
  const web = (method: string, path: string, body?: Json) => app.signedIn(token)(method, path, body);
  const count = 3000;
  transact(app.deps.db, () => {
    for (let index = 0; index < count; index++)
      addTrackRows(app.deps.db, accountId, { name: `${index}`, tags: { genres: ["House"] } });
  });
  let isDone = false;
  const answered: number[] = [];

  const change = { where: { filter: {} }, do: { addTags: ["Ambient"], delete: true } };
  const changing = web("POST", "/app/tracks/bulk", change).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    answered.push((await web("GET", "/app/tracks?limit=1")).body.paging.total);
    await Bun.sleep(0);
  }
  const { data } = (await changing).body;
  const { body } = await web("POST", `/app/undo/${data.undoId}`);

  expect(data).toMatchObject({ changed: count, failed: [] });
  expect(body.data).toEqual({ undone: count, failed: [] });
  expect(answered.length).toBeGreaterThan(10);
  expect(answered.toSorted((a, b) => b - a)).toEqual(answered);
  expect((await web("GET", "/app/tracks?tags=ambient")).body.paging.total).toBe(0);
  expect((await web("GET", "/app/tracks?tags=house")).body.paging.total).toBe(count);
});
