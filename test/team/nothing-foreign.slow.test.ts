import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { createForeignWalk } from "../support/foreign.ts";

const ROLES = ["manager", "producer", "artist", "listener"] as const;

let app: TestApp;
let walk: Awaited<ReturnType<typeof createForeignWalk>>;
beforeAll(async () => {
  app = await createTestApp();
  walk = await createForeignWalk(app);
});
afterAll(() => app.close());

test("the walk sees splits, plays and originals where they are shown", async () => {
  const faults = (await walk.readAll("manager", "listener")).join();

  for (const shown of ["a split", "plays", "an original"]) expect(faults).toContain(shown);
});

test.each(ROLES)(
  "a %s reads nothing of another library, and nothing that the role does not show",
  async (role) => {
    expect(await walk.readAll(role)).toEqual([]);
  },
);

test.each(ROLES)("200 random requests of a %s are told nothing of it either", async (role) => {
  expect(await walk.random(role, 200, 33)).toEqual([]);
});
