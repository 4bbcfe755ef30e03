import { expect, test } from "bun:test";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { topOf } from "../../src/modules/search/search/ranking/top.ts";

const random = randomFrom("top test");

test.each([0, 1, 7, 100, 999, 5000])("the best %d are the same as after sorting everything", (limit) => {
  // Few different scores, to make many ties.
  const scores = Float32Array.from({ length: 1000 }, () => Math.floor(random() * 20) / 20);
  const slots = Uint32Array.from({ length: 1000 }, (_, slot) => slot);
  const isBefore = (a: number, b: number) => {
    const difference = (scores[b] ?? 0) - (scores[a] ?? 0);
    return difference === 0 ? a < b : difference < 0;
  };

  const best = topOf(slots, limit, scores, isBefore);

  expect(best).toEqual(
    Array.from(slots)
      .sort((a, b) => (isBefore(a, b) ? -1 : 1))
      .slice(0, limit),
  );
});
