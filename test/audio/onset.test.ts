import { expect, test } from "bun:test";
import { keepAboveLocalMean } from "../../src/audio/tempo/onset.ts";

test.each([1, 5, 40, 300])(
  "only what exceeds the mean of %d frames on each side is kept, in place",
  (halfWidth) => {
    const envelope = Float32Array.from({ length: 200 }, (_, i) => ((i * 7919) % 97) / 8); // sums of eighths are exact
    const expected = envelope.map((value, i) => {
      const around = envelope.subarray(Math.max(0, i - halfWidth), i + halfWidth + 1);
      return Math.max(0, value - around.reduce((sum, each) => sum + each, 0) / around.length);
    });

    keepAboveLocalMean(envelope, halfWidth);

    expect(envelope).toEqual(expected);
  },
);
