import { describe, expect, test } from "bun:test";
import { HEARD_TAGS } from "../../src/ears/tags.ts";
import { DESCRIBED, SOUND_VERSION } from "../../src/modules/library/sounds/service.ts";
import { alikeTarget } from "../../src/modules/search/search/heard/alike.ts";
import { seededRandom } from "../support/signals.ts";

const random = seededRandom(5);
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
/** Returns a vector of length 1, of which this many numbers are not zero. */
function unitOf(count: number): Float32Array {
  const values = Float32Array.from({ length: DESCRIBED + HEARD_TAGS.length }, (_, i) =>
    i < count ? random() - 0.5 : 0,
  );
  const length = Math.sqrt(dot(values, values));
  return values.map((value) => value / length);
}

describe("what is alike", () => {
  test.each([
    ["a track that the ears have heard", DESCRIBED + HEARD_TAGS.length],
    ["a track that they have not", DESCRIBED],
  ])("%s is as much like itself as can be", (_, count) => {
    const unit = unitOf(count);
    const { unit: target, full = 0 } = alikeTarget({ version: SOUND_VERSION, unit });

    expect(dot(target, target)).toBeCloseTo(1, 5);
    expect(dot(target, unit) / full).toBeCloseTo(1, 5);
    expect(dot(target, unitOf(count)) / full).toBeLessThan(1);
  });

  test("vectors of other versions are compared as they are", () => {
    const target = { version: "another", unit: unitOf(9) };
    expect(alikeTarget(target)).toBe(target);
  });
});
