import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

function owner() {
  const { accountId, token } = app.createAccount();
  const web = app.signedIn(token);
  return {
    accountId,
    web,
    steps: async (): Promise<Json> => (await web("GET", "/app/first-steps")).body.data,
  };
}

describe("the first steps", () => {
  test("are ticked by what the account has", async () => {
    const { web, steps } = owner();
    const ticks = async () => {
      const { music, analysed, searched, shared } = await steps();
      return [music, analysed, searched, shared];
    };

    expect(await ticks()).toEqual([false, false, false, false]);
    const { body } = await web("POST", "/app/tracks/demo");
    expect(await ticks()).toEqual([true, false, false, false]);
    await app.drainJobs();
    expect(await ticks()).toEqual([true, true, false, false]);
    const { briefs } = await steps();
    for (const query of briefs) {
      const found = await web("POST", "/app/library/tracks/search", { query });
      expect(found.body.data.count).toBeGreaterThan(0);
      expect(found.body.data.interpretation.briefParsed).toBe(true);
    }
    expect(briefs).toHaveLength(2);
    expect(await ticks()).toEqual([true, true, true, false]);
    await web("POST", "/app/playlists", { name: "Has a link of its own" });
    expect(await ticks()).toEqual([true, true, true, false]);
    await web("POST", "/app/shares", { trackId: body.data.trackIds[0] });

    expect(await ticks()).toEqual([true, true, true, true]);
  });

  test("are put away with the account, and shown again", async () => {
    const [mara, other] = [owner(), owner()];

    const { body } = await mara.web("PATCH", "/app/first-steps", { dismissed: true });

    expect(body.data.dismissed).toBe(true);
    expect([(await mara.steps()).dismissed, (await other.steps()).dismissed]).toEqual([true, false]);
    await mara.web("PATCH", "/app/first-steps", { dismissed: false });
    expect((await mara.steps()).dismissed).toBe(false);
  });
});

test("demo tracks are three, visible, and not added twice", async () => {
  const { web } = owner();

  const first = await web("POST", "/app/tracks/demo");
  const second = await web("POST", "/app/tracks/demo");
  const { body } = await web("GET", "/app/tracks");

  expect([first.body.data.added, second.body.data.added]).toEqual([3, 0]);
  expect(second.body.data.trackIds).toEqual(first.body.data.trackIds);
  expect(body.data.map(({ visible }: Json) => visible)).toEqual([true, true, true]);
});
