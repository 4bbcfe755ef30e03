import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isSameKey, keyName, parseKey, wheelDistance } from "../../src/kernel/musical-key.ts";

const same = (a: string, b: string) => {
  const [left, right] = [parseKey(a), parseKey(b)];
  return left !== undefined && right !== undefined && isSameKey(left, right);
};

describe("keys", () => {
  test.each([
    ["F# minor", "Gb minor"],
    ["F# minor", "Gbm"],
    ["F# minor", "f sharp min"],
    ["F# minor", "11A"],
    ["C# major", "Db"],
    ["C", "C minor"],
    ["C", "C major"],
    ["Cb major", "B major"],
    ["E# minor", "F minor"],
    ["8B", "C"],
    ["A♭ minor", "1A"],
    ["CM", "C major"],
  ])("the key %s covers %s", (a, b) => {
    const [left, right] = [parseKey(a), parseKey(b)];
    expect(left && right && left.pitch === right.pitch).toBe(true);
    if (right?.mode !== null) expect(same(a, b)).toBe(true);
  });

  test.each([
    ["C major", "C minor"],
    ["8A", "8B"],
    ["F# minor", "F minor"],
  ])("the key %s is not %s", (a, b) => {
    expect(same(a, b)).toBe(false);
  });

  test.each(["", "H minor", "13A", "0B", "C lydian", "hello"])("%s is not a key", (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  test("the Camelot wheel goes round in fifths", () => {
    const names = Array.from({ length: 12 }, (_, index) => parseKey(`${index + 1}A`)).map(
      (key) => key && keyName(key),
    );
    expect(names).toEqual(
      ["Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"].map((tonic) => `${tonic} minor`),
    );
    expect(keyName(parseKey("1B") ?? { pitch: 0, mode: null })).toBe("B major");
  });

  test("relative keys and fifths are one step apart on the wheel", () => {
    const step = (a: string, b: string) => wheelDistance(parseKey(a) ?? never(), parseKey(b) ?? never());
    expect([
      step("A minor", "C major"),
      step("A minor", "E minor"),
      step("12A", "1A"),
      step("A minor", "Eb minor"),
    ]).toEqual([1, 1, 1, 6]);
  });

  test("the name of every key reads back as that key", () => {
    const mode = fc.constantFrom("major" as const, "minor" as const, null);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 11 }), mode, (pitch, mode) => {
        expect(parseKey(keyName({ pitch, mode }))).toEqual({ pitch, mode });
      }),
    );
  });
});

function never(): never {
  throw new Error("not a key");
}
