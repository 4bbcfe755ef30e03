import { expect, test } from "bun:test";
import { bounce } from "../../scripts/watch-bounces/flow.ts";

test("bounces are taken in once each, however they are written, and although the watcher is killed", async () => {
  const figures = await bounce({ bounces: 40, kills: 2, settleSeconds: 0, say: () => undefined });

  expect(figures).toMatchObject({ bounces: 40, versions: 40, lost: 0, doubled: 0 });
});
